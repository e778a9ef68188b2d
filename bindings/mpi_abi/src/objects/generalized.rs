//! Callbacks of generalized requests.

use super::Ending;
use crate::fault::{Fault, Outcome};
use crate::types::*;

/// Calling convention of the callbacks.
pub struct GeneralizedCalls {
    /// Calls a query callback: `(function, extra, status)`.
    pub query: fn(usize, usize, &mut MPI_Status) -> c_int,
    /// Calls a free callback: `(function, extra)`.
    pub free: fn(usize, usize) -> c_int,
    /// Calls a cancel callback: `(function, extra, whether the request is complete)`.
    pub cancel: fn(usize, usize, bool) -> c_int,
}

/// Callbacks of a generalized request.
#[derive(Clone, Copy)]
pub struct Generalized {
    /// Address of the query callback.
    pub query: usize,
    /// Address of the free callback.
    pub free: usize,
    /// Address of the cancel callback.
    pub cancel: usize,
    /// Extra state, passed to all callbacks.
    pub extra: usize,
    /// Calling convention of the callbacks.
    pub calls: &'static GeneralizedCalls,
}

impl Generalized {
    /// Status of the complete request, which the query callback fills.
    pub fn ending(&self) -> Ending {
        let mut status = MPI_Status::EMPTY;
        let code = (self.calls.query)(self.query, self.extra, &mut status);
        Ending { status, outcome: checked(code) }
    }

    /// Calls the cancel callback.
    pub fn cancel(&self, complete: bool) -> Outcome {
        checked((self.calls.cancel)(self.cancel, self.extra, complete))
    }

    /// Calls the free callback.
    pub fn free(&self) -> Outcome {
        checked((self.calls.free)(self.free, self.extra))
    }
}

fn checked(code: c_int) -> Outcome {
    if code == MPI_SUCCESS {
        Ok(())
    } else {
        Err(Fault::new(code, "a function of a generalized request failed"))
    }
}

impl std::fmt::Debug for Generalized {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "callbacks of a generalized request with {:#x}", self.extra)
    }
}
