//! Communicators made of groups, without a communicator to begin with (MPI 5.0, sections 7.4.2 and 7.6.2).

use processes::mpi::call::Call;

use super::communicator::{add, ask};
use super::{error, group};
use crate::arguments::{Out, Text};
use crate::fault::{Fault, Outcome};
use crate::link;
use crate::objects::{Communicator, HandlerOwner, check_rank, communicator, within};
use crate::types::*;

/// `MPI_Comm_create_from_group`.
pub fn comm_create_from_group(
    of: MPI_Group,
    tag: Text,
    _info: MPI_Info,
    handler: MPI_Errhandler,
    new: Out<MPI_Comm>,
) -> Outcome {
    let tag = number(&tag.get()?);
    within(|objects| error::check(objects, handler, HandlerOwner::Communicator))?;
    match create(group::processes(of)?, tag)? {
        Some(made) => new.set(add(Communicator { handler, ..made })?),
        None => new.set(MPI_COMM_NULL),
    }
}

/// `MPI_Intercomm_create_from_groups`. Only the leader of this group knows the remote group.
#[allow(clippy::too_many_arguments)]
pub fn intercomm_create_from_groups(
    of: MPI_Group,
    leader: c_int,
    remote: MPI_Group,
    remote_leader: c_int,
    tag: Text,
    _info: MPI_Info,
    handler: MPI_Errhandler,
    new: Out<MPI_Comm>,
) -> Outcome {
    let tag = number(&tag.get()?);
    within(|objects| error::check(objects, handler, HandlerOwner::Communicator))?;
    let own = group::processes(of)?;
    if own.is_empty() {
        return new.set(MPI_COMM_NULL);
    }
    let leader = check_rank(leader, own.len(), MPI_ERR_RANK)?;
    let world = communicator(MPI_COMM_WORLD)?;
    let peer = match own[leader as usize] == world.own() {
        true => {
            let remote = group::processes(remote)?;
            let rank = check_rank(remote_leader, remote.len(), MPI_ERR_RANK)?;
            Some((world.number, remote[rank as usize]))
        }
        false => None,
    };
    let Some(local) = create(own, tag)? else { return new.set(MPI_COMM_NULL) };
    let call = Call::CreateIntercommunicator { communicator: local.number, leader, peer, tag };
    let made = ask(MPI_COMM_WORLD, call);
    link::ask(Call::FreeCommunicator(local.number))?;
    match made? {
        Some(made) => new.set(add(Communicator { handler, ..made })?),
        None => Err(Fault::new(MPI_ERR_INTERN, "there is no communicator of the groups")),
    }
}

/// A communicator of these processes, which include this one; `None` without processes.
fn create(processes: Vec<u32>, tag: u32) -> Outcome<Option<Communicator>> {
    if processes.is_empty() {
        return Ok(None);
    }
    let world = communicator(MPI_COMM_WORLD)?;
    if !processes.contains(&world.own()) {
        return Err(Fault::new(MPI_ERR_GROUP, "the calling process does not belong to the group"));
    }
    ask(MPI_COMM_WORLD, Call::CreateGroup { communicator: world.number, processes, tag })
}

/// The string of a tag as a number of 31 bits (FNV-1a).
fn number(tag: &str) -> u32 {
    tag.bytes().fold(0x811c_9dc5u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)) >> 1
}
