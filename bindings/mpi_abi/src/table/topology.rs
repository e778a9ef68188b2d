//! Virtual topologies (MPI 5.0, chapter 8).

use super::functions;
use crate::calls::{graph, topology};
use crate::types::*;

functions! {
    MPI_Cart_coords(comm: MPI_Comm, rank: c_int, maxdims: c_int, coords: *mut c_int) = topology::cart_coords;
    MPI_Cart_create(
        comm_old: MPI_Comm, ndims: c_int, dims: *const c_int, periods: *const c_int, reorder: c_int, comm_cart: *mut MPI_Comm
    ) = topology::cart_create;
    MPI_Cart_get(comm: MPI_Comm, maxdims: c_int, dims: *mut c_int, periods: *mut c_int, coords: *mut c_int) = topology::cart_get;
    MPI_Cart_map(
        comm: MPI_Comm, ndims: c_int, dims: *const c_int, periods: *const c_int, newrank: *mut c_int
    ) = topology::cart_map;
    MPI_Cart_rank(comm: MPI_Comm, coords: *const c_int, rank: *mut c_int) = topology::cart_rank;
    MPI_Cart_shift(comm: MPI_Comm, direction: c_int, disp: c_int, rank_source: *mut c_int, rank_dest: *mut c_int) = topology::cart_shift;
    MPI_Cart_sub(comm: MPI_Comm, remain_dims: *const c_int, newcomm: *mut MPI_Comm) = topology::cart_sub;
    MPI_Cartdim_get(comm: MPI_Comm, ndims: *mut c_int) = topology::cartdim_get;
    MPI_Dims_create(nnodes: c_int, ndims: c_int, dims: *mut c_int) = topology::dims_create;
    MPI_Dist_graph_create(
        comm_old: MPI_Comm, n: c_int, sources: *const c_int, degrees: *const c_int, destinations: *const c_int, weights: *const c_int,
        info: MPI_Info, reorder: c_int, comm_dist_graph: *mut MPI_Comm
    ) = graph::dist_graph_create;
    MPI_Dist_graph_create_adjacent(
        comm_old: MPI_Comm, indegree: c_int, sources: *const c_int, sourceweights: *const c_int, outdegree: c_int, destinations: *const
        c_int, destweights: *const c_int, info: MPI_Info, reorder: c_int, comm_dist_graph: *mut MPI_Comm
    ) = graph::dist_graph_create_adjacent;
    MPI_Graph_create(
        comm_old: MPI_Comm, nnodes: c_int, array_of_indx: *const c_int, edges: *const c_int, reorder: c_int, comm_graph: *mut MPI_Comm
    ) = graph::graph_create;
    MPI_Graph_get(
        comm: MPI_Comm, maxindex: c_int, maxedges: c_int, array_of_indx: *mut c_int, edges: *mut c_int
    ) = graph::graph_get;
    MPI_Graph_map(
        comm: MPI_Comm, nnodes: c_int, array_of_indx: *const c_int, edges: *const c_int, newrank: *mut c_int
    ) = graph::graph_map;
    MPI_Graphdims_get(comm: MPI_Comm, nnodes: *mut c_int, nedges: *mut c_int) = graph::graphdims_get;
    MPI_Topo_test(comm: MPI_Comm, status: *mut c_int) = topology::topo_test;
}
