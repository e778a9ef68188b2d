//! Duplicates of communicators.

use processes::mpi::call::{Call, CommunicatorInfo};

use super::communicator::{add, duplicate, hints};
use super::{attribute, point_to_point, request};
use crate::arguments::Out;
use crate::fault::{Fault, Outcome};
use crate::link;
use crate::objects::{Communicator, Destination, RequestKind, communicator, within};
use crate::types::*;

/// `MPI_Comm_dup`. Topology, attributes and hints are copied.
pub fn comm_dup(on: MPI_Comm, new: Out<MPI_Comm>) -> Outcome {
    let old = communicator(on)?;
    let mut made = duplicate(on)?;
    (made.topology, made.hints) = (old.topology, old.hints);
    match attribute::copies(on) {
        Ok(attributes) => made.attributes = attributes,
        Err(fault) => {
            link::ask(Call::FreeCommunicator(made.number))?;
            new.set(MPI_COMM_NULL)?;
            return Err(fault);
        }
    }
    new.set(add(made)?)
}

/// `MPI_Comm_dup_with_info`: the duplicate has the hints of the info object alone.
pub fn comm_dup_with_info(on: MPI_Comm, info: MPI_Info, new: Out<MPI_Comm>) -> Outcome {
    let given = hints(info)?;
    comm_dup(on, new)?;
    set_hints(new.get()?, given)
}

fn set_hints(on: MPI_Comm, given: Vec<(String, String)>) -> Outcome {
    within(|objects| {
        objects.communicators.get_mut(on)?.hints = given;
        Ok(())
    })
}

/// `MPI_Comm_idup`. The handle is valid at once; the communicator can be used when the request is complete.
pub fn comm_idup(on: MPI_Comm, new: Out<MPI_Comm>, request: Out<MPI_Request>) -> Outcome {
    let old = communicator(on)?;
    let answer = link::ask(Call::BeginDuplicate(old.number)).map_err(|fault| fault.on(on))?;
    let progress = point_to_point::progress(answer)?;
    let attributes = attribute::copies(on)?;
    let info = CommunicatorInfo { number: 0, processes: old.processes.clone(), remote: old.remote.clone() };
    let made = Communicator::new(info, old.own(), old.handler)?;
    let made =
        add(Communicator { attributes, topology: old.topology, hints: old.hints, pending: true, ..made })?;
    request::give(request, progress, Destination::Duplicate(made), RequestKind::Collective, on)?;
    new.set(made)
}

/// `MPI_Comm_idup_with_info`: the duplicate has the hints of the info object alone.
pub fn comm_idup_with_info(
    on: MPI_Comm,
    info: MPI_Info,
    new: Out<MPI_Comm>,
    request: Out<MPI_Request>,
) -> Outcome {
    let given = hints(info)?;
    comm_idup(on, new, request)?;
    set_hints(new.get()?, given)
}

/// Completes a duplicate with its number at the simulator, in four bytes.
pub fn complete(handle: MPI_Comm, number: &[u8]) -> Outcome {
    let number = number.first_chunk().map(|number| u32::from_le_bytes(*number));
    let number = number.ok_or_else(|| Fault::new(MPI_ERR_INTERN, "the duplicate has no number"))?;
    within(|objects| {
        let made = objects.communicators.get_mut(handle)?;
        (made.number, made.pending) = (number, false);
        Ok(())
    })
}
