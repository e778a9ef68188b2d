//! The process of a rank, as the simulator has it: its life, its calls, its death.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, waitid};
use signal_hook::low_level::signal_name;
use slots::Memory;

use crate::codec::{DecodeError, decode, encode};
use crate::mpi::call::{Answer, Call, Called};
use crate::mpi::environment;
use crate::slot::{Slot, SlotError};

/// What runs as a rank.
#[derive(Clone, Debug)]
pub struct Program {
    /// Program with its arguments.
    pub words: Vec<OsString>,
    /// The library that stands in for MPI.
    pub library: Arc<Path>,
}

/// A process that is a rank. It is killed when this goes.
#[derive(Debug)]
pub struct Process {
    slot: Slot,
    rank: usize,
    pid: Pid,
    ended: Arc<Mutex<Option<ExitStatus>>>,
    function: String,
    calls: u64,
}

/// Why a rank makes no further call.
#[derive(Debug, thiserror::Error)]
pub enum Ended {
    /// Its process ended.
    #[error("{0}")]
    Exit(Death),
    /// Its library wrote what is no call.
    #[error("rank {rank} wrote into its slot what is no call: {error}")]
    Broken {
        /// The rank.
        rank: usize,
        /// What it was.
        error: DecodeError,
    },
    /// Its slot is out of order.
    #[error("the slot of rank {rank}: {error}")]
    Slot {
        /// The rank.
        rank: usize,
        /// What is wrong with it.
        error: SlotError,
    },
    /// Somebody wants the run to end, while this rank ran on its own.
    #[error("interrupted while rank {rank} ran, {}", after(function.as_deref(), *calls))]
    Interrupted {
        /// The rank.
        rank: usize,
        /// The function of MPI that it called last.
        function: Option<String>,
        /// Calls that it made.
        calls: u64,
    },
}

/// How a process ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Death {
    /// Its rank.
    pub rank: usize,
    /// What the operating system says.
    pub status: ExitStatus,
    /// The function of MPI that it called last.
    pub function: Option<String>,
    /// Calls that it made.
    pub calls: u64,
}

impl Death {
    /// Its exit code as shells have it: 128 and the number of the signal, if it was one.
    pub fn code(&self) -> u8 {
        match (self.status.code(), self.status.signal()) {
            (Some(code), _) => code as u8,
            (None, signal) => 128 + signal.unwrap_or_default() as u8,
        }
    }
}

impl fmt::Display for Death {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Death { rank, status, function, calls } = self;
        match status.signal() {
            Some(signal) => {
                let name = signal_name(signal).map_or(String::new(), |name| format!(" ({name})"));
                write!(f, "rank {rank} was ended by signal {signal}{name}")?;
            }
            None => write!(f, "rank {rank} ended with exit code {}", status.code().unwrap_or_default())?,
        }
        write!(f, ", {}", after(function.as_deref(), *calls))
    }
}

/// How far a rank had come, in words.
fn after(function: Option<&str>, calls: u64) -> String {
    match function {
        Some(function) => format!("after {function}, its call {calls}"),
        None => "before its first call of MPI".to_owned(),
    }
}

impl Process {
    /// Starts a process. Standard input is that of rank 0 alone.
    pub fn start(program: &Program, rank: usize) -> io::Result<Self> {
        let memory = Arc::new(Memory::create()?);
        let [name, arguments @ ..] = program.words.as_slice() else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "there is no program"));
        };
        let mut command = Command::new(name);
        command.args(arguments).stdin(if rank == 0 { Stdio::inherit() } else { Stdio::null() });
        let descriptor = slots::tie(&mut command, &memory);
        let library = program.library.as_os_str();
        command.env(environment::SLOT, descriptor.to_string()).env(environment::RANK, rank.to_string());
        command.env(environment::LIBRARY, library);
        if std::env::var_os(environment::HASHES).is_none() {
            command.env(environment::HASHES, "0");
        }
        let mut preload = library.to_owned();
        if let Some(others) = std::env::var_os("LD_PRELOAD").filter(|others| !others.is_empty()) {
            preload.push(":");
            preload.push(others);
        }
        command.env("LD_PRELOAD", preload);
        let mut child = command.spawn()?;
        let pid = Pid::from_child(&child);
        let ended = Arc::new(Mutex::new(None));
        let (slot, closes, end) = (Slot::simulator(memory.clone()), Slot::simulator(memory), ended.clone());
        let watch = move || {
            // It is waited for without being taken away: nobody kills another process that has got its number.
            let ended = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while matches!(waitid(WaitId::Pid(pid), ended), Err(Errno::INTR)) {}
            let mut end = end.lock().expect(NO_PANIC);
            *end = Some(child.wait().unwrap_or_else(|_| unknown()));
            drop(end);
            closes.close();
        };
        thread::Builder::new().name(format!("rank {rank}")).stack_size(STACK).spawn(watch)?;
        Ok(Process { slot, rank, pid, ended, function: String::new(), calls: 0 })
    }

    /// The rank.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Calls so far.
    pub fn calls(&self) -> u64 {
        self.calls
    }

    /// The function of MPI in which the rank is, or was last.
    pub fn function(&self) -> &str {
        &self.function
    }

    /// Lets the rank run until it calls, for as long as `go_on` says so.
    pub fn next(&mut self, go_on: &mut dyn FnMut() -> bool) -> Result<Called, Ended> {
        let bytes = self.slot.receive(go_on).map_err(|error| self.wrong(error))?;
        let mut called: Called = decode(&bytes).map_err(|error| Ended::Broken { rank: self.rank, error })?;
        // A name for reports, so it must not disturb them.
        called.function.retain(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        called.function.truncate(64);
        self.function.clone_from(&called.function);
        self.calls += 1;
        Ok(called)
    }

    /// Answers the call, at this time in ps; the rank runs on.
    pub fn answer(
        &mut self,
        now_ps: u64,
        answer: &Answer,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), Ended> {
        self.slot.set_time_ps(now_ps);
        self.slot.send(&encode(answer), go_on).map_err(|error| self.wrong(error))
    }

    /// Has the process combine two operands.
    pub(crate) fn combine(
        &mut self,
        asked: &Answer,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<u8>, Ended> {
        self.answer(self.slot.time_ps(), asked, go_on)?;
        match self.next(go_on)?.call {
            Call::Combined(bytes) => Ok(bytes.into_vec()),
            _ => Err(Ended::Broken { rank: self.rank, error: DecodeError::Form }),
        }
    }

    /// Where in the program its call was made; nothing if it does not say so.
    pub(crate) fn place(&mut self, go_on: &mut dyn FnMut() -> bool) -> String {
        let function = self.function.clone();
        let answered = self.answer(self.slot.time_ps(), &Answer::Where, go_on);
        let called = answered.and_then(|()| self.next(go_on));
        self.function = function;
        match called {
            // Words for a report, so they must not disturb it.
            Ok(Called { call: Call::Stands(place), .. }) => {
                place.chars().filter(|letter| !letter.is_control()).take(MOST_PLACE).collect()
            }
            _ => String::new(),
        }
    }

    /// Waits until the process has ended, for as long as `go_on` says so. A call that it makes in the meantime is not answered.
    pub fn wait(&mut self, go_on: &mut dyn FnMut() -> bool) -> Result<Death, Ended> {
        loop {
            match self.next(go_on) {
                Err(Ended::Exit(death)) => return Ok(death),
                Err(other) => return Err(other),
                Ok(called) => {
                    let why = format!("{} was called after MPI_Finalize", called.function);
                    let failed = Answer::Failed(crate::mpi::call::Failure { class: OTHER, why });
                    self.answer(self.slot.time_ps(), &failed, go_on)?;
                }
            }
        }
    }

    /// Ends it at once.
    pub fn kill(&self) {
        let ended = self.ended.lock().expect(NO_PANIC);
        if ended.is_none() {
            let _ = rustix::process::kill_process(self.pid, Signal::KILL);
        }
    }

    fn wrong(&self, error: SlotError) -> Ended {
        let (rank, calls) = (self.rank, self.calls);
        let function = (calls > 0).then(|| self.function.clone());
        match error {
            SlotError::Gone => {
                let ended = self.ended.lock().expect(NO_PANIC);
                let status = ended.unwrap_or_else(unknown);
                Ended::Exit(Death { rank, status, function, calls })
            }
            SlotError::GivenUp => Ended::Interrupted { rank, function, calls },
            error => Ended::Slot { rank, error },
        }
    }
}

/// Letters of a place in a program at most.
const MOST_PLACE: usize = 200;

/// Bytes of the stack of a thread that waits for a process.
const STACK: usize = 64 << 10;

const NO_PANIC: &str = "no thread panics while it has it";

/// What is told of a process of which the operating system tells nothing: exit code 1.
fn unknown() -> ExitStatus {
    ExitStatus::from_raw(1 << 8)
}

/// `MPI_ERR_OTHER`.
const OTHER: i32 = 16;

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
