//! A node: host programs, memory bus, network interface and two SO-DIMMs.

use std::cell::RefMut;
use std::rc::Rc;

use dimmnet2::address::cell;
use dimmnet2::clocks;
use dimmnet2::line::{FIRST, LAST, Line};
use dimmnet2::pins::{self, HostIn, MemoryIn};
use hdl::{Edges, Nic, NicError, Quiet};

use crate::fingerprint::Fingerprint;
use crate::host::{Bus, Executor, Output, Shared, TaskReport};
use crate::inspection::Inspection;
use crate::memory::SoDimm;
use crate::stages::{Event, Log, Observation, Place, Watch, WatchError};
use crate::{ClockDomain, Clocks, Duration, Host, Link, Time, Transport};

/// Any network interface behind the pins of the board: model, RTL, or both in lockstep.
pub type AnyNic = dyn Nic<In = pins::In, Out = pins::Out>;

/// The two links of a node.
pub(crate) struct Cable<'a> {
    /// From the node.
    pub up: &'a mut Link,
    /// To the node.
    pub down: &'a mut Link,
}

/// A host with its board.
///
/// While the device is quiescent and nothing is on its pins the node sleeps: edges are counted, not walked. It
/// wakes for a beat of the host bus, a line from the network, or a sample for the fingerprint.
pub struct Node {
    id: usize,
    clocks: Clocks,
    nic: Box<AnyNic>,
    pins: pins::In,
    /// The instant through which all edges have passed in the device.
    passed: Time,
    /// Next edges of the two clocks while awake.
    core_edge: Time,
    network_edge: Time,
    asleep: bool,
    /// The device has seen the pins that hardly ever change.
    settled: Time,
    /// The device stays quiescent only until here.
    alarm: Option<Time>,
    /// Idle stretches are skipped; otherwise every edge is walked.
    pub(crate) skipping: bool,
    shared: Rc<Shared>,
    executor: Executor,
    memories: [SoDimm; 2],
    transport: Transport,
    /// The line on `rx_line` is the first one of a frame, if it is one.
    receiving: bool,
    /// The frame sent last, as far as it has left.
    last_frame: Vec<Line>,
    inspection: Inspection,
}

impl Node {
    pub(crate) fn new(id: usize, clocks: Clocks, nic: Box<AnyNic>, sma_lid: u16, lids: &[u16]) -> Self {
        let shared = Rc::new(Shared::new(id, clocks.core));
        let network = pins::NetworkIn { sma_lid, link_status: LINK_USABLE, ..Default::default() };
        Node {
            id,
            clocks,
            pins: pins::In { network, ..Default::default() },
            passed: Time::ZERO,
            core_edge: clocks.core.next_after(Time::ZERO),
            network_edge: clocks.network.next_after(Time::ZERO),
            asleep: false,
            settled: Time::ZERO + SETTLING,
            alarm: None,
            skipping: true,
            executor: Executor::new(shared.clone()),
            shared,
            memories: Default::default(),
            transport: Transport::new(sma_lid, lids),
            receiving: false,
            last_frame: Vec::new(),
            inspection: Inspection::new(clocks, nic.signals()),
            nic,
        }
    }

    /// Begins with the pins of the first cycles.
    pub(crate) fn switch_on(&mut self, cable: &mut Cable<'_>) {
        cable.down.announce(Time::ZERO, self.nic.outputs().network.rx_ready);
        self.set_memory_pins(Time::ZERO);
        self.set_transmit_pins(Time::ZERO, cable);
    }

    /// Number of the node.
    pub fn id(&self) -> usize {
        self.id
    }

    /// The device.
    pub fn nic(&self) -> &AnyNic {
        &*self.nic
    }

    pub(crate) fn check(&mut self) -> Result<(), NicError> {
        self.nic.check()
    }

    /// The SO-DIMMs; module 0 is SO-DIMM1.
    pub fn memories(&self) -> &[SoDimm; 2] {
        &self.memories
    }

    /// The SO-DIMMs, to set their contents and stalls before the run.
    pub fn memories_mut(&mut self) -> &mut [SoDimm; 2] {
        &mut self.memories
    }

    /// Looks at `length` bytes of both SO-DIMMs together, which take turns every 8 bytes (thesis section 4.5.4).
    pub fn peek_memory(&self, address: u64, length: usize) -> Vec<u8> {
        let byte = |address| {
            let cell = cell(address);
            self.memories[usize::from(cell.module)].peek(cell.address)
        };
        (address..address + length as u64).map(byte).collect()
    }

    /// Notes what passes the pins, and the marks of host programs.
    pub fn observe(&mut self) {
        self.shared.log.borrow_mut().observing = true;
    }

    /// Sets a watch, and begins to observe.
    pub fn watch(&mut self, watch: Watch) -> Result<(), WatchError> {
        self.observe();
        self.inspection.watch(watch, &*self.nic)
    }

    /// What was observed so far, in the order of time.
    pub fn observations(&self) -> Vec<Observation> {
        self.shared.log.borrow().observations.clone()
    }

    /// The lines of the frame that left last, as far as they have left; none before the first one.
    pub fn last_frame(&self) -> &[Line] {
        &self.last_frame
    }

    /// Puts bytes into both SO-DIMMs together, as [`Node::peek_memory`] looks at them, without taking time.
    pub fn poke_memory(&mut self, address: u64, bytes: &[u8]) {
        for (address, byte) in (address..).zip(bytes) {
            let cell = cell(address);
            self.memories[usize::from(cell.module)].poke(cell.address, *byte);
        }
    }

    /// What SWIF's retransmission does.
    pub fn transport(&self) -> &Transport {
        &self.transport
    }

    /// Takes the subnet away before the run: no subnet manager has given a LID, and the link cannot be used until one
    /// [does](crate::Cluster::sweep). Frames leave without numbers, because nobody could answer.
    pub fn without_subnet(&mut self) {
        self.transport.leave();
        self.pins.network.sma_lid = 0;
        self.pins.network.link_status = 0;
    }

    /// Frames leave without numbers, and are lost if a fault strikes them.
    pub(crate) fn without_retransmission(&mut self) {
        self.transport.enabled = false;
    }

    /// A subnet manager gives the port a LID, and the link can be used.
    pub(crate) fn join_subnet(&mut self, now: Time, lid: u16, lids: &[u16], cable: &mut Cable<'_>) {
        if self.asleep {
            // Edges at `now` have passed; the next ones see the LID.
            self.wake(Time::from_ps(now.ps() + 1), cable);
        }
        self.transport.join(lid, lids);
        self.pins.network.sma_lid = lid;
        self.pins.network.link_status = LINK_USABLE;
        self.settled = now + SETTLING;
    }

    pub(crate) fn spawn<F, T>(
        &mut self,
        now: Time,
        name: &'static str,
        program: impl FnOnce(Host) -> F,
    ) -> Output<T>
    where
        F: Future<Output = T> + 'static,
        T: 'static,
    {
        self.shared.now.set(now);
        self.executor.spawn(name, program)
    }

    /// When a program goes on.
    pub(crate) fn next_wake(&self) -> Option<Time> {
        self.executor.next_wake()
    }

    pub(crate) fn done(&self) -> bool {
        self.executor.done()
    }

    pub(crate) fn report(&self) -> impl Iterator<Item = TaskReport> {
        self.executor.report()
    }

    /// Whether neither programs nor device have anything left to do.
    pub(crate) fn is_idle(&self) -> bool {
        self.nic.quiescent() == Quiet::UntilInput && self.is_still()
    }

    /// Whether programs are done, and pins and bus idle.
    pub(crate) fn is_still(&self) -> bool {
        self.done() && self.pins_idle() && self.bus().next_beat().is_none() && self.transport.is_idle()
    }

    /// The next instant at which something happens here.
    pub(crate) fn next_event(&self, now: Time, cable: &Cable<'_>) -> Time {
        let device =
            if self.asleep { self.wake_up(now, cable) } else { self.core_edge.min(self.network_edge) };
        let transport = self.transport.next_event(now, cable.up);
        // It acts with the network clock.
        let transport = transport.map(|time| self.clocks.network.at_or_after(time.max(now)));
        let program = self.executor.next_wake().map(|wake| wake.max(now));
        [transport, program].into_iter().flatten().fold(device, Time::min)
    }

    /// Everything that happens at `now`: edges, then programs, then the pins of the cycles that begin.
    pub(crate) fn step(&mut self, now: Time, cable: &mut Cable<'_>) -> Result<(), NicError> {
        if self.asleep && self.wake_up(self.passed, cable) <= now {
            self.wake(now, cable);
        }
        let edges =
            clocks::CORE.when(now == self.core_edge).with(clocks::NETWORK.when(now == self.network_edge));
        let awake = !self.asleep;
        if awake && !edges.is_empty() {
            self.edge(now, edges, cable)?;
            if edges.meets(clocks::CORE) {
                self.core_edge += self.clocks.core.period;
            }
            if edges.meets(clocks::NETWORK) {
                self.network_edge += self.clocks.network.period;
            }
        }
        if self.executor.next_wake().is_some_and(|wake| wake <= now) {
            self.executor.run(now);
        }
        if awake {
            self.drive(now, edges, cable);
            self.fall_asleep(now);
        } else if self.clocks.edges_at(now).meets(clocks::NETWORK) {
            self.transmit(now, cable);
        }
        Ok(())
    }

    /// Lets all edges through `now` pass, and returns the fingerprint of the run so far.
    pub(crate) fn fingerprint(&mut self, now: Time, cable: &mut Cable<'_>) -> Result<Fingerprint, NicError> {
        if self.asleep {
            // The last edges are walked, so that the device sees the pins that it would have seen.
            let mut last = [self.clocks.core, self.clocks.network].map(|clock| clock.last_through(now));
            last.sort();
            for instant in last.into_iter().flatten() {
                if instant <= self.passed {
                    continue;
                }
                self.skip_to(instant);
                self.set_idle_pins(instant, cable);
                self.edge(instant, self.clocks.edges_at(instant), cable)?;
            }
        }
        Ok(self.inspection.finish(now, &*self.nic, &self.memories))
    }

    fn bus(&self) -> RefMut<'_, Bus> {
        self.shared.bus.borrow_mut()
    }

    fn log(&self) -> RefMut<'_, Log> {
        self.shared.log.borrow_mut()
    }

    /// Nothing is on the pins that somebody could take.
    fn pins_idle(&self) -> bool {
        let out = self.nic.outputs();
        !self.pins.host.enable
            && !self.pins.network.rx_valid
            && !out.network.tx_valid
            && !out.memory0.write
            && !out.memory1.write
            && !out.memory0.read
            && !out.memory1.read
    }

    /// When a sleeping device is needed next.
    fn wake_up(&self, now: Time, cable: &Cable<'_>) -> Time {
        let arrival = cable.down.next_arrival().map(|time| self.clocks.network.at_or_after(time));
        let events = [self.bus().next_beat(), arrival, self.alarm];
        events.into_iter().flatten().fold(self.inspection.next_sample(), Time::min).max(now)
    }

    /// Goes on at `now` as if all edges before had been walked.
    fn wake(&mut self, now: Time, cable: &mut Cable<'_>) {
        self.skip_to(now);
        self.set_idle_pins(now, cable);
        self.core_edge = self.clocks.core.at_or_after(now);
        self.network_edge = self.clocks.network.at_or_after(now);
        self.asleep = false;
        self.alarm = None;
    }

    /// Skips the edges before `now`.
    fn skip_to(&mut self, now: Time) {
        let core = self.clocks.core.edges_inside(self.passed, now);
        let network = self.clocks.network.edges_inside(self.passed, now);
        if core + network > 0 {
            self.nic.skip(&[core, network]);
        }
        self.passed = Time::from_ps(now.ps() - 1);
    }

    /// The pins of the cycles that end at or contain `now`, with nothing on them.
    fn set_idle_pins(&mut self, now: Time, cable: &mut Cable<'_>) {
        self.set_memory_pins(self.clocks.core.cycle_before(now));
        self.set_transmit_pins(self.clocks.network.cycle_before(now), cable);
    }

    /// The clocks rise, with the pins as they are.
    fn edge(&mut self, now: Time, edges: Edges, cable: &mut Cable<'_>) -> Result<(), NicError> {
        let out = self.nic.outputs();
        if edges.meets(clocks::CORE) {
            let [first, second] = &mut self.memories;
            first.tick(&out.memory0, self.pins.memory0.ready);
            second.tick(&out.memory1, self.pins.memory1.ready);
            self.observe_beat(now);
        }
        if edges.meets(clocks::NETWORK) {
            let taken = out.network.tx_valid && self.pins.network.tx_ready;
            if let Some(line) = taken.then_some(out.network.tx_line) {
                self.transport.send(now, line, cable.up);
                if line.id == FIRST {
                    self.last_frame.clear();
                }
                self.last_frame.push(line);
                self.observe_sent(now, line);
            }
            self.observe_received(now);
        }
        self.nic.edge(edges, &self.pins)?;
        if edges.meets(clocks::CORE) {
            self.bus().capture(self.nic.outputs().host.rdata);
        }
        if edges.meets(clocks::NETWORK) {
            let out = self.nic.outputs().network;
            cable.down.announce(now, out.rx_ready);
            if stopped(&out, cable.up) {
                self.transport.cut(cable.up);
            }
        }
        self.inspection.look(now, Place::Node(self.id), &*self.nic, &self.shared.log);
        self.passed = now;
        Ok(())
    }

    fn observe_beat(&self, now: Time) {
        let HostIn { enable, address, write, .. } = self.pins.host;
        if enable {
            self.log().observe(now, Place::Node(self.id), Event::Beat { address, write });
        }
    }

    fn observe_sent(&self, now: Time, line: Line) {
        let place = Place::Node(self.id);
        if line.id == FIRST {
            self.log().observe(now, place, Event::TransmitFirst);
        }
        if line.id == LAST {
            self.log().observe(now, place, Event::TransmitLast);
        }
    }

    fn observe_received(&mut self, now: Time) {
        if !self.pins.network.rx_valid {
            return;
        }
        let place = Place::Node(self.id);
        if !self.receiving {
            self.log().observe(now, place, Event::ReceiveFirst);
        }
        self.receiving = self.pins.network.rx_line.id != LAST;
        if !self.receiving {
            self.log().observe(now, place, Event::ReceiveLast);
        }
    }

    /// The pins of the cycles that begin at `now`.
    fn drive(&mut self, now: Time, edges: Edges, cable: &mut Cable<'_>) {
        if edges.meets(clocks::CORE) {
            self.pins.host = self.shared.bus.borrow_mut().pins(now);
            self.set_memory_pins(now);
        }
        if edges.meets(clocks::NETWORK) {
            let line = self.transport.receive(now, cable.down);
            self.pins.network.rx_valid = line.is_some();
            self.pins.network.rx_line = line.unwrap_or_default();
            self.transmit(now, cable);
            self.set_transmit_pins(now, cable);
        }
    }

    /// The transport sends what is its own, and tells of a link that nobody answers on.
    fn transmit(&mut self, now: Time, cable: &mut Cable<'_>) {
        if self.transport.step(now, cable.up) {
            self.log().observe(now, Place::Node(self.id), Event::TransmitAgain);
        }
        if self.transport.has_peers() {
            let status = if self.transport.unanswered() { LINK_SILENT } else { LINK_USABLE };
            if status != self.pins.network.link_status {
                self.pins.network.link_status = status;
                if self.asleep {
                    self.wake(now, cable);
                }
            }
        }
    }

    fn set_memory_pins(&mut self, cycle: Time) {
        let [first, second] = &self.memories;
        self.pins.memory0 = MemoryIn { ready: first.ready(cycle), rdata: first.rdata() };
        self.pins.memory1 = MemoryIn { ready: second.ready(cycle), rdata: second.rdata() };
    }

    /// A line is taken at the end of a cycle, with what is known at its beginning.
    fn set_transmit_pins(&mut self, cycle: Time, cable: &mut Cable<'_>) {
        let end = cycle + self.clocks.network.period;
        self.pins.network.tx_ready = self.transport.takes() && cable.up.takes(cycle, end);
    }

    fn fall_asleep(&mut self, now: Time) {
        if !self.skipping || now < self.settled || !self.pins_idle() {
            return;
        }
        match self.nic.quiescent() {
            Quiet::UntilInput => self.asleep = true,
            // Two edges at least, or there is nothing to skip.
            Quiet::For(n) if n > 1 => {
                self.asleep = true;
                self.alarm = Some(nth(self.clocks.core, now, n).min(nth(self.clocks.network, now, n)));
            }
            Quiet::For(_) | Quiet::Busy => {}
        }
    }
}

/// The `n`th edge after `now`.
fn nth(clock: ClockDomain, now: Time, n: u64) -> Time {
    clock.edge(clock.edges_through(now) + n)
}

/// Nobody sleeps before a LID that has come to the pins is in the device.
const SETTLING: Duration = Duration::from_ns(160);

/// SWIF status of a link that can be used (thesis appendix B).
const LINK_USABLE: u8 = 0b11;

/// SWIF status of a link on which a port has been silent for too long (decision 0031).
const LINK_SILENT: u8 = 0b01;

/// The board has stopped in the midst of a frame; it leaves no gaps in one.
fn stopped(out: &pins::NetworkOut, up: &Link) -> bool {
    up.in_frame() && !out.tx_valid
}
