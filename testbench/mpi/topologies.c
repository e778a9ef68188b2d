/* Graphs, distributed graphs, and collective operations of neighbours. */
#include "check.h"

/* A ring: each rank has its two neighbours. */
static MPI_Comm ring(void)
{
    int index[64], edges[128], found_index[64], found_edges[128], nodes, count, kind, new_rank;
    MPI_Comm graph, twin;
    for (int i = 0; i < size; i++)
        index[i] = 2 * i + 2, edges[2 * i] = (i + size - 1) % size, edges[2 * i + 1] = (i + 1) % size;
    MPI_Graph_map(MPI_COMM_WORLD, size, index, edges, &new_rank);
    CHECK(new_rank == rank);
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &graph);
    MPI_Topo_test(graph, &kind);
    CHECK(kind == MPI_GRAPH);
    MPI_Graphdims_get(graph, &nodes, &count);
    CHECK(nodes == size && count == 2 * size);
    MPI_Graph_get(graph, size, 2 * size, found_index, found_edges);
    CHECK(!memcmp(index, found_index, size * sizeof(int)) && !memcmp(edges, found_edges, 2 * size * sizeof(int)));
    MPI_Graph_neighbors_count(graph, size - 1, &count);
    CHECK(count == 2);
    MPI_Graph_neighbors(graph, size - 1, 2, found_edges);
    CHECK(found_edges[1] == 0);
    /* One node: the others get no communicator. */
    MPI_Graph_create(MPI_COMM_WORLD, 1, (int[]) { 0 }, edges, 0, &twin);
    CHECK((rank == 0) == (twin != MPI_COMM_NULL));
    if (rank == 0)
        MPI_Comm_free(&twin);
    MPI_Comm_dup(graph, &twin);
    MPI_Topo_test(twin, &kind);
    CHECK(kind == MPI_GRAPH);
    MPI_Comm_free(&twin);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    /* The standard gives wrong graphs no class. */
    CHECK(MPI_Graph_create(MPI_COMM_WORLD, 1, (int[]) { 1 }, (int[]) { 7 }, 0, &twin) != MPI_SUCCESS);
    CHECK(MPI_Graph_create(MPI_COMM_WORLD, size + 1, index, edges, 0, &twin) != MPI_SUCCESS);
    CHECK(class_of(MPI_Neighbor_allgather(&rank, 1, MPI_INT, edges, 1, MPI_INT, MPI_COMM_WORLD)) == MPI_ERR_TOPOLOGY);
    CHECK(class_of(MPI_Graphdims_get(MPI_COMM_WORLD, &nodes, &count)) == MPI_ERR_TOPOLOGY);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    return graph;
}

static void on_graph(void)
{
    MPI_Comm graph = ring();
    int previous = (rank + size - 1) % size, following = (rank + 1) % size, in[2] = { -1, -1 }, out[2] = { rank, -rank };
    MPI_Neighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, graph);
    CHECK(in[0] == previous && in[1] == following);
    MPI_Request request;
    MPI_Ineighbor_allgatherv(out + 1, 1, MPI_INT, in, (int[]) { 1, 1 }, (int[]) { 1, 0 }, MPI_INT, graph, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(in[1] == -previous && in[0] == -following);
    MPI_Comm_free(&graph);
}

/* A grid that wraps around in a dimension of one, two or more places, and ends in the other. */
static void on_grid(void)
{
    int sizes[2] = { 0, size % 2 ? 1 : 2 }, periods[2] = { 0, 1 }, out[4], in[4] = { -1, -1, -1, -1 }, to[4], new_rank;
    MPI_Comm grid;
    MPI_Request request;
    MPI_Dims_create(size, 2, sizes);
    MPI_Cart_map(MPI_COMM_WORLD, 2, sizes, periods, &new_rank);
    CHECK(new_rank == rank);
    MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 0, &grid);
    for (int i = 0; i < 2; i++)
        MPI_Cart_shift(grid, i, 1, &to[2 * i], &to[2 * i + 1]);
    for (int i = 0; i < 4; i++)
        out[i] = 10 * rank + i;
    MPI_Neighbor_alltoall_init(out, 1, MPI_INT, in, 1, MPI_INT, grid, MPI_INFO_NULL, &request);
    for (int turn = 0; turn < 2; turn++) {
        memset(in, 0xff, sizeof(in));
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        /* The negative neighbour has sent in the positive direction. */
        for (int i = 0; i < 4; i++)
            CHECK(in[i] == (to[i] == MPI_PROC_NULL ? -1 : 10 * to[i] + (i ^ 1)));
    }
    MPI_Request_free(&request);
    memset(in, 0xff, sizeof(in));
    MPI_Datatype kinds[4] = { MPI_INT, MPI_INT, MPI_INT, MPI_INT };
    int counts[4] = { 1, 1, 1, 1 };
    MPI_Aint places[4] = { 12, 8, 4, 0 };
    MPI_Neighbor_alltoallw(out, counts, places, kinds, in, counts, places, kinds, grid);
    for (int i = 0; i < 4; i++)
        CHECK(in[3 - i] == (to[i] == MPI_PROC_NULL ? -1 : 10 * to[i] + 3 - (i ^ 1)));
    MPI_Comm_free(&grid);
}

/* Each rank has an edge of weight 2 to the next one and two edges to itself. */
static void on_distributed(void)
{
    int next = (rank + 1) % size, previous = (rank + size - 1) % size, in_degree, out_degree, weighted;
    int sources[3], destinations[3], from[3], to[3], out[3] = { 100 + rank, 200 + rank, 300 + rank }, in[3];
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 3, (int[]) { rank, previous, rank }, (int[]) { 1, 2, 3 }, 3,
                                   (int[]) { rank, rank, next }, (int[]) { 1, 3, 2 }, MPI_INFO_NULL, 0, &graph);
    MPI_Dist_graph_neighbors_count(graph, &in_degree, &out_degree, &weighted);
    CHECK(in_degree == 3 && out_degree == 3 && weighted);
    MPI_Dist_graph_neighbors(graph, 3, sources, from, 3, destinations, to);
    CHECK(sources[0] == rank && sources[1] == previous && from[1] == 2 && destinations[2] == next && to[1] == 3);
    MPI_Neighbor_alltoallv(out, (int[]) { 1, 1, 1 }, (int[]) { 0, 1, 2 }, MPI_INT, in, (int[]) { 1, 1, 1 },
                           (int[]) { 0, 1, 2 }, MPI_INT, graph);
    if (size > 1)
        CHECK(in[0] == 100 + rank && in[1] == 300 + previous && in[2] == 200 + rank);
    MPI_Comm_free(&graph);
    /* Rank 0 alone gives all edges, without weights. */
    int nodes[64], degrees[64], ends[64];
    for (int i = 0; i < size; i++)
        nodes[i] = i, degrees[i] = 1, ends[i] = (i + 1) % size;
    MPI_Dist_graph_create(MPI_COMM_WORLD, rank ? 0 : size, nodes, degrees, ends, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    MPI_Dist_graph_neighbors_count(graph, &in_degree, &out_degree, &weighted);
    CHECK(in_degree == 1 && out_degree == 1 && !weighted);
    MPI_Dist_graph_neighbors(graph, 1, sources, MPI_UNWEIGHTED, 1, destinations, MPI_UNWEIGHTED);
    CHECK(sources[0] == previous && destinations[0] == next);
    in[0] = -1;
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, graph);
    CHECK(in[0] == previous);
    MPI_Comm_free(&graph);
    /* No rank has a neighbour. */
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, MPI_WEIGHTS_EMPTY, 0, NULL, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0,
                                   &graph);
    MPI_Neighbor_alltoall(NULL, 1, MPI_INT, NULL, 1, MPI_INT, graph);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK(class_of(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, (int[]) { size }, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED,
                                         MPI_INFO_NULL, 0, &graph)) == MPI_ERR_RANK);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_free(&graph);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    on_graph();
    on_grid();
    on_distributed();
    return end("topologies");
}
