//! The surroundings of a card: the rings in memory, the driver and the kernel, and the cable.
//!
//! The card takes and gives whole frames. The check sequence is generated and checked here; a frame that is damaged or
//! for another node is dropped before the driver sees it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use cluster::host::{Level, Library, Preemption};
use cluster::{CableOf, Cpu, Event, Executor, FingerprintRecorder, Station, Time};
use ethernet::{Card, Kernel, PREAMBLE, Symbol, check_sequence};
use hdl::Edges;
use pm::NodeId;

use crate::FastEthernet;
use crate::card::{In, Out, RING};
use crate::clocks::BYTE_CLOCK;
use crate::cost::Costs;
use crate::driver::{Driver, Host};
use crate::interrupt;
use crate::pm_ethernet::PmEthernet;
use crate::rings::Rings;
use crate::settings::Settings;

type Cable<'a> = CableOf<'a, FastEthernet>;

/// Fewest bytes of a frame, without check sequence (IEEE 802.3).
const LEAST: usize = 60;
/// Bytes in front of a frame: seven of preamble and the delimiter.
const BEFORE: [u8; PREAMBLE] = [0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0xd5];

/// All that surrounds one card.
pub struct Side {
    station: Station,
    costs: Costs,
    library: Library,
    rings: Rc<RefCell<Rings>>,
    driver: Rc<Driver>,
    kernel: Rc<Kernel<Driver>>,
    pm: Rc<PmEthernet>,
    preemption: Rc<Preemption>,
    /// The kernel's bottom half has begun.
    begun: bool,
    /// A handler runs; further interrupts are disabled.
    handling: Rc<Cell<bool>>,
    /// Time at which the last byte of the frame on the cable has left.
    sending: Option<Time>,
    /// The frame that the card is told of in this cycle.
    arriving: Option<Vec<u8>>,
    /// Frames that arrived damaged.
    damaged: u64,
}

impl Side {
    pub(crate) fn new(station: Station, settings: &Settings) -> Self {
        let rings = Rc::new(RefCell::new(Rings::default()));
        let driver = Driver::new(station.node(), station.nodes(), settings.costs, rings.clone());
        let (driver, preemption) = (Rc::new(driver), Rc::new(Preemption::default()));
        let kernel = Rc::new(Kernel::new(driver.clone(), preemption.clone()));
        let pm = Rc::new(PmEthernet::new(driver.clone(), station.nodes(), settings.costs));
        Side {
            station,
            costs: settings.costs,
            library: Library::new(settings.library, settings.costs.instruction),
            rings,
            driver,
            kernel,
            pm,
            preemption,
            begun: false,
            handling: Rc::default(),
            sending: None,
            arriving: None,
            damaged: 0,
        }
    }

    /// The driver in the kernel of this host.
    pub fn driver(&self) -> &Driver {
        &self.driver
    }

    /// Suci's library on this host.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// Number of frames that arrived damaged and were discarded.
    pub fn damaged(&self) -> u64 {
        self.damaged
    }

    pub(crate) fn kernel(&self) -> Rc<Kernel<Driver>> {
        self.kernel.clone()
    }

    pub(crate) fn pm(&self) -> Rc<PmEthernet> {
        self.pm.clone()
    }

    pub(crate) fn host(&self, cpu: Cpu) -> Host {
        Host::new(cpu, self.costs, self.library.clone())
    }

    /// A requested interrupt, which is level-triggered on PCI, starts the driver's handler.
    fn interrupt(&self, services: &mut Executor) {
        if self.handling.replace(true) {
            return;
        }
        let (driver, rings, pm) = (self.driver.clone(), self.rings.clone(), self.pm.clone());
        let (preemption, handling) = (self.preemption.clone(), self.handling.clone());
        services.spawn("interrupt", |cpu| async move {
            let working = preemption.enter(&cpu, Level::Interrupt);
            interrupt::handle(&cpu, &driver, &pm).await;
            drop(working);
            handling.set(false);
            // The card may request again already.
            rings.borrow_mut().touch(cpu.now());
        });
    }

    /// Next instant at which the card has work on the cable, besides arrivals.
    fn due(&self, cable: &Cable<'_>) -> Option<Time> {
        let at = match self.sending {
            Some(end) => end,
            None => self.rings.borrow().transmit.front()?.0.max(cable.up.free_at()),
        };
        Some(BYTE_CLOCK.at_or_after(at))
    }

    /// Begins or ends the transmission of the first frame in the ring; returns whether one has left.
    fn transmit(&mut self, now: Time, cable: &mut Cable<'_>) -> bool {
        let mut left = false;
        if self.sending.is_some_and(|end| end <= now) {
            self.sending = None;
            self.rings.borrow_mut().transmit.pop_front();
            self.station.observe(now, Event::TransmitLast);
            left = true;
        }
        if self.sending.is_none() && self.due(cable).is_some_and(|at| at <= now) {
            let rings = self.rings.borrow();
            let (_, frame) = rings.transmit.front().expect("it is due");
            let mut body = frame.clone();
            body.resize(body.len().max(LEAST), 0);
            let check = check_sequence(&body).to_le_bytes();
            let bytes = BEFORE.iter().chain(&body).chain(&check);
            let mut start = now;
            for symbol in bytes.map(|byte| Symbol::Byte(*byte)).chain([Symbol::Silence]) {
                cable.up.send(start, symbol);
                start += crate::cost::BYTE;
            }
            self.sending = Some(BYTE_CLOCK.at_or_after(start));
            self.station.observe(now, Event::TransmitFirst);
        }
        left
    }

    /// Takes the frame that has arrived, if it is whole, undamaged and for this node.
    fn receive(&mut self, now: Time, cable: &mut Cable<'_>) -> Option<Vec<u8>> {
        let end = cable.down.next_frame_end()?;
        if end + self.costs.deliver > now {
            return None;
        }
        let mut bytes = Vec::new();
        while let Some((at, symbol)) = cable.down.receive(now) {
            bytes.extend(symbol.byte());
            if symbol == Symbol::Silence && at == end {
                break;
            }
        }
        self.station.observe(now, Event::ReceiveLast);
        let frame = bytes.get(PREAMBLE..)?;
        let (body, check) = frame.split_at(frame.len().saturating_sub(4));
        if body.len() < LEAST || check != check_sequence(body).to_le_bytes() {
            self.damaged += 1;
            return None;
        }
        let own = Driver::mac_address(NodeId(self.station.node() as u16));
        (body[..6] == own).then(|| body.to_vec())
    }

    /// The pins of the cycle that begins now.
    fn pins(&mut self, now: Time, cable: &mut Cable<'_>) -> In {
        let left = self.transmit(now, cable);
        self.arriving = self.receive(now, cable);
        let told = self.rings.borrow_mut().tell();
        In { left, arrived: self.arriving.is_some(), ..told }
    }
}

impl cluster::Side<FastEthernet> for Side {
    fn next(&self, _now: Time, cable: &Cable<'_>) -> Option<Time> {
        self.due(cable)
    }

    fn next_access(&self) -> Option<Time> {
        self.rings.borrow().since().map(|since| BYTE_CLOCK.next_after(since))
    }

    /// Frames are taken whole.
    fn arrival(&self, cable: &Cable<'_>) -> Option<Time> {
        cable.down.next_frame_end().map(|end| end + self.costs.deliver)
    }

    /// The cable is silent while the card sleeps.
    fn idle_pins(&mut self, _now: Time, _pins: &mut In, _cable: &mut Cable<'_>) {}

    fn before(&mut self, _now: Time, _edges: Edges, out: &Out, _pins: &In, _cable: &mut Cable<'_>) {
        if let Some(frame) = self.arriving.take()
            && out.receive < RING
        {
            self.rings.borrow_mut().receive.push_back(frame);
        }
    }

    fn after(
        &mut self,
        _now: Time,
        _edges: Edges,
        out: &Out,
        _cable: &mut Cable<'_>,
        services: &mut Executor,
    ) {
        if !std::mem::replace(&mut self.begun, true) {
            let (kernel, costs, library) = (self.kernel.clone(), self.costs, self.library.clone());
            services.spawn("bottom half", |cpu| async move {
                kernel.bottom_half(Host::new(cpu, costs, library)).await;
            });
        }
        if self.pm.begins() {
            let pm = self.pm.clone();
            services.spawn("timer of PM", |cpu| async move { pm.timer(cpu).await });
        }
        if out.interrupt {
            self.interrupt(services);
        }
    }

    fn drive(&mut self, now: Time, _edges: Edges, _out: &Out, pins: &mut In, cable: &mut Cable<'_>) {
        *pins = self.pins(now, cable);
    }

    fn beside(&mut self, now: Time, pins: &mut In, cable: &mut Cable<'_>) -> bool {
        if self.due(cable).is_none_or(|due| due > now) {
            return false;
        }
        let left = self.transmit(now, cable);
        if left {
            *pins = In { left, ..self.rings.borrow_mut().tell() };
        }
        left
    }

    fn idle(&self, _now: Time, out: &Out, pins: &In) -> Edges {
        let asks = out.interrupt && !self.handling.get();
        Edges::of(0).when(!asks && *pins == In::default())
    }

    fn is_still(&self) -> bool {
        let rings = self.rings.borrow();
        rings.since().is_none() && rings.transmit.is_empty() && !self.handling.get()
    }

    fn digest(&self, fingerprint: &mut FingerprintRecorder) {
        let rings = self.rings.borrow();
        for frame in rings.transmit.iter().map(|(_, frame)| frame).chain(&rings.receive) {
            fingerprint.add(frame);
        }
        fingerprint.add(&self.damaged.to_le_bytes());
        fingerprint.add(&self.driver.lost().to_le_bytes());
    }
}
