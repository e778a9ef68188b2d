//! The surroundings of an adapter: the bus with memory, and a cable.

use std::cell::RefCell;
use std::rc::Rc;

use cluster::host::Library;
use cluster::{CableOf, Cpu, Duration, Event, Executor, FingerprintRecorder, PacketTrace, Station, Time};
use hca::clocks;
use hca::pins::{HostIn, In, Out};
use hdl::Edges;

use crate::Hca;
use crate::bus::Bus;
use crate::clocks::{CLOCKS, CORE};
use crate::verbs::Verbs;
use crate::{Host, Settings, Word};

/// The cable of an adapter.
type Cable<'a> = CableOf<'a, Hca>;

/// All that is connected to the pins of one adapter.
pub struct Side {
    station: Station,
    bus: Rc<RefCell<Bus>>,
    verbs: Rc<Verbs>,
    verbs_library: Library,
    packets: PacketTrace,
}

impl Side {
    pub(crate) fn new(station: Station, settings: &Settings) -> Self {
        Side {
            bus: Rc::new(RefCell::new(Bus::new(*settings))),
            verbs: Rc::new(Verbs::new(station.node(), station.nodes())),
            verbs_library: Library::new(settings.verbs_library, settings.costs.instruction),
            station,
            packets: PacketTrace::default(),
        }
    }

    /// Queues of the host.
    pub(crate) fn verbs(&self) -> &Rc<Verbs> {
        &self.verbs
    }

    /// The verbs library on this host.
    pub fn verbs_library(&self) -> &Library {
        &self.verbs_library
    }

    /// Bus and memory of the host.
    pub(crate) fn bus(&self) -> &Rc<RefCell<Bus>> {
        &self.bus
    }

    pub(crate) fn host(&self, cpu: Cpu) -> Host {
        Host::new(cpu, self.bus.clone(), self.verbs_library.clone())
    }

    /// Bytes of memory. Takes no virtual time.
    pub fn peek_memory(&self, address: u32, length: usize) -> Vec<u8> {
        self.bus.borrow().peek(address, length)
    }

    /// Sets bytes of memory. Takes no virtual time.
    pub fn poke_memory(&mut self, address: u32, bytes: &[u8]) {
        self.bus.borrow_mut().poke(address, bytes);
    }

    /// Words of the packet that left last, as far as they have left; empty before the first packet.
    pub fn last_packet(&self) -> &[u64] {
        self.packets.last_packet()
    }
}

impl cluster::Side<Hca> for Side {
    #[inline]
    fn next(&self, _now: Time, _cable: &Cable<'_>) -> Option<Time> {
        None
    }

    #[inline]
    fn next_access(&self) -> Option<Time> {
        self.bus.borrow().next_event().map(|time| CLOCKS.domain(CORE).at_or_after(time))
    }

    #[inline]
    fn idle_pins(&mut self, now: Time, pins: &mut In, cable: &mut Cable<'_>) {
        let cycle = CLOCKS.domain(CORE).cycle_before(now);
        pins.link.transmit_ready = cable.up.takes(cycle, cycle + CLOCKS.domain(CORE).period);
    }

    #[inline]
    fn before(&mut self, now: Time, _edges: Edges, out: &Out, pins: &In, cable: &mut Cable<'_>) {
        if pins.host.enable {
            let HostIn { address, write, .. } = pins.host;
            self.station.observe(now, Event::Beat { address: address.into(), write });
        }
        if out.link.valid && pins.link.transmit_ready {
            cable.up.send(now, Word { data: out.link.data, last: out.link.last });
            self.packets.transmit(&self.station, now, out.link.data, out.link.last);
        }
        if pins.link.valid && out.link.receive_ready {
            let taken = cable.down.receive(now);
            debug_assert!(taken.is_some(), "the word on the pins waits in the link");
            self.packets.receive(&self.station, now, pins.link.last);
        }
    }

    #[inline]
    fn after(&mut self, _: Time, _: Edges, _: &Out, _: &mut Cable<'_>, _: &mut Executor) {}

    #[inline]
    fn drive(&mut self, now: Time, _edges: Edges, out: &Out, pins: &mut In, cable: &mut Cable<'_>) {
        let mut bus = self.bus.borrow_mut();
        (pins.host, pins.bus) = bus.pins(now, out);
        bus.interrupt = out.host.interrupt_request;
        drop(bus);
        let word = cable.down.offer(now, out.link.receive_ready);
        pins.link.valid = word.is_some();
        (pins.link.data, pins.link.last) = word.map(|word| (word.data, word.last)).unwrap_or_default();
        pins.link.transmit_ready = cable.up.takes(now, now + CLOCKS.domain(CORE).period);
    }

    #[inline]
    fn beside(&mut self, _now: Time, _pins: &mut In, _cable: &mut Cable<'_>) -> bool {
        false
    }

    #[inline]
    fn idle(&self, _now: Time, out: &Out, pins: &In) -> Edges {
        // The last edge before a rest may have changed the pin.
        self.bus.borrow_mut().interrupt = out.host.interrupt_request;
        let bus = self.bus.borrow();
        let asks = out.bus.request && !bus.keeps_waiting() || out.link.valid;
        let given = pins.host.enable || pins.link.valid || pins.bus.grant || bus.is_reading();
        clocks::CORE.when(!asks && !given)
    }

    fn bus_busy(&self) -> Option<Duration> {
        Some(self.bus.borrow().busy())
    }

    fn add_bus_busy(&mut self, busy: Duration) {
        self.bus.borrow_mut().add_busy(busy);
    }

    #[inline]
    fn accesses(&self) -> Option<u64> {
        Some(self.bus.borrow().accesses())
    }

    #[inline]
    fn changes_host(&self, out: &Out) -> bool {
        out.bus.transfer && out.bus.write || out.host.interrupt_request != self.bus.borrow().interrupt
    }

    fn is_still(&self) -> bool {
        self.bus.borrow().next_event().is_none()
    }

    fn digest(&self, fingerprint: &mut FingerprintRecorder) {
        for (address, bytes) in self.bus.borrow().memory.pages() {
            fingerprint.add(&address.to_le_bytes());
            fingerprint.add(bytes);
        }
    }
}
