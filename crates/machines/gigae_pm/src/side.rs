//! The surroundings of a card: the PCI bus with pinned memory, the kernel's driver, and Ethernet.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use cluster::host::{Level, Preemption};
use cluster::{CableOf, Cpu, Duration, Event, Executor, FingerprintRecorder, Station, Time};
use gigae_pm::clocks;
use gigae_pm::pins::{HostIn, In, Out};
use hdl::Edges;

use crate::GigaePm;
use crate::bus::{Bus, BusHost};
use crate::clocks::{CLOCKS, CORE, NETWORK};
use crate::tcp::Kernel;
use crate::{Driver, Settings, Symbol};

/// The cable of a card.
type Cable<'a> = CableOf<'a, GigaePm>;

/// All that is connected to the pins of one card.
pub struct Side {
    station: Station,
    bus: Rc<RefCell<Bus>>,
    driver: Rc<Driver>,
    preemption: Rc<Preemption>,
    /// TCP/IP, once a program uses it.
    kernel: Option<Rc<Kernel>>,
    /// A handler runs; further interrupts are disabled.
    handling: Rc<Cell<bool>>,
    /// A frame is on the receive pins.
    receiving: bool,
    /// Bytes of the last frame, with its preamble, as far as they have left.
    last_frame: Vec<u8>,
}

impl Side {
    pub(crate) fn new(station: Station, settings: &Settings) -> Self {
        let driver = Driver::new(station.node() as u16, station.nodes() as u16, settings);
        Side {
            station,
            bus: Rc::new(RefCell::new(Bus::new(settings.costs))),
            driver: Rc::new(driver),
            preemption: Rc::default(),
            kernel: None,
            handling: Rc::default(),
            receiving: false,
            last_frame: Vec::new(),
        }
    }

    /// The kernel's part of PM.
    pub fn driver(&self) -> &Rc<Driver> {
        &self.driver
    }

    /// Bytes of pinned memory. Takes no virtual time.
    pub fn peek_memory(&self, address: u64, length: usize) -> Vec<u8> {
        let bus = self.bus.borrow();
        (address..).take(length).map(|address| bus.memory.peek(address)).collect()
    }

    /// Sets bytes of pinned memory. Takes no virtual time.
    pub fn poke_memory(&mut self, address: u64, bytes: &[u8]) {
        let mut bus = self.bus.borrow_mut();
        for (address, byte) in (address..).zip(bytes) {
            bus.memory.poke(address, *byte);
        }
    }

    /// The frame that left last, from its preamble on, as far as it has left; empty before the first frame.
    pub fn last_frame(&self) -> &[u8] {
        &self.last_frame
    }

    pub(crate) fn host(&self, cpu: Cpu) -> BusHost {
        BusHost::new(cpu, self.bus.clone())
    }

    /// TCP/IP in the kernel, and whether this is its first use.
    pub(crate) fn kernel(&mut self) -> (Rc<Kernel>, bool) {
        let new = self.kernel.is_none();
        let make = || Rc::new(Kernel::new(self.driver.clone(), self.preemption.clone()));
        (self.kernel.get_or_insert_with(make).clone(), new)
    }

    /// A requested interrupt, which is level-triggered on PCI, starts the driver's handler.
    fn interrupt(&self, services: &mut Executor) {
        if self.handling.replace(true) {
            return;
        }
        let (bus, driver, preemption) = (self.bus.clone(), self.driver.clone(), self.preemption.clone());
        let handling = self.handling.clone();
        services.spawn("interrupt", |cpu| async move {
            let _working = preemption.enter(&cpu, Level::Interrupt);
            driver.interrupt(&BusHost::new(cpu.clone(), bus)).await;
            handling.set(false);
        });
    }

    fn observe_access(&self, now: Time, pins: &In) {
        let HostIn { enable, address, write, .. } = pins.host;
        if enable {
            self.station.observe(now, Event::Beat { address: address.into(), write });
        }
    }
}

impl cluster::Side<GigaePm> for Side {
    #[inline]
    fn next(&self, _now: Time, _cable: &Cable<'_>) -> Option<Time> {
        None
    }

    #[inline]
    fn next_access(&self) -> Option<Time> {
        self.bus.borrow().next_event().map(|time| CLOCKS.domain(CORE).at_or_after(time))
    }

    #[inline]
    fn idle_pins(&mut self, _now: Time, _pins: &mut In, _cable: &mut Cable<'_>) {}

    #[inline]
    fn before(&mut self, now: Time, edges: Edges, out: &Out, pins: &In, cable: &mut Cable<'_>) {
        if edges.meets(clocks::CORE) {
            self.observe_access(now, pins);
        }
        if edges.meets(clocks::NETWORK) {
            // The byte has been on the pins in the cycle that ends now.
            let start = now.saturating_sub(CLOCKS.domain(NETWORK).period);
            match (cable.up.in_frame(), out.network.tx_enable) {
                (begun, true) => {
                    cable.up.send(start, Symbol::Byte(out.network.tx_data));
                    if !begun {
                        self.last_frame.clear();
                        self.station.observe(now, Event::TransmitFirst);
                    }
                    self.last_frame.push(out.network.tx_data);
                }
                (true, false) => {
                    cable.up.send(start, Symbol::Silence);
                    self.station.observe(now, Event::TransmitLast);
                }
                (false, false) => {}
            }
            let valid = pins.network.rx_valid;
            match (self.receiving, valid) {
                (false, true) => self.station.observe(now, Event::ReceiveFirst),
                (true, false) => self.station.observe(now, Event::ReceiveLast),
                _ => {}
            }
            self.receiving = valid;
        }
    }

    #[inline]
    fn after(
        &mut self,
        _now: Time,
        edges: Edges,
        out: &Out,
        _cable: &mut Cable<'_>,
        services: &mut Executor,
    ) {
        if edges.meets(clocks::CORE) && out.host.interrupt_request {
            self.interrupt(services);
        }
    }

    #[inline]
    fn drive(&mut self, now: Time, edges: Edges, out: &Out, pins: &mut In, cable: &mut Cable<'_>) {
        if edges.meets(clocks::CORE) {
            (pins.host, pins.bus) = self.bus.borrow_mut().pins(now, out);
        }
        if edges.meets(clocks::NETWORK) {
            let byte = cable.down.receive(now).and_then(|(_, symbol)| symbol.byte());
            pins.network.rx_valid = byte.is_some();
            pins.network.rx_data = byte.unwrap_or(0);
        }
    }

    #[inline]
    fn beside(&mut self, _now: Time, _pins: &mut In, _cable: &mut Cable<'_>) -> bool {
        false
    }

    #[inline]
    fn idle(&self, _now: Time, out: &Out, pins: &In) -> Edges {
        // An interrupt is requested until a handler runs.
        let asks = out.host.interrupt_request || out.bus.request;
        let core = !asks && !pins.host.enable && !self.bus.borrow().is_reading();
        clocks::CORE.when(core).with(clocks::NETWORK.when(!pins.network.rx_valid))
    }

    fn bus_busy(&self) -> Option<Duration> {
        Some(self.bus.borrow().busy())
    }

    fn add_bus_busy(&mut self, busy: Duration) {
        self.bus.borrow_mut().add_busy(busy);
    }

    fn ignores_phase(&self) -> bool {
        self.bus.borrow().ignores_phase()
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
