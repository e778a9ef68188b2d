//! Intercommunicators: communicators of two groups, each of which talks to the other (MPI 5.0, section 7.6).

use processes::mpi::call::Call;

use super::communicator::{ask, set};
use super::group;
use crate::arguments::Out;
use crate::fault::{Fault, Outcome};
use crate::objects::{check_rank, communicator, intracommunicator};
use crate::types::*;

/// Processes of the remote group.
fn remote(on: MPI_Comm) -> Outcome<Vec<u32>> {
    let none = || Fault::new(MPI_ERR_COMM, "the communicator is no intercommunicator").on(on);
    communicator(on)?.remote.ok_or_else(none)
}

/// `MPI_Comm_test_inter`.
pub fn comm_test_inter(on: MPI_Comm, flag: Out<c_int>) -> Outcome {
    flag.set(communicator(on)?.is_inter().into())
}

/// `MPI_Comm_remote_size`.
pub fn comm_remote_size(on: MPI_Comm, size: Out<c_int>) -> Outcome {
    size.set(remote(on)?.len() as c_int)
}

/// `MPI_Comm_remote_group`.
pub fn comm_remote_group(on: MPI_Comm, of: Out<MPI_Group>) -> Outcome {
    group::make(of, remote(on)?)
}

/// `MPI_Intercomm_create`. Only the leader of this group knows the other one.
pub fn intercomm_create(
    on: MPI_Comm,
    leader: c_int,
    peer: MPI_Comm,
    remote_leader: c_int,
    tag: c_int,
    new: Out<MPI_Comm>,
) -> Outcome {
    let own = intracommunicator(on)?;
    let leader = check_rank(leader, own.size(), MPI_ERR_RANK).map_err(|fault| fault.on(on))?;
    let tag = u32::try_from(tag).map_err(|_| Fault::new(MPI_ERR_TAG, format!("{tag} is no tag")).on(on))?;
    let peer = match leader as usize == own.rank {
        true => {
            let path = communicator(peer).map_err(|fault| fault.on(on))?;
            Some((path.number, path.check(remote_leader, MPI_ERR_RANK).map_err(|fault| fault.on(on))?))
        }
        false => None,
    };
    let call = Call::CreateIntercommunicator { communicator: own.number, leader, peer, tag };
    set(new, ask(on, call)?)
}

/// `MPI_Intercomm_merge`.
pub fn intercomm_merge(on: MPI_Comm, high: c_int, new: Out<MPI_Comm>) -> Outcome {
    remote(on)?;
    let own = communicator(on)?;
    set(new, ask(on, Call::Merge { communicator: own.number, high: high != 0 })?)
}
