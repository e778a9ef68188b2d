//! The process of a guest, as the simulator has it: its life, its calls, its death.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::{Slot, SlotError, decode, encode};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, waitid};
use signal_hook::low_level::signal_name;
use slots::Memory;

use crate::verbs::call::{Answer, Called};
use crate::verbs::environment;

/// What runs as a guest.
#[derive(Clone, Debug)]
pub struct Program {
    /// Program with its arguments.
    pub words: Vec<OsString>,
    /// The library that stands in for libibverbs.
    pub library: Arc<Path>,
}

/// A process that is a guest. It is killed when this goes.
#[derive(Debug)]
pub struct Process {
    slot: Slot,
    host: usize,
    pid: Pid,
    ended: Arc<Mutex<Option<ExitStatus>>>,
    function: String,
    calls: u64,
}

/// Why a guest makes no further call.
#[derive(Debug, thiserror::Error)]
pub enum Ended {
    /// Its process ended.
    #[error("{0}")]
    Exit(Death),
    /// Its library wrote what is no call.
    #[error("the program of host {host} wrote into its slot what is no call: {error}")]
    Broken {
        /// The host.
        host: usize,
        /// What it was.
        error: String,
    },
    /// Its slot is out of order.
    #[error("the slot of host {host}: {error}")]
    Slot {
        /// The host.
        host: usize,
        /// What is wrong with it.
        error: SlotError,
    },
    /// Somebody wants the run to end, while this guest ran on its own.
    #[error("interrupted while the program of host {host} ran, {}", after(function, *calls))]
    Interrupted {
        /// The host.
        host: usize,
        /// The function of verbs that it called last.
        function: String,
        /// Calls that it made.
        calls: u64,
    },
}

/// How a process ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Death {
    /// Its host.
    pub host: usize,
    /// What the operating system says.
    pub status: ExitStatus,
    /// The function of verbs that it called last.
    pub function: String,
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
        let Death { host, status, function, calls } = self;
        match status.signal() {
            Some(signal) => {
                let name = signal_name(signal).map_or(String::new(), |name| format!(" ({name})"));
                write!(f, "the program of host {host} was ended by signal {signal}{name}")?;
            }
            None => {
                write!(
                    f,
                    "the program of host {host} ended with exit code {}",
                    status.code().unwrap_or_default()
                )?;
            }
        }
        write!(f, ", {}", after(function, *calls))
    }
}

/// How far a guest had come, in words.
fn after(function: &str, calls: u64) -> String {
    match calls {
        0 => "before its first call of verbs".to_owned(),
        calls => format!("after {function}, its call {calls}"),
    }
}

impl Process {
    /// Starts a process. Standard input is that of host 0 alone.
    pub fn start(program: &Program, host: usize) -> io::Result<Self> {
        let memory = Arc::new(Memory::create()?);
        let [name, arguments @ ..] = program.words.as_slice() else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "there is no program"));
        };
        let mut command = Command::new(name);
        command.args(arguments).stdin(if host == 0 { Stdio::inherit() } else { Stdio::null() });
        let descriptor = slots::tie(&mut command, &memory);
        command.env(environment::SLOT, descriptor.to_string()).env(environment::HOST, host.to_string());
        let mut preload = program.library.as_os_str().to_owned();
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
        thread::Builder::new().name(format!("guest {host}")).stack_size(STACK).spawn(watch)?;
        Ok(Process { slot, host, pid, ended, function: String::new(), calls: 0 })
    }

    /// Lets the guest run until it calls, for as long as `go_on` says so.
    pub fn next(&mut self, go_on: &mut dyn FnMut() -> bool) -> Result<Called, Ended> {
        let host = self.host;
        let bytes = self.slot.receive(go_on).map_err(|error| self.wrong(error))?;
        let broken = |error: crate::DecodeError| Ended::Broken { host, error: error.to_string() };
        let mut called: Called = decode(&bytes).map_err(broken)?;
        // A name for reports, so it must not disturb them.
        called.function.retain(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        called.function.truncate(64);
        self.function.clone_from(&called.function);
        self.calls += 1;
        Ok(called)
    }

    /// Answers the call, at this time in ps; the guest runs on.
    pub fn answer(
        &mut self,
        now_ps: u64,
        answer: &Answer,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), Ended> {
        self.slot.set_time_ps(now_ps);
        self.slot.send(&encode(answer), go_on).map_err(|error| self.wrong(error))
    }

    /// The function of verbs that it called last.
    pub fn function(&self) -> &str {
        &self.function
    }

    fn wrong(&self, error: SlotError) -> Ended {
        let (host, calls, function) = (self.host, self.calls, self.function.clone());
        match error {
            SlotError::Gone => {
                let ended = self.ended.lock().expect(NO_PANIC);
                Ended::Exit(Death { host, status: ended.unwrap_or_else(unknown), function, calls })
            }
            SlotError::GivenUp => Ended::Interrupted { host, function, calls },
            error => Ended::Slot { host, error },
        }
    }
}

/// Bytes of the stack of a thread that waits for a process.
const STACK: usize = 64 << 10;

const NO_PANIC: &str = "no thread panics while it has it";

/// What is told of a process of which the operating system tells nothing: exit code 1.
fn unknown() -> ExitStatus {
    ExitStatus::from_raw(1 << 8)
}

impl Drop for Process {
    fn drop(&mut self) {
        let ended = self.ended.lock().expect(NO_PANIC);
        if ended.is_none() {
            let _ = rustix::process::kill_process(self.pid, Signal::KILL);
        }
    }
}
