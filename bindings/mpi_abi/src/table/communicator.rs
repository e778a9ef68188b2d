//! Communicators (MPI 5.0, section 7.4).

use super::functions;
use crate::calls::{communicator, duplicate, from_groups, intercommunicator, split_type};
use crate::types::*;

functions! {
    MPI_Comm_compare(comm1: MPI_Comm, comm2: MPI_Comm, result: *mut c_int) = communicator::comm_compare;
    MPI_Comm_create(comm: MPI_Comm, group: MPI_Group, newcomm: *mut MPI_Comm) = communicator::comm_create;
    MPI_Comm_create_group(comm: MPI_Comm, group: MPI_Group, tag: c_int, newcomm: *mut MPI_Comm) = communicator::comm_create_group;
    MPI_Comm_dup(comm: MPI_Comm, newcomm: *mut MPI_Comm) = duplicate::comm_dup;
    MPI_Comm_dup_with_info(comm: MPI_Comm, info: MPI_Info, newcomm: *mut MPI_Comm) = duplicate::comm_dup_with_info;
    MPI_Comm_free(comm: *mut MPI_Comm) = communicator::comm_free;
    MPI_Comm_get_info(comm: MPI_Comm, info_used: *mut MPI_Info) = communicator::comm_get_info;
    MPI_Comm_get_name(comm: MPI_Comm, comm_name: *mut c_char, resultlen: *mut c_int) = communicator::comm_get_name;
    MPI_Comm_group(comm: MPI_Comm, group: *mut MPI_Group) = communicator::comm_group;
    MPI_Comm_idup(comm: MPI_Comm, newcomm: *mut MPI_Comm, request: *mut MPI_Request) = duplicate::comm_idup;
    MPI_Comm_idup_with_info(
        comm: MPI_Comm, info: MPI_Info, newcomm: *mut MPI_Comm, request: *mut MPI_Request
    ) = duplicate::comm_idup_with_info;
    MPI_Comm_rank(comm: MPI_Comm, rank: *mut c_int) = communicator::comm_rank;
    MPI_Comm_remote_group(comm: MPI_Comm, group: *mut MPI_Group) = intercommunicator::comm_remote_group;
    MPI_Comm_remote_size(comm: MPI_Comm, size: *mut c_int) = intercommunicator::comm_remote_size;
    MPI_Comm_set_info(comm: MPI_Comm, info: MPI_Info) = communicator::comm_set_info;
    MPI_Comm_set_name(comm: MPI_Comm, comm_name: *const c_char) = communicator::comm_set_name;
    MPI_Comm_size(comm: MPI_Comm, size: *mut c_int) = communicator::comm_size;
    MPI_Comm_split(comm: MPI_Comm, color: c_int, key: c_int, newcomm: *mut MPI_Comm) = communicator::comm_split;
    MPI_Comm_split_type(
        comm: MPI_Comm, split_type: c_int, key: c_int, info: MPI_Info, newcomm: *mut MPI_Comm
    ) = split_type::comm_split_type;
    MPI_Comm_test_inter(comm: MPI_Comm, flag: *mut c_int) = intercommunicator::comm_test_inter;
    MPI_Intercomm_create(
        local_comm: MPI_Comm, local_leader: c_int, peer_comm: MPI_Comm, remote_leader: c_int, tag: c_int, newintercomm: *mut MPI_Comm
    ) = intercommunicator::intercomm_create;
    MPI_Intercomm_create_from_groups(
        local_group: MPI_Group, local_leader: c_int, remote_group: MPI_Group, remote_leader: c_int, stringtag: *const c_char, info:
        MPI_Info, errhandler: MPI_Errhandler, newintercomm: *mut MPI_Comm
    ) = from_groups::intercomm_create_from_groups;
    MPI_Intercomm_merge(intercomm: MPI_Comm, high: c_int, newintracomm: *mut MPI_Comm) = intercommunicator::intercomm_merge;
}
