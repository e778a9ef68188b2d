//! Begin and end of MPI functions.

use crate::calls::{error, request};
use crate::concurrency;
#[cfg(feature = "mpich")]
use crate::fault::Fault;
use crate::fault::Outcome;
use crate::function;
use crate::types::*;

/// Runs an MPI function under its name.
pub fn enter(name: &'static str, does: impl FnOnce() -> Outcome) -> Outcome {
    concurrency::pass();
    function::set_name(name);
    let outcome = does();
    if request::has_freed() { outcome.and(request::complete_freed()) } else { outcome }
}

/// Ends an MPI function: calls the error handler for a fault and returns the error code.
pub fn leave(name: &'static str, outcome: Outcome) -> c_int {
    match outcome {
        Ok(()) => MPI_SUCCESS,
        Err(fault) => {
            function::set_name(name);
            error::handle(name, &fault)
        }
    }
}

/// Fault of a function that can be linked but is not implemented.
#[cfg(feature = "mpich")]
pub fn missing(name: &'static str) -> Outcome {
    function::set_name(name);
    Err(Fault::new(
        MPI_ERR_UNSUPPORTED_OPERATION,
        "the function is not implemented; docs/mpi-functions.md lists the functions that are",
    ))
}
