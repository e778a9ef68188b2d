//! A run of MPI ranks: their states, exit codes and deadlocks.

use std::cell::{Cell, RefCell, RefMut};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::{Rc, Weak};

use cluster::{Duration, Time};
use mpi::Watcher;
use slots::ProcessMemory;
use xxhash_rust::xxh3::Xxh3;

use super::call::CallError;
use super::collective_check::{CollectiveCheck, CollectiveSignature, CommunicatorId};
use super::deadlock::{BlockedRank, Deadlock, Wait};
use super::profile::{Computing, Profile, ReplayMismatch};
use super::services::Services;
use super::standard::ERR_OP;
use crate::process::{Process, ProcessError, ProcessExit, Program, StartError};
use crate::run::{RunFailure, RunState};

/// A run of programs on ranks.
pub type Run = crate::run::Run<Ranks>;

/// Letters of a deviation from the standard at most.
const MOST_DEVIATION: usize = 200;

/// Kinds of deviations that are reported at most.
const MOST_DEVIATIONS: usize = 100;

/// State of all ranks.
pub struct Ranks {
    /// One for each rank.
    programs: Vec<Program>,
    computing: Computing,
    /// Exit code of the first rank that ended with another code than 0.
    exit_code: Cell<u8>,
    /// A rank has called `MPI_Init`.
    is_initialized: Cell<bool>,
    ranks: RefCell<Vec<Rank>>,
    /// One for each rank that has started.
    watchers: RefCell<Vec<Watcher>>,
    collective_check: RefCell<CollectiveCheck>,
    hosts: Hosts,
    services: RefCell<Services>,
    tolerance: RefCell<Option<Tolerance>>,
    /// Memory of windows and its base, by the number of the window's communicator and the rank.
    windows: RefCell<BTreeMap<(u16, usize), (ProcessMemory, u64)>>,
}

/// Deviations from the standard that the run has reported, and the function that reports one.
struct Tolerance {
    reported: BTreeSet<String>,
    report: Box<dyn Fn(&str)>,
}

/// Hosts of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hosts {
    /// The first hosts, each with a rank of the program.
    pub ranks: usize,
    /// All hosts, if ranks may start further processes on the others.
    pub universe: Option<usize>,
    /// Hosts that are processors of one node, in the order of ranks.
    pub per_node: usize,
}

impl Hosts {
    /// Number of hosts.
    pub fn count(self) -> usize {
        self.universe.map_or(self.ranks, |universe| universe.max(self.ranks))
    }
}

#[derive(Clone, Debug, Default)]
struct Rank {
    state: RankState,
    function: String,
    wait: Option<Wait>,
    since: Time,
    process: Weak<RefCell<Process>>,
}

impl Rank {
    /// The activity of the rank, as the rest of a sentence.
    fn activity(&self) -> String {
        let Rank { state, function, wait, since, .. } = self;
        match (state, wait) {
            (RankState::Spare, _) => "is a spare host".to_owned(),
            (RankState::Ended, _) => "has ended".to_owned(),
            (RankState::Running, _) if function.is_empty() => "computes, before its first call".to_owned(),
            (RankState::Running, _) => format!("computes, after {function}"),
            (RankState::InCall, None) => format!("is in {function}, since {since}"),
            (RankState::InCall, Some(wait)) => {
                format!("is in {function}, since {since}, and waits for {}", wait.event)
            }
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum RankState {
    /// The process runs, or has not started.
    #[default]
    Running,
    InCall,
    Ended,
    /// The host has no process.
    Spare,
}

/// Why a run ended before its ranks.
#[derive(Debug, thiserror::Error)]
pub enum MpiFailure {
    /// The process of a rank failed.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// A rank ended after `MPI_Init` without `MPI_Finalize`.
    #[error("MPI_Finalize was not called: {0}")]
    NoFinalize(ProcessExit),
    /// The program called `MPI_Abort`.
    #[error("rank {rank} called MPI_Abort with code {code}")]
    Abort {
        /// The rank, in `MPI_COMM_WORLD`.
        rank: usize,
        /// Argument of `MPI_Abort`.
        code: i32,
    },
    /// An error under `MPI_ERRORS_ARE_FATAL`.
    #[error("rank {rank}: {reason}")]
    Error {
        /// The rank, in `MPI_COMM_WORLD`.
        rank: usize,
        /// Error class of the standard ABI.
        class: i32,
        /// Function and text of the error.
        reason: String,
    },
    /// A replayed run differs from the recorded one.
    #[error("this is not the run that was recorded: {mismatch}{location}")]
    Mismatch {
        /// The first difference.
        mismatch: ReplayMismatch,
        /// `, at file:line in function`; empty where it is not known.
        location: String,
    },
    /// All ranks wait for each other.
    #[error("{0}")]
    Deadlock(Deadlock),
    /// All ranks have ended, and none has called `MPI_Init`.
    #[error(
        "no rank called MPI_Init, so nothing was simulated: give a dynamically linked program that calls it; \
         `memonet mpicc` compiles one"
    )]
    NoInit,
    /// The program cannot be started.
    #[error(transparent)]
    Start(#[from] StartError),
}

impl RunFailure for MpiFailure {
    fn exit_code(&self) -> u8 {
        let code = match self {
            MpiFailure::Process(ProcessError::Exit(exit)) | MpiFailure::NoFinalize(exit) => exit.code(),
            MpiFailure::Abort { code, .. } | MpiFailure::Error { class: code, .. } => *code as u8,
            MpiFailure::Process(_)
            | MpiFailure::Mismatch { .. }
            | MpiFailure::Deadlock(_)
            | MpiFailure::NoInit
            | MpiFailure::Start(_) => 1,
        };
        code.max(1)
    }
}

impl RunState for Ranks {
    type Failure = MpiFailure;

    fn check_used(&self) -> Result<(), MpiFailure> {
        if self.is_initialized.get() { Ok(()) } else { Err(MpiFailure::NoInit) }
    }

    fn activities(&self) -> Vec<String> {
        let ranks = self.ranks.borrow();
        ranks.iter().enumerate().map(|(number, rank)| format!("rank {number} {}", rank.activity())).collect()
    }
}

impl Run {
    /// A run of one program on each rank, which ends early when `keep_running` no longer holds.
    pub fn new(
        programs: Vec<Program>,
        hosts: Hosts,
        computing: Computing,
        keep_running: impl Fn() -> bool + 'static,
    ) -> Self {
        let state = Ranks {
            programs,
            computing,
            exit_code: Cell::new(0),
            is_initialized: Cell::new(false),
            ranks: RefCell::new(vec![Rank::default(); hosts.count()]),
            watchers: RefCell::default(),
            collective_check: RefCell::default(),
            hosts,
            services: RefCell::new(Services::new(hosts.ranks, hosts.count())),
            tolerance: RefCell::default(),
            windows: RefCell::default(),
        };
        Run::with_state(state, hosts.count(), keep_running)
    }

    /// Tolerates deviations from the standard that other libraries allow, and reports each kind once. A run is strict
    /// before this call.
    pub fn tolerate(&self, report: impl Fn(&str) + 'static) {
        let tolerance = Tolerance { reported: BTreeSet::new(), report: Box::new(report) };
        *self.0.state.tolerance.borrow_mut() = Some(tolerance);
    }

    /// Whether the run tolerates a deviation from the standard; reports the first of its kind.
    pub(crate) fn tolerates(&self, deviation: &str) -> bool {
        let mut tolerance = self.0.state.tolerance.borrow_mut();
        let Some(Tolerance { reported, report }) = &mut *tolerance else { return false };
        // The text comes from the process, so its length and the number of kinds are bounded.
        let deviation: String =
            deviation.chars().filter(|letter| !letter.is_control()).take(MOST_DEVIATION).collect();
        if reported.len() < MOST_DEVIATIONS && !reported.contains(&deviation) {
            report(&deviation);
            reported.insert(deviation);
        }
        true
    }

    /// Notes the memory of a rank in a window.
    pub(crate) fn expose(&self, window: u16, rank: usize, memory: ProcessMemory, base: u64) {
        self.0.state.windows.borrow_mut().insert((window, rank), (memory, base));
    }

    /// Memory of a rank in a window, and its base.
    pub(crate) fn exposed(&self, window: u16, rank: usize) -> Option<(ProcessMemory, u64)> {
        self.0.state.windows.borrow().get(&(window, rank)).copied()
    }

    pub(crate) fn program(&self, rank: usize) -> &Program {
        &self.0.state.programs[rank]
    }

    /// The profile recorded so far; none where the run does not record one.
    pub fn recorded(&self) -> Option<Profile> {
        match &self.0.state.computing {
            Computing::Recorded(profile, _) => Some(profile.borrow().clone()),
            Computing::Nothing | Computing::Replayed(..) => None,
        }
    }

    /// Whether a rank may repeat looks that find nothing without the simulator: its calls are neither observed nor recorded.
    pub(crate) fn may_skip_looks(&self) -> bool {
        matches!(self.0.state.computing, Computing::Nothing) && !self.is_observed()
    }

    pub(crate) fn computing(&self) -> &Computing {
        &self.0.state.computing
    }

    /// Exit code of the first rank that ended with another code than 0; 0 if none did.
    pub fn exit_code(&self) -> u8 {
        self.0.state.exit_code.get()
    }

    /// Packets that the MPI libraries of all ranks have exchanged.
    pub fn packets(&self) -> u64 {
        self.0.state.watchers.borrow().iter().map(Watcher::packets).sum()
    }

    /// Processor time of all ranks in the MPI library's own steps and copies.
    pub fn library_time(&self) -> Duration {
        let watchers = self.0.state.watchers.borrow();
        watchers.iter().map(Watcher::library_time).sum()
    }

    /// A rank calls `MPI_Init`.
    pub(crate) fn initialize(&self) {
        self.0.state.is_initialized.set(true);
    }

    /// A rank enters a call, given encoded.
    pub(crate) fn enter_call(&self, rank: usize, function: &str, now: Time, add: impl FnOnce(&mut Xxh3)) {
        self.notify(rank, now, Some(function));
        self.count_call(rank, now, add);
        let mut ranks = self.0.state.ranks.borrow_mut();
        let Rank { state, function: own, wait, since, .. } = &mut ranks[rank];
        (*state, *wait, *since) = (RankState::InCall, None, now);
        function.clone_into(own);
    }

    /// A rank makes a collective call; an error if another rank of the communicator made a different one. Other
    /// operations of a reduction are tolerated.
    pub(crate) fn check_collective(
        &self,
        communicator: CommunicatorId,
        rank: usize,
        signature: CollectiveSignature,
    ) -> Result<(), CallError> {
        let Ranks { ranks, collective_check, .. } = &self.0.state;
        let function = &ranks.borrow()[rank].function;
        match collective_check.borrow_mut().add(communicator, rank, function, signature) {
            Err(CallError { class: ERR_OP, .. })
                if self.tolerates("ranks give different operations to one reduction") =>
            {
                Ok(())
            }
            checked => checked,
        }
    }

    pub(crate) fn free_communicator(&self, communicator: &CommunicatorId, rank: usize) {
        self.0.state.collective_check.borrow_mut().free(communicator, rank);
    }

    /// A rank starts. Hosts that poll never leave the cluster without events, so deadlock is detected by the libraries.
    pub(crate) fn watch(&self, watcher: Watcher) {
        let run = Rc::downgrade(&self.0);
        watcher.when_idle(move || {
            if let Some(shared) = run.upgrade() {
                crate::run::Run(shared).check_deadlock();
            }
        });
        self.0.state.watchers.borrow_mut().push(watcher);
    }

    /// Ends the run if all libraries are idle and no packet is in flight.
    fn check_deadlock(&self) {
        let Ranks { watchers, ranks, .. } = &self.0.state;
        let watchers = watchers.borrow();
        let all_started = watchers.len() == ranks.borrow().len();
        if all_started && mpi::deadlock(&watchers).is_some() {
            self.report_deadlock();
        }
    }

    /// Ends the run: all ranks that have not ended wait in calls.
    pub fn report_deadlock(&self) {
        if !self.has_failed() {
            let deadlock = self.deadlock();
            self.fail(MpiFailure::Deadlock(deadlock));
        }
    }

    pub(crate) fn hosts(&self) -> Hosts {
        self.0.state.hosts
    }

    pub(crate) fn services(&self) -> RefMut<'_, Services> {
        self.0.state.services.borrow_mut()
    }

    /// The host of a rank has no process.
    pub(crate) fn set_spare(&self, rank: usize) {
        self.0.state.ranks.borrow_mut()[rank] = Rank { state: RankState::Spare, ..Rank::default() };
    }

    /// A process starts on the host of a rank.
    pub(crate) fn start_rank(&self, rank: usize) {
        self.0.state.ranks.borrow_mut()[rank].state = RankState::Running;
    }

    pub(crate) fn set_process(&self, rank: usize, process: &Rc<RefCell<Process>>) {
        self.0.state.ranks.borrow_mut()[rank].process = Rc::downgrade(process);
    }

    /// Sets the event that a rank waits for in its call.
    pub(crate) fn set_wait(&self, rank: usize, wait: Wait) {
        self.0.state.ranks.borrow_mut()[rank].wait = Some(wait);
    }

    pub(crate) fn leave_call(&self, rank: usize, now: Time) {
        self.notify(rank, now, None);
        self.0.state.ranks.borrow_mut()[rank].state = RankState::Running;
    }

    /// A rank has ended, with an exit code if its process has.
    pub(crate) fn end_rank(&self, rank: usize, exit: Option<&ProcessExit>) {
        let Ranks { ranks, exit_code, .. } = &self.0.state;
        ranks.borrow_mut()[rank].state = RankState::Ended;
        if let Some(code) = exit.map(ProcessExit::code).filter(|code| *code != 0 && exit_code.get() == 0) {
            exit_code.set(code);
        }
    }

    fn deadlock(&self) -> Deadlock {
        let ranks = self.0.state.ranks.borrow();
        let blocked = |(number, rank): (usize, &Rank)| {
            let location = || {
                let process = rank.process.upgrade()?;
                Some(process.borrow_mut().location(&mut || self.is_running()))
            };
            (rank.state == RankState::InCall).then(|| BlockedRank {
                rank: number,
                function: rank.function.clone(),
                wait: rank.wait.clone(),
                since: rank.since,
                location: location().unwrap_or_default(),
            })
        };
        let blocked = ranks.iter().enumerate().filter_map(blocked).collect();
        let ended = (0..ranks.len()).filter(|rank| ranks[*rank].state == RankState::Ended);
        Deadlock::new(blocked, ended.collect())
    }
}
