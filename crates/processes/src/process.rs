//! A process of a run as the simulator sees it: start, calls, answers, exit.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, waitid};
use serde::Serialize;
use serde::de::DeserializeOwned;
use signal_hook::low_level::signal_name;
#[cfg(feature = "verbs")]
use slots::Memory;

use crate::codec::{DecodeError, decode, encode};
use crate::progress::{ProcessId, Progress};
use crate::silence::{Silence, SilenceWatch};
use crate::slot::{Slot, SlotError, new_memory};

/// A command line with the environment of its process.
#[derive(Clone, Debug)]
pub struct Program {
    /// The program with its arguments.
    pub words: Vec<OsString>,
    /// The library that stands in for that of the interface; it is loaded before all others.
    pub library: Arc<Path>,
    /// Folders in which the loader looks for libraries first.
    pub library_folders: Vec<PathBuf>,
    /// Variables added to the environment.
    pub variables: Vec<(OsString, OsString)>,
    /// Working directory; `None` for that of the simulator.
    pub folder: Option<PathBuf>,
}

impl Program {
    /// A program with the environment and the working directory of the simulator.
    pub fn new(words: Vec<OsString>, library: Arc<Path>) -> Self {
        Program { words, library, library_folders: Vec::new(), variables: Vec::new(), folder: None }
    }

    /// Value of a variable in its environment; `None` if it is empty or not set.
    pub(crate) fn variable(&self, name: &str) -> Option<OsString> {
        let own = self.variables.iter().rev().find(|(own, _)| own == name).map(|(_, value)| value.clone());
        own.or_else(|| std::env::var_os(name)).filter(|value| !value.is_empty())
    }

    /// A list of paths for the loader: `first`, then those of the variable.
    fn path_list(&self, name: &str, first: impl Iterator<Item = OsString>) -> OsString {
        let paths: Vec<_> = first.chain(self.variable(name)).collect();
        paths.join(OsStr::new(":"))
    }

    /// A command that starts the program with its library.
    pub(crate) fn command(&self) -> io::Result<Command> {
        let [name, arguments @ ..] = self.words.as_slice() else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "there is no program"));
        };
        let mut command = Command::new(name);
        command.args(arguments);
        // Shells change these variables between equal commands; their lengths move addresses of the stack.
        for name in CHANGED_BY_SHELLS {
            command.env_remove(name);
        }
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        let library = self.library.as_os_str().to_owned();
        command.env(PRELOAD, self.path_list(PRELOAD, std::iter::once(library)));
        if !self.library_folders.is_empty() {
            let folders = self.library_folders.iter().map(|folder| folder.clone().into_os_string());
            command.env(LIBRARY_PATH, self.path_list(LIBRARY_PATH, folders));
        }
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        Ok(command)
    }

    /// The program without its arguments.
    pub(crate) fn name(&self) -> String {
        self.words.first().map_or(String::new(), |word| word.to_string_lossy().into_owned())
    }
}

/// Why a process makes no further call.
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    /// The process has ended.
    #[error("{0}")]
    Exit(ProcessExit),
    /// The bytes in its slot are no call of its interface.
    #[error("{process} wrote an invalid call into its slot: {error}")]
    Malformed {
        /// The rank, or the host of the program.
        process: ProcessId,
        /// How the bytes differ from a call.
        error: DecodeError,
    },
    /// Its slot cannot be used.
    #[error("the slot of {process}: {error}")]
    Slot {
        /// The rank, or the host of the program.
        process: ProcessId,
        /// Length, turn or system call that failed.
        error: SlotError,
    },
    /// The run was interrupted between two calls of the process.
    #[error("interrupted while {process} ran, {progress}", process = .0.process, progress = .0)]
    Interrupted(Progress),
}

/// The end of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessExit {
    /// Exit code or signal; exit code 1 where the operating system tells nothing.
    pub status: ExitStatus,
    /// How far the process had come.
    pub progress: Progress,
}

impl ProcessExit {
    /// The exit code as shells report it: 128 and the number of the signal where one ended the process.
    pub fn code(&self) -> u8 {
        exit_code(self.status)
    }
}

/// The exit code of a process as shells report it.
pub(crate) fn exit_code(status: ExitStatus) -> u8 {
    match (status.code(), status.signal()) {
        (Some(code), _) => code as u8,
        (None, signal) => 128 + signal.unwrap_or_default() as u8,
    }
}

impl fmt::Display for ProcessExit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ProcessExit { status, progress } = self;
        let process = progress.process;
        match status.signal() {
            Some(signal) => {
                let name = signal_name(signal).map_or(String::new(), |name| format!(" ({name})"));
                write!(f, "{process} was ended by signal {signal}{name}")?;
            }
            None => write!(f, "{process} ended with exit code {}", status.code().unwrap_or_default())?,
        }
        write!(f, ", {progress}")
    }
}

/// A program that cannot be started.
#[derive(Debug, thiserror::Error)]
#[error("cannot run {program}: {error}")]
pub struct StartError {
    pub(crate) program: String,
    pub(crate) error: io::Error,
}

/// A call with what the library reports next to it.
pub(crate) trait CallMessage: DeserializeOwned {
    /// The function of the interface that the program is in.
    fn function_mut(&mut self) -> &mut String;
}

/// A running process. Dropping it kills the process.
#[derive(Debug)]
pub(crate) struct Process {
    slot: Slot,
    pid: Pid,
    exit_status: Arc<Mutex<Option<ExitStatus>>>,
    /// The program, as it was typed.
    program: String,
    silence_watch: SilenceWatch,
    pub(crate) progress: Progress,
}

impl Process {
    /// Starts a process with these variables added to its environment. Process 0 alone has standard input.
    pub fn start(
        program: &Program,
        process: ProcessId,
        variables: &[(&str, &OsStr)],
        silence_watch: SilenceWatch,
    ) -> Result<Self, StartError> {
        Self::spawn(program, process, variables, silence_watch)
            .map_err(|error| StartError { program: program.name(), error })
    }

    fn spawn(
        program: &Program,
        process: ProcessId,
        variables: &[(&str, &OsStr)],
        silence_watch: SilenceWatch,
    ) -> io::Result<Self> {
        let memory = new_memory()?;
        let ProcessId { interface, number } = process;
        let mut command = program.command()?;
        command.stdin(if number == 0 { Stdio::inherit() } else { Stdio::null() });
        let descriptor = slots::tie(&mut command, &memory);
        command.env(interface.slot_variable, descriptor.to_string());
        command.env(interface.number_variable, number.to_string());
        command.envs(variables.iter().copied());
        let mut child = command.spawn()?;
        let pid = Pid::from_child(&child);
        let exit_status = Arc::new(Mutex::new(None));
        let (slot, closer) = (Slot::simulator(memory.clone()), Slot::simulator(memory));
        let watched = exit_status.clone();
        let watch = move || {
            // The process stays a zombie until the lock is taken, so `kill` never hits a later process of its number.
            let ended = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while matches!(waitid(WaitId::Pid(pid), ended), Err(Errno::INTR)) {}
            let mut exit_status = watched.lock().expect(NO_PANIC);
            *exit_status = Some(child.wait().unwrap_or_else(|_| unknown_status()));
            drop(exit_status);
            closer.close();
        };
        thread::Builder::new().name(process.to_string()).stack_size(STACK).spawn(watch)?;
        Ok(Process {
            slot,
            pid,
            exit_status,
            program: program.name(),
            silence_watch,
            progress: Progress { process, function: String::new(), calls: 0 },
        })
    }

    /// A process that a launcher starts, which takes the slot of this memory. The launcher's number stands for its own.
    /// `exit_status` is set before the slot is closed.
    #[cfg(feature = "verbs")]
    pub fn launched(
        memory: Arc<Memory>,
        process: ProcessId,
        (launcher, program): (Pid, String),
        exit_status: Arc<Mutex<Option<ExitStatus>>>,
        silence_watch: SilenceWatch,
    ) -> Self {
        let progress = Progress { process, function: String::new(), calls: 0 };
        Process {
            slot: Slot::simulator(memory),
            pid: launcher,
            exit_status,
            program,
            silence_watch,
            progress,
        }
    }

    /// Lets the process run until its next call, for as long as `keep_waiting` holds.
    pub fn next<M: CallMessage>(
        &mut self,
        keep_waiting: &mut dyn FnMut() -> bool,
    ) -> Result<M, ProcessError> {
        let Process { slot, pid, program, progress, silence_watch, .. } = self;
        let mut wait = silence_watch.begin();
        let silence =
            |duration| Silence { progress: progress.clone(), pid: *pid, program: program.clone(), duration };
        let received = slot.receive(&mut || {
            wait.check(silence);
            keep_waiting()
        });
        let bytes = received.map_err(|error| self.slot_error(error))?;
        let mut message: M = decode(&bytes).map_err(|error| self.malformed(error))?;
        // The name appears in reports, so control characters and long names are cut.
        let function = message.function_mut();
        function.retain(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        function.truncate(MOST_FUNCTION);
        self.progress.function.clone_from(function);
        self.progress.calls += 1;
        Ok(message)
    }

    /// Answers the call at virtual time `now_ps`; the process runs on.
    pub fn answer(
        &mut self,
        now_ps: u64,
        answer: &impl Serialize,
        keep_waiting: &mut dyn FnMut() -> bool,
    ) -> Result<(), ProcessError> {
        self.slot.set_time_ps(now_ps);
        self.slot.send(&encode(answer), keep_waiting).map_err(|error| self.slot_error(error))
    }

    /// Number of the process at the operating system.
    pub fn pid(&self) -> Pid {
        self.pid
    }

    /// Says whether an asynchronous event waits for the process, which sees it with the next answer.
    #[cfg(feature = "verbs")]
    pub fn set_events(&self, waits: bool) {
        self.slot.set_events(waits);
    }

    /// Virtual time of the last answer, in ps.
    #[cfg(feature = "mpi")]
    pub fn time_ps(&self) -> u64 {
        self.slot.time_ps()
    }

    /// The error for a call that cannot be decoded, or comes where its interface allows none.
    pub fn malformed(&self, error: DecodeError) -> ProcessError {
        ProcessError::Malformed { process: self.progress.process, error }
    }

    /// Kills the process, unless it has ended.
    fn kill(&self) {
        let exit_status = self.exit_status.lock().expect(NO_PANIC);
        if exit_status.is_none() {
            let _ = rustix::process::kill_process(self.pid, Signal::KILL);
        }
    }

    fn slot_error(&self, error: SlotError) -> ProcessError {
        let progress = self.progress.clone();
        match error {
            SlotError::Closed => {
                let exit_status = self.exit_status.lock().expect(NO_PANIC);
                let status = exit_status.unwrap_or_else(unknown_status);
                ProcessError::Exit(ProcessExit { status, progress })
            }
            SlotError::Interrupted => ProcessError::Interrupted(progress),
            error => ProcessError::Slot { process: progress.process, error },
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Libraries that the loader loads first.
const PRELOAD: &str = "LD_PRELOAD";
/// Folders in which the loader looks first.
const LIBRARY_PATH: &str = "LD_LIBRARY_PATH";
/// Variables that differ between equal commands of one shell.
const CHANGED_BY_SHELLS: [&str; 3] = ["_", "OLDPWD", "SHLVL"];

/// Letters of a function's name at most.
const MOST_FUNCTION: usize = 64;

/// Bytes of the stack of a thread that waits for a process.
const STACK: usize = 64 << 10;

pub(crate) const NO_PANIC: &str = "no thread panics while it holds the lock";

/// Exit code 1, for a process of which the operating system tells nothing.
fn unknown_status() -> ExitStatus {
    ExitStatus::from_raw(1 << 8)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::progress::Interface;

    static INTERFACE: Interface =
        Interface { name: "MPI", process: "rank", slot_variable: "SLOT", number_variable: "NUMBER" };

    #[test]
    fn dropped_process_is_killed() {
        let program = Program::new(vec!["sleep".into(), "60".into()], Path::new("").into());
        let watch = SilenceWatch::new(Duration::from_secs(60), |_| ());
        let process = Process::start(&program, ProcessId { interface: &INTERFACE, number: 1 }, &[], watch);
        let process = process.unwrap();
        let exit_status = process.exit_status.clone();
        assert!(exit_status.lock().unwrap().is_none());
        drop(process);
        let ended = || {
            thread::sleep(Duration::from_millis(10));
            *exit_status.lock().unwrap()
        };
        let status = std::iter::repeat_with(ended).take(2_000).flatten().next();
        assert_eq!(status.and_then(|status| status.signal()), Some(Signal::KILL.as_raw()));
    }
}
