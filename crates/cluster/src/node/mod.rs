//! A node: programs, a network interface, and all that is on its pins.

mod leap;

use std::future::Future;
use std::rc::Rc;

use hdl::{Edges, MOST_CLOCKS, NicError, Quiet};

use crate::host::{Cpu, Executor, Output, Shared, TaskReport};
use crate::look::{Fingerprint, Inspection, Observation, Place, Watch, WatchError};
use crate::machine::{AnyNic, CableOf, In, Machine, Side, Station};
use crate::{ClockDomain, Time};
use leap::{Base, Leap};

/// Number of a node in its cluster, as messages and addresses carry it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u16);

/// A host with its network interface.
///
/// While the device is quiescent and nothing is on its pins the node sleeps: edges are counted, not walked. It wakes for an
/// access of its host, for what arrives from the network, or at the end of what the device counts. While a device is at work but
/// some of its clocks are not, their edges are not walked either. A program that waits in a [loop](crate::Looking) does not keep it awake for
/// long: turns that are alike are left out. Samples for the fingerprint wake nobody; they are filled in later.
pub struct Node<M: Machine> {
    id: usize,
    nic: Box<AnyNic<M>>,
    pins: In<M>,
    /// The instant through which all edges have passed in the device.
    passed: Time,
    /// Next edge of each clock while awake.
    edges: [Time; MOST_CLOCKS],
    asleep: bool,
    /// Clocks whose edges change nothing until something comes to their pins.
    resting: Edges,
    /// The device stays quiescent only until here.
    alarm: Option<Time>,
    /// Idle stretches are skipped; otherwise every edge is walked.
    pub(crate) skipping: bool,
    shared: Rc<Shared>,
    programs: Executor,
    /// Interrupt handlers and the like; no run waits for them.
    services: Executor,
    side: M::Side,
    inspection: Inspection,
    /// The device at the end of a turn of a program's loop, as long as nothing else has happened to the node since.
    base: Option<Base>,
    /// Turns are left out.
    leap: Option<Leap>,
}

impl<M: Machine> Node<M> {
    pub(crate) fn new(id: usize, nodes: usize, nic: Box<AnyNic<M>>, settings: &M::Settings) -> Self {
        let shared = Rc::new(Shared::new(id));
        let side = M::side(Station::new(shared.clone(), nodes), settings);
        let mut edges = [Time::ZERO; MOST_CLOCKS];
        for (edge, clock) in edges.iter_mut().zip(M::CLOCKS.iter()) {
            *edge = clock.next_after(Time::ZERO);
        }
        Node {
            id,
            pins: M::pins(&side),
            passed: Time::ZERO,
            edges,
            asleep: false,
            resting: Edges::NONE,
            alarm: None,
            skipping: true,
            programs: Executor::new(shared.clone()),
            services: Executor::new(shared.clone()),
            shared,
            side,
            inspection: Inspection::new(M::CLOCKS.domain(0), nic.signals()),
            nic,
            base: None,
            leap: None,
        }
    }

    /// Begins with the pins of the first cycles.
    pub(crate) fn switch_on(&mut self, cable: &mut CableOf<'_, M>) {
        self.side.after(Time::ZERO, M::CLOCKS.all(), self.nic.outputs(), cable, &mut self.services);
        self.side.idle_pins(Time::ZERO, &mut self.pins, cable);
    }

    /// Number of the node.
    pub fn id(&self) -> usize {
        self.id
    }

    /// The device.
    pub fn nic(&self) -> &AnyNic<M> {
        &*self.nic
    }

    /// The input pins of the device.
    pub fn pins(&self) -> &In<M> {
        &self.pins
    }

    /// What surrounds the device.
    pub fn side(&self) -> &M::Side {
        &self.side
    }

    /// The same, to prepare it before the run.
    pub fn side_mut(&mut self) -> &mut M::Side {
        &mut self.side
    }

    /// The side and the pins of the device, to change both. A device that sleeps wakes, and sees the pins at its next edges.
    pub(crate) fn disturb(
        &mut self,
        now: Time,
        cable: &mut CableOf<'_, M>,
        change: impl FnOnce(&mut M::Side, &mut In<M>),
    ) -> Result<(), NicError> {
        // Edges at `now` have passed.
        let after = after(now);
        self.land(after, cable)?;
        self.catch_up(after, cable)?;
        self.base = None;
        if self.asleep {
            self.wake(after, cable);
        }
        change(&mut self.side, &mut self.pins);
        Ok(())
    }

    pub(crate) fn check(&mut self) -> Result<(), NicError> {
        self.nic.check()
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

    /// Starts a program that has all of the node.
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
        let side = &self.side;
        self.programs.spawn(name, |cpu| program(side, cpu))
    }

    /// Starts something that no run waits for.
    pub(crate) fn serve<F>(&mut self, now: Time, name: &'static str, service: impl FnOnce(&M::Side, Cpu) -> F)
    where
        F: Future<Output = ()> + 'static,
    {
        self.shared.now.set(now);
        let side = &self.side;
        self.services.spawn(name, |cpu| service(side, cpu));
    }

    /// Whether all programs are done.
    pub fn done(&self) -> bool {
        self.programs.done()
    }

    /// Whether a program goes on sometime, or when another one signals.
    pub(crate) fn may_go_on(&self) -> bool {
        self.programs.may_go_on()
    }

    pub(crate) fn report(&self) -> impl Iterator<Item = TaskReport> {
        self.programs.report()
    }

    /// Whether neither programs nor device have anything left to do.
    pub(crate) fn is_idle(&self) -> bool {
        self.nic.quiescent() == Quiet::UntilInput && self.is_still()
    }

    /// Whether programs and handlers are done, and pins and buses idle.
    pub(crate) fn is_still(&self) -> bool {
        self.done()
            && self.services.is_waiting()
            && self.side.idle(Time::END, self.nic.outputs(), &self.pins) == M::CLOCKS.all()
            && self.side.is_still()
    }

    /// The next instant at which something happens here.
    pub(crate) fn next_event(&self, now: Time, cable: &CableOf<'_, M>) -> Time {
        let device = if self.asleep { self.wake_up(cable) } else { self.next_edge(cable) };
        let beside = self.side.next(now, cable);
        let programs = self.programs.next_wake().into_iter().chain(self.services.next_wake());
        programs.chain(beside).map(|time| time.max(now)).fold(device, Time::min)
    }

    /// Everything that happens at `now`: edges, then programs, then the pins of the cycles that begin. Tells whether a program went on.
    pub(crate) fn step(&mut self, now: Time, cable: &mut CableOf<'_, M>) -> Result<bool, NicError> {
        let landed = self.land(now, cable)?;
        Ok(self.happen(now, cable)? || landed)
    }

    /// The same, where no turns are left out.
    fn happen(&mut self, now: Time, cable: &mut CableOf<'_, M>) -> Result<bool, NicError> {
        self.catch_up(now, cable)?;
        if self.asleep && self.wake_up(cable) <= now {
            self.wake(now, cable);
        }
        let edges = if self.asleep { Edges::NONE } else { self.rising(now, cable) };
        if !edges.is_empty() {
            self.edge(now, edges, cable)?;
            for clock in 0..M::CLOCKS.count() {
                if edges.meets(Edges::of(clock)) {
                    self.edges[clock] += M::CLOCKS.domain(clock).period;
                }
            }
        }
        let due = |executor: &Executor| executor.next_wake().is_some_and(|wake| wake <= now);
        let served = due(&self.services);
        if served {
            self.services.run(now);
            self.base = None;
        }
        let went_on = due(&self.programs);
        if went_on {
            self.programs.run(now);
        }
        if went_on && self.programs.stands() && !self.leaps(now) {
            self.programs.go_on(now);
            self.programs.run(now);
        }
        if !edges.is_empty() {
            self.side.drive(now, edges, self.nic.outputs(), &mut self.pins, cable);
            if edges.meets(Edges::of(0)) {
                self.fall_asleep(now, cable);
            }
        } else if self.asleep && self.side.beside(now, &mut self.pins, cable) {
            self.base = None;
            self.wake(now, cable);
        }
        Ok(served || went_on)
    }

    /// Lets all edges through `now` pass, and returns the fingerprint of the run so far.
    pub(crate) fn fingerprint(
        &mut self,
        now: Time,
        cable: &mut CableOf<'_, M>,
    ) -> Result<Fingerprint, NicError> {
        self.land(after(now), cable)?;
        self.catch_up(now, cable)?;
        if self.asleep {
            // The last edges are walked, so that the device sees the pins that it would have seen.
            let mut last: Vec<_> = M::CLOCKS.iter().filter_map(|clock| clock.last_through(now)).collect();
            last.sort();
            for instant in last {
                self.walk(instant, cable)?;
            }
        }
        Ok(self.inspection.finish(now, &*self.nic, |fingerprint| self.side.digest(fingerprint)))
    }

    /// Takes the samples that a sleeping device has slept through, those before `now`.
    fn catch_up(&mut self, now: Time, cable: &mut CableOf<'_, M>) -> Result<(), NicError> {
        while self.asleep && self.inspection.next_sample() < now {
            self.walk(self.inspection.next_sample(), cable)?;
        }
        Ok(())
    }

    /// Walks the edges of one instant while the device sleeps.
    fn walk(&mut self, instant: Time, cable: &mut CableOf<'_, M>) -> Result<(), NicError> {
        if instant <= self.passed {
            return Ok(());
        }
        self.skip_to(instant);
        self.side.idle_pins(instant, &mut self.pins, cable);
        self.edge(instant, M::CLOCKS.edges_at(instant), cable)
    }

    /// When something arrives at the pins.
    fn arrival(&self, cable: &CableOf<'_, M>) -> Option<Time> {
        let clock = M::CLOCKS.domain(M::LINK_CLOCK);
        self.side.arrival(cable).map(|time| clock.at_or_after(time))
    }

    /// When a sleeping device is needed next.
    fn wake_up(&self, cable: &CableOf<'_, M>) -> Time {
        let events = [self.side.next_access(), self.arrival(cable), self.alarm];
        events.into_iter().flatten().fold(Time::END, Time::min)
    }

    /// The next edge that is walked.
    fn next_edge(&self, cable: &CableOf<'_, M>) -> Time {
        let mut next = Time::END;
        for clock in 0..M::CLOCKS.count() {
            if !self.resting.meets(Edges::of(clock)) {
                next = next.min(self.edges[clock]);
            }
        }
        if self.resting.is_empty() {
            return next;
        }
        self.arrival(cable).map_or(next, |arrival| arrival.min(next))
    }

    /// The clocks that rise at `now`. The link's stops resting when something arrives, or is to be done beside the device.
    fn rising(&mut self, now: Time, cable: &mut CableOf<'_, M>) -> Edges {
        let link = Edges::of(M::LINK_CLOCK);
        let due = |time: Option<Time>| time.is_some_and(|time| time <= now);
        if self.resting.meets(link) && (due(self.arrival(cable)) || due(self.side.next(now, cable))) {
            self.edges[M::LINK_CLOCK] = now;
            self.resting = self.resting.without(link);
            self.side.idle_pins(now, &mut self.pins, cable);
        }
        let mut edges = Edges::NONE;
        for clock in 0..M::CLOCKS.count() {
            if self.edges[clock] == now && !self.resting.meets(Edges::of(clock)) {
                edges = edges.with(Edges::of(clock));
            }
        }
        edges
    }

    /// Goes on at `now` as if all edges before had been walked.
    fn wake(&mut self, now: Time, cable: &mut CableOf<'_, M>) {
        self.skip_to(now);
        self.side.idle_pins(now, &mut self.pins, cable);
        for (edge, clock) in self.edges.iter_mut().zip(M::CLOCKS.iter()) {
            *edge = clock.at_or_after(now);
        }
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

    /// The clocks rise, with the pins as they are.
    fn edge(&mut self, now: Time, edges: Edges, cable: &mut CableOf<'_, M>) -> Result<(), NicError> {
        if edges.meets(Edges::of(M::LINK_CLOCK)) {
            self.base = None;
        }
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
        let resting =
            if self.inspection.watches() { Edges::NONE } else { self.nic.resting().and(idle).and(link) };
        if self.resting.meets(link) && !resting.meets(link) {
            let next = M::CLOCKS.domain(M::LINK_CLOCK).next_after(now);
            self.edges[M::LINK_CLOCK] = next;
            self.side.idle_pins(next, &mut self.pins, cable);
        }
        self.resting = resting;
        if idle != M::CLOCKS.all() {
            return;
        }
        match self.nic.quiescent() {
            Quiet::UntilInput => self.asleep = true,
            // Two edges at least, or there is nothing to skip. A watch looks at what is counted, too.
            Quiet::For(n) if n > 1 && !self.inspection.watches() => {
                let clocks = (0..M::CLOCKS.count()).filter(|clock| !resting.meets(Edges::of(*clock)));
                self.asleep = true;
                self.alarm = clocks.map(|clock| nth(M::CLOCKS.domain(clock), now, n)).min();
            }
            Quiet::For(_) | Quiet::Busy => {}
        }
    }
}

/// The first instant after `time`.
fn after(time: Time) -> Time {
    Time::from_ps(time.ps().saturating_add(1))
}

/// The `n`th edge after `now`.
fn nth(clock: ClockDomain, now: Time, n: u64) -> Time {
    clock.edge(clock.edges_through(now) + n)
}
