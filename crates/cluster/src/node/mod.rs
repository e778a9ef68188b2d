//! A node: programs, a network interface, and the environment at its pins.

mod edges;
mod leap;

use std::future::Future;
use std::rc::Rc;

use hdl::{Edges, MOST_CLOCKS, NicError, Quiet};

use crate::host::{CallObserver, Cpu, Executor, Output, Shared, TaskReport};
use crate::look::{Fingerprint, Inspection, Observation, Place, Watch, WatchError};
use crate::machine::{AnyNic, CableOf, In, Machine, Side, Station};
use crate::{ClockDomain, Time};
use edges::NextEdges;
use leap::{Base, Calm, Leap};

/// Number of a node in its cluster, as messages and addresses carry it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u16);

/// A host with its network interface.
///
/// While the device is quiescent and its pins are idle, the node sleeps: edges are counted instead of
/// executed. It wakes for an access of its host, for an arrival from the network, or when a counter of the
/// device ends. If only some clocks of a busy device have work, the edges of the others are not executed
/// either. A program in a [polling loop](crate::Looking) does not keep the node awake: identical iterations
/// are skipped. Samples for the fingerprint do not wake it; they are added later.
pub struct Node<M: Machine> {
    id: usize,
    nic: Box<AnyNic<M>>,
    pins: In<M>,
    /// Instant up to which all edges have passed in the device.
    passed: Time,
    /// Next edge of each clock while awake.
    edges: NextEdges,
    asleep: bool,
    /// Time until which the device stays quiescent, if limited.
    alarm: Option<Time>,
    /// Idle stretches are skipped; otherwise every edge is executed.
    pub(crate) skipping: bool,
    shared: Rc<Shared>,
    programs: Executor,
    /// Interrupt handlers and other services; no run waits for them.
    services: Executor,
    side: M::Side,
    inspection: Inspection,
    /// State of the device at the end of a polling iteration, as long as the node had no other event since.
    base: Option<Base>,
    /// End of a polling iteration, as long as nothing but the program changed the host since.
    calm: Option<Calm>,
    /// End of the latest polling iteration.
    turned: Option<Time>,
    /// Polling iterations are being skipped.
    leap: Option<Leap>,
}

impl<M: Machine> Node<M> {
    pub(crate) fn new(id: usize, nodes: usize, nic: Box<AnyNic<M>>, settings: &M::Settings) -> Self {
        let shared = Rc::new(Shared::new(id));
        let side = M::side(Station::new(shared.clone(), nodes), settings);
        Node {
            id,
            pins: M::pins(&side),
            passed: Time::ZERO,
            edges: NextEdges::new(M::CLOCKS),
            asleep: false,
            alarm: None,
            skipping: true,
            programs: Executor::new(shared.clone()),
            services: Executor::new(shared.clone()),
            shared,
            side,
            inspection: Inspection::new(M::CLOCKS.domain(0), nic.signals()),
            nic,
            base: None,
            calm: None,
            turned: None,
            leap: None,
        }
    }

    /// Drives the pins of the first cycles.
    pub(crate) fn switch_on(&mut self, cable: &mut CableOf<'_, M>) {
        self.side.after(Time::ZERO, M::CLOCKS.all(), self.nic.outputs(), cable, &mut self.services);
        self.side.idle_pins(Time::ZERO, &mut self.pins, cable);
    }

    /// Number of the node.
    pub fn id(&self) -> usize {
        self.id
    }

    /// The device: model, RTL or both.
    pub fn nic(&self) -> &AnyNic<M> {
        &*self.nic
    }

    /// The input pins of the device.
    pub fn pins(&self) -> &In<M> {
        &self.pins
    }

    /// Environment of the device.
    pub fn side(&self) -> &M::Side {
        &self.side
    }

    /// Environment of the device, for preparation before the run.
    pub fn side_mut(&mut self) -> &mut M::Side {
        &mut self.side
    }

    /// Changes the environment and the pins of the device. A sleeping device wakes and sees the pins at its
    /// next edges.
    pub(crate) fn disturb(
        &mut self,
        now: Time,
        cable: &mut CableOf<'_, M>,
        change: impl FnOnce(&mut M::Side, &mut In<M>),
    ) -> Result<(), NicError> {
        // Edges at `now` have already passed.
        let after = after(now);
        self.land(after, cable)?;
        self.catch_up(after, cable)?;
        (self.base, self.calm) = (None, None);
        if self.asleep {
            self.wake(after, cable);
        }
        change(&mut self.side, &mut self.pins);
        Ok(())
    }

    /// Inverts a bit of a register in the RTL of the device; see [`Nic::flip`].
    pub(crate) fn flip(
        &mut self,
        now: Time,
        cable: &mut CableOf<'_, M>,
        signal: usize,
        bit: u32,
    ) -> Result<(), NicError> {
        // A sleeping device wakes, so that its next edges are executed and compared.
        self.disturb(now, cable, |_, _| {})?;
        self.nic.flip(signal, bit)
    }

    pub(crate) fn check(&mut self) -> Result<(), NicError> {
        self.nic.check()
    }

    /// Records events at the pins and marks of programs.
    pub fn observe(&mut self) {
        self.shared.log.borrow_mut().observing = true;
    }

    /// Calls `observer` at the beginning and end of each library call of a program; see [`Cpu::call`].
    pub fn observe_calls(&mut self, observer: CallObserver) {
        let shared = Rc::downgrade(&self.shared);
        self.shared.calls.observe(move |function| {
            if let Some(shared) = shared.upgrade() {
                observer(shared.now.get(), function);
            }
        });
    }

    /// Sets a watch and enables recording.
    pub fn watch(&mut self, watch: Watch) -> Result<(), WatchError> {
        self.observe();
        self.inspection.watch(watch, &*self.nic)
    }

    /// Events recorded so far, ordered by time.
    pub fn observations(&self) -> Vec<Observation> {
        self.shared.log.borrow().observations.clone()
    }

    /// Starts a program with access to the whole node.
    pub(crate) fn spawn<F, T>(
        &mut self,
        now: Time,
        name: &'static str,
        program: impl FnOnce(&M::Side, Cpu) -> F,
    ) -> Output<T>
    where
        F: Future<Output = T> + 'static,
        T: 'static,
    {
        self.shared.now.set(now);
        // The positions of the earlier programs no longer describe the node.
        self.base = None;
        let side = &self.side;
        self.programs.spawn(name, |cpu| program(side, cpu))
    }

    /// Starts a service, for which no run waits.
    pub(crate) fn serve<F>(&mut self, now: Time, name: &'static str, service: impl FnOnce(&M::Side, Cpu) -> F)
    where
        F: Future<Output = ()> + 'static,
    {
        self.shared.now.set(now);
        let side = &self.side;
        self.services.spawn(name, |cpu| service(side, cpu));
    }

    /// Whether all programs are finished.
    pub fn done(&self) -> bool {
        self.programs.done()
    }

    /// Whether a program can continue at some time, or at the signal of another.
    pub(crate) fn may_go_on(&self) -> bool {
        self.programs.may_go_on()
    }

    pub(crate) fn report(&self) -> impl Iterator<Item = TaskReport> {
        self.programs.report()
    }

    /// Whether programs and device have no more work.
    pub(crate) fn is_idle(&self) -> bool {
        self.nic.quiescent() == Quiet::UntilInput && self.is_still()
    }

    /// Whether programs and services are finished or waiting, and pins and buses idle.
    pub(crate) fn is_still(&self) -> bool {
        self.done()
            && self.services.is_waiting()
            && self.side.idle(Time::END, self.nic.outputs(), &self.pins) == M::CLOCKS.all()
            && self.side.is_still()
    }

    /// Time of the node's next event.
    pub(crate) fn next_event(&self, now: Time, cable: &CableOf<'_, M>) -> Time {
        let device = if self.asleep { self.wake_up(cable) } else { self.next_edge(cable) };
        device.min(self.next_but_edges(now, Time::END, cable).max(now))
    }

    /// Executes the events from `now` on and before `end`, until the other end of the cable feels something
    /// else than `felt`, or a program continues. `now` becomes the last instant executed. Returns the time of
    /// the next event, and whether a program continued.
    pub(crate) fn stretch(
        &mut self,
        now: &mut Time,
        end: Time,
        felt: [u64; 3],
        cable: &mut CableOf<'_, M>,
    ) -> Result<(Time, bool), NicError> {
        loop {
            let went_on = self.step(*now, cable)? || self.pass_edges(now, end, felt, cable)?;
            let next = self.next_event(*now, cable);
            if went_on || next >= end || cable.felt() != felt {
                return Ok((next, went_on));
            }
            *now = next.max(*now);
        }
    }

    /// Executes the events of `now`: edges, then programs, then the pins of the cycles that begin. Returns
    /// whether a program continued.
    pub(crate) fn step(&mut self, now: Time, cable: &mut CableOf<'_, M>) -> Result<bool, NicError> {
        let landed = self.land_at_event(now, cable)?;
        Ok(self.happen(now, cable)? || landed)
    }

    /// Executes the events of `now`, after skipped iterations have been accounted for.
    fn happen(&mut self, now: Time, cable: &mut CableOf<'_, M>) -> Result<bool, NicError> {
        self.catch_up(now, cable)?;
        if self.asleep && self.wake_up(cable) <= now {
            self.wake(now, cable);
        }
        let edges = if self.asleep { Edges::NONE } else { self.rising(now, cable) };
        if !edges.is_empty() {
            self.edge(now, edges, cable)?;
        }
        self.go_on(now, edges, cable)
    }

    /// Executes the edges that follow `now`, as [`Node::step`] would, as long as nothing but edges happens at the node.
    /// `now` becomes the last instant executed. Returns whether a program continued.
    fn pass_edges(
        &mut self,
        now: &mut Time,
        end: Time,
        felt: [u64; 3],
        cable: &mut CableOf<'_, M>,
    ) -> Result<bool, NicError> {
        if self.asleep || self.lands_at_events() {
            return Ok(false);
        }
        loop {
            let next = self.next_edge(cable);
            if next >= self.next_but_edges(*now, end, cable) || cable.felt() != felt {
                return Ok(false);
            }
            *now = next;
            let edges = self.rising(next, cable);
            self.edge(next, edges, cable)?;
            if self.services.is_due(next) || self.programs.is_due(next) || self.changes_polled() {
                return self.go_on(next, edges, cable);
            }
            self.side.drive(next, edges, self.nic.outputs(), &mut self.pins, cable);
            if edges.meets(Edges::FIRST) {
                self.fall_asleep(next, cable);
                if self.asleep {
                    return Ok(false);
                }
            }
        }
    }

    /// The earliest of `end`, of the programs' next continuation, and of the next event in the environment.
    fn next_but_edges(&self, now: Time, end: Time, cable: &CableOf<'_, M>) -> Time {
        let programs = earlier(self.programs.next_wake(), earlier(self.services.next_wake(), end));
        earlier(self.side.next(now, cable), programs)
    }

    /// Executes the events of `now` after these edges: services, programs, then the pins of the cycles that begin.
    fn go_on(&mut self, now: Time, edges: Edges, cable: &mut CableOf<'_, M>) -> Result<bool, NicError> {
        let landed = self.land_at_change(now, cable)?;
        let served = self.services.is_due(now);
        if served {
            self.services.run(now);
            self.base = None;
        }
        let went_on = self.programs.is_due(now);
        if went_on {
            self.programs.run(now);
        }
        if went_on && self.programs.stands() && !self.leaps(now) {
            self.programs.go_on(now);
            self.programs.run(now);
        }
        if !edges.is_empty() {
            self.side.drive(now, edges, self.nic.outputs(), &mut self.pins, cable);
            if edges.meets(Edges::FIRST) {
                self.fall_asleep(now, cable);
            }
        } else if self.asleep && self.side.beside(now, &mut self.pins, cable) {
            self.base = None;
            self.wake(now, cable);
        }
        Ok(landed || served || went_on)
    }

    /// Executes all edges up to and including `now`, and returns the fingerprint of the run so far.
    pub(crate) fn fingerprint(
        &mut self,
        now: Time,
        cable: &mut CableOf<'_, M>,
    ) -> Result<Fingerprint, NicError> {
        self.land(after(now), cable)?;
        self.catch_up(now, cable)?;
        if self.asleep {
            // The last edges are executed, so that the device samples the present pins.
            let mut last: Vec<_> = M::CLOCKS.iter().filter_map(|clock| clock.last_through(now)).collect();
            last.sort();
            for instant in last {
                self.walk(instant, cable)?;
            }
        }
        Ok(self.inspection.finish(now, &*self.nic, |fingerprint| self.side.digest(fingerprint)))
    }

    /// Takes the samples before `now` that a sleeping device has missed.
    fn catch_up(&mut self, now: Time, cable: &mut CableOf<'_, M>) -> Result<(), NicError> {
        while self.asleep && self.inspection.next_sample() < now {
            self.walk(self.inspection.next_sample(), cable)?;
        }
        Ok(())
    }

    /// Executes the edges of one instant while the device sleeps.
    fn walk(&mut self, instant: Time, cable: &mut CableOf<'_, M>) -> Result<(), NicError> {
        if instant <= self.passed {
            return Ok(());
        }
        self.skip_to(instant);
        self.side.idle_pins(instant, &mut self.pins, cable);
        self.edge(instant, M::CLOCKS.edges_at(instant), cable)
    }

    /// Time of the next arrival at the pins.
    fn arrival(&self, cable: &CableOf<'_, M>) -> Option<Time> {
        let clock = M::CLOCKS.domain(M::LINK_CLOCK);
        self.side.arrival(cable).map(|time| clock.at_or_after(time))
    }

    /// Time at which a sleeping device must wake.
    fn wake_up(&self, cable: &CableOf<'_, M>) -> Time {
        earlier(self.side.next_access(), earlier(self.arrival(cable), earlier(self.alarm, Time::END)))
    }

    /// Time of the next edge to execute.
    fn next_edge(&self, cable: &CableOf<'_, M>) -> Time {
        let next = self.edges.first();
        if self.edges.resting().is_empty() { next } else { earlier(self.arrival(cable), next) }
    }

    /// The clocks that rise at `now`. The link's clock stops resting when something arrives or the
    /// environment has an event.
    fn rising(&mut self, now: Time, cable: &mut CableOf<'_, M>) -> Edges {
        let link = Edges::of(M::LINK_CLOCK);
        let due = |time: Option<Time>| time.is_some_and(|time| time <= now);
        if self.edges.resting().meets(link) && (due(self.arrival(cable)) || due(self.side.next(now, cable))) {
            self.edges.resume(M::LINK_CLOCK, now);
            self.side.idle_pins(now, &mut self.pins, cable);
        }
        self.edges.rise(now)
    }

    /// Continues at `now` as if all edges before had been executed.
    fn wake(&mut self, now: Time, cable: &mut CableOf<'_, M>) {
        self.skip_to(now);
        self.side.idle_pins(now, &mut self.pins, cable);
        self.edges.restart(now);
        self.asleep = false;
        self.alarm = None;
    }

    /// Skips the edges before `now`.
    fn skip_to(&mut self, now: Time) {
        let mut edges = [0; MOST_CLOCKS];
        for (count, clock) in edges.iter_mut().zip(M::CLOCKS.iter()) {
            *count = clock.edges_inside(self.passed, now);
        }
        if edges != [0; MOST_CLOCKS] {
            self.nic.skip(&edges[..M::CLOCKS.count()]);
        }
        self.passed = Time::from_ps(now.ps() - 1);
    }

    /// Executes an edge with the present pins.
    fn edge(&mut self, now: Time, edges: Edges, cable: &mut CableOf<'_, M>) -> Result<(), NicError> {
        self.forget_base(now, edges, cable);
        self.side.before(now, edges, self.nic.outputs(), &self.pins, cable);
        self.nic.edge(edges, &self.pins)?;
        self.shared.now.set(now);
        self.side.after(now, edges, self.nic.outputs(), cable, &mut self.services);
        self.inspection.look(now, Place::Node(self.id), &*self.nic, &self.shared.log);
        self.passed = now;
        Ok(())
    }

    fn fall_asleep(&mut self, now: Time, cable: &mut CableOf<'_, M>) {
        if !self.skipping {
            return;
        }
        let idle = self.side.idle(now, self.nic.outputs(), &self.pins);
        let link = Edges::of(M::LINK_CLOCK);
        let rests = idle.meets(link) && !self.inspection.watches();
        let resting = if rests { self.nic.resting().and(link) } else { Edges::NONE };
        if self.edges.resting().meets(link) && !resting.meets(link) {
            let next = M::CLOCKS.domain(M::LINK_CLOCK).next_after(now);
            self.edges.resume(M::LINK_CLOCK, next);
            self.side.idle_pins(next, &mut self.pins, cable);
        }
        self.edges.rest(resting);
        if idle != M::CLOCKS.all() {
            return;
        }
        match self.nic.quiescent() {
            Quiet::UntilInput => self.asleep = true,
            // Skipping pays for at least two edges. Watches also observe counters, so they prevent it.
            Quiet::For(n) if n > 1 && !self.inspection.watches() => {
                let clocks = (0..M::CLOCKS.count()).filter(|clock| !resting.meets(Edges::of(*clock)));
                self.asleep = true;
                self.alarm = clocks.map(|clock| nth(M::CLOCKS.domain(clock), now, n)).min();
            }
            Quiet::For(_) | Quiet::Busy => {}
        }
    }
}

/// The earlier of an event, if there is one, and another.
#[inline(always)]
fn earlier(event: Option<Time>, other: Time) -> Time {
    match event {
        Some(time) => time.min(other),
        None => other,
    }
}

/// The first instant after `time`.
fn after(time: Time) -> Time {
    Time::from_ps(time.ps().saturating_add(1))
}

/// The `n`-th edge after `now`.
fn nth(clock: ClockDomain, now: Time, n: u64) -> Time {
    clock.edge(clock.edges_through(now) + n)
}
