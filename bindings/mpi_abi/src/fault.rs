//! What is wrong with a call, and what is done about it (MPI 5.0, section 9.3).

use std::cell::Cell;

use processes::mpi::call::CallError;

use crate::calls::error;
use crate::link;
use crate::types::*;

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Error class of the standard.
    pub class: c_int,
    /// In words.
    pub why: String,
    /// The communicator whose handler is to know; without, that of the process itself.
    pub on: Option<MPI_Comm>,
}

impl Fault {
    /// A fault of that class.
    pub fn new(class: c_int, why: impl Into<String>) -> Self {
        Fault { class, why: why.into(), on: None }
    }

    /// What the simulator tells.
    pub fn told(error: &CallError) -> Self {
        Fault::new(class(error.class), error.reason.clone())
    }

    /// The same, for the handler of this communicator, if no other has it.
    pub fn on(mut self, communicator: MPI_Comm) -> Self {
        self.on.get_or_insert(communicator);
        self
    }
}

/// What a call comes to.
pub type Outcome<T = ()> = Result<T, Fault>;

thread_local! {
    static FUNCTION: Cell<&'static str> = const { Cell::new("MPI_Init") };
}

/// The function of MPI in which this thread is.
pub fn function() -> &'static str {
    FUNCTION.get()
}

/// Does a function of this name.
pub fn enter(name: &'static str, does: impl FnOnce() -> Outcome) -> Outcome {
    FUNCTION.set(name);
    does()
}

/// The end of a function: its error code, if the error handler lets it end.
pub fn leave(name: &'static str, outcome: Outcome) -> c_int {
    match outcome {
        Ok(()) => MPI_SUCCESS,
        Err(fault) => {
            FUNCTION.set(name);
            error::handle(name, &fault)
        }
    }
}

/// A function that programs may link and not call.
pub fn missing(name: &'static str) -> Outcome {
    FUNCTION.set(name);
    link::abort(
        MPI_ERR_UNSUPPORTED_OPERATION,
        format!("{name} is not there; docs/mpi.md lists the functions that are"),
    )
}
