//! A rank's process: its environment, and the questions that the simulator asks it in the middle of a call.

use std::ffi::{OsStr, OsString};

use super::call::{Answer, Call, CallError, CallMessage};
use super::reached::ReachedMemory;
use super::run::Run;
use super::{INTERFACE, standard};
use crate::codec::DecodeError;
use crate::process::{Process, ProcessError, ProcessExit, Program, StartError};
use crate::progress::ProcessId;

/// File of the library, for mpi4py, which loads MPI by itself.
const LIBRARY_VARIABLE: &str = "MPI4PY_LIBMPI";
/// Seed of Python's string hashes, which decide the order of sets.
const HASH_SEED_VARIABLE: &str = "PYTHONHASHSEED";

/// Number of the run among those of the computer. Ranks share names of temporary files by it.
pub const RUN_VARIABLE: &str = "MEMONET_RUN";

/// Characters of a place in a program at most.
const MOST_LOCATION: usize = 200;

impl crate::process::CallMessage for CallMessage {
    fn function_mut(&mut self) -> &mut String {
        &mut self.function
    }
}

/// Starts a rank of a program. Python's hashes get the seed 0, unless the user has set one, so that runs repeat.
pub(super) fn start(run: &Run, rank: usize, program: &Program) -> Result<Process, StartError> {
    let seed = program.variable(HASH_SEED_VARIABLE).unwrap_or_else(|| OsString::from("0"));
    let variables: [(&str, &OsStr); 2] =
        [(LIBRARY_VARIABLE, program.library.as_os_str()), (HASH_SEED_VARIABLE, &seed)];
    let process = ProcessId { interface: &INTERFACE, number: rank };
    // A constant number of digits keeps the size of the environment, and with it the addresses of the stack.
    let run_number = OsString::from(format!("{:010}", std::process::id()));
    let variables = [&variables[..], &[(RUN_VARIABLE, run_number.as_os_str())]].concat();
    Process::start(program, process, &variables, run.silence_watch())
}

impl Process {
    /// Has the process apply a user-defined operation; the result, packed.
    pub(super) fn reduce(
        &mut self,
        question: &Answer,
        memory: &ReachedMemory,
        keep_waiting: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<u8>, ProcessError> {
        self.answer(self.time_ps(), question, keep_waiting)?;
        let mut message = self.next::<CallMessage>(keep_waiting)?;
        match (memory.fetch(&mut message), message.call) {
            (Ok(()), Call::Reduced(bytes)) => Ok(bytes.into_vec()),
            _ => Err(self.malformed(DecodeError::Malformed)),
        }
    }

    /// Source location of the current call, as `file:line in function`; empty where it is not known.
    pub(super) fn location(&mut self, keep_waiting: &mut dyn FnMut() -> bool) -> String {
        let function = self.progress.function.clone();
        let asked = self.answer(self.time_ps(), &Answer::Locate, keep_waiting);
        let reply = asked.and_then(|()| self.next::<CallMessage>(keep_waiting));
        self.progress.function = function;
        match reply {
            // The text appears in reports, so control characters and long texts are cut.
            Ok(CallMessage { call: Call::Location(location), .. }) => {
                location.chars().filter(|letter| !letter.is_control()).take(MOST_LOCATION).collect()
            }
            _ => String::new(),
        }
    }

    /// Waits until the process has ended; calls that it still makes fail.
    pub(super) fn wait_for_exit(
        &mut self,
        keep_waiting: &mut dyn FnMut() -> bool,
    ) -> Result<ProcessExit, ProcessError> {
        loop {
            match self.next::<CallMessage>(keep_waiting) {
                Err(ProcessError::Exit(exit)) => return Ok(exit),
                Err(other) => return Err(other),
                Ok(message) => {
                    let reason = format!("{} was called after MPI_Finalize", message.function);
                    let failed = Answer::Failed(CallError { class: standard::ERR_OTHER, reason });
                    self.answer(self.time_ps(), &failed, keep_waiting)?;
                }
            }
        }
    }
}
