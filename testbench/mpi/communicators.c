/* Communicators, groups, grids, attributes. */
#include "check.h"

static int copied;

static int copy(MPI_Comm old, int key, void *extra, void *value, void *new_value, int *flag)
{
    (void)old, (void)key, (void)extra;
    copied++;
    *(void **)new_value = (char *)value + 1;
    *flag = 1;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Comm part, twin, grid, row, few;
    int own, count, result, sum, flag;
    /* Even and odd ranks, in reverse. */
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part);
    MPI_Comm_rank(part, &own);
    MPI_Comm_size(part, &count);
    CHECK(count == (size + 1 - rank % 2) / 2 && own == (size - 1 - rank) / 2);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_MAX, part);
    CHECK(sum % 2 == rank % 2 && sum >= size - 2);
    int key;
    char *value = (char *)100, *got;
    MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(part, key, value);
    MPI_Comm_dup(part, &twin);
    CHECK(copied == 1);
    MPI_Comm_get_attr(twin, key, &got, &flag);
    CHECK(flag && got == value + 1);
    MPI_Comm_compare(part, twin, &result);
    CHECK(result == MPI_CONGRUENT);
    int *most;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &flag);
    CHECK(flag && *most >= 32767);
    /* A message on one communicator is not received on another. */
    if (count > 1 && own < 2) {
        int first = 1, second = 2, in;
        MPI_Request request;
        MPI_Isend(&first, 1, MPI_INT, 1 - own, 0, part, &request);
        MPI_Send(&second, 1, MPI_INT, 1 - own, 0, twin);
        MPI_Recv(&in, 1, MPI_INT, 1 - own, 0, twin, MPI_STATUS_IGNORE);
        CHECK(in == 2);
        MPI_Recv(&in, 1, MPI_INT, 1 - own, 0, part, MPI_STATUS_IGNORE);
        CHECK(in == 1);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&twin);
    MPI_Comm_free(&part);
    CHECK(part == MPI_COMM_NULL);
    /* Groups. */
    MPI_Group all, first, rest, both;
    int ranks[2] = { 0, size - 1 }, back[2];
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, size > 1 ? 2 : 1, ranks, &first);
    MPI_Group_difference(all, first, &rest);
    MPI_Group_union(first, rest, &both);
    MPI_Group_compare(all, both, &result);
    CHECK(result == (size > 2 ? MPI_SIMILAR : MPI_IDENT));
    MPI_Group_translate_ranks(first, 1, ranks, all, back);
    CHECK(back[0] == 0);
    MPI_Comm_create_group(MPI_COMM_WORLD, first, 3, &few);
    CHECK((few == MPI_COMM_NULL) == (rank != 0 && rank != size - 1));
    if (few != MPI_COMM_NULL) {
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, few);
        CHECK(sum == size - 1);
        MPI_Comm_free(&few);
    }
    MPI_Comm_create(MPI_COMM_WORLD, rest, &few);
    CHECK((few != MPI_COMM_NULL) == (rank != 0 && rank != size - 1));
    if (few != MPI_COMM_NULL)
        MPI_Comm_free(&few);
    MPI_Group_free(&all);
    MPI_Group_free(&first);
    MPI_Group_free(&rest);
    MPI_Group_free(&both);
    /* A grid that is periodic in one dimension. */
    int dims[2] = { 0, 0 }, periods[2] = { 1, 0 }, place[2], source, to, remain[2] = { 0, 1 };
    MPI_Dims_create(size, 2, dims);
    CHECK(dims[0] * dims[1] == size && dims[0] >= dims[1]);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_coords(grid, rank, 2, place);
    MPI_Cart_rank(grid, place, &own);
    CHECK(own == rank);
    MPI_Cart_shift(grid, 0, 1, &source, &to);
    CHECK(to == (place[0] + 1) % dims[0] * dims[1] + place[1]);
    MPI_Cart_shift(grid, 1, 1, &source, &to);
    CHECK((to == MPI_PROC_NULL) == (place[1] == dims[1] - 1));
    CHECK((source == MPI_PROC_NULL) == (place[1] == 0));
    int in = -5;
    MPI_Sendrecv(&rank, 1, MPI_INT, to, 0, &in, 1, MPI_INT, source, 0, grid, MPI_STATUS_IGNORE);
    CHECK(in == (source == MPI_PROC_NULL ? -5 : rank - 1));
    MPI_Cart_sub(grid, remain, &row);
    MPI_Comm_size(row, &count);
    MPI_Comm_rank(row, &own);
    CHECK(count == dims[1] && own == place[1]);
    MPI_Comm_free(&row);
    MPI_Comm_free(&grid);
    MPI_Comm_size(MPI_COMM_SELF, &count);
    CHECK(count == 1);
    return end("communicators");
}
