//! Errors of calls (MPI 5.0, section 9.3).

use processes::mpi::call::CallError;

use crate::types::*;

/// Reason why a call failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Error class of the standard.
    pub class: c_int,
    /// Error message without the function's name.
    pub why: String,
    /// Object whose error handler is called; `None` for that of `MPI_COMM_SELF`.
    pub on: Option<Target>,
}

/// An object with an error handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A communicator: its handler, inherited by its duplicates.
    Communicator(MPI_Comm),
    /// A session, with the handler given to `MPI_Session_init`.
    Session(MPI_Session),
    /// A window, with its own handler, which no other window inherits.
    Window(MPI_Win),
    /// A file, or `MPI_FILE_NULL`.
    File(MPI_File),
    /// The tool interface, which returns all errors.
    Tool,
}

impl From<MPI_Comm> for Target {
    fn from(communicator: MPI_Comm) -> Self {
        Target::Communicator(communicator)
    }
}

impl From<MPI_Session> for Target {
    fn from(session: MPI_Session) -> Self {
        Target::Session(session)
    }
}

impl From<MPI_Win> for Target {
    fn from(window: MPI_Win) -> Self {
        Target::Window(window)
    }
}

impl From<MPI_File> for Target {
    fn from(file: MPI_File) -> Self {
        Target::File(file)
    }
}

impl Fault {
    /// A fault of an error class.
    pub fn new(class: c_int, why: impl Into<String>) -> Self {
        Fault { class, why: why.into(), on: None }
    }

    /// A fault reported by the simulator.
    pub fn from_failure(error: &CallError) -> Self {
        Fault::new(class(error.class), error.reason.clone())
    }

    /// Assigns the fault to an object unless it has one.
    pub fn on(mut self, object: impl Into<Target>) -> Self {
        self.on.get_or_insert(object.into());
        self
    }
}

/// Result of a call.
pub type Outcome<T = ()> = Result<T, Fault>;
