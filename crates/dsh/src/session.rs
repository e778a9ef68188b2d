//! A running cluster under the control of a shell: every operation is logged and can be repeated.
//!
//! A run depends on its operations alone, so a return to the past repeats the run from the beginning: for model, RTL
//! and hosts alike, exact to the register (decision 0025).

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use cluster::{Cluster, Direction, Duration, Fault, Faults, Fingerprint, Node, Output, RunError, Time};
use machine_api::{Driven, Target, TargetError};
use thiserror::Error;

use crate::boards::Boards;
use crate::break_point::Subject;
use crate::conditions::Conditions;
use crate::frames::SeenFrame;
use crate::looking::Looking;
use crate::program::{HostProgram, ProgramSource};
use crate::repetition::Repetition;
use crate::stop::Stop;

/// Limit of a command; its work goes on during the next one.
const COMMAND_LIMIT: Duration = Duration::from_us(200);

/// Kind of the boards that have no RTL.
pub const MODEL: &str = "model";

/// End of virtual time, far from the overflow of its picoseconds.
const LAST: Time = Time::from_ps(1_000_000_000_000_000_000);

/// Period of the first clock, in which time is counted.
pub fn cycle<M: Driven>() -> Duration {
    M::CLOCKS.domain(0).period
}

/// Why a session cannot carry out an operation.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SessionError {
    /// The kind of boards is unknown.
    #[error("{0}")]
    Boards(String),
    /// The run stopped.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// The target lies before the first prompt.
    #[error("only {0} cycles have passed since the first prompt")]
    TooFar(u64),
    /// The target lies after the end of virtual time.
    #[error("only {0} cycles are left until the end of virtual time, {last}", last = LAST)]
    TooLate(u64),
    /// Programs have not ended in time.
    #[error("programs have not ended by {limit}: {waiting}")]
    Unfinished {
        /// Virtual time at which the session gave up.
        limit: Time,
        /// The programs and what each waits for.
        waiting: String,
    },
    /// Nothing was undone.
    #[error(
        "nothing was undone; forward repeats what back has undone, and any other command that takes time ends that"
    )]
    NothingUndone,
}

/// An operation. The same operations in the same order give the same run.
#[derive(Clone)]
enum Operation<A> {
    /// A program with these accesses runs to its end.
    Access { node: usize, accesses: Rc<[A]> },
    /// A program with these accesses begins.
    Begin { node: usize, accesses: Rc<[A]> },
    /// A program begins whose steps are recorded.
    Program { node: usize, program: HostProgram },
    /// Time passes until no more activity is seen.
    Settle,
    /// Time passes until this instant.
    Until(Time),
    /// Bytes are written into memory.
    Poke { node: usize, address: u64, bytes: Rc<[u8]> },
    /// A fault waits for a frame of the node.
    Fault { node: usize, fault: Fault },
    /// All waiting faults of the node are removed.
    ClearFaults { node: usize },
    /// A bit of a register is inverted in the RTL; boards without RTL stay as they are.
    Flip { node: usize, signal: usize, bit: u32 },
}

impl<A> Operation<A> {
    /// The accesses of the operation, if it is one of the host of `node`.
    fn accesses_of(&self, node: usize) -> Option<&[A]> {
        match self {
            Operation::Access { node: at, accesses } | Operation::Begin { node: at, accesses } => {
                (*at == node).then_some(accesses)
            }
            _ => None,
        }
    }
}

/// Accesses, and a cluster that has repeated them and all later operations.
pub(crate) type Again<'a, M> = (&'a [<M as Driven>::Access], Cluster<M>);

/// Operations, each with the time of its end.
type Log<A> = Vec<(Operation<A>, Time)>;

/// A point to which the session can return.
#[derive(Clone)]
pub struct Snapshot<A> {
    log: Log<A>,
    /// Time of the point.
    pub time: Time,
    /// Fingerprint of the run up to the point.
    pub fingerprint: Fingerprint,
    /// Values of all signals, by node.
    pub samples: Vec<Vec<u64>>,
}

/// Called after every instant at which something happened; see [`Session::observe_instants`].
pub type InstantObserver<M> = Box<dyn FnMut(Time, &[Node<M>])>;

/// Called after every cycle of the first clock; see [`Session::break_at`].
pub type BreakFunction<M> = Box<dyn FnMut(Time, &[Node<M>]) -> Option<String>>;

/// A cluster with the log of its operations.
pub struct Session<M: Driven> {
    boards: Rc<dyn Boards<M>>,
    conditions: Rc<Conditions<M>>,
    kind: &'static str,
    cluster: Cluster<M>,
    /// State of the hosts between commands.
    seats: Vec<M::Seat>,
    log: Log<M::Access>,
    /// The log before time was turned back, as long as no other operation was carried out since.
    undone: Option<Log<M::Access>>,
    /// Operations belong to the undone log.
    repeats: bool,
    /// Number of operations before the first prompt.
    boot: usize,
    /// Observers of registers.
    looking: Looking,
    /// Error of the device or the cluster that ended the run.
    failure: Option<RunError>,
    /// Stops time, for example at Ctrl-C.
    stop: Stop,
    /// Number of ends of programs.
    program_ends: Rc<Cell<usize>>,
    /// Progress of a repetition.
    repetition: Option<Repetition>,
    /// Sees every instant of the first run of an operation, not of its repetition.
    observer: Option<InstantObserver<M>>,
    /// Decides after every cycle whether it is a break point; not asked while an operation is repeated.
    break_function: Option<BreakFunction<M>>,
}

impl<M: Driven> Session<M> {
    /// A cluster of `nodes` PCs with boards of `kind`, set up by their drivers.
    pub fn start(boards: Rc<dyn Boards<M>>, kind: &str, nodes: usize) -> Result<Self, SessionError> {
        Self::start_with(boards, kind, Conditions::new(nodes))
    }

    /// A cluster with boards of `kind` under conditions.
    pub fn start_with(
        boards: Rc<dyn Boards<M>>,
        kind: &str,
        conditions: Conditions<M>,
    ) -> Result<Self, SessionError> {
        let mut session = Self::power_on(boards, kind, Rc::new(conditions))?;
        if session.conditions.set_up {
            for node in 0..session.nodes().len() {
                M::set_up(&mut session.board(node))?;
            }
            session.settle()?;
        }
        session.boot = session.log.len();
        Ok(session)
    }

    fn power_on(
        boards: Rc<dyn Boards<M>>,
        kind: &str,
        conditions: Rc<Conditions<M>>,
    ) -> Result<Self, SessionError> {
        let known = boards.kinds().iter().copied().find(|known| *known == kind);
        let kind = known.ok_or_else(|| {
            SessionError::Boards(format!(
                "there are no boards `{kind}` here, only {}",
                boards.kinds().join(", ")
            ))
        })?;
        let nodes = conditions.topology.nodes();
        let boards_on = boards.open(kind, nodes).map_err(SessionError::Boards)?;
        let cluster =
            conditions.power_on(boards_on).map_err(|error| SessionError::Boards(error.to_string()))?;
        Ok(Session {
            boards,
            conditions,
            kind,
            cluster,
            seats: std::iter::repeat_with(M::Seat::default).take(nodes).collect(),
            log: Vec::new(),
            undone: None,
            repeats: false,
            boot: 0,
            looking: Looking::default(),
            failure: None,
            stop: Stop::default(),
            program_ends: Rc::default(),
            repetition: None,
            observer: None,
            break_function: None,
        })
    }

    /// Stops time whenever the flag is set, and clears the flag.
    pub fn stop_at(&mut self, flag: Arc<AtomicBool>) {
        self.stop.listen_to(flag);
    }

    /// Forgets earlier interrupts.
    pub(crate) fn begin_lines(&self) {
        self.stop.forget();
    }

    /// Whether an interrupt has come since [`begin_lines`](Self::begin_lines).
    pub(crate) fn was_stopped(&self) -> bool {
        self.stop.was_told()
    }

    /// Calls `observer` after every instant at which something happened, but not while a run is repeated.
    ///
    /// The observer sees the nodes after all edges of the instant. It cannot change the run.
    pub fn observe_instants(&mut self, observer: InstantObserver<M>) {
        self.observer = Some(observer);
    }

    /// Sets or removes a function that is called after every cycle of the first clock, but not while a run is repeated.
    ///
    /// Its text, such as `break at 3 us: ...`, ends the present operation as a break point does. It is also called where
    /// time was turned back or the devices were replaced; that answer is ignored.
    pub fn break_at(&mut self, function: Option<BreakFunction<M>>) {
        self.break_function = function;
    }

    /// The cluster: its network, links and nodes.
    pub fn cluster(&self) -> &Cluster<M> {
        &self.cluster
    }

    /// Time of the first prompt, the earliest to which [`back`](Self::back) returns.
    pub fn first_prompt(&self) -> Time {
        self.boot.checked_sub(1).map_or(Time::ZERO, |last| self.log[last].1)
    }

    /// Kind of the boards.
    pub fn kind(&self) -> &'static str {
        self.kind
    }

    /// Kinds that the source of boards has.
    pub fn kinds(&self) -> &[&'static str] {
        self.boards.kinds()
    }

    /// Virtual time of the cluster.
    pub fn now(&self) -> Time {
        self.cluster.now()
    }

    /// The nodes of the cluster.
    pub fn nodes(&self) -> &[Node<M>] {
        self.cluster.nodes()
    }

    /// Observers of registers.
    pub(crate) fn looking(&mut self) -> &mut Looking {
        &mut self.looking
    }

    /// Observers of registers, and the nodes.
    pub(crate) fn look(&mut self) -> (&mut Looking, &[Node<M>]) {
        (&mut self.looking, self.cluster.nodes())
    }

    /// Adds a break point; frames count that begin from now on.
    pub(crate) fn add_break(&mut self, subject: Subject) {
        self.looking.add_break(subject, self.cluster.nodes());
        collect_heads(&mut self.cluster, self.looking.links());
        self.frames(self.now());
    }

    /// Frames whose heads links have carried completely since the last call, if break points need them; those whose heads were
    /// complete by `after` are left out.
    fn frames(&mut self, after: Time) -> Vec<SeenFrame> {
        let mut frames = Vec::new();
        for &link in self.looking.links() {
            while let Some(head) = self.cluster.take_head(link) {
                if head.time > after {
                    frames.push(SeenFrame::of::<M>(link, &head));
                }
            }
        }
        frames
    }

    /// The board of a node, for the process there.
    pub fn board(&mut self, node: usize) -> BoardHandle<'_, M> {
        BoardHandle { session: self, node }
    }

    /// The error behind the last [`TargetError::Stopped`] of this run, with its source.
    pub fn failure(&self) -> Option<&RunError> {
        self.failure.as_ref()
    }

    /// Keeps the error that ended the run.
    fn stopped(&mut self, error: RunError) -> TargetError {
        let text = error.to_string();
        self.failure = Some(error);
        TargetError::Stopped(text)
    }

    /// Fingerprint of the run so far.
    pub fn fingerprint(&mut self) -> Result<Fingerprint, SessionError> {
        Ok(self.cluster.fingerprint().map_err(|error| self.stopped(error))?)
    }

    /// Runs the comparisons that are not made at every edge.
    pub fn check(&mut self) -> Result<(), SessionError> {
        Ok(self.cluster.check().map_err(|error| TargetError::Stopped(error.to_string()))?)
    }

    /// Lets cycles of the first clock pass.
    pub fn run(&mut self, cycles: u64) -> Result<(), SessionError> {
        let most = LAST.ps().saturating_sub(self.now().ps()) / cycle::<M>().ps();
        if cycles > most {
            return Err(SessionError::TooLate(most));
        }
        Ok(self.run_until(self.now() + cycle::<M>() * cycles)?)
    }

    /// Begins a program on the host of a node. It runs whenever time passes.
    pub fn begin_program(&mut self, node: usize, source: Box<dyn ProgramSource>) -> HostProgram {
        let program = HostProgram::new(source, self.program_ends.clone());
        self.spawn_program(node, program.clone());
        program
    }

    fn spawn_program(&mut self, node: usize, program: HostProgram) {
        let (seat, run) = (self.seats[node].clone(), program.clone());
        self.cluster
            .spawn_beside(node, "program", |side, cpu| run.run::<M>(cpu.clone(), M::port(side, cpu), seat));
        self.push(Operation::Program { node, program });
    }

    /// Lets time pass until all of these programs have ended, or one of them otherwise than by its end.
    pub fn finish_programs(&mut self, programs: &[HostProgram], limit: Duration) -> Result<(), SessionError> {
        let end = LAST.min(self.now() + limit);
        while programs.iter().any(HostProgram::is_running) && !programs.iter().any(HostProgram::was_cut_off) {
            // Programs end seldom, so their states are not read after each instant.
            let ends = self.program_ends.get();
            while self.program_ends.get() == ends {
                if self.now() >= end {
                    self.run_until(end)?;
                    let waiting: Vec<_> = self.cluster.report().iter().map(ToString::to_string).collect();
                    return Err(SessionError::Unfinished { limit: end, waiting: waiting.join("; ") });
                }
                if let Err(error) = self.step(end) {
                    return Err(self.cut(None, error).into());
                }
            }
        }
        Ok(self.run_until(self.now())?)
    }

    /// Writes bytes into memory of a node. Takes no virtual time.
    pub fn poke(&mut self, node: usize, address: u64, bytes: &[u8]) {
        M::poke(self.cluster.node_mut(node).side_mut(), address, bytes);
        self.push(Operation::Poke { node, address, bytes: bytes.into() });
    }

    /// Adds a fault for the next frame of a node.
    pub fn add_fault(&mut self, node: usize, fault: Fault) {
        self.cluster.link_from_mut(node).faults_mut().add(fault);
        self.push(Operation::Fault { node, fault });
    }

    /// Removes all waiting faults of a node.
    pub fn clear_faults(&mut self, node: usize) {
        self.cluster.link_from_mut(node).faults_mut().clear();
        self.push(Operation::ClearFaults { node });
    }

    /// Inverts a bit of a register in the RTL of a node. `signal` is its index among the signals of the device.
    pub fn flip(&mut self, node: usize, signal: usize, bit: u32) -> Result<(), SessionError> {
        self.cluster.flip(node, signal, bit).map_err(|error| self.stopped(error))?;
        self.push(Operation::Flip { node, signal, bit });
        Ok(())
    }

    /// Faults on the link from a node.
    pub fn faults(&self, node: usize) -> &Faults {
        self.cluster.link_from(node).faults()
    }

    /// The last accesses of the host of `node` that match `which`, and a cluster that has repeated all operations
    /// since, after `prepare` was called for it at that point.
    pub(crate) fn again_since(
        &self,
        node: usize,
        which: impl Fn(&[M::Access]) -> bool,
        prepare: impl FnOnce(&mut Cluster<M>),
    ) -> Result<Option<Again<'_, M>>, SessionError> {
        let found = self.log.iter().enumerate().rev().find_map(|(at, (operation, _))| {
            Some((at, operation.accesses_of(node).filter(|accesses| which(accesses))?))
        });
        let Some((first, accesses)) = found else { return Ok(None) };
        let mut again = self.repeat(self.kind, &self.log[..first])?;
        prepare(&mut again.cluster);
        again.carry_on(&self.log[first..])?;
        Ok(Some((accesses, again.cluster)))
    }

    /// The present point.
    pub fn snapshot(&mut self) -> Result<Snapshot<M::Access>, SessionError> {
        let fingerprint = self.fingerprint()?;
        let samples = self.nodes().iter().map(|node| {
            let mut words = Vec::new();
            node.nic().sample(&mut words);
            words
        });
        Ok(Snapshot { time: self.now(), fingerprint, samples: samples.collect(), log: self.log.clone() })
    }

    /// Returns to a point, and verifies its fingerprint.
    pub fn restore(&mut self, snapshot: &Snapshot<M::Access>) -> Result<(), SessionError> {
        let mut again = self.repeat(self.kind, &snapshot.log)?;
        if again.fingerprint()? != snapshot.fingerprint {
            return Err(TargetError::Stopped("the run did not repeat itself".to_string()).into());
        }
        self.replace(again);
        Ok(())
    }

    /// Returns by a number of cycles.
    pub fn back(&mut self, cycles: u64) -> Result<(), SessionError> {
        let most = (self.now() - self.first_prompt()).ps() / cycle::<M>().ps();
        if cycles > most {
            return Err(SessionError::TooFar(most));
        }
        let target = self.now().saturating_sub(cycle::<M>() * cycles);
        let base = self.undone.clone().unwrap_or_else(|| self.log.clone());
        let again = self.at(target, &base)?;
        self.replace(again);
        self.undone = Some(base);
        Ok(())
    }

    /// Time of the end of what [`back`](Self::back) has undone and [`forward`](Self::forward) repeats.
    pub fn undone_until(&self) -> Option<Time> {
        let end = self.undone.as_ref()?.last()?.1;
        (end > self.now()).then_some(end)
    }

    /// Repeats what [`back`](Self::back) has undone: as many cycles of it, or all. Break points hold.
    pub fn forward(&mut self, cycles: Option<u64>) -> Result<(), SessionError> {
        let end = self.undone_until().ok_or(SessionError::NothingUndone)?;
        let target = cycles.map_or(end, |cycles| end.min(self.now() + cycle::<M>() * cycles));
        while self.now() < target {
            let ends = self.undone.iter().flatten().map(|(_, end)| *end);
            let next = ends.into_iter().find(|end| *end > self.now()).unwrap_or(end);
            self.repeats = true;
            // An operation that ends in between is repeated as a whole, because the next one begins within its last
            // instant.
            let ran = self.run_until(if target < next {
                target
            } else {
                next.saturating_sub(Duration::from_ps(1))
            });
            self.repeats = false;
            ran?;
            if next <= target {
                self.end_operation(next)?;
            }
        }
        Ok(())
    }

    /// Goes forward to the end of an undone operation; observers see that instant.
    fn end_operation(&mut self, end: Time) -> Result<(), SessionError> {
        let before = self.now();
        let again = self.at(end, self.undone.as_deref().unwrap_or_default())?;
        let undone = self.undone.take().filter(|base| base.last().is_some_and(|(_, last)| *last > end));
        self.take_over(again);
        self.undone = undone;
        Ok(self.observe(true, true, before)?)
    }

    /// Another session that has carried out the operations of `log` up to `target`.
    fn at(&self, target: Time, log: &[(Operation<M::Access>, Time)]) -> Result<Self, SessionError> {
        let whole = log.iter().position(|(_, end)| *end > target).unwrap_or(log.len());
        let mut again = self.repeat(self.kind, &log[..whole])?;
        match log.get(whole).map(|(operation, _)| operation.clone()) {
            Some(Operation::Access { node, accesses }) => {
                again.begin(node, &accesses);
                again.run_until(target)?;
            }
            Some(_) => again.run_until(target)?,
            None => {}
        }
        Ok(again)
    }

    /// Replaces the boards by those of another kind, which repeat the whole run.
    pub fn change(&mut self, kind: &str) -> Result<(), SessionError> {
        let again = self.repeat(kind, &self.log)?;
        let undone = self.undone.take();
        self.replace(again);
        self.undone = undone;
        Ok(())
    }

    /// Another session that has carried out the same operations.
    fn repeat(&self, kind: &str, log: &[(Operation<M::Access>, Time)]) -> Result<Self, SessionError> {
        let mut again = Self::power_on(self.boards.clone(), kind, self.conditions.clone())?;
        again.boot = self.boot;
        again.stop = self.stop.clone();
        collect_heads(&mut again.cluster, self.looking.links());
        again.repetition = log.last().map(|(_, end)| Repetition::until(*end));
        again.carry_on(log).map_err(|error| match error {
            TargetError::Break(at) => {
                TargetError::Break(format!("{at} of the repetition; nothing has changed"))
            }
            stopped => stopped,
        })?;
        again.repetition = None;
        Ok(again)
    }

    fn carry_on(&mut self, log: &[(Operation<M::Access>, Time)]) -> Result<(), TargetError> {
        for (operation, _) in log {
            match operation.clone() {
                Operation::Access { node, accesses } => drop(self.access(node, accesses)?),
                Operation::Begin { node, accesses } => self.begin(node, &accesses),
                Operation::Program { node, program } => self.spawn_program(node, program),
                Operation::Settle => drop(self.settle()?),
                Operation::Until(time) => self.run_until(time)?,
                Operation::Poke { node, address, bytes } => self.poke(node, address, &bytes),
                Operation::Fault { node, fault } => self.add_fault(node, fault),
                Operation::ClearFaults { node } => self.clear_faults(node),
                Operation::Flip { node, signal, bit } => self.flip_again(node, signal, bit)?,
            }
        }
        Ok(())
    }

    /// Repeats the inversion of a bit. A model has no RTL, and its run is the same without it.
    fn flip_again(&mut self, node: usize, signal: usize, bit: u32) -> Result<(), TargetError> {
        if self.kind != MODEL {
            self.cluster.flip(node, signal, bit).map_err(|error| self.stopped(error))?;
        }
        self.push(Operation::Flip { node, signal, bit });
        Ok(())
    }

    fn replace(&mut self, again: Self) {
        self.take_over(again);
        // Frames of the repeated run have been seen.
        self.frames(self.now());
        let (now, nodes) = (self.cluster.now(), self.cluster.nodes());
        self.looking.begin_again(nodes);
        if let Some(function) = &mut self.break_function {
            function(now, nodes);
        }
    }

    /// Becomes another session, and keeps the observers.
    fn take_over(&mut self, again: Self) {
        let looking = std::mem::take(&mut self.looking);
        let (observer, break_function) = (self.observer.take(), self.break_function.take());
        let program_ends = self.program_ends.clone();
        *self = Session { looking, observer, break_function, program_ends, ..again };
    }

    fn push(&mut self, operation: Operation<M::Access>) {
        let now = self.cluster.now();
        if !self.repeats {
            self.undone = None;
        }
        // Steps of a long run merge, so that the log does not grow with their number.
        if let (Operation::Until(_), Some((Operation::Until(end), at))) = (&operation, self.log.last_mut()) {
            (*end, *at) = (now, now);
            return;
        }
        self.log.push((operation, now));
    }

    /// Advances to the next instant, but not beyond `limit`; a break point is an error.
    fn step(&mut self, limit: Time) -> Result<(), TargetError> {
        if self.stop.is_told() {
            return Err(TargetError::Break(format!("interrupted at {}", self.now())));
        }
        let clock = M::CLOCKS.domain(0);
        let cycle_end = clock.edge(clock.edges_through(self.now()) + 1);
        let limit = if self.break_function.is_some() { limit.min(cycle_end) } else { limit };
        let happened = self.cluster.step(limit).map_err(|error| self.stopped(error))?;
        if let Some(repetition) = &mut self.repetition {
            repetition.has_come_to(self.cluster.now());
        }
        self.observe(happened, self.now() == cycle_end, Time::ZERO)
    }

    /// Calls all observers of an instant; a break point is an error. Frames whose heads were complete by `seen` have been seen.
    fn observe(&mut self, happened: bool, cycle_ended: bool, seen: Time) -> Result<(), TargetError> {
        let (now, nodes) = (self.cluster.now(), self.cluster.nodes());
        if happened && let Some(observer) = &mut self.observer {
            observer(now, nodes);
        }
        // Both kinds of break points look, so that neither misses a change.
        let function = self.break_function.as_mut().filter(|_| cycle_ended);
        let hit = function.and_then(|function| function(now, nodes));
        let frames = self.frames(seen);
        if (happened || !frames.is_empty()) && self.looking.is_on() {
            self.looking.look(now, self.cluster.nodes(), &frames)?;
        }
        hit.map_or(Ok(()), |text| Err(TargetError::Break(text)))
    }

    /// Ends an operation at a break point; its work goes on later.
    fn cut(&mut self, begun: Option<Operation<M::Access>>, error: TargetError) -> TargetError {
        if matches!(error, TargetError::Break(_)) {
            let now = self.cluster.now();
            // The instant is finished first, so that a repetition does the same.
            if let Err(error) = self.cluster.run_until(now) {
                return self.stopped(error);
            }
            self.log.extend(begun.map(|operation| (operation, now)));
            self.push(Operation::Until(now));
        }
        error
    }

    fn spawn(&mut self, node: usize, accesses: &Rc<[M::Access]>) -> Output<Vec<M::Answer>> {
        let (seat, accesses) = (self.seats[node].clone(), accesses.clone());
        self.cluster.spawn(node, "dsh", move |port| M::carry_out(port, seat, accesses))
    }

    fn begin(&mut self, node: usize, accesses: &Rc<[M::Access]>) {
        self.spawn(node, accesses);
        self.push(Operation::Begin { node, accesses: accesses.clone() });
    }

    fn access(&mut self, node: usize, accesses: Rc<[M::Access]>) -> Result<Vec<M::Answer>, TargetError> {
        let output = self.spawn(node, &accesses);
        loop {
            if let Some(read) = output.take() {
                self.push(Operation::Access { node, accesses });
                return Ok(read);
            }
            if let Err(error) = self.step(Time::from_ps(u64::MAX)) {
                return Err(self.cut(Some(Operation::Begin { node, accesses }), error));
            }
        }
    }

    /// Lets time pass until no activity was seen for a while; returns whether that happened.
    ///
    /// Activity is seen on pins and links, which are the same for model, RTL and lockstep.
    pub fn settle(&mut self) -> Result<bool, TargetError> {
        let limit = self.now() + COMMAND_LIMIT;
        let mut last = self.now();
        let still = loop {
            let still = self.cluster.is_still();
            let end = if still { limit.min(last + M::QUIET) } else { limit };
            if self.now() >= end {
                break still;
            }
            if let Err(error) = self.step(end) {
                return Err(self.cut(None, error));
            }
            if !still {
                last = self.now();
            }
        };
        self.push(Operation::Settle);
        Ok(still)
    }

    fn run_until(&mut self, time: Time) -> Result<(), TargetError> {
        while self.now() < time {
            if let Err(error) = self.step(time) {
                return Err(self.cut(None, error));
            }
        }
        self.cluster.run_until(time).map_err(|error| self.stopped(error))?;
        self.push(Operation::Until(time));
        Ok(())
    }
}

/// Collects the heads of frames on links from now on.
fn collect_heads<M: Driven>(cluster: &mut Cluster<M>, links: &[Direction]) {
    for link in links {
        cluster.collect_heads(*link, M::FRAME_KINDS.units);
    }
}

/// The board of one node.
pub struct BoardHandle<'a, M: Driven> {
    session: &'a mut Session<M>,
    node: usize,
}

impl<M: Driven> Target<M> for BoardHandle<'_, M> {
    fn access(&mut self, accesses: &[M::Access]) -> Result<Vec<M::Answer>, TargetError> {
        self.session.access(self.node, accesses.into())
    }
}
