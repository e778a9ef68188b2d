//! Splits of communicators by resources that processes share. Processes share no memory, also not those of one node.

use super::{communicator, info};
use crate::arguments::Out;
use crate::fault::{Fault, Outcome};
use crate::objects;
use crate::types::*;

/// Key of the resource in an info object, and the value for processes that can share memory.
const RESOURCE: &str = "mpi_hw_resource_type";
const MEMORY: &str = "mpi_shared_memory";

/// `MPI_Comm_split_type`.
pub fn comm_split_type(
    on: MPI_Comm,
    kind: c_int,
    key: c_int,
    hints: MPI_Info,
    new: Out<MPI_Comm>,
) -> Outcome {
    let own = objects::communicator(on)?;
    // No rank of a remote group is on the same computer.
    let alone = if own.is_inter() { own.own() as c_int } else { own.rank as c_int };
    let colour = match kind {
        MPI_UNDEFINED => MPI_UNDEFINED,
        MPI_COMM_TYPE_SHARED => alone,
        MPI_COMM_TYPE_HW_GUIDED | MPI_COMM_TYPE_RESOURCE_GUIDED => match info::value(hints, RESOURCE)? {
            Some(resource) if resource == MEMORY => alone,
            // Other resources are unknown.
            _ => MPI_UNDEFINED,
        },
        // The result is smaller than the communicator.
        MPI_COMM_TYPE_HW_UNGUIDED if own.size() > 1 => {
            info::set_value(hints, RESOURCE, MEMORY)?;
            alone
        }
        MPI_COMM_TYPE_HW_UNGUIDED => MPI_UNDEFINED,
        _ => return Err(Fault::new(MPI_ERR_ARG, format!("{kind} is no type of a split")).on(on)),
    };
    communicator::comm_split(on, colour, key, new)
}
