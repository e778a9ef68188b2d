//! Neighborhood collectives (MPI 5.0, section 8.6).

use super::{collectives, functions};
use crate::calls::graph;
use crate::types::*;

functions! {
    MPI_Dist_graph_neighbors(
        comm: MPI_Comm, maxindegree: c_int, sources: *mut c_int, sourceweights: *mut c_int, maxoutdegree: c_int, destinations: *mut c_int,
        destweights: *mut c_int
    ) = graph::dist_graph_neighbors;
    MPI_Dist_graph_neighbors_count(
        comm: MPI_Comm, indegree: *mut c_int, outdegree: *mut c_int, weighted: *mut c_int
    ) = graph::dist_graph_neighbors_count;
    MPI_Graph_neighbors(comm: MPI_Comm, rank: c_int, maxneighbors: c_int, neighbors: *mut c_int) = graph::graph_neighbors;
    MPI_Graph_neighbors_count(comm: MPI_Comm, rank: c_int, nneighbors: *mut c_int) = graph::graph_neighbors_count;
}

collectives! {
    MPI_Neighbor_allgather, MPI_Ineighbor_allgather, MPI_Neighbor_allgather_init[_c](
        sendbuf: *const c_void, sendcount: Count, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount: Count, recvtype: MPI_Datatype,
        comm: MPI_Comm
    ) = neighbor_allgather, ineighbor_allgather;
    MPI_Neighbor_allgatherv, MPI_Ineighbor_allgatherv, MPI_Neighbor_allgatherv_init[_c](
        sendbuf: *const c_void, sendcount: Count, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcounts: *const Count,
        displs: *const Displacement, recvtype: MPI_Datatype, comm: MPI_Comm
    ) = neighbor_allgatherv, ineighbor_allgatherv;
    MPI_Neighbor_alltoall, MPI_Ineighbor_alltoall, MPI_Neighbor_alltoall_init[_c](
        sendbuf: *const c_void, sendcount: Count, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount: Count, recvtype: MPI_Datatype,
        comm: MPI_Comm
    ) = neighbor_alltoall, ineighbor_alltoall;
    MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv, MPI_Neighbor_alltoallv_init[_c](
        sendbuf: *const c_void, sendcounts: *const Count, sdispls: *const Displacement, sendtype: MPI_Datatype, recvbuf: *mut c_void,
        recvcounts: *const Count, rdispls: *const Displacement, recvtype: MPI_Datatype, comm: MPI_Comm
    ) = neighbor_alltoallv, ineighbor_alltoallv;
    MPI_Neighbor_alltoallw, MPI_Ineighbor_alltoallw, MPI_Neighbor_alltoallw_init[_c](
        sendbuf: *const c_void, sendcounts: *const Count, sdispls: *const MPI_Aint, sendtypes: *const MPI_Datatype, recvbuf: *mut c_void,
        recvcounts: *const Count, rdispls: *const MPI_Aint, recvtypes: *const MPI_Datatype, comm: MPI_Comm
    ) = neighbor_alltoallw, ineighbor_alltoallw;
}
