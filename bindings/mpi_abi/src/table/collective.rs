//! Collective operations: blocking, non-blocking and persistent (MPI 5.0, chapter 6).

use super::collectives;
use crate::types::*;

collectives! {
    MPI_Allgather, MPI_Iallgather, MPI_Allgather_init[_c](
        sendbuf: *const c_void, sendcount: Count, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount: Count, recvtype: MPI_Datatype,
        comm: MPI_Comm
    ) = allgather, iallgather;
    MPI_Allgatherv, MPI_Iallgatherv, MPI_Allgatherv_init[_c](
        sendbuf: *const c_void, sendcount: Count, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcounts: *const Count,
        displs: *const Displacement, recvtype: MPI_Datatype, comm: MPI_Comm
    ) = allgatherv, iallgatherv;
    MPI_Allreduce, MPI_Iallreduce, MPI_Allreduce_init[_c](
        sendbuf: *const c_void, recvbuf: *mut c_void, count: Count, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm
    ) = allreduce, iallreduce;
    MPI_Alltoall, MPI_Ialltoall, MPI_Alltoall_init[_c](
        sendbuf: *const c_void, sendcount: Count, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount: Count, recvtype: MPI_Datatype,
        comm: MPI_Comm
    ) = alltoall, ialltoall;
    MPI_Alltoallv, MPI_Ialltoallv, MPI_Alltoallv_init[_c](
        sendbuf: *const c_void, sendcounts: *const Count, sdispls: *const Displacement, sendtype: MPI_Datatype, recvbuf: *mut c_void,
        recvcounts: *const Count, rdispls: *const Displacement, recvtype: MPI_Datatype, comm: MPI_Comm
    ) = alltoallv, ialltoallv;
    MPI_Alltoallw, MPI_Ialltoallw, MPI_Alltoallw_init[_c](
        sendbuf: *const c_void, sendcounts: *const Count, sdispls: *const Displacement, sendtypes: *const MPI_Datatype,
        recvbuf: *mut c_void, recvcounts: *const Count, rdispls: *const Displacement, recvtypes: *const MPI_Datatype, comm: MPI_Comm
    ) = alltoallw, ialltoallw;
    MPI_Barrier, MPI_Ibarrier, MPI_Barrier_init(comm: MPI_Comm) = barrier, ibarrier;
    MPI_Bcast, MPI_Ibcast, MPI_Bcast_init[_c](
        buffer: *mut c_void, count: Count, datatype: MPI_Datatype, root: c_int, comm: MPI_Comm
    ) = bcast, ibcast;
    MPI_Exscan, MPI_Iexscan, MPI_Exscan_init[_c](
        sendbuf: *const c_void, recvbuf: *mut c_void, count: Count, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm
    ) = exscan, iexscan;
    MPI_Gather, MPI_Igather, MPI_Gather_init[_c](
        sendbuf: *const c_void, sendcount: Count, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount: Count, recvtype: MPI_Datatype,
        root: c_int, comm: MPI_Comm
    ) = gather, igather;
    MPI_Gatherv, MPI_Igatherv, MPI_Gatherv_init[_c](
        sendbuf: *const c_void, sendcount: Count, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcounts: *const Count,
        displs: *const Displacement, recvtype: MPI_Datatype, root: c_int, comm: MPI_Comm
    ) = gatherv, igatherv;
    MPI_Reduce, MPI_Ireduce, MPI_Reduce_init[_c](
        sendbuf: *const c_void, recvbuf: *mut c_void, count: Count, datatype: MPI_Datatype, op: MPI_Op, root: c_int, comm: MPI_Comm
    ) = reduce, ireduce;
    MPI_Reduce_scatter, MPI_Ireduce_scatter, MPI_Reduce_scatter_init[_c](
        sendbuf: *const c_void, recvbuf: *mut c_void, recvcounts: *const Count, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm
    ) = reduce_scatter, ireduce_scatter;
    MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, MPI_Reduce_scatter_block_init[_c](
        sendbuf: *const c_void, recvbuf: *mut c_void, recvcount: Count, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm
    ) = reduce_scatter_block, ireduce_scatter_block;
    MPI_Scan, MPI_Iscan, MPI_Scan_init[_c](
        sendbuf: *const c_void, recvbuf: *mut c_void, count: Count, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm
    ) = scan, iscan;
    MPI_Scatter, MPI_Iscatter, MPI_Scatter_init[_c](
        sendbuf: *const c_void, sendcount: Count, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount: Count, recvtype: MPI_Datatype,
        root: c_int, comm: MPI_Comm
    ) = scatter, iscatter;
    MPI_Scatterv, MPI_Iscatterv, MPI_Scatterv_init[_c](
        sendbuf: *const c_void, sendcounts: *const Count, displs: *const Displacement, sendtype: MPI_Datatype, recvbuf: *mut c_void,
        recvcount: Count, recvtype: MPI_Datatype, root: c_int, comm: MPI_Comm
    ) = scatterv, iscatterv;
}
