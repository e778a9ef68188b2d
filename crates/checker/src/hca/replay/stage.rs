//! Two adapters with their hosts, and a cable that holds every packet until the script decides on it.

use ::hca::Hca;
use ::hca::contexts::{Attributes, Reader, Requester, Responder};
use ::hca::layout::{PacketKind, Status};
use ::hca::pins::{In, Out};
use ::hca::traffic::connection::Connection;
use ::hca::traffic::datagrams::{Datagrams, Q_KEY};
use ::hca::traffic::packet::Packet;
use ::hca::traffic::pair::Pair;
use ::hca::traffic::wire::Faults;
use hdl::{Bits, Nic, NicError};

use super::super::defect::Defect;
use super::super::world::{FIRST_PSN, RNR_TIMER, SECOND_PSN, SIDES, State, World};
use super::super::wrong::Wrong;
use super::Ending;
use super::link::{LIDS, PAIRS};
use super::program::Program;
use super::script::ROOMY;
use super::view::{Flight, Rows, View, flights};

/// Code of the time-out: 262 us, longer than a script takes from one deadline to the next.
const TIMEOUT: u8 = 6;
/// Picoseconds after which a deadline has passed, and its queue pair was looked at.
const LATE: u64 = 400_000_000;
/// Cycles without an event after which a stage is at rest.
const REST: u64 = 250;
/// A stage that is not at rest by then never will be.
const RESTLESS: u64 = 400_000;
/// Pace of the monitor where the cable is full: packets wait in transmitters for as long as the script likes.
const FULL: u64 = 1_000;
/// Packets in the transmitter of an adapter, behind those on the cable.
const SLOTS: usize = 2;

/// Places of the rows in the memories of an adapter: first word, words from one row to the next.
struct Places {
    requesters: (usize, usize),
    responders: (usize, usize),
    readers: (usize, usize),
}

impl Places {
    fn new() -> Self {
        let map = hdl::memory_map(&Hca::default());
        let place = |name: &str| {
            let found = map.iter().find(|place| place.block == name);
            found.map_or((0, 0), |place| (place.start, hdl::words_for(place.width)))
        };
        Self { requesters: place("requesters"), responders: place("responders"), readers: place("readers") }
    }
}

/// Two adapters, their hosts, and the packets on the cable.
pub struct Stage<N> {
    pair: Pair<N>,
    programs: [Program; 2],
    places: Places,
    wrong: Option<Wrong>,
}

/// The third queue pair, of datagrams, on a shared receive queue.
const THIRD: u8 = 5;

/// Attributes of a queue pair.
fn attributes(world: &World, me: usize, psn: u32) -> Attributes {
    Attributes {
        mtu: 1,
        retries: world.retries,
        rnr_retries: world.rnr_retries,
        timeout: TIMEOUT,
        reads: world.reads,
        rnr_timer: RNR_TIMER,
        shared: world.shared.is_some(),
        send_psn: psn,
        receive_psn: psn,
        ..Connection::attributes(LIDS[1 - me], PAIRS[1 - me].into())
    }
}

impl<N: Nic<In = In, Out = Out>> Stage<N> {
    /// Adapters after reset, with hosts that set them up and post all requests.
    pub fn new(world: &World, adapters: [N; 2]) -> Result<Self, NicError> {
        let mut pair = Pair::new(adapters, 1, Faults::default());
        for wire in &mut pair.wires {
            wire.holds = Some(world.room.saturating_sub(SLOTS));
        }
        if world.room < ROOMY {
            pair.monitor.pace = FULL;
        }
        let programs =
            SIDES.map(|me| Program::new(&mut pair.hosts[me], me, attributes(world, me, FIRST_PSN)));
        if world.shared.is_some() {
            for host in &mut pair.hosts {
                host.set_pair(THIRD, Attributes { shared: true, ..Datagrams::attributes() });
            }
        }
        let mut stage = Self { pair, programs, places: Places::new(), wrong: None };
        stage.settle()?;
        for (me, side) in world.start().sides.iter().enumerate() {
            (0..side.posted).for_each(|_| stage.post(me));
        }
        stage.settle()?;
        stage.request(world);
        stage.settle()?;
        Ok(stage)
    }

    /// Hosts post the requests that are neither done nor given up, as many as the window allows. Tells whether there are any.
    fn request(&mut self, world: &World) -> bool {
        let mut posts = false;
        for me in SIDES {
            posts |= self.programs[me].request(&mut self.pair.hosts[me], &world.requests[me], world.window);
        }
        posts
    }

    /// Runs until nothing moves any more. Hosts take their completions, and post further requests.
    pub fn rest(&mut self, world: &World) -> Result<(), NicError> {
        loop {
            self.settle()?;
            self.observe(world);
            if !self.request(world) {
                return Ok(());
            }
        }
    }

    /// Picoseconds since reset.
    pub fn now(&self) -> u64 {
        self.pair.now()
    }

    /// Compares what is not compared on every edge.
    pub fn check(&mut self) -> Result<(), NicError> {
        self.pair.adapters.iter_mut().try_for_each(Nic::check)
    }

    /// Runs until nothing moves any more but the clock.
    pub fn settle(&mut self) -> Result<(), NicError> {
        let (mut quiet, mut cycles) = (0, 0);
        while quiet < REST {
            quiet = if self.moves() { 0 } else { quiet + 1 };
            cycles += 1;
            if cycles > RESTLESS {
                return Err("an adapter does not come to rest".into());
            }
            self.pair.step()?;
        }
        Ok(())
    }

    fn moves(&self) -> bool {
        SIDES.into_iter().any(|me| {
            let out = self.pair.adapters[me].outputs();
            let sends = out.link.valid && self.pair.wires[me].has_room();
            let host = !self.pair.hosts[me].is_quiet();
            host || sends || out.bus.request || out.bus.transfer || !self.pair.wires[me].is_empty()
        })
    }

    /// Runs until the deadline of a queue pair has passed, and it acts on it.
    pub fn time_out(&mut self, me: usize) -> Result<(), NicError> {
        let acts = |pair: &Pair<N>| pair.adapters[me].outputs().bus.request;
        match self.pair.run_until(LATE, acts)? {
            Some(_) => Ok(()),
            None => Err("a deadline passes, and the adapter does nothing".into()),
        }
    }

    /// Words of a packet that is held, the oldest being 0; it stays if it is to come again.
    pub fn take(&mut self, from: usize, at: usize, again: bool) -> Result<Vec<u64>, NicError> {
        let held = &mut self.pair.wires[from].held;
        let words = if again { held.get(at).cloned() } else { held.remove(at) };
        words.ok_or_else(|| "the packet of this step has not left its adapter".into())
    }

    /// A packet from a queue pair arrives at the other one, unless the link has dropped it.
    pub fn deliver(&mut self, from: usize, words: Option<Vec<u64>>) {
        if let Some(words) = words {
            self.pair.wires[from].inject(&words);
        }
    }

    /// A host posts a receive WQE.
    pub fn post(&mut self, me: usize) {
        self.programs[me].post(&mut self.pair.hosts[me]);
    }

    /// A datagram to the third queue pair takes a WQE of the shared receive queue.
    pub fn share(&mut self, me: usize) {
        let lids = (LIDS[1 - me], LIDS[me]);
        let datagram = Packet::new(PacketKind::DatagramSend, lids, THIRD.into(), 0);
        self.pair.wires[1 - me].inject_packet(&datagram.datagram(Q_KEY, THIRD.into()).bytes());
    }

    /// Both hosts make their queue pairs again and post the requests that are not given up.
    pub fn remake(&mut self, world: &World) -> Result<(), NicError> {
        let psn = if world.defect == Some(Defect::ReusesPsns) { FIRST_PSN } else { SECOND_PSN };
        for me in SIDES {
            let Rows { requester, responder, .. } = self.rows(me);
            let done = requester.consumed + u16::from(requester.begun);
            let made = attributes(world, me, psn);
            self.programs[me].remake(&mut self.pair.hosts[me], made, (done, responder.consumed));
            self.programs[1 - me].next = (done as u8, 0);
        }
        self.settle()?;
        self.request(world);
        Ok(())
    }

    /// Rows of a queue pair, in units of the checker.
    fn rows(&self, me: usize) -> Rows {
        let mut words = Vec::new();
        self.pair.adapters[me].memories(&mut words);
        let row = |(start, size): (usize, usize)| &words[start + usize::from(PAIRS[me]) * size..];
        let Places { requesters, responders, readers } = self.places;
        let rows = Rows {
            requester: Requester::take(row(requesters), 0, Requester::WIDTH),
            responder: Responder::take(row(responders), 0, Responder::WIDTH),
            reader: Reader::take(row(readers), 0, Reader::WIDTH),
        };
        rows.of_adapter((self.programs[me].done, self.programs[me].taken))
    }

    /// Rows of both queue pairs and packets on the cable. Packets in transmitters, where the cable is full, are those of the
    /// checker's state.
    pub fn view(&self, world: &World, state: &State) -> Result<View, NicError> {
        let wire = |from: usize| -> Result<Vec<Flight>, NicError> {
            let wire = &self.pair.wires[from];
            let mut held: Vec<_> =
                wire.held.iter().map(|words| Flight::on_wire(words)).collect::<Result<_, _>>()?;
            if wire.holds == Some(held.len()) {
                held.extend(flights(world, from, &state.wires[from]).into_iter().skip(held.len()));
            }
            Ok(held)
        };
        Ok(View { ends: SIDES.map(|me| self.rows(me)), wires: [wire(0)?, wire(1)?] })
    }

    /// Hosts take their completions and judge them, receivers first.
    fn observe(&mut self, world: &World) {
        let mut completions = Vec::new();
        for me in SIDES {
            while let Some(cqe) = self.programs[me].poll(&mut self.pair.hosts[me]) {
                if cqe.pair == THIRD {
                    continue;
                }
                if Program::is_receive(&cqe) {
                    let requests = &world.requests[1 - me];
                    let wrong = self.programs[me].receive(&self.pair.hosts[me], cqe, requests);
                    self.wrong = self.wrong.or(wrong);
                } else {
                    completions.push((me, cqe));
                }
            }
        }
        for (me, cqe) in completions {
            let received = self.programs[1 - me].next;
            let wrong = self.programs[me].complete(cqe, world, received);
            self.wrong = self.wrong.or(wrong);
        }
        for me in SIDES {
            let mut row = self.rows(me).requester;
            row.consumed -= self.programs[me].done;
            let wrong = self.programs[me].read(&self.pair.hosts[me], &row, world);
            self.wrong = self.wrong.or(wrong);
        }
    }

    /// Faults cease: the link passes all packets on at once, hosts post receive WQEs, and time goes on until every request
    /// is completed, or would have been.
    pub fn end(&mut self, world: &World) -> Result<(), NicError> {
        for me in SIDES {
            self.pair.wires[me].let_flow();
            let sends = 1 + world.requests[1 - me].len();
            (0..sends).for_each(|_| self.post(me));
        }
        if world.dead {
            self.pair.wires[0].set_faults(Faults { lost: 1, ..Faults::default() });
        }
        let requests: usize = world.requests.iter().map(Vec::len).sum();
        let attempts = requests * (usize::from(world.retries) + 2);
        for _ in 0..attempts {
            self.rest(world)?;
            if self.has_completed(world) {
                break;
            }
            let idle = |pair: &Pair<N>| SIDES.iter().any(|me| pair.adapters[*me].outputs().bus.request);
            self.pair.run_until(LATE, idle)?;
        }
        Ok(())
    }

    /// Every request that was not given up has its completion.
    fn has_completed(&self, world: &World) -> bool {
        SIDES.iter().all(|me| {
            let program = &self.programs[*me];
            let ended = |number: u16| program.completed.iter().any(|(done, _)| u16::from(*done) == number);
            (program.done..world.requests[*me].len() as u16).all(ended)
        })
    }

    /// The observations of the hosts.
    pub fn ending(&self, world: &World, took: u64) -> Ending {
        let completed: Vec<_> = SIDES
            .iter()
            .flat_map(|me| {
                self.programs[*me].completed.iter().map(|(number, status)| (*me, *number, *status))
            })
            .collect();
        let right = |(at, (.., status)): (usize, &(usize, u8, Status))| match (world.dead, at) {
            (false, _) => *status == Status::Success,
            (true, 0) => *status == Status::RetryExceeded,
            (true, _) => *status == Status::Flushed,
        };
        let complete = self.has_completed(world) && completed.iter().enumerate().all(right);
        Ending { completed, complete, wrong: self.wrong, took }
    }
}
