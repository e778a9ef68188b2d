/* Persistent collective operations, each started several times, and partitioned messages. */
#include "check.h"

#define TURNS 3
#define MOST 64

static MPI_Request requests[40];
static int made;

static MPI_Request *next(void)
{
    return &requests[made++];
}

static int out[MOST], all[MOST], gathered[MOST], scattered, sum, prefix, before, root_sum, value;
static int to_all[MOST], from_all[MOST], v_from[MOST], w_from[MOST], v_all[MOST], v_gathered[MOST];
static int v_scattered[2], block, part[2], own[MOST];
static int counts[MOST], places[MOST], bytes[MOST], twos[MOST], two_places[MOST];

/* Arrays of arguments and datatypes may go away after the initialization. */
static void make(void)
{
    int lengths[MOST], displacements[MOST];
    MPI_Datatype pair, kinds[MOST];
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    for (int i = 0; i < size; i++)
        lengths[i] = 1, displacements[i] = i, counts[i] = 1, places[i] = i, bytes[i] = 4 * i, kinds[i] = MPI_INT,
        twos[i] = 2, two_places[i] = 2 * i;
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, next());
    MPI_Bcast_init(&value, 1, MPI_INT, size - 1, MPI_COMM_WORLD, MPI_INFO_NULL, next());
    MPI_Gather_init(out, 1, MPI_INT, gathered, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, next());
    MPI_Gatherv_init(out, 1, pair, v_gathered, lengths, displacements, pair, 0, MPI_COMM_WORLD, MPI_INFO_NULL, next());
    MPI_Scatter_init(own, 1, MPI_INT, &scattered, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, next());
    MPI_Scatterv_init(own, twos, two_places, MPI_INT, v_scattered, 2, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, next());
    MPI_Allgather_init(out, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, next());
    MPI_Allgatherv_init(out, 1, MPI_INT, v_all, lengths, displacements, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, next());
    MPI_Alltoall_init(to_all, 1, MPI_INT, from_all, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, next());
    MPI_Alltoallv_init(to_all, counts, places, MPI_INT, v_from, lengths, displacements, MPI_INT, MPI_COMM_WORLD,
                       MPI_INFO_NULL, next());
    MPI_Alltoallw_init(to_all, counts, bytes, kinds, w_from, counts, bytes, kinds, MPI_COMM_WORLD, MPI_INFO_NULL, next());
    MPI_Reduce_init(out, &root_sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, MPI_INFO_NULL, next());
    MPI_Allreduce_init_c(out, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, next());
    MPI_Reduce_scatter_init(to_all, part, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, next());
    MPI_Reduce_scatter_block_init(to_all, &block, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, next());
    MPI_Scan_init(out, &prefix, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, next());
    MPI_Exscan_init(out, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, next());
    MPI_Type_free(&pair);
    memset(lengths, 0x7f, sizeof(lengths));
    memset(displacements, 0x7f, sizeof(displacements));
    memset(kinds, 0, sizeof(kinds));
}

static void collective(void)
{
    make();
    for (int turn = 0; turn < TURNS; turn++) {
        int base = 100 * turn, ranks = size * (size - 1) / 2;
        out[0] = base + rank, out[1] = -rank;
        value = rank == size - 1 ? base + 5 : -1;
        for (int i = 0; i < size; i++)
            to_all[i] = base + 10 * rank + i, own[2 * i] = base + i, own[2 * i + 1] = -i;
        memset(all, 0, sizeof(all)), memset(v_all, 0, sizeof(v_all));
        MPI_Startall(made, requests);
        MPI_Waitall(made, requests, MPI_STATUSES_IGNORE);
        CHECK(value == base + 5 && sum == size * base + ranks && prefix == (rank + 1) * base + rank * (rank + 1) / 2);
        CHECK(rank == 0 || before == rank * base + rank * (rank - 1) / 2);
        CHECK(scattered == (rank % 2 ? -(rank / 2) : base + rank / 2));
        CHECK(v_scattered[0] == base + rank && v_scattered[1] == -rank);
        CHECK(block == size * base + 10 * ranks + size * rank && part[0] == block);
        for (int i = 0; i < size; i++) {
            CHECK(all[i] == base + i && v_all[i] == base + i);
            CHECK(from_all[i] == base + 10 * i + rank && v_from[i] == from_all[i] && w_from[i] == from_all[i]);
            if (rank == 0)
                CHECK(gathered[i] == base + i && v_gathered[2 * i] == base + i && v_gathered[2 * i + 1] == -i);
        }
        CHECK(rank || root_sum == sum);
    }
    for (int i = 0; i < made; i++)
        MPI_Request_free(&requests[i]);
    CHECK(requests[0] == MPI_REQUEST_NULL);
}

/* Two messages with one tag, which the ranks start in different orders, and a wildcard receive meanwhile. */
static void partitioned(void)
{
    enum { PARTS = 4, EACH = 3 };
    int first[PARTS * EACH], second[2], in_first[PARTS * EACH], in_second[2], flag, code;
    int to = (rank + 1) % size, from = (rank + size - 1) % size, plain = -1;
    MPI_Request sends[2], receives[2], other;
    MPI_Status status;
    MPI_Psend_init(first, PARTS, EACH, MPI_INT, to, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &sends[0]);
    MPI_Psend_init(second, 1, 2, MPI_INT, to, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &sends[1]);
    MPI_Precv_init(in_first, 2, 6, MPI_INT, from, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &receives[0]);
    MPI_Precv_init(in_second, 2, 1, MPI_INT, from, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &receives[1]);
    for (int turn = 0; turn < TURNS; turn++) {
        memset(in_first, 0, sizeof(in_first)), memset(in_second, 0, sizeof(in_second));
        MPI_Irecv(&plain, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &other);
        MPI_Startall(2, receives);
        MPI_Start(&sends[1]);
        MPI_Start(&sends[0]);
        second[0] = 7, second[1] = turn;
        MPI_Pready(0, sends[1]);
        for (int i = 0; i < PARTS; i++)
            for (int j = 0; j < EACH; j++)
                first[i * EACH + j] = 1000 * turn + 10 * rank + i;
        MPI_Pready(2, sends[0]);
        MPI_Pready_list(1, (int[]) { 0 }, sends[0]);
        MPI_Test(&sends[0], &flag, MPI_STATUS_IGNORE);
        CHECK(!flag);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        /* The standard gives wrong partitions no class. */
        CHECK(MPI_Pready(2, sends[0]) != MPI_SUCCESS && MPI_Pready(PARTS, sends[0]) != MPI_SUCCESS);
        CHECK(class_of(MPI_Wait(&sends[0], MPI_STATUS_IGNORE)) == MPI_ERR_REQUEST);
        CHECK(MPI_Parrived(receives[0], 2, &flag) != MPI_SUCCESS);
        code = MPI_Pready(0, receives[0]);
        CHECK(class_of(code) == MPI_ERR_REQUEST);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
        MPI_Pready(1, sends[0]);
        MPI_Pready_range(3, 3, sends[0]);
        for (flag = 0; !flag;)
            MPI_Parrived(receives[0], 1, &flag);
        CHECK(in_first[11] == 1000 * turn + 10 * from + 3 && in_first[0] == 1000 * turn + 10 * from);
        MPI_Wait(&receives[0], &status);
        CHECK(status.MPI_TAG == 4 && status.MPI_SOURCE == from);
        MPI_Parrived(receives[0], 1, &flag);
        CHECK(flag);
        MPI_Wait(&receives[1], MPI_STATUS_IGNORE);
        CHECK(in_second[0] == 7 && in_second[1] == turn);
        MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, to, 9, MPI_COMM_WORLD);
        MPI_Wait(&other, &status);
        CHECK(plain == from && status.MPI_TAG == 9);
    }
    for (int i = 0; i < 2; i++) {
        MPI_Request_free(&sends[i]);
        MPI_Request_free(&receives[i]);
    }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    collective();
    partitioned();
    return end("persistent");
}
