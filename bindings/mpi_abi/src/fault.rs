//! Errors of calls and their handling (MPI 5.0, section 9.3).

use std::cell::Cell;

use processes::mpi::call::CallError;

use crate::calls::error;
use crate::link;
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

    /// Assigns the fault to a communicator unless it has one.
    pub fn on(mut self, communicator: MPI_Comm) -> Self {
        self.on.get_or_insert(communicator);
        self
    }
}

/// Result of a call.
pub type Outcome<T = ()> = Result<T, Fault>;

thread_local! {
    static FUNCTION: Cell<&'static str> = const { Cell::new("MPI_Init") };
}

/// Name of the MPI function that this thread is in.
pub fn function() -> &'static str {
    FUNCTION.get()
}

/// Runs an MPI function under its name.
pub fn enter(name: &'static str, does: impl FnOnce() -> Outcome) -> Outcome {
    FUNCTION.set(name);
    does()
}

/// Ends an MPI function: calls the error handler for a fault and returns the error code.
pub fn leave(name: &'static str, outcome: Outcome) -> c_int {
    match outcome {
        Ok(()) => MPI_SUCCESS,
        Err(fault) => {
            FUNCTION.set(name);
            error::handle(name, &fault)
        }
    }
}

/// Aborts in a function that can be linked but is not implemented.
pub fn missing(name: &'static str) -> Outcome {
    FUNCTION.set(name);
    link::abort(
        MPI_ERR_UNSUPPORTED_OPERATION,
        format!("{name} is not there; docs/mpi.md lists the functions that are"),
    )
}
