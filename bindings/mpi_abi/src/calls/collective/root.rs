//! Roots of collective calls, and the part that this rank takes.

use processes::mpi::call::Root;

use crate::arguments::Memory;
use crate::fault::{Fault, Outcome};
use crate::objects::Communicator;
use crate::types::*;

/// Part of this rank in a call with a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It is the root.
    Root,
    /// It exchanges data with the root.
    Other,
    /// It is in the group of the root of an intercommunicator. Arguments of data are not significant.
    Idle,
}

/// The root of a call, and the part of this rank.
pub(super) fn role(own: &Communicator, root: c_int) -> Outcome<(Root, Role)> {
    match (own.is_inter(), root) {
        (true, MPI_ROOT) => Ok((Root::Here, Role::Root)),
        (true, MPI_PROC_NULL) => Ok((Root::Elsewhere, Role::Idle)),
        (is_inter, root) => {
            let root = own.check(root, MPI_ERR_ROOT)?;
            let is_root = !is_inter && root as usize == own.rank;
            Ok((Root::Rank(root), if is_root { Role::Root } else { Role::Other }))
        }
    }
}

/// An error for `MPI_IN_PLACE` in an intercommunicator, where no rank both sends and keeps data.
pub(super) fn take_place(own: &Communicator, memory: Memory) -> Outcome {
    match own.is_inter() && memory.is_in_place() {
        true => Err(Fault::new(MPI_ERR_BUFFER, "MPI_IN_PLACE is given for an intercommunicator")),
        false => Ok(()),
    }
}
