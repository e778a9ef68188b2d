//! A node: programs, kernel, PCI bus with memory, and the card.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::rc::Rc;

use gigae_pm::{clocks, pins};
use hdl::{Edges, Nic, NicError, Quiet};

use super::bus::{Bus, BusHost};
use super::driver::{Driver, Settings};
use super::tcp::{Kernel, Level, Preemption, Tcp};
use super::wire::{Edge, Wire};
use crate::fingerprint::Fingerprint;
use crate::host::{Executor, Output, Shared, TaskReport};
use crate::inspection::Inspection;
use crate::stages::{Event, Log, Observation, Place, Watch, WatchError};
use crate::{ClockDomain, Clocks, Time};

/// Any card behind its pins: model, RTL, or both in lockstep.
pub type AnyNic = dyn Nic<In = pins::In, Out = pins::Out>;

const CLOCKS: Clocks = Clocks::GIGAE_PM;

/// A host with its card.
///
/// While the card does nothing but count and wait, and nothing is on its pins, the node sleeps: edges are counted, not
/// walked. It wakes for an access of the processor, a byte from the network, the end of what the card counts, or a sample for
/// the fingerprint. While the card is at work but its network side is not, edges of the network clock alone are not walked.
pub struct Node {
    id: usize,
    nic: Box<AnyNic>,
    pins: pins::In,
    /// The instant through which all edges have passed in the card.
    passed: Time,
    /// Next edges of the two clocks while awake.
    core_edge: Time,
    network_edge: Time,
    asleep: bool,
    /// The card stays quiescent only until here.
    alarm: Option<Time>,
    /// The network side alone is quiescent.
    network_asleep: bool,
    /// Quiet stretches are skipped; otherwise every edge is walked.
    pub(super) skipping: bool,
    bus: Rc<RefCell<Bus>>,
    shared: Rc<Shared>,
    programs: Executor,
    /// Interrupt handlers; no run waits for them.
    handlers: Executor,
    driver: Rc<Driver>,
    preemption: Rc<Preemption>,
    /// TCP/IP, once a program uses it.
    kernel: Option<Rc<Kernel>>,
    /// A handler is at work; it keeps further interrupts out.
    handling: Rc<Cell<bool>>,
    /// A frame is on the receive pins.
    receiving: bool,
    inspection: Inspection,
}

impl Node {
    pub(super) fn new(id: usize, nodes: usize, nic: Box<AnyNic>, settings: &Settings) -> Self {
        let shared = Rc::new(Shared::new(id, CLOCKS.core));
        Node {
            id,
            pins: pins::In::default(),
            passed: Time::ZERO,
            core_edge: CLOCKS.core.next_after(Time::ZERO),
            network_edge: CLOCKS.network.next_after(Time::ZERO),
            asleep: false,
            alarm: None,
            network_asleep: false,
            skipping: true,
            bus: Rc::new(RefCell::new(Bus::new())),
            programs: Executor::new(shared.clone()),
            handlers: Executor::new(shared.clone()),
            shared,
            driver: Rc::new(Driver::new(id as u16, nodes as u16, settings)),
            preemption: Rc::default(),
            kernel: None,
            handling: Rc::default(),
            receiving: false,
            inspection: Inspection::new(CLOCKS, nic.signals()),
            nic,
        }
    }

    /// Number of the node.
    pub fn id(&self) -> usize {
        self.id
    }

    /// The card.
    pub fn nic(&self) -> &AnyNic {
        &*self.nic
    }

    /// The kernel's part of PM.
    pub fn driver(&self) -> &Driver {
        &self.driver
    }

    /// Notes what passes the pins, and the marks of host programs.
    pub fn observe(&mut self) {
        self.log().observing = true;
    }

    /// Sets a watch, and begins to observe.
    pub fn watch(&mut self, watch: Watch) -> Result<(), WatchError> {
        self.observe();
        self.inspection.watch(watch, &*self.nic)
    }

    /// What was observed so far, in the order of time.
    pub fn observations(&self) -> Vec<Observation> {
        self.log().observations.clone()
    }

    pub(super) fn check(&mut self) -> Result<(), NicError> {
        self.nic.check()
    }

    pub(super) fn spawn<F, T>(
        &mut self,
        now: Time,
        name: &'static str,
        program: impl FnOnce(BusHost, Rc<Driver>) -> F,
    ) -> Output<T>
    where
        F: Future<Output = T> + 'static,
        T: 'static,
    {
        self.shared.now.set(now);
        let (bus, driver) = (self.bus.clone(), self.driver.clone());
        self.programs.spawn(name, |host| program(BusHost::new(host, bus), driver))
    }

    /// Starts a program of TCP/IP, and with the first one the kernel's bottom half.
    pub(super) fn spawn_tcp<F, T>(
        &mut self,
        now: Time,
        name: &'static str,
        program: impl FnOnce(Tcp) -> F,
    ) -> Output<T>
    where
        F: Future<Output = T> + 'static,
        T: 'static,
    {
        self.shared.now.set(now);
        let kernel = match &self.kernel {
            Some(kernel) => kernel.clone(),
            None => {
                let kernel = Rc::new(Kernel::new(self.driver.clone(), self.preemption.clone()));
                let (bus, bottom) = (self.bus.clone(), kernel.clone());
                self.handlers.spawn("bottom half", |host| async move {
                    bottom.bottom_half(BusHost::new(host, bus)).await
                });
                self.kernel.insert(kernel).clone()
            }
        };
        self.spawn(now, name, |host, driver| {
            let program = program(Tcp::new(host.clone(), kernel));
            async move {
                driver.up(&host).await;
                program.await
            }
        })
    }

    pub(super) fn done(&self) -> bool {
        self.programs.done()
    }

    pub(super) fn report(&self) -> impl Iterator<Item = TaskReport> {
        self.programs.report()
    }

    /// Whether programs and handlers are done, and the card asks for nothing.
    pub(super) fn is_quiet(&self) -> bool {
        let out = self.nic.outputs();
        self.done() && self.handlers.done() && !out.host.interrupt_request && !out.bus.request
    }

    /// When a program or a handler goes on.
    fn next_wake(&self) -> Option<Time> {
        self.programs.next_wake().into_iter().chain(self.handlers.next_wake()).min()
    }

    /// The next instant at which something happens here.
    pub(super) fn next_event(&self, now: Time, down: &Wire) -> Time {
        let card = if self.asleep {
            self.wake_up(down)
        } else if self.network_asleep {
            self.arrival(down).map_or(self.core_edge, |arrival| arrival.min(self.core_edge))
        } else {
            self.core_edge.min(self.network_edge)
        };
        self.next_wake().map_or(card, |wake| wake.max(now).min(card))
    }

    /// Whether a program goes on sometime, or when a frame arrives.
    pub(super) fn may_go_on(&self) -> bool {
        self.programs.may_go_on()
    }

    /// Lets all edges through `now` pass, and returns the fingerprint of the run so far.
    pub(super) fn fingerprint(&mut self, now: Time) -> Fingerprint {
        if self.asleep {
            self.skip_through(now);
        }
        self.inspection.finish(now, &*self.nic, std::slice::from_ref(&self.bus.borrow().memory))
    }

    /// Everything that happens at `now`: edges, then programs, then the pins of the cycles that begin.
    pub(super) fn step(&mut self, now: Time, up: &mut Wire, down: &mut Wire) -> Result<(), NicError> {
        if self.asleep && self.wake_up(down) <= now {
            self.wake(now);
        }
        if self.network_asleep && self.arrival(down).is_some_and(|arrival| arrival <= now) {
            self.network_edge = now;
            self.network_asleep = false;
        }
        let network = !self.network_asleep && now == self.network_edge;
        let edges = match self.asleep {
            true => Edges::NONE,
            false => clocks::CORE.when(now == self.core_edge).with(clocks::NETWORK.when(network)),
        };
        if !edges.is_empty() {
            self.edge(now, edges, up)?;
            self.passed = now;
            if edges.meets(clocks::CORE) {
                self.core_edge += CLOCKS.core.period;
            }
            if edges.meets(clocks::NETWORK) {
                self.network_edge += CLOCKS.network.period;
            }
        }
        for executor in [&mut self.handlers, &mut self.programs] {
            if executor.next_wake().is_some_and(|wake| wake <= now) {
                executor.run(now);
            }
        }
        if edges.meets(clocks::CORE) {
            (self.pins.host, self.pins.bus) = self.bus.borrow_mut().pins(now, self.nic.outputs());
        }
        if edges.meets(clocks::NETWORK) {
            let byte = down.receive(now);
            self.pins.network.rx_valid = byte.is_some();
            self.pins.network.rx_data = byte.unwrap_or(0);
        }
        if edges.meets(clocks::CORE) {
            self.fall_asleep(now);
        }
        Ok(())
    }

    /// When a byte comes to the pins.
    fn arrival(&self, down: &Wire) -> Option<Time> {
        down.next_arrival().map(|time| CLOCKS.network.at_or_after(time))
    }

    /// When a sleeping card is needed next.
    fn wake_up(&self, down: &Wire) -> Time {
        let access = self.bus.borrow().next_event().map(|time| CLOCKS.core.at_or_after(time));
        let events = [access, self.arrival(down), self.alarm];
        events.into_iter().flatten().fold(self.inspection.next_sample(), Time::min)
    }

    /// Goes on at `now` as if all edges before had been walked.
    fn wake(&mut self, now: Time) {
        self.skip_through(Time::from_ps(now.ps() - 1));
        self.core_edge = CLOCKS.core.at_or_after(now);
        self.asleep = false;
        self.alarm = None;
    }

    /// Skips the edges through `time`.
    fn skip_through(&mut self, time: Time) {
        let edges = |clock: ClockDomain| clock.edges_through(time) - clock.edges_through(self.passed);
        let (core, network) = (edges(CLOCKS.core), edges(CLOCKS.network));
        if core + network > 0 {
            self.nic.skip(&[core, network]);
        }
        self.passed = time;
    }

    /// Sleeps if it may; asked at edges of the core clock, after which the answer changes most.
    fn fall_asleep(&mut self, now: Time) {
        if !self.skipping || self.inspection.watches() {
            return;
        }
        let network_sleeps = !self.pins.network.rx_valid && self.nic.resting().meets(clocks::NETWORK);
        if self.network_asleep && !network_sleeps {
            self.network_edge = CLOCKS.network.next_after(now);
        }
        self.network_asleep = network_sleeps;
        // An interrupt is asked for until a handler has time for it.
        let interrupts = self.nic.outputs().host.interrupt_request;
        if !network_sleeps || interrupts || self.pins.host.enable || self.bus.borrow().is_reading() {
            return;
        }
        match self.nic.quiescent() {
            Quiet::UntilInput => self.asleep = true,
            // Two edges at least, or there is nothing to skip.
            Quiet::For(cycles) if cycles > 1 => {
                self.asleep = true;
                self.alarm = Some(now + CLOCKS.core.period * cycles);
            }
            Quiet::For(_) | Quiet::Busy => {}
        }
    }

    /// The clocks rise, with the pins as they are.
    fn edge(&mut self, now: Time, edges: Edges, up: &mut Wire) -> Result<(), NicError> {
        if edges.meets(clocks::CORE) {
            self.observe_access(now);
        }
        if edges.meets(clocks::NETWORK) {
            let out = self.nic.outputs().network;
            let event = match up.send(now, out.tx_enable.then_some(out.tx_data)) {
                Some(Edge::Begins) => Some(Event::TransmitFirst),
                Some(Edge::Ends) => Some(Event::TransmitLast),
                None => None,
            };
            let valid = self.pins.network.rx_valid;
            let received = match (self.receiving, valid) {
                (false, true) => Some(Event::ReceiveFirst),
                (true, false) => Some(Event::ReceiveLast),
                _ => None,
            };
            self.receiving = valid;
            for event in event.into_iter().chain(received) {
                self.log().observe(now, Place::Node(self.id), event);
            }
        }
        self.nic.edge(edges, &self.pins)?;
        if edges.meets(clocks::CORE) {
            self.interrupt(now);
        }
        self.inspection.look(now, Place::Node(self.id), &*self.nic, &self.shared.log);
        Ok(())
    }

    /// An interrupt that is requested, as PCI does by level, starts the driver's handler.
    fn interrupt(&mut self, now: Time) {
        let interrupts = self.nic.outputs().host.interrupt_request;
        if interrupts && !self.handling.replace(true) {
            self.shared.now.set(now);
            let (bus, driver, preemption) = (self.bus.clone(), self.driver.clone(), self.preemption.clone());
            let handling = self.handling.clone();
            self.handlers.spawn("interrupt", |host| async move {
                let _working = preemption.enter(&host, Level::Interrupt);
                driver.interrupt(&BusHost::new(host.clone(), bus)).await;
                handling.set(false);
            });
        }
    }

    fn observe_access(&self, now: Time) {
        let pins::HostIn { enable, address, write, .. } = self.pins.host;
        if enable {
            let event = Event::Beat { address: address.into(), write };
            self.log().observe(now, Place::Node(self.id), event);
        }
    }

    fn log(&self) -> std::cell::RefMut<'_, Log> {
        self.shared.log.borrow_mut()
    }
}
