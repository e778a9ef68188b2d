//! Collective operations (MPI 5.0, chapter 6).

use super::functions;
use crate::calls::collective;
use crate::types::*;

functions! {
    MPI_Allgather(
        sendbuf: *const c_void, sendcount: c_int, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount: c_int, recvtype: MPI_Datatype,
        comm: MPI_Comm
    ) = collective::allgather;
    MPI_Allgather_c(
        sendbuf: *const c_void, sendcount: MPI_Count, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount: MPI_Count, recvtype:
        MPI_Datatype, comm: MPI_Comm
    ) = collective::allgather;
    MPI_Allgatherv(
        sendbuf: *const c_void, sendcount: c_int, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcounts: *const c_int, displs: *const
        c_int, recvtype: MPI_Datatype, comm: MPI_Comm
    ) = collective::allgatherv;
    MPI_Allgatherv_c(
        sendbuf: *const c_void, sendcount: MPI_Count, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcounts: *const MPI_Count, displs:
        *const MPI_Aint, recvtype: MPI_Datatype, comm: MPI_Comm
    ) = collective::allgatherv;
    MPI_Allreduce(
        sendbuf: *const c_void, recvbuf: *mut c_void, count: c_int, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm
    ) = collective::allreduce;
    MPI_Allreduce_c(
        sendbuf: *const c_void, recvbuf: *mut c_void, count: MPI_Count, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm
    ) = collective::allreduce;
    MPI_Alltoall(
        sendbuf: *const c_void, sendcount: c_int, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount: c_int, recvtype: MPI_Datatype,
        comm: MPI_Comm
    ) = collective::alltoall;
    MPI_Alltoall_c(
        sendbuf: *const c_void, sendcount: MPI_Count, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount: MPI_Count, recvtype:
        MPI_Datatype, comm: MPI_Comm
    ) = collective::alltoall;
    MPI_Alltoallv(
        sendbuf: *const c_void, sendcounts: *const c_int, sdispls: *const c_int, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcounts:
        *const c_int, rdispls: *const c_int, recvtype: MPI_Datatype, comm: MPI_Comm
    ) = collective::alltoallv;
    MPI_Alltoallv_c(
        sendbuf: *const c_void, sendcounts: *const MPI_Count, sdispls: *const MPI_Aint, sendtype: MPI_Datatype, recvbuf: *mut c_void,
        recvcounts: *const MPI_Count, rdispls: *const MPI_Aint, recvtype: MPI_Datatype, comm: MPI_Comm
    ) = collective::alltoallv;
    MPI_Alltoallw(
        sendbuf: *const c_void, sendcounts: *const c_int, sdispls: *const c_int, sendtypes: *const MPI_Datatype, recvbuf: *mut c_void,
        recvcounts: *const c_int, rdispls: *const c_int, recvtypes: *const MPI_Datatype, comm: MPI_Comm
    ) = collective::alltoallw;
    MPI_Alltoallw_c(
        sendbuf: *const c_void, sendcounts: *const MPI_Count, sdispls: *const MPI_Aint, sendtypes: *const MPI_Datatype, recvbuf: *mut
        c_void, recvcounts: *const MPI_Count, rdispls: *const MPI_Aint, recvtypes: *const MPI_Datatype, comm: MPI_Comm
    ) = collective::alltoallw;
    MPI_Barrier(comm: MPI_Comm) = collective::barrier;
    MPI_Bcast(buffer: *mut c_void, count: c_int, datatype: MPI_Datatype, root: c_int, comm: MPI_Comm) = collective::bcast;
    MPI_Bcast_c(buffer: *mut c_void, count: MPI_Count, datatype: MPI_Datatype, root: c_int, comm: MPI_Comm) = collective::bcast;
    MPI_Exscan(
        sendbuf: *const c_void, recvbuf: *mut c_void, count: c_int, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm
    ) = collective::exscan;
    MPI_Exscan_c(
        sendbuf: *const c_void, recvbuf: *mut c_void, count: MPI_Count, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm
    ) = collective::exscan;
    MPI_Gather(
        sendbuf: *const c_void, sendcount: c_int, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount: c_int, recvtype: MPI_Datatype,
        root: c_int, comm: MPI_Comm
    ) = collective::gather;
    MPI_Gather_c(
        sendbuf: *const c_void, sendcount: MPI_Count, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount: MPI_Count, recvtype:
        MPI_Datatype, root: c_int, comm: MPI_Comm
    ) = collective::gather;
    MPI_Gatherv(
        sendbuf: *const c_void, sendcount: c_int, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcounts: *const c_int, displs: *const
        c_int, recvtype: MPI_Datatype, root: c_int, comm: MPI_Comm
    ) = collective::gatherv;
    MPI_Gatherv_c(
        sendbuf: *const c_void, sendcount: MPI_Count, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcounts: *const MPI_Count, displs:
        *const MPI_Aint, recvtype: MPI_Datatype, root: c_int, comm: MPI_Comm
    ) = collective::gatherv;
    MPI_Reduce(
        sendbuf: *const c_void, recvbuf: *mut c_void, count: c_int, datatype: MPI_Datatype, op: MPI_Op, root: c_int, comm: MPI_Comm
    ) = collective::reduce;
    MPI_Reduce_c(
        sendbuf: *const c_void, recvbuf: *mut c_void, count: MPI_Count, datatype: MPI_Datatype, op: MPI_Op, root: c_int, comm: MPI_Comm
    ) = collective::reduce;
    MPI_Reduce_scatter(
        sendbuf: *const c_void, recvbuf: *mut c_void, recvcounts: *const c_int, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm
    ) = collective::reduce_scatter;
    MPI_Reduce_scatter_c(
        sendbuf: *const c_void, recvbuf: *mut c_void, recvcounts: *const MPI_Count, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm
    ) = collective::reduce_scatter;
    MPI_Reduce_scatter_block(
        sendbuf: *const c_void, recvbuf: *mut c_void, recvcount: c_int, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm
    ) = collective::reduce_scatter_block;
    MPI_Reduce_scatter_block_c(
        sendbuf: *const c_void, recvbuf: *mut c_void, recvcount: MPI_Count, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm
    ) = collective::reduce_scatter_block;
    MPI_Scan(
        sendbuf: *const c_void, recvbuf: *mut c_void, count: c_int, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm
    ) = collective::scan;
    MPI_Scan_c(
        sendbuf: *const c_void, recvbuf: *mut c_void, count: MPI_Count, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm
    ) = collective::scan;
    MPI_Scatter(
        sendbuf: *const c_void, sendcount: c_int, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount: c_int, recvtype: MPI_Datatype,
        root: c_int, comm: MPI_Comm
    ) = collective::scatter;
    MPI_Scatter_c(
        sendbuf: *const c_void, sendcount: MPI_Count, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount: MPI_Count, recvtype:
        MPI_Datatype, root: c_int, comm: MPI_Comm
    ) = collective::scatter;
    MPI_Scatterv(
        sendbuf: *const c_void, sendcounts: *const c_int, displs: *const c_int, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount:
        c_int, recvtype: MPI_Datatype, root: c_int, comm: MPI_Comm
    ) = collective::scatterv;
    MPI_Scatterv_c(
        sendbuf: *const c_void, sendcounts: *const MPI_Count, displs: *const MPI_Aint, sendtype: MPI_Datatype, recvbuf: *mut c_void,
        recvcount: MPI_Count, recvtype: MPI_Datatype, root: c_int, comm: MPI_Comm
    ) = collective::scatterv;
}
