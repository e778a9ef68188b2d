//! A node: programs, kernel, PCI bus with memory, and the card.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::rc::Rc;

use gigae_pm::pins;
use hdl::{Edges, Nic, NicError};

use super::bus::{Bus, BusHost};
use super::driver::{Driver, Settings};
use super::tcp::{Kernel, Level, Preemption, Tcp};
use super::wire::{Edge, Wire};
use crate::fingerprint::{self, Fingerprint, Recorder};
use crate::host::{Executor, Output, Shared, TaskReport};
use crate::stages::{Event, Log, Observation, Place, Watch, WatchError, Watches};
use crate::{Clocks, Time};

/// Any card behind its pins: model, RTL, or both in lockstep.
pub type AnyNic = dyn Nic<In = pins::In, Out = pins::Out>;

const CLOCKS: Clocks = Clocks::GIGAE_PM;

/// A host with its card. Every edge is walked.
pub struct Node {
    id: usize,
    nic: Box<AnyNic>,
    pins: pins::In,
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
    recorder: Recorder,
    next_sample: Time,
    watches: Watches,
}

impl Node {
    pub(super) fn new(id: usize, nodes: usize, nic: Box<AnyNic>, settings: &Settings) -> Self {
        let shared = Rc::new(Shared::new(id, CLOCKS.core));
        Node {
            id,
            pins: pins::In::default(),
            bus: Rc::new(RefCell::new(Bus::new())),
            programs: Executor::new(shared.clone()),
            handlers: Executor::new(shared.clone()),
            shared,
            driver: Rc::new(Driver::new(id as u16, nodes as u16, settings)),
            preemption: Rc::default(),
            kernel: None,
            handling: Rc::default(),
            receiving: false,
            recorder: Recorder::new(nic.signals()),
            next_sample: fingerprint::next_sample(CLOCKS, Time::ZERO),
            watches: Watches::default(),
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
        let mut sample = Vec::new();
        self.nic.sample(&mut sample);
        self.watches.add(watch, self.nic.signals(), &sample)
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
    pub(super) fn next_wake(&self) -> Option<Time> {
        self.programs.next_wake().into_iter().chain(self.handlers.next_wake()).min()
    }

    /// Whether a program goes on sometime, or when a frame arrives.
    pub(super) fn may_go_on(&self) -> bool {
        self.programs.may_go_on()
    }

    pub(super) fn fingerprint(&self, now: Time) -> Fingerprint {
        self.recorder.finish(now, &*self.nic, std::slice::from_ref(&self.bus.borrow().memory))
    }

    /// Everything that happens at `now`: edges, then programs, then the pins of the cycles that begin.
    pub(super) fn step(
        &mut self,
        now: Time,
        edges: Edges,
        up: &mut Wire,
        down: &mut Wire,
    ) -> Result<(), NicError> {
        if edges != Edges::default() {
            self.edge(now, edges, up)?;
        }
        for executor in [&mut self.handlers, &mut self.programs] {
            if executor.next_wake().is_some_and(|wake| wake <= now) {
                executor.run(now);
            }
        }
        if edges.core {
            (self.pins.host, self.pins.bus) = self.bus.borrow_mut().pins(now, self.nic.outputs());
        }
        if edges.network {
            let byte = down.receive(now);
            self.pins.network.rx_valid = byte.is_some();
            self.pins.network.rx_data = byte.unwrap_or(0);
        }
        Ok(())
    }

    /// The clocks rise, with the pins as they are.
    fn edge(&mut self, now: Time, edges: Edges, up: &mut Wire) -> Result<(), NicError> {
        if edges.core {
            self.observe_access(now);
        }
        if edges.network {
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
        if edges.core {
            self.interrupt(now);
        }
        if !self.watches.is_empty() {
            let (mut log, place) = (self.shared.log.borrow_mut(), Place::Node(self.id));
            self.watches
                .look(|words| self.nic.sample(words), |mark| log.observe(now, place, Event::Watch(mark)));
        }
        if now == self.next_sample {
            self.recorder.sample(now, &*self.nic);
            self.next_sample = fingerprint::next_sample(CLOCKS, now);
        }
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
