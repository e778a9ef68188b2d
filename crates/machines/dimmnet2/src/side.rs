//! The surroundings of a board: the memory bus, two SO-DIMMs, and the transport in front of the cable.

use std::cell::RefMut;
use std::rc::Rc;

use cluster::{CableOf, Cpu, Duration, Event, Executor, FingerprintRecorder, Station, Time};
use dimmnet2::address::cell;
use dimmnet2::clocks;
use dimmnet2::line::{FIRST, LAST, Line};
use dimmnet2::pins::{HostIn, In, MemoryIn, NetworkIn, Out};
use hdl::Edges;
use mpi::LibraryCost;
use mpi::carrier::OneSided;

use crate::Dimmnet2;
use crate::clocks::{CLOCKS, CORE, NETWORK};
use crate::host::{Bus, Memory};
use crate::settings::Settings;
use crate::transport::Lids;
use crate::{Host, SoDimm, Transport, lid};

/// The cable of a board.
type Cable<'a> = CableOf<'a, Dimmnet2>;

/// All that is connected to the pins of one board.
pub struct Side {
    station: Station,
    memory: Rc<Memory>,
    one_sided: OneSided,
    library: LibraryCost,
    modules: [SoDimm; 2],
    transport: Transport,
    /// Instant at which the board has seen the pins that change rarely.
    settled: Time,
    /// `rx_line` holds a line that is not the first of its frame.
    receiving: bool,
    /// The frame sent last, as far as it has left.
    last_frame: Vec<Line>,
    /// Initial LID and status of the link.
    link: NetworkIn,
}

impl Side {
    pub(crate) fn new(station: Station, settings: &Settings) -> Self {
        let own = if settings.subnet { lid(station.node()) } else { 0 };
        let lids = if settings.subnet { Lids::First(station.nodes()) } else { Lids::None };
        let mut transport = Transport::new(own, lids);
        transport.enabled = settings.retransmission;
        let link_status = if settings.subnet { LINK_USABLE } else { 0 };
        Side {
            station,
            memory: Rc::new(Memory::new(CLOCKS.domain(CORE), settings.costs)),
            one_sided: settings.one_sided,
            library: settings.library,
            modules: Default::default(),
            transport,
            settled: Time::ZERO + SETTLING,
            receiving: false,
            last_frame: Vec::new(),
            link: NetworkIn { sma_lid: own, link_status, ..Default::default() },
        }
    }

    pub(crate) fn first_pins(&self) -> In {
        In { network: self.link, ..Default::default() }
    }

    pub(crate) fn host(&self, cpu: Cpu) -> Host {
        Host::new(cpu, self.memory.clone())
    }

    /// Memory that programs of the host share, and the way to the SO-DIMMs.
    pub(crate) fn board(&self) -> &Rc<Memory> {
        &self.memory
    }

    /// Path of one-sided accesses of MPI.
    pub(crate) fn one_sided(&self) -> OneSided {
        self.one_sided
    }

    /// Cost of the steps of the MPI library.
    pub(crate) fn library(&self) -> LibraryCost {
        self.library
    }

    /// The SO-DIMMs; index 0 is SO-DIMM1.
    pub fn memories(&self) -> &[SoDimm; 2] {
        &self.modules
    }

    /// The SO-DIMMs, whose contents and stalls are set before the run.
    pub fn memories_mut(&mut self) -> &mut [SoDimm; 2] {
        &mut self.modules
    }

    /// Bytes of both SO-DIMMs, which are interleaved by 8 bytes (thesis section 4.5.4).
    pub fn peek_memory(&self, address: u64, length: usize) -> Vec<u8> {
        let byte = |address| {
            let cell = cell(address);
            self.modules[usize::from(cell.module)].peek(cell.address)
        };
        (address..address + length as u64).map(byte).collect()
    }

    /// Sets bytes of both SO-DIMMs, interleaved as in [`Side::peek_memory`]. Takes no virtual time.
    pub fn poke_memory(&mut self, address: u64, bytes: &[u8]) {
        for (address, byte) in (address..).zip(bytes) {
            let cell = cell(address);
            self.modules[usize::from(cell.module)].poke(cell.address, *byte);
        }
    }

    /// Lines of the frame that left last, as far as they have left; empty before the first frame.
    pub fn last_frame(&self) -> &[Line] {
        &self.last_frame
    }

    /// The retransmission of SWIF.
    pub fn transport(&self) -> &Transport {
        &self.transport
    }

    /// Assigns a LID to the port and makes the link usable.
    pub(crate) fn join_subnet(&mut self, now: Time, lid: u16, lids: &[u16], pins: &mut In) {
        self.transport.join(lid, Lids::of(lids));
        pins.network.sma_lid = lid;
        pins.network.link_status = LINK_USABLE;
        self.settled = now + SETTLING;
    }

    #[inline]
    fn bus(&self) -> RefMut<'_, Bus> {
        self.memory.bus.borrow_mut()
    }

    #[inline]
    fn observe_beat(&self, now: Time, pins: &In) {
        let HostIn { enable, address, write, .. } = pins.host;
        if enable {
            self.station.observe(now, Event::Beat { address, write });
        }
    }

    fn observe_sent(&self, now: Time, line: Line) {
        if line.id == FIRST {
            self.station.observe(now, Event::TransmitFirst);
        }
        if line.id == LAST {
            self.station.observe(now, Event::TransmitLast);
        }
    }

    #[inline]
    fn observe_received(&mut self, now: Time, pins: &In) {
        if !pins.network.rx_valid {
            return;
        }
        if !self.receiving {
            self.station.observe(now, Event::ReceiveFirst);
        }
        self.receiving = pins.network.rx_line.id != LAST;
        if !self.receiving {
            self.station.observe(now, Event::ReceiveLast);
        }
    }

    /// Sends lines of the transport itself and reports a dead link; returns whether the pins change.
    #[inline]
    fn transmit(&mut self, now: Time, pins: &mut In, cable: &mut Cable<'_>) -> bool {
        if self.transport.step(now, cable.up) {
            self.station.observe(now, Event::TransmitAgain);
        }
        if !self.transport.has_peers() {
            return false;
        }
        let status = if self.transport.unanswered() { LINK_SILENT } else { LINK_USABLE };
        std::mem::replace(&mut pins.network.link_status, status) != status
    }

    #[inline]
    fn set_memory_pins(&self, cycle: Time, pins: &mut In) {
        let [first, second] = &self.modules;
        pins.memory0 = MemoryIn { ready: first.ready(cycle), rdata: first.rdata() };
        pins.memory1 = MemoryIn { ready: second.ready(cycle), rdata: second.rdata() };
    }

    /// A line is taken at the end of a cycle, by the state at the beginning of the cycle.
    #[inline]
    fn set_transmit_pins(&mut self, cycle: Time, pins: &mut In, cable: &mut Cable<'_>) {
        let end = cycle + CLOCKS.domain(NETWORK).period;
        pins.network.tx_ready = self.transport.takes() && cable.up.takes(cycle, end);
    }
}

impl cluster::Side<Dimmnet2> for Side {
    #[inline]
    fn next(&self, now: Time, cable: &Cable<'_>) -> Option<Time> {
        // The transport acts at edges of the network clock.
        let time = self.transport.next_event(cable.up)?;
        Some(CLOCKS.domain(NETWORK).at_or_after(time.max(now)))
    }

    #[inline]
    fn next_access(&self) -> Option<Time> {
        self.bus().next_beat()
    }

    #[inline]
    fn idle_pins(&mut self, now: Time, pins: &mut In, cable: &mut Cable<'_>) {
        self.set_memory_pins(CLOCKS.domain(CORE).cycle_before(now), pins);
        self.set_transmit_pins(CLOCKS.domain(NETWORK).cycle_before(now), pins, cable);
    }

    #[inline]
    fn before(&mut self, now: Time, edges: Edges, out: &Out, pins: &In, cable: &mut Cable<'_>) {
        if edges.meets(clocks::CORE) {
            if self.memory.has_shown() {
                let shown = self.memory.take_shown();
                shown.iter().for_each(|(address, bytes)| self.poke_memory(*address, bytes));
            }
            let [first, second] = &mut self.modules;
            first.tick(&out.memory0, pins.memory0.ready);
            second.tick(&out.memory1, pins.memory1.ready);
            self.observe_beat(now, pins);
        }
        if edges.meets(clocks::NETWORK) {
            let taken = out.network.tx_valid && pins.network.tx_ready;
            if let Some(line) = taken.then_some(out.network.tx_line) {
                self.transport.send(now, line, cable.up);
                if line.id == FIRST {
                    self.last_frame.clear();
                }
                self.last_frame.push(line);
                self.observe_sent(now, line);
            }
            self.observe_received(now, pins);
        }
    }

    #[inline]
    fn after(&mut self, now: Time, edges: Edges, out: &Out, cable: &mut Cable<'_>, _services: &mut Executor) {
        if edges.meets(clocks::CORE) {
            self.bus().capture(out.host.rdata);
        }
        if edges.meets(clocks::NETWORK) {
            cable.down.announce(now, out.network.rx_ready);
            // The board was stopped within a frame: it leaves no gaps in a frame otherwise.
            if cable.up.in_frame() && !out.network.tx_valid {
                self.transport.cut(cable.up);
            }
        }
    }

    #[inline]
    fn drive(&mut self, now: Time, edges: Edges, _out: &Out, pins: &mut In, cable: &mut Cable<'_>) {
        if edges.meets(clocks::CORE) {
            pins.host = self.bus().pins(now);
            self.set_memory_pins(now, pins);
        }
        if edges.meets(clocks::NETWORK) {
            let line = self.transport.receive(now, cable.down);
            pins.network.rx_valid = line.is_some();
            pins.network.rx_line = line.unwrap_or_default();
            self.transmit(now, pins, cable);
            self.set_transmit_pins(now, pins, cable);
        }
    }

    #[inline]
    fn beside(&mut self, now: Time, pins: &mut In, cable: &mut Cable<'_>) -> bool {
        CLOCKS.domain(NETWORK).rises_at(now) && self.transmit(now, pins, cable)
    }

    #[inline]
    fn idle(&self, now: Time, out: &Out, pins: &In) -> Edges {
        let commands = [&out.memory0, &out.memory1].iter().any(|memory| memory.read || memory.write);
        let core = !pins.host.enable && !commands;
        let network = !pins.network.rx_valid && !out.network.tx_valid;
        let settled = now >= self.settled;
        clocks::CORE.when(core && settled).with(clocks::NETWORK.when(network && settled))
    }

    fn bus_busy(&self) -> Option<Duration> {
        Some(self.bus().busy())
    }

    fn bus_is_free(&self, now: Time) -> bool {
        self.bus().is_free(now)
    }

    fn add_bus_busy(&mut self, busy: Duration) {
        self.bus().add_busy(busy);
    }

    fn is_still(&self) -> bool {
        self.bus().next_beat().is_none() && self.transport.is_idle()
    }

    fn digest(&self, fingerprint: &mut FingerprintRecorder) {
        for (address, bytes) in self.modules.iter().flat_map(SoDimm::pages) {
            fingerprint.add(&address.to_le_bytes());
            fingerprint.add(bytes);
        }
    }
}

/// Time until the device has sampled a LID that has changed on the pins; the node stays awake until then.
const SETTLING: Duration = Duration::from_ns(160);

/// SWIF status of a usable link (thesis appendix B).
const LINK_USABLE: u8 = 0b11;

/// SWIF status of a link on which a port has been silent for too long (decision 0031).
const LINK_SILENT: u8 = 0b01;
