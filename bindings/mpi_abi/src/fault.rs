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
    /// Communicator whose error handler is called; `None` for that of `MPI_COMM_SELF`.
    pub on: Option<MPI_Comm>,
    /// Window whose error handler is called in place of that of a communicator.
    pub window: Option<MPI_Win>,
}

impl Fault {
    /// A fault of an error class.
    pub fn new(class: c_int, why: impl Into<String>) -> Self {
        Fault { class, why: why.into(), on: None, window: None }
    }

    /// A fault reported by the simulator.
    pub fn from_failure(error: &CallError) -> Self {
        Fault::new(class(error.class), error.reason.clone())
    }

    /// Assigns the fault to a communicator unless it has one.
    pub fn on(mut self, communicator: MPI_Comm) -> Self {
        self.on.get_or_insert(communicator);
        self
    }

    /// Assigns the fault to a window unless it has one.
    pub fn on_window(mut self, window: MPI_Win) -> Self {
        self.window.get_or_insert(window);
        self
    }
}

/// Result of a call.
pub type Outcome<T = ()> = Result<T, Fault>;
