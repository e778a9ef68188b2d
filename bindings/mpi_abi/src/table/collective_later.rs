//! Non-blocking collective operations (MPI 5.0, section 6.12).

use super::functions;
use crate::calls::collective_later;
use crate::types::*;

functions! {
    MPI_Iallgather(
        sendbuf: *const c_void, sendcount: c_int, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount: c_int, recvtype: MPI_Datatype,
        comm: MPI_Comm, request: *mut MPI_Request
    ) = collective_later::iallgather;
    MPI_Iallgather_c(
        sendbuf: *const c_void, sendcount: MPI_Count, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount: MPI_Count, recvtype:
        MPI_Datatype, comm: MPI_Comm, request: *mut MPI_Request
    ) = collective_later::iallgather;
    MPI_Iallgatherv(
        sendbuf: *const c_void, sendcount: c_int, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcounts: *const c_int, displs: *const
        c_int, recvtype: MPI_Datatype, comm: MPI_Comm, request: *mut MPI_Request
    ) = collective_later::iallgatherv;
    MPI_Iallgatherv_c(
        sendbuf: *const c_void, sendcount: MPI_Count, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcounts: *const MPI_Count, displs:
        *const MPI_Aint, recvtype: MPI_Datatype, comm: MPI_Comm, request: *mut MPI_Request
    ) = collective_later::iallgatherv;
    MPI_Iallreduce(
        sendbuf: *const c_void, recvbuf: *mut c_void, count: c_int, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm, request: *mut
        MPI_Request
    ) = collective_later::iallreduce;
    MPI_Iallreduce_c(
        sendbuf: *const c_void, recvbuf: *mut c_void, count: MPI_Count, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm, request: *mut
        MPI_Request
    ) = collective_later::iallreduce;
    MPI_Ialltoall(
        sendbuf: *const c_void, sendcount: c_int, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount: c_int, recvtype: MPI_Datatype,
        comm: MPI_Comm, request: *mut MPI_Request
    ) = collective_later::ialltoall;
    MPI_Ialltoall_c(
        sendbuf: *const c_void, sendcount: MPI_Count, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount: MPI_Count, recvtype:
        MPI_Datatype, comm: MPI_Comm, request: *mut MPI_Request
    ) = collective_later::ialltoall;
    MPI_Ialltoallv(
        sendbuf: *const c_void, sendcounts: *const c_int, sdispls: *const c_int, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcounts:
        *const c_int, rdispls: *const c_int, recvtype: MPI_Datatype, comm: MPI_Comm, request: *mut MPI_Request
    ) = collective_later::ialltoallv;
    MPI_Ialltoallv_c(
        sendbuf: *const c_void, sendcounts: *const MPI_Count, sdispls: *const MPI_Aint, sendtype: MPI_Datatype, recvbuf: *mut c_void,
        recvcounts: *const MPI_Count, rdispls: *const MPI_Aint, recvtype: MPI_Datatype, comm: MPI_Comm, request: *mut MPI_Request
    ) = collective_later::ialltoallv;
    MPI_Ialltoallw(
        sendbuf: *const c_void, sendcounts: *const c_int, sdispls: *const c_int, sendtypes: *const MPI_Datatype, recvbuf: *mut c_void,
        recvcounts: *const c_int, rdispls: *const c_int, recvtypes: *const MPI_Datatype, comm: MPI_Comm, request: *mut MPI_Request
    ) = collective_later::ialltoallw;
    MPI_Ialltoallw_c(
        sendbuf: *const c_void, sendcounts: *const MPI_Count, sdispls: *const MPI_Aint, sendtypes: *const MPI_Datatype, recvbuf: *mut
        c_void, recvcounts: *const MPI_Count, rdispls: *const MPI_Aint, recvtypes: *const MPI_Datatype, comm: MPI_Comm, request: *mut
        MPI_Request
    ) = collective_later::ialltoallw;
    MPI_Ibarrier(comm: MPI_Comm, request: *mut MPI_Request) = collective_later::ibarrier;
    MPI_Ibcast(
        buffer: *mut c_void, count: c_int, datatype: MPI_Datatype, root: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = collective_later::ibcast;
    MPI_Ibcast_c(
        buffer: *mut c_void, count: MPI_Count, datatype: MPI_Datatype, root: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = collective_later::ibcast;
    MPI_Iexscan(
        sendbuf: *const c_void, recvbuf: *mut c_void, count: c_int, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm, request: *mut
        MPI_Request
    ) = collective_later::iexscan;
    MPI_Iexscan_c(
        sendbuf: *const c_void, recvbuf: *mut c_void, count: MPI_Count, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm, request: *mut
        MPI_Request
    ) = collective_later::iexscan;
    MPI_Igather(
        sendbuf: *const c_void, sendcount: c_int, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount: c_int, recvtype: MPI_Datatype,
        root: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = collective_later::igather;
    MPI_Igather_c(
        sendbuf: *const c_void, sendcount: MPI_Count, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount: MPI_Count, recvtype:
        MPI_Datatype, root: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = collective_later::igather;
    MPI_Igatherv(
        sendbuf: *const c_void, sendcount: c_int, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcounts: *const c_int, displs: *const
        c_int, recvtype: MPI_Datatype, root: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = collective_later::igatherv;
    MPI_Igatherv_c(
        sendbuf: *const c_void, sendcount: MPI_Count, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcounts: *const MPI_Count, displs:
        *const MPI_Aint, recvtype: MPI_Datatype, root: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = collective_later::igatherv;
    MPI_Ireduce(
        sendbuf: *const c_void, recvbuf: *mut c_void, count: c_int, datatype: MPI_Datatype, op: MPI_Op, root: c_int, comm: MPI_Comm,
        request: *mut MPI_Request
    ) = collective_later::ireduce;
    MPI_Ireduce_c(
        sendbuf: *const c_void, recvbuf: *mut c_void, count: MPI_Count, datatype: MPI_Datatype, op: MPI_Op, root: c_int, comm: MPI_Comm,
        request: *mut MPI_Request
    ) = collective_later::ireduce;
    MPI_Ireduce_scatter(
        sendbuf: *const c_void, recvbuf: *mut c_void, recvcounts: *const c_int, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm,
        request: *mut MPI_Request
    ) = collective_later::ireduce_scatter;
    MPI_Ireduce_scatter_c(
        sendbuf: *const c_void, recvbuf: *mut c_void, recvcounts: *const MPI_Count, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm,
        request: *mut MPI_Request
    ) = collective_later::ireduce_scatter;
    MPI_Ireduce_scatter_block(
        sendbuf: *const c_void, recvbuf: *mut c_void, recvcount: c_int, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm, request: *mut
        MPI_Request
    ) = collective_later::ireduce_scatter_block;
    MPI_Ireduce_scatter_block_c(
        sendbuf: *const c_void, recvbuf: *mut c_void, recvcount: MPI_Count, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm, request:
        *mut MPI_Request
    ) = collective_later::ireduce_scatter_block;
    MPI_Iscan(
        sendbuf: *const c_void, recvbuf: *mut c_void, count: c_int, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm, request: *mut
        MPI_Request
    ) = collective_later::iscan;
    MPI_Iscan_c(
        sendbuf: *const c_void, recvbuf: *mut c_void, count: MPI_Count, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm, request: *mut
        MPI_Request
    ) = collective_later::iscan;
    MPI_Iscatter(
        sendbuf: *const c_void, sendcount: c_int, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount: c_int, recvtype: MPI_Datatype,
        root: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = collective_later::iscatter;
    MPI_Iscatter_c(
        sendbuf: *const c_void, sendcount: MPI_Count, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount: MPI_Count, recvtype:
        MPI_Datatype, root: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = collective_later::iscatter;
    MPI_Iscatterv(
        sendbuf: *const c_void, sendcounts: *const c_int, displs: *const c_int, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount:
        c_int, recvtype: MPI_Datatype, root: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = collective_later::iscatterv;
    MPI_Iscatterv_c(
        sendbuf: *const c_void, sendcounts: *const MPI_Count, displs: *const MPI_Aint, sendtype: MPI_Datatype, recvbuf: *mut c_void,
        recvcount: MPI_Count, recvtype: MPI_Datatype, root: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = collective_later::iscatterv;
}
