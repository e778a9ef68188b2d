//! A run of verbs programs: exit codes, socket traffic, deadlocks.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use cluster::host::Library;
use cluster::{Duration, Time};

use super::out_of_band::OutOfBand;
use super::{Directory, KilledLauncher, Launch};
use crate::codec::hash_encoded;
use crate::process::{ProcessError, ProcessExit, Program, StartError};
use crate::run::{RunFailure, RunState};

/// A run of one program on each host.
pub type Run = crate::run::Run<Hosts>;

/// State of the programs of all hosts.
pub struct Hosts {
    programs: Programs,
    states: RefCell<Vec<ProgramState>>,
    /// A program has opened its adapter.
    is_open: Cell<bool>,
    out_of_band: RefCell<OutOfBand>,
    directory: Rc<Directory>,
    /// The verbs library of each host.
    libraries: RefCell<Vec<Library>>,
}

/// Where the programs come from.
pub(crate) enum Programs {
    /// The simulator starts one for each host.
    Own(Vec<Program>),
    /// A launcher starts them.
    Launched(Launch),
}

#[derive(Clone, Debug, Default)]
struct ProgramState {
    /// Function and time of the last call.
    last_call: Option<(String, Time)>,
    /// The call has not returned.
    is_in_call: bool,
    exit_code: Option<u8>,
}

impl ProgramState {
    /// The activity of the program, as the rest of a sentence.
    fn activity(&self) -> String {
        match &self.last_call {
            _ if self.exit_code.is_some() => "has ended".to_owned(),
            None => "computes, before its first call".to_owned(),
            Some((function, since)) if self.is_in_call => format!("is in {function}, since {since}"),
            Some((function, _)) => format!("computes, after {function}"),
        }
    }
}

/// Why a run ended before its programs.
#[derive(Debug, thiserror::Error)]
pub enum VerbsFailure {
    /// The process of a program failed.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// All programs wait in sockets, these hosts among them.
    #[error("deadlock: {} in a socket, and all others have ended", waiting_programs(.0))]
    Deadlock(Vec<usize>),
    /// All programs have ended, and none has opened its adapter; the first one that ended with another code than 0.
    #[error("{}", unused(.0))]
    Unused(Option<(usize, u8)>),
    /// A program cannot be started.
    #[error(transparent)]
    Start(#[from] StartError),
}

fn waiting_programs(hosts: &[usize]) -> String {
    match hosts {
        [host] => format!("the program of host {host} waits"),
        hosts => {
            let hosts: Vec<_> = hosts.iter().map(usize::to_string).collect();
            format!("the programs of hosts {} wait", hosts.join(", "))
        }
    }
}

fn unused(failed: &Option<(usize, u8)>) -> String {
    match failed {
        // The loader or the program has said why.
        Some((host, code)) => format!(
            "the program of host {host} ended with exit code {code} before any program opened its adapter, so nothing was \
             simulated"
        ),
        None => "no program opened its adapter, so nothing was simulated: give programs that are linked to \
                 libibverbs.so.1, such as ibv_rc_pingpong"
            .to_owned(),
    }
}

impl RunFailure for VerbsFailure {
    fn exit_code(&self) -> u8 {
        match self {
            VerbsFailure::Process(ProcessError::Exit(exit)) => exit.code().max(1),
            VerbsFailure::Process(_)
            | VerbsFailure::Deadlock(_)
            | VerbsFailure::Unused(_)
            | VerbsFailure::Start(_) => 1,
        }
    }
}

impl RunState for Hosts {
    type Failure = VerbsFailure;

    fn check_used(&self) -> Result<(), VerbsFailure> {
        if self.is_open.get() {
            return Ok(());
        }
        let states = self.states.borrow();
        let mut codes = states.iter().enumerate().filter_map(|(host, state)| Some((host, state.exit_code?)));
        Err(VerbsFailure::Unused(codes.find(|(_, code)| *code != 0)))
    }

    fn activities(&self) -> Vec<String> {
        let states = self.states.borrow();
        let line = |(host, state): (usize, &ProgramState)| {
            format!("the program of host {host} {}", state.activity())
        };
        states.iter().enumerate().map(line).collect()
    }
}

impl Run {
    /// A run of these programs, one on each host, which ends early when `keep_running` no longer holds.
    pub fn new(programs: Vec<Program>, keep_running: impl Fn() -> bool + 'static) -> Self {
        let hosts = programs.len();
        Self::of(Programs::Own(programs), hosts, keep_running)
    }

    /// A run of the programs that a launcher starts, one on each of `hosts` hosts.
    pub fn launched(launch: Launch, hosts: usize, keep_running: impl Fn() -> bool + 'static) -> Self {
        Self::of(Programs::Launched(launch), hosts, keep_running)
    }

    fn of(programs: Programs, hosts: usize, keep_running: impl Fn() -> bool + 'static) -> Self {
        let state = Hosts {
            programs,
            states: RefCell::new(vec![ProgramState::default(); hosts]),
            is_open: Cell::new(false),
            out_of_band: RefCell::new(OutOfBand::new(hosts)),
            directory: Rc::default(),
            libraries: RefCell::default(),
        };
        Run::with_state(state, hosts, keep_running)
    }

    pub(crate) fn programs(&self) -> &Programs {
        &self.0.state.programs
    }

    /// Exit code of the run, whose programs have ended: that of the launcher, or of the first program that has ended with
    /// another code than 0. Fails if the launcher had to be killed.
    pub fn exit_code(&self) -> Result<u8, KilledLauncher> {
        match &self.0.state.programs {
            Programs::Launched(launch) => launch.finish(),
            Programs::Own(_) => {
                Ok(self.exit_codes().into_iter().flatten().find(|code| *code != 0).unwrap_or(0))
            }
        }
    }

    pub(crate) fn out_of_band(&self) -> &RefCell<OutOfBand> {
        &self.0.state.out_of_band
    }

    pub(crate) fn directory(&self) -> Rc<Directory> {
        Rc::clone(&self.0.state.directory)
    }

    /// Adds the verbs library of a host.
    pub(crate) fn add_library(&self, library: Library) {
        self.0.state.libraries.borrow_mut().push(library);
    }

    /// Time that all hosts have spent in steps of the verbs library that have a cost.
    pub fn library_time(&self) -> Duration {
        self.0.state.libraries.borrow().iter().map(Library::spent).sum()
    }

    /// Exit codes by host; none for a program that the end of the run has killed, and for those of a launcher.
    pub fn exit_codes(&self) -> Vec<Option<u8>> {
        if let Programs::Launched(_) = self.0.state.programs {
            return vec![None; self.0.state.states.borrow().len()];
        }
        self.0.state.states.borrow().iter().map(|state| state.exit_code).collect()
    }

    /// The last call of each program that has not ended, in words.
    pub fn last_calls(&self) -> String {
        let states = self.0.state.states.borrow();
        let describe = |(host, state): (usize, &ProgramState)| {
            let (function, since) = state.last_call.as_ref().filter(|_| state.exit_code.is_none())?;
            Some(format!("the program of host {host} is in {function}, since {since}"))
        };
        states.iter().enumerate().filter_map(describe).collect::<Vec<_>>().join("; ")
    }

    /// A program makes a call, given encoded.
    pub(crate) fn enter_call(&self, host: usize, function: &str, now: Time, call: &[u8]) {
        self.count_call(host, now, |hash| hash_encoded(call, hash));
        let state = &mut self.0.state.states.borrow_mut()[host];
        (state.last_call, state.is_in_call) = (Some((function.to_owned(), now)), true);
        self.notify(host, now, Some(function));
    }

    /// The call of a program returns.
    pub(crate) fn leave_call(&self, host: usize, now: Time) {
        self.0.state.states.borrow_mut()[host].is_in_call = false;
        self.notify(host, now, None);
    }

    /// A program uses its adapter.
    pub(crate) fn open(&self) {
        self.0.state.is_open.set(true);
    }

    /// A program has ended by itself.
    pub(crate) fn end_program(&self, exit: &ProcessExit, now: Time) {
        let host = exit.progress.process.number;
        self.0.state.states.borrow_mut()[host].exit_code = Some(exit.code());
        self.out_of_band().borrow_mut().end(host, now);
    }

    /// Ends the run: all programs that have not ended wait in sockets.
    pub(crate) fn report_deadlock(&self) {
        let hosts = self.out_of_band().borrow().waiting().collect();
        self.fail(VerbsFailure::Deadlock(hosts));
    }
}
