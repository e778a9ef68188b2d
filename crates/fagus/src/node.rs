//! A node: its part of all objects, locks and barriers, over datagrams, without a thread, socket or clock of its own.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;
use std::task::Waker;
use std::time::Duration;

use crate::block::Block;
use crate::comm::Comm;
use crate::config::{Config, Stats};
use crate::datagram::Datagram;
use crate::error::Error;
use crate::protocol::object::{Home, Input, Output, Replica};
use crate::protocol::{Rules, barrier, lock};
use crate::reassembly::{self, Reassembly};
use crate::watch::{Report, Thing, Watch};
use crate::wire::{Data, Message};

/// Locks of a run.
pub const LOCKS: usize = 64;

struct Object {
    name: String,
    bytes: usize,
    replica: Replica<Data>,
    home: Option<Home>,
}

/// What a program waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// To read an object.
    Read(u32),
    /// To write an object.
    Write(u32),
    /// A lock.
    Lock(u32),
    /// A barrier, with what the node has declared.
    Barrier(u64),
    /// A time.
    Until(Duration),
}

struct Waiting {
    call: Call,
    since: Duration,
    told: Duration,
    /// Nobody waits for it any more.
    dropped: bool,
}

/// A node. Whoever has it calls [`serve`](Node::serve) when packets have come and when [`wakes`](Node::wakes) says so.
pub struct Node {
    me: u16,
    nodes: usize,
    config: Config,
    now: Duration,
    comm: Comm,
    reassembly: Reassembly,
    messages: u16,
    packets: VecDeque<(u16, Vec<u8>)>,
    objects: Vec<Object>,
    locks: Vec<(lock::Holder, Option<lock::Home>)>,
    arrival: barrier::Arrival,
    meeting: barrier::Home,
    watch: Watch,
    calls: u64,
    waiting: Option<Waiting>,
    result: Option<(Call, Result<(), Error>)>,
    waker: Option<Waker>,
    failed: Option<Error>,
    stats: Stats,
}

impl Node {
    /// Node `me` of so many.
    pub fn new(me: u16, nodes: usize, config: Config) -> Node {
        let seed = crate::comm::mix(config.seed ^ u64::from(me));
        let home = |number: usize| (number % nodes == usize::from(me)).then(|| lock::Home::new(nodes));
        Node {
            me,
            nodes,
            now: Duration::ZERO,
            comm: Comm::new(nodes, config.timers, seed),
            config,
            reassembly: Reassembly::default(),
            messages: 0,
            packets: VecDeque::new(),
            objects: Vec::new(),
            locks: (0..LOCKS).map(|number| (lock::Holder::default(), home(number))).collect(),
            arrival: barrier::Arrival::default(),
            meeting: barrier::Home::new(nodes),
            watch: Watch::default(),
            calls: 0,
            waiting: None,
            result: None,
            waker: None,
            failed: None,
            stats: Stats::default(),
        }
    }

    /// Number of this node.
    pub fn me(&self) -> u16 {
        self.me
    }

    /// Nodes that there are.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// The time of the last [`serve`](Node::serve).
    pub fn now(&self) -> Duration {
        self.now
    }

    /// What was counted.
    pub fn stats(&self) -> Stats {
        Stats { comm: self.comm.counts, ..self.stats }
    }

    /// All that was sent has come.
    pub fn is_quiet(&self) -> bool {
        self.comm.is_quiet()
    }

    /// Why nothing goes on any more.
    pub fn failed(&self) -> Option<&Error> {
        self.failed.as_ref()
    }

    /// Declares an object of so many bytes, all zero. Its home is its first owner.
    pub fn declare(&mut self, name: String, bytes: usize, home: u16) -> u32 {
        let data = Data(Arc::new(if home == self.me { Block::zeros(bytes) } else { Block::default() }));
        let replica = Replica::new(self.me, home, data);
        let home = (home == self.me).then(|| Home::new(home, self.nodes));
        self.objects.push(Object { name, bytes, replica, home });
        self.objects.len() as u32 - 1
    }

    /// Takes in what has come, sends what is to be sent.
    pub fn serve(&mut self, now: Duration, datagram: &mut impl Datagram) {
        self.now = self.now.max(now);
        while let Some((from, packet)) = datagram.receive_from() {
            self.stats.packets_received += 1;
            match self.reassembly.hear(self.now, from, &packet) {
                Ok(Some(bytes)) => {
                    for message in self.comm.hear(self.now, from, &bytes) {
                        self.decode(from, &message);
                    }
                }
                Ok(None) => {}
                Err(_) => self.stats.malformed += 1,
            }
        }
        self.tick();
        self.flush(datagram);
    }

    /// Sends what is to be sent.
    pub fn flush(&mut self, datagram: &mut impl Datagram) {
        while let Some((to, message)) = self.comm.next(self.now) {
            self.messages = self.messages.wrapping_add(1);
            self.packets.extend(reassembly::split(self.messages, &message).map(|packet| (to, packet)));
        }
        for (to, packet) in self.packets.drain(..) {
            self.stats.packets_sent += 1;
            datagram.send_to(to, &packet);
        }
    }

    /// When time alone brings something about.
    pub fn wakes(&self) -> Option<Duration> {
        let call = self.waiting.as_ref().map(|waiting| match waiting.call {
            Call::Until(time) => time,
            _ => waiting.told + self.config.patience,
        });
        let comm = self.comm.wakes().filter(|_| self.failed.is_none() || !self.comm.is_quiet());
        call.into_iter().chain(comm).min()
    }

    /// Begins a call.
    pub fn begin(&mut self, call: Call) -> Result<(), Error> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        if self.waiting.is_some() || self.result.is_some() {
            return Err(Error::OneAtATime(self.me));
        }
        self.calls += 1;
        let now = self.now;
        self.waiting = Some(Waiting { call, since: now, told: now, dropped: false });
        match call {
            Call::Read(number) => self.object(number, Input::Read),
            Call::Write(number) => self.object(number, Input::Write),
            Call::Lock(number) => {
                let message = self.locks[number as usize].0.acquire();
                self.send(self.home_of_lock(number), Message::Lock(number, message));
            }
            Call::Barrier(digest) => {
                let message = self.arrival.arrive(digest);
                self.send(0, Message::Barrier(message));
            }
            Call::Until(_) => {}
        }
        Ok(())
    }

    /// The end of the call, if it has come. Otherwise whoever waits is woken then.
    pub fn end(&mut self, waker: &Waker) -> Option<Result<(), Error>> {
        if self.result.is_none() {
            self.waker = Some(waker.clone());
        }
        self.result.take().map(|(_, result)| result)
    }

    /// Nobody waits for the call any more: what it gets is given back.
    pub fn forget(&mut self) {
        if let Some(waiting) = &mut self.waiting {
            waiting.dropped = true;
        } else if let Some((call, Ok(()))) = self.result.take() {
            self.give_back(call);
        }
    }

    /// Data of an object that is read.
    pub fn data(&self, number: u32) -> Arc<Block> {
        let data = self.objects[number as usize].replica.data();
        data.map_or_else(Arc::default, |data| data.0.clone())
    }

    /// Takes the data of an object that is written; [`end_write`](Node::end_write) brings it back.
    pub fn take(&mut self, number: u32) -> Arc<Block> {
        let data = self.objects[number as usize].replica.data_mut();
        data.map_or_else(Arc::default, |data| std::mem::take(&mut data.0))
    }

    /// A read guard goes.
    pub fn end_read(&mut self, number: u32) {
        self.object(number, Input::EndRead);
    }

    /// A write guard goes.
    pub fn end_write(&mut self, number: u32, block: Arc<Block>) {
        self.object(number, Input::EndWrite(Data(block)));
    }

    /// The lock is given back.
    pub fn release(&mut self, number: u32) {
        let message = self.locks[number as usize].0.release();
        self.send(self.home_of_lock(number), Message::Lock(number, message));
    }

    /// Sends a copy to another node; only an owner can do that.
    pub fn push(&mut self, number: u32, to: u16) -> Result<(), Error> {
        let Object { name, replica, .. } = &self.objects[number as usize];
        if !replica.is_owner() || replica.guards().writing {
            return Err(Error::NotOwner { node: self.me, what: name.clone() });
        }
        self.object(number, Input::Push(to));
        Ok(())
    }

    fn others(&self) -> impl Iterator<Item = u16> + use<> {
        let me = self.me;
        (0..self.nodes as u16).filter(move |other| *other != me)
    }

    fn home_of_lock(&self, number: u32) -> u16 {
        (number as usize % self.nodes) as u16
    }

    /// An input of an object of this node.
    fn object(&mut self, number: u32, input: Input<Data>) {
        let outputs = self.objects[number as usize].replica.step(&Rules::REPAIRED, input);
        self.follow(number, outputs);
    }

    fn follow(&mut self, number: u32, outputs: Vec<Output<Data>>) {
        for output in outputs {
            match output {
                Output::Send(to, message) => self.send(to, Message::Object(number, message)),
                Output::Readable | Output::Writable => self.complete(Ok(())),
            }
        }
    }

    fn send(&mut self, to: u16, message: Message) {
        self.stats.count(&message);
        if to == self.me {
            self.hear(to, message);
        } else {
            self.comm.send(to, &message.encode());
        }
    }

    fn decode(&mut self, from: u16, bytes: &[u8]) {
        match Message::decode(bytes).filter(|message| self.is_sound(message)) {
            Some(message) => self.hear(from, message),
            None => self.stats.malformed += 1,
        }
    }

    /// Whether what a message names exists.
    fn is_sound(&self, message: &Message) -> bool {
        use crate::protocol::object::Message::{Data, Grant, HandOver, Supply};
        let node = |node: u16| usize::from(node) < self.nodes;
        match message {
            Message::Object(number, message) => {
                let Some(object) = self.objects.get(*number as usize) else { return false };
                match message {
                    Data { data, .. } | Grant { data: Some(data), .. } => {
                        data.0.bytes().len() == object.bytes
                    }
                    Supply { to, .. } | HandOver { to, .. } => node(*to),
                    _ => true,
                }
            }
            Message::Lock(number, _) => (*number as usize) < LOCKS,
            Message::Dead(dead, _) => node(*dead),
            _ => true,
        }
    }

    fn hear(&mut self, from: u16, message: Message) {
        match message {
            Message::Object(number, message) if message.is_to_home() => {
                let home = self.objects[number as usize].home.as_mut();
                let outputs = home.map_or_else(Vec::new, |home| home.step(&Rules::REPAIRED, from, &message));
                self.follow(number, outputs);
            }
            Message::Object(number, message) => self.object(number, Input::Message(from, message)),
            Message::Lock(number, message) => {
                let (holder, home) = &mut self.locks[number as usize];
                if message.is_to_home() {
                    let given = home.as_mut().and_then(|home| home.step(from, message));
                    if let Some((to, message)) = given {
                        self.send(to, Message::Lock(number, message));
                    }
                } else if holder.step(message) {
                    self.complete(Ok(()));
                }
            }
            Message::Barrier(message) if message.is_to_home() => {
                if let Some(passed) = self.meeting.step(from, message) {
                    // The others first: this node may be in the next one by the time it has heard.
                    for to in (0..self.nodes as u16).rev() {
                        self.send(to, Message::Barrier(passed));
                    }
                }
            }
            Message::Barrier(message) => match self.arrival.step(message) {
                Some(None) => self.complete(Ok(())),
                Some(Some(node)) => self.fail(Error::Disagree(node)),
                None => {}
            },
            Message::Ping => {}
            Message::Report(report) => {
                if let Some(cycle) = self.watch.hear(from, report) {
                    let words = self.words(&cycle);
                    for to in (0..self.nodes as u16).rev() {
                        self.send(to, Message::Cycle(words.clone()));
                    }
                }
            }
            Message::Cycle(words) => self.fail(Error::Cycle(words)),
            Message::Dead(node, lost) => self.fail(Error::Dead { node, lost }),
        }
    }

    /// The call has ended.
    fn complete(&mut self, result: Result<(), Error>) {
        let Some(waiting) = self.waiting.take() else { return };
        self.stats.waited += self.now.saturating_sub(waiting.since);
        if waiting.dropped {
            if result.is_ok() {
                self.give_back(waiting.call);
            }
            return;
        }
        self.result = Some((waiting.call, result));
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }

    /// What a call has got goes back.
    fn give_back(&mut self, call: Call) {
        match call {
            Call::Read(number) => self.end_read(number),
            Call::Write(number) => {
                let block = self.take(number);
                self.end_write(number, block);
            }
            Call::Lock(number) => self.release(number),
            Call::Barrier(_) | Call::Until(_) => {}
        }
    }

    fn fail(&mut self, error: Error) {
        if self.failed.is_none() {
            self.failed = Some(error.clone());
            self.complete(Err(error));
        }
    }

    /// Does what time brings about.
    fn tick(&mut self) {
        if self.failed.is_some() {
            return;
        }
        if let Some(node) = self.comm.dead(self.now) {
            let lost = self.lost_with(node);
            for to in self.others().filter(|to| *to != node) {
                self.send(to, Message::Dead(node, lost.clone()));
            }
            return self.fail(Error::Dead { node, lost });
        }
        let Some(waiting) = &mut self.waiting else { return };
        match waiting.call {
            Call::Until(time) if time <= self.now => return self.complete(Ok(())),
            Call::Until(_) => return,
            _ if self.now < waiting.told + self.config.patience => return,
            _ => waiting.told = self.now,
        }
        let waits = match waiting.call {
            Call::Read(number) => Thing::Object { number, write: false },
            Call::Write(number) => Thing::Object { number, write: true },
            Call::Lock(number) => Thing::Lock(number),
            Call::Barrier(_) | Call::Until(_) => Thing::Barrier(self.arrival.round()),
        };
        let round = self.arrival.round();
        let report = Report { call: self.calls, waits, holds: self.holds(), round };
        self.send(0, Message::Report(report));
        // A node that nobody has heard of may be dead, and what is waited for be with it.
        for to in self.others() {
            if self.comm.heard(to) + self.config.patience <= self.now {
                self.send(to, Message::Ping);
            }
        }
    }

    fn holds(&self) -> Vec<Thing> {
        let objects = self.objects.iter().zip(0..).filter(|(object, _)| object.replica.guards().any());
        let objects =
            objects.map(|(object, number)| Thing::Object { number, write: object.replica.guards().writing });
        let locks = self.locks.iter().zip(0..).filter(|((holder, _), _)| holder.has());
        objects.chain(locks.map(|(_, number)| Thing::Lock(number))).collect()
    }

    /// Objects that a node has owned, or had the order of, as far as they are known here.
    pub(crate) fn lost_with(&self, node: u16) -> Vec<String> {
        let lost = |object: &&Object| match &object.home {
            Some(home) => home.owner() == node || home.next_owner() == Some(node),
            None => object.replica.home() == node,
        };
        self.objects.iter().filter(lost).map(|object| object.name.clone()).collect()
    }

    fn words(&self, cycle: &[(u16, Thing)]) -> String {
        let what = |thing: Thing| match thing {
            Thing::Object { number, write } => {
                let name = self.objects.get(number as usize).map_or("an object", |object| &object.name);
                format!("to {} {name}", if write { "write" } else { "read" })
            }
            Thing::Lock(number) => format!("for lock {number}"),
            Thing::Barrier(round) => format!("at barrier {round}"),
        };
        let next = cycle.iter().cycle().skip(1);
        let link = |((node, thing), (next, _)): (&(u16, Thing), &(u16, Thing))| {
            format!("node {node} waits {} until node {next} goes on", what(*thing))
        };
        cycle.iter().zip(next).map(link).collect::<Vec<_>>().join("; ")
    }

    /// Name of an object.
    pub fn name(&self, number: u32) -> &str {
        &self.objects[number as usize].name
    }
}

/// Where a range lies within the parts of an object: the part, and the range in it.
pub(crate) fn within(parts: &[Range<usize>], range: &Range<usize>) -> Option<(usize, Range<usize>)> {
    let part = parts.partition_point(|part| part.end <= range.start);
    let of = parts
        .get(part)
        .filter(|of| range.start >= of.start && range.end <= of.end && range.start < range.end)?;
    Some((part, range.start - of.start..range.end - of.start))
}
