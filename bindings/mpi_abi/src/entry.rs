//! Begin and end of MPI functions.

use crate::calls::error;
use crate::fault::Outcome;
use crate::function;
use crate::link;
use crate::types::*;

/// Runs an MPI function under its name.
pub fn enter(name: &'static str, does: impl FnOnce() -> Outcome) -> Outcome {
    function::set_name(name);
    does()
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

/// Aborts in a function that can be linked but is not implemented.
pub fn missing(name: &'static str) -> Outcome {
    function::set_name(name);
    link::abort(
        MPI_ERR_UNSUPPORTED_OPERATION,
        format!("{name} is not there; docs/mpi-functions.md lists the functions that are"),
    )
}
