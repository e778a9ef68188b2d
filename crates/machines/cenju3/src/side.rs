//! The surroundings of a NIF: register accesses of the processor, local memory, and a cable to the network.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use cenju3::pins::{HostIn, In, MemoryIn, Out};
use cluster::host::{Level, Preemption};
use cluster::{CableOf, Cpu, Event, Executor, FingerprintRecorder, PacketTrace, Station, Time};
use hdl::Edges;

use crate::Cenju3;
use crate::clocks::{CLOCKS, CORE};
use crate::deen::DenEn;
use crate::element::Element;
use crate::settings::Nif;
use crate::{Host, Settings, Word};

/// The cable of a PE.
type Cable<'a> = CableOf<'a, Cenju3>;

/// Cycles from the request of a burst to its first word in local memory; the others follow each cycle. Our choice (decision 0058).
const MEMORY_CYCLES: u8 = 6;

/// All that is connected to the pins of one NIF.
pub struct Side {
    station: Station,
    element: Rc<RefCell<Element>>,
    deen: Rc<DenEn>,
    preemption: Rc<Preemption>,
    settings: Settings,
    /// A handler runs; further interrupts are disabled.
    handling: Rc<Cell<bool>>,
    /// Cycles until the first word of a burst; none between bursts.
    opening: Option<u8>,
    /// The data of a read is on the pins after the next edge.
    reading: bool,
    packets: PacketTrace,
}

impl Side {
    pub(crate) fn new(station: Station, settings: &Settings) -> Self {
        let element = Element::new(station.node(), settings.charged());
        Side {
            station,
            element: Rc::new(RefCell::new(element)),
            deen: Rc::new(DenEn::new(settings)),
            preemption: Rc::default(),
            settings: *settings,
            handling: Rc::default(),
            opening: None,
            reading: false,
            packets: PacketTrace::default(),
        }
    }

    /// The operating system of the PE.
    pub(crate) fn deen(&self) -> &Rc<DenEn> {
        &self.deen
    }

    pub(crate) fn settings(&self) -> Settings {
        self.settings
    }

    pub(crate) fn host(&self, cpu: Cpu) -> Host {
        Host::new(cpu, self.element.clone(), self.preemption.clone(), Level::Process)
    }

    /// Pins of a PE at power-up: the ROM is in its socket.
    pub(crate) fn first_pins(&self) -> In {
        In { new_rom: self.settings.nif == Nif::New, ..In::default() }
    }

    /// Bytes of local memory, without those of dirty cache lines. Takes no virtual time.
    pub fn peek_memory(&self, address: u32, length: usize) -> Vec<u8> {
        self.element.borrow().peek(address, length)
    }

    /// Sets bytes of local memory. Takes no virtual time.
    pub fn poke_memory(&mut self, address: u32, bytes: &[u8]) {
        self.element.borrow_mut().poke(address, bytes);
    }

    /// Words of the packet that left last, as far as they have left; empty before the first packet.
    pub fn last_packet(&self) -> &[u64] {
        self.packets.last_packet()
    }

    /// A requested interrupt starts DenEn's handler.
    fn interrupt(&self, services: &mut Executor) {
        if self.handling.replace(true) {
            return;
        }
        let (element, deen, handling) = (self.element.clone(), self.deen.clone(), self.handling.clone());
        let preemption = self.preemption.clone();
        services.spawn("interrupt", |cpu| async move {
            let _working = preemption.enter(&cpu, Level::Interrupt);
            deen.interrupt(&Host::new(cpu.clone(), element, preemption.clone(), Level::Interrupt)).await;
            handling.set(false);
        });
    }
}

impl cluster::Side<Cenju3> for Side {
    #[inline]
    fn next(&self, _now: Time, _cable: &Cable<'_>) -> Option<Time> {
        None
    }

    #[inline]
    fn next_access(&self) -> Option<Time> {
        let element = self.element.borrow();
        element.next().map(|access| CLOCKS.domain(CORE).at_or_after(access.arrival))
    }

    #[inline]
    fn idle_pins(&mut self, now: Time, pins: &mut In, cable: &mut Cable<'_>) {
        let cycle = CLOCKS.domain(CORE).cycle_before(now);
        pins.transmit_ready = cable.up.takes(cycle, cycle + CLOCKS.domain(CORE).period);
    }

    #[inline]
    fn before(&mut self, now: Time, _edges: Edges, out: &Out, pins: &In, cable: &mut Cable<'_>) {
        if pins.host.enable {
            let HostIn { address, write, .. } = pins.host;
            self.station.observe(now, Event::Beat { address: address.into(), write });
        }
        if out.memory.request && out.memory.write && pins.memory.ready {
            let mut element = self.element.borrow_mut();
            element.set_word(out.memory.address, out.memory.wdata, out.memory.strobe);
        }
        if out.transmit_valid && pins.transmit_ready {
            cable.up.send(now, Word(out.transmit));
            self.packets.transmit(&self.station, now, out.transmit.data, out.transmit.last);
        }
        if pins.receive_valid && out.receive_ready {
            let taken = cable.down.receive(now);
            debug_assert!(taken.is_some(), "the word on the pins waits in the link");
            self.packets.receive(&self.station, now, pins.receive.last);
        }
    }

    #[inline]
    fn after(
        &mut self,
        _now: Time,
        _edges: Edges,
        out: &Out,
        _cable: &mut Cable<'_>,
        services: &mut Executor,
    ) {
        if std::mem::take(&mut self.reading) {
            self.element.borrow_mut().answer(out.host.rdata);
        }
        if out.host.interrupt_request {
            self.interrupt(services);
        }
    }

    #[inline]
    fn drive(&mut self, now: Time, _edges: Edges, out: &Out, pins: &mut In, cable: &mut Cable<'_>) {
        pins.host = self.access(now);
        pins.memory = self.memory(out);
        let word = cable.down.offer(now, out.receive_ready);
        pins.receive_valid = word.is_some();
        pins.receive = word.map(|word| word.0).unwrap_or_default();
        pins.transmit_ready = cable.up.takes(now, now + CLOCKS.domain(CORE).period);
    }

    #[inline]
    fn beside(&mut self, _now: Time, _pins: &mut In, _cable: &mut Cable<'_>) -> bool {
        false
    }

    #[inline]
    fn idle(&self, _now: Time, out: &Out, pins: &In) -> Edges {
        // An interrupt is requested until a handler runs.
        let asks = out.host.interrupt_request || out.memory.request || out.transmit_valid;
        let given = pins.host.enable || pins.receive_valid || self.reading;
        cenju3::clocks::CORE.when(!asks && !given && self.opening.is_none())
    }

    fn is_still(&self) -> bool {
        self.element.borrow().next().is_none()
    }

    fn digest(&self, fingerprint: &mut FingerprintRecorder) {
        let element = self.element.borrow();
        for (address, bytes) in element.memory.pages() {
            fingerprint.add(&address.to_le_bytes());
            fingerprint.add(bytes);
        }
        for (address, dirty, bytes) in element.cache.lines() {
            fingerprint.add(&(address | u32::from(dirty)).to_le_bytes());
            fingerprint.add(bytes);
        }
    }
}

impl Side {
    /// The pins of the register port: the next access, from its arrival on.
    fn access(&mut self, now: Time) -> HostIn {
        let mut element = self.element.borrow_mut();
        let Some(access) = element.next().filter(|access| access.arrival <= now && !self.reading) else {
            return HostIn::default();
        };
        // A read has its data, and a write its effect, at the end of this cycle.
        self.reading = access.write.is_none();
        if access.write.is_some() {
            element.answer(0);
        }
        HostIn {
            wdata: access.write.unwrap_or(0),
            address: access.address,
            enable: true,
            write: access.write.is_some(),
        }
    }

    /// The pins of local memory: the first word of a burst waits, then one follows each cycle.
    fn memory(&mut self, out: &Out) -> MemoryIn {
        if !out.memory.request {
            self.opening = None;
            return MemoryIn::default();
        }
        let left = self.opening.unwrap_or(MEMORY_CYCLES);
        self.opening = Some(left.saturating_sub(1));
        let ready = left == 0;
        let rdata =
            if ready && !out.memory.write { self.element.borrow().word(out.memory.address) } else { 0 };
        MemoryIn { rdata, ready }
    }
}
