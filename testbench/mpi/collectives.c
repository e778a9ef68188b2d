/* All collective operations on any number of ranks, compared with their definitions. */
#include "check.h"

#define MOST 64

static void blocking(void)
{
    int all[MOST], list[MOST], counts[MOST], places[MOST], number, sum = size * (size - 1) / 2;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int root = 0; root < size; root++) {
        number = rank == root ? 42 + root : 0;
        MPI_Bcast(&number, 1, MPI_INT, root, MPI_COMM_WORLD);
        CHECK(number == 42 + root);
        number = rank * rank;
        MPI_Gather(&number, 1, MPI_INT, all, 1, MPI_INT, root, MPI_COMM_WORLD);
        for (int i = 0; rank == root && i < size; i++)
            CHECK(all[i] == i * i);
        MPI_Scatter(all, 1, MPI_INT, &number, 1, MPI_INT, root, MPI_COMM_WORLD);
        CHECK(number == rank * rank);
        number = rank;
        MPI_Reduce(&number, &all[0], 1, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
        CHECK(rank != root || all[0] == sum);
        if (rank == root) {
            number = rank;
            MPI_Reduce(MPI_IN_PLACE, &number, 1, MPI_INT, MPI_MAX, root, MPI_COMM_WORLD);
            CHECK(number == size - 1);
        } else
            MPI_Reduce(&rank, NULL, 1, MPI_INT, MPI_MAX, root, MPI_COMM_WORLD);
    }
    MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++) {
        CHECK(all[i] == i);
        list[i] = 100 * rank + i;
        counts[i] = i % 3;
    }
    MPI_Alltoall(list, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        CHECK(all[i] == 100 * i + rank);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        CHECK(all[i] == 100 * rank + i);
    /* Rank i contributes i % 3 numbers, stored with a stride of two. */
    int wide[2 * 3 * MOST];
    memset(wide, 0xff, sizeof wide);
    for (int i = 0; i < size; i++)
        places[i] = 3 * i;
    int mine[3] = { rank, rank, rank };
    MPI_Allgatherv(mine, counts[rank], MPI_INT, wide, counts, places, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        for (int j = 0; j < 3; j++)
            CHECK(wide[3 * i + j] == (j < counts[i] ? i : -1));
    memset(wide, 0xff, sizeof wide);
    MPI_Gatherv(mine, counts[rank], MPI_INT, wide, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < size; i++)
        CHECK(counts[i] == 0 || wide[3 * i] == i);
    memset(mine, 0, sizeof mine);
    MPI_Scatterv(wide, counts, places, MPI_INT, mine, counts[rank], MPI_INT, 0, MPI_COMM_WORLD);
    CHECK(counts[rank] == 0 || mine[0] == rank);
    int to[MOST], from[MOST], to_places[MOST], from_places[MOST], out[3 * MOST], in[3 * MOST];
    for (int i = 0; i < size; i++) {
        to[i] = (rank + i) % 3;
        from[i] = (rank + i) % 3;
        to_places[i] = from_places[i] = 3 * i;
        for (int j = 0; j < 3; j++)
            out[3 * i + j] = 1000 * rank + i;
    }
    MPI_Alltoallv(out, to, to_places, MPI_INT, in, from, from_places, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        for (int j = 0; j < from[i]; j++)
            CHECK(in[3 * i + j] == 1000 * i + rank);
}

static void combined(void)
{
    double real = rank + 0.5, total;
    MPI_Allreduce(&real, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    CHECK(total == size * (size - 1) / 2 + size * 0.5);
    struct { double value; int place; } pair = { (rank * 7) % size, rank }, most;
    MPI_Allreduce(&pair, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        CHECK((i * 7) % size < most.value || i >= most.place);
    int list[MOST], part = -1, up, before = -1, counts[MOST];
    for (int i = 0; i < size; i++) {
        list[i] = rank + i;
        counts[i] = 1;
    }
    MPI_Reduce_scatter(list, &part, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(part == size * (size - 1) / 2 + size * rank);
    MPI_Reduce_scatter_block(list, &part, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    CHECK(part == rank);
    MPI_Scan(&rank, &up, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(up == rank * (rank + 1) / 2);
    MPI_Exscan(&rank, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(rank == 0 || before == rank * (rank - 1) / 2);
}

/* Composes functions x -> a x + b, which does not commute. */
static void compose(void *in, void *inout, int *count, MPI_Datatype *kind)
{
    long (*first)[2] = in, (*second)[2] = inout;
    int bytes;
    MPI_Type_size(*kind, &bytes);
    CHECK(bytes == 2 * (int)sizeof(long));
    for (int i = 0; i < *count; i++) {
        long a = first[i][0] * second[i][0], b = second[i][0] * first[i][1] + second[i][1];
        second[i][0] = a;
        second[i][1] = b;
    }
}

static void of_the_program(void)
{
    MPI_Op by;
    MPI_Datatype kind;
    MPI_Type_contiguous(2, MPI_LONG, &kind);
    MPI_Type_commit(&kind);
    MPI_Op_create(compose, 0, &by);
    long mine[2] = { rank % 3 + 1, rank + 1 }, all[2], a = 1, b = 0;
    MPI_Allreduce(mine, all, 1, kind, by, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++) {
        a *= i % 3 + 1;
        b = b * (i % 3 + 1) + i + 1;
    }
    CHECK(all[0] == a && all[1] == b);
    MPI_Request request;
    long later[2];
    MPI_Iallreduce(mine, later, 1, kind, by, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(later[0] == a && later[1] == b);
    MPI_Op_free(&by);
    MPI_Type_free(&kind);
}

static void later(void)
{
    MPI_Request requests[6];
    int number = rank == 0 ? 5 : 0, sum, all[MOST], to[MOST], from[MOST], up;
    for (int i = 0; i < size; i++)
        to[i] = rank - i;
    MPI_Ibcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
    MPI_Iallgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, &requests[2]);
    MPI_Ialltoall(to, 1, MPI_INT, from, 1, MPI_INT, MPI_COMM_WORLD, &requests[3]);
    MPI_Iscan(&rank, &up, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[4]);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[5]);
    MPI_Waitall(6, requests, MPI_STATUSES_IGNORE);
    CHECK(number == 5 && sum == size * (size - 1) / 2 && up == rank * (rank + 1) / 2);
    for (int i = 0; i < size; i++)
        CHECK(all[i] == i && from[i] == i - rank);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    CHECK(size <= MOST);
    blocking();
    combined();
    of_the_program();
    later();
    return end("collectives");
}
