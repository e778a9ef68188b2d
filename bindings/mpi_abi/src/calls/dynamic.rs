//! Dynamic processes, which are not supported.

use crate::arguments::Out;
use crate::fault::Outcome;
use crate::types::*;

/// `MPI_Comm_get_parent`: always null, as MPI never starts a process here.
pub fn comm_get_parent(parent: Out<MPI_Comm>) -> Outcome {
    parent.set(MPI_COMM_NULL)
}
