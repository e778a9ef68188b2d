/* Intercommunicators: the lower ranks and the upper ranks talk to each other. */
#include "check.h"

static MPI_Comm half, both; /* own group, and the intercommunicator */
static int low, own, locals, remotes;

/* Value of a rank of the local or of the remote group. */
static int value(int remote, int of)
{
    return (low != remote ? 1000 : 2000) + of;
}

/* Root argument of this rank: the root is `root` of the lower ranks if `of_low`. */
static int role(int of_low, int root)
{
    if (of_low != low)
        return root;
    return own == root ? MPI_ROOT : MPI_PROC_NULL;
}

static void messages(void)
{
    MPI_Status status;
    int in, mine = value(0, own);
    MPI_Request *requests = malloc(remotes * sizeof *requests);
    for (int to = 0; to < remotes; to++)
        MPI_Isend(&mine, 1, MPI_INT, to, 5, both, &requests[to]);
    for (int i = 0; i < remotes; i++) {
        MPI_Probe(MPI_ANY_SOURCE, 5, both, &status);
        CHECK(status.MPI_SOURCE >= 0 && status.MPI_SOURCE < remotes);
        MPI_Recv(&in, 1, MPI_INT, status.MPI_SOURCE, 5, both, MPI_STATUS_IGNORE);
        CHECK(in == value(1, status.MPI_SOURCE));
    }
    MPI_Waitall(remotes, requests, MPI_STATUSES_IGNORE);
    free(requests);
    /* Ranks without a partner have none to exchange with. */
    int to = own < remotes ? own : MPI_PROC_NULL;
    in = -1;
    MPI_Sendrecv(&mine, 1, MPI_INT, to, 6, &in, 1, MPI_INT, to, 6, both, MPI_STATUS_IGNORE);
    CHECK(in == (to == MPI_PROC_NULL ? -1 : value(1, to)));
}

static void with_root(int of_low, int root)
{
    int here = role(of_low, root), mine = value(0, own), is_root = here == MPI_ROOT;
    int in = here == MPI_ROOT ? mine : -1;
    int most = size + 1, *all = malloc(most * most * sizeof *all), *counts = malloc(most * sizeof *counts);
    int *places = malloc(most * sizeof *places);
    MPI_Bcast(&in, 1, MPI_INT, here, both);
    CHECK(in == (here == MPI_ROOT ? mine : here == MPI_PROC_NULL ? -1 : value(1, root)));
    MPI_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, here, both);
    for (int i = 0; is_root && i < remotes; i++)
        CHECK(all[i] == value(1, i));
    /* Rank i has i elements, which arrive behind a gap. */
    for (int i = 0; i < most; i++)
        counts[i] = i, places[i] = i * most + 1, all[i] = mine;
    if (is_root)
        memset(all, 0, most * most * sizeof *all);
    MPI_Gatherv(all, own, MPI_INT, all, counts, places, MPI_INT, here, both);
    for (int i = 0; is_root && i < remotes; i++)
        for (int j = 0; j <= i; j++)
            CHECK(all[i * most + 1 + j] == (j < i ? value(1, i) : 0));
    for (int i = 0; i < remotes; i++)
        all[i] = 10 * i;
    in = -1;
    MPI_Scatter(all, 1, MPI_INT, &in, 1, MPI_INT, here, both);
    CHECK(in == (of_low == low ? -1 : 10 * own));
    for (int i = 0; i < most * most; i++)
        all[i] = i;
    int *part = calloc(most, sizeof *part);
    MPI_Scatterv(all, counts, places, MPI_INT, part, own, MPI_INT, here, both);
    for (int j = 0; j < own; j++)
        CHECK(part[j] == (of_low == low ? 0 : own * most + 1 + j));
    in = -1;
    MPI_Reduce(&mine, &in, 1, MPI_INT, MPI_SUM, here, both);
    CHECK(in == (is_root ? remotes * value(1, 0) + remotes * (remotes - 1) / 2 : -1));
    free(part), free(places), free(counts), free(all);
}

static void without_root(void)
{
    int mine = value(0, own), in = -1, most = size + 1;
    int *out = malloc(most * most * sizeof *out), *all = malloc(most * most * sizeof *all);
    int *counts = malloc(most * sizeof *counts), *places = malloc(most * sizeof *places);
    MPI_Barrier(both);
    MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, both);
    for (int i = 0; i < remotes; i++)
        CHECK(all[i] == value(1, i));
    /* Only the lower ranks send: the counts of the other direction are 0. */
    memset(all, 0, most * sizeof *all);
    MPI_Allgather(&mine, low, MPI_INT, all, !low, MPI_INT, both);
    for (int i = 0; i < remotes; i++)
        CHECK(all[i] == (low ? 0 : value(1, i)));
    for (int i = 0; i < most; i++)
        counts[i] = i, places[i] = i * most, out[i] = mine;
    MPI_Allgatherv(out, own, MPI_INT, all, counts, places, MPI_INT, both);
    for (int i = 0; i < remotes; i++)
        for (int j = 0; j < i; j++)
            CHECK(all[i * most + j] == value(1, i));
    for (int i = 0; i < remotes; i++)
        out[i] = 100 * mine + i;
    MPI_Alltoall(out, 1, MPI_INT, all, 1, MPI_INT, both);
    for (int i = 0; i < remotes; i++)
        CHECK(all[i] == 100 * value(1, i) + own);
    /* Rank i sends i + j elements to rank j. */
    int *receives = malloc(most * sizeof *receives);
    for (int i = 0; i < most; i++)
        counts[i] = receives[i] = i + own, places[i] = i < remotes ? i * most : 0;
    for (int i = 0; i < most * most; i++)
        out[i] = 100 * mine + i / most;
    MPI_Alltoallv(out, counts, places, MPI_INT, all, receives, places, MPI_INT, both);
    for (int i = 0; i < remotes; i++)
        for (int j = 0; j < i + own; j++)
            CHECK(all[i * most + j] == 100 * value(1, i) + own);
    MPI_Datatype *types = malloc(most * sizeof *types);
    for (int i = 0; i < most; i++)
        types[i] = MPI_INT, places[i] *= sizeof(int);
    memset(all, 0, most * most * sizeof *all);
    MPI_Request request;
    MPI_Ialltoallw(out, counts, places, types, all, receives, places, types, both, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < remotes; i++)
        for (int j = 0; j < i + own; j++)
            CHECK(all[i * most + j] == 100 * value(1, i) + own);
    MPI_Allreduce(&mine, &in, 1, MPI_INT, MPI_MAX, both);
    CHECK(in == value(1, remotes - 1));
    /* Both groups give locals * remotes elements; each rank gets an equal share of those of the other group. */
    for (int i = 0; i < locals * remotes; i++)
        out[i] = i + own;
    MPI_Reduce_scatter_block(out, all, remotes, MPI_INT, MPI_SUM, both);
    for (int i = 0; i < remotes; i++)
        CHECK(all[i] == remotes * (own * remotes + i) + remotes * (remotes - 1) / 2);
    for (int i = 0; i < locals; i++)
        counts[i] = i == locals - 1 ? locals * remotes : 0;
    MPI_Reduce_scatter(out, all, counts, MPI_INT, MPI_SUM, both);
    for (int i = 0; i < counts[own]; i++)
        CHECK(all[i] == remotes * i + remotes * (remotes - 1) / 2);
    free(types), free(receives), free(places), free(counts), free(all), free(out);
}

/* Both groups broadcast at the same time, without blocking. */
static void at_once(void)
{
    int from_low = low && own == 0 ? 7 : -1, from_high = !low && own == 0 ? 8 : -1, sum = -1, one = 1;
    MPI_Request requests[4];
    MPI_Ibcast(&from_low, 1, MPI_INT, role(1, 0), both, &requests[0]);
    MPI_Ibcast(&from_high, 1, MPI_INT, role(0, 0), both, &requests[1]);
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, both, &requests[2]);
    MPI_Ibarrier(both, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    CHECK(from_low == (low ? (own == 0 ? 7 : -1) : 7) && from_high == (low ? 8 : (own == 0 ? 8 : -1)));
    CHECK(sum == remotes);
}

static void derived(void)
{
    MPI_Comm twin, part, lasts, whole;
    MPI_Group group, last, other;
    int result, flag, count, at, all;
    MPI_Comm_dup(both, &twin);
    MPI_Comm_compare(both, twin, &result);
    CHECK(result == MPI_CONGRUENT);
    MPI_Comm_compare(both, both, &result);
    CHECK(result == MPI_IDENT);
    MPI_Comm_compare(both, half, &result);
    CHECK(result == MPI_UNEQUAL);
    MPI_Comm_test_inter(twin, &flag);
    CHECK(flag);
    MPI_Comm_free(&twin);
    /* Even and odd ranks of both groups. */
    MPI_Comm_split(both, own % 2, -own, &part);
    CHECK((part == MPI_COMM_NULL) == (remotes < 2 && own % 2 == 1));
    if (part != MPI_COMM_NULL) {
        MPI_Comm_remote_size(part, &count);
        CHECK(count == (remotes + 1 - own % 2) / 2);
        int one = 1;
        MPI_Allreduce(&one, &at, 1, MPI_INT, MPI_SUM, part);
        CHECK(at == count);
        MPI_Comm_free(&part);
    }
    /* The last rank of either group. */
    MPI_Comm_group(both, &group);
    MPI_Group_size(group, &count);
    CHECK(count == locals);
    at = locals - 1;
    MPI_Group_incl(group, 1, &at, &last);
    MPI_Comm_create(both, last, &lasts);
    CHECK((lasts != MPI_COMM_NULL) == (own == locals - 1));
    if (lasts != MPI_COMM_NULL) {
        int mine = value(0, own), in;
        MPI_Sendrecv(&mine, 1, MPI_INT, 0, 0, &in, 1, MPI_INT, 0, 0, lasts, MPI_STATUS_IGNORE);
        CHECK(in == value(1, remotes - 1));
        MPI_Comm_free(&lasts);
    }
    MPI_Comm_remote_group(both, &other);
    MPI_Group_compare(group, other, &result);
    CHECK(result == MPI_UNEQUAL);
    for (int high = 0; high < 2; high++) {
        MPI_Intercomm_merge(both, low == high, &whole);
        MPI_Comm_rank(whole, &at);
        CHECK(at == (high ? own + (low ? remotes : 0) : rank));
        MPI_Allreduce(&rank, &all, 1, MPI_INT, MPI_SUM, whole);
        CHECK(all == size * (size - 1) / 2);
        MPI_Comm_free(&whole);
    }
    MPI_Group_free(&group);
    MPI_Group_free(&last);
    MPI_Group_free(&other);
}

/* Errors that all ranks get, and that leave the communicators usable. */
static void errors(void)
{
    MPI_Comm none;
    int class, in = 0, out = 0, remote;
    MPI_Comm_set_errhandler(both, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Send(&in, 1, MPI_INT, remotes, 0, both), &class);
    CHECK(class == MPI_ERR_RANK);
    MPI_Error_class(MPI_Bcast(&in, 1, MPI_INT, remotes, both), &class);
    CHECK(class == MPI_ERR_ROOT);
    MPI_Error_class(MPI_Allreduce(MPI_IN_PLACE, &out, 1, MPI_INT, MPI_SUM, both), &class);
    CHECK(class == MPI_ERR_BUFFER);
    MPI_Error_class(MPI_Scan(&in, &out, 1, MPI_INT, MPI_SUM, both), &class);
    CHECK(class == MPI_ERR_COMM);
    MPI_Error_class(MPI_Comm_remote_size(MPI_COMM_WORLD, &remote), &class);
    CHECK(class == MPI_ERR_COMM);
    MPI_Error_class(MPI_Intercomm_merge(MPI_COMM_WORLD, 0, &none), &class);
    CHECK(class == MPI_ERR_COMM);
    /* Both groups are all ranks. */
    MPI_Error_class(MPI_Intercomm_create(MPI_COMM_WORLD, 0, MPI_COMM_WORLD, 0, 3, &none), &class);
    CHECK(class == MPI_ERR_COMM);
    int order = 1, pairs[1] = { size };
    MPI_Error_class(MPI_Cart_create(both, 1, pairs, &order, 0, &none), &class);
    CHECK(class == MPI_ERR_COMM);
    MPI_Barrier(both);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    CHECK(size >= 2);
    int lower = size / 3 > 0 ? size / 3 : 1, flag;
    low = rank < lower;
    MPI_Comm_split(MPI_COMM_WORLD, low, rank, &half);
    MPI_Comm_rank(half, &own);
    /* The last rank of each half leads it; the others need not know the leader of the other half. */
    int leader = low ? lower - 1 : size - lower - 1, other = low ? size - 1 : lower - 1;
    MPI_Intercomm_create(half, leader, own == leader ? MPI_COMM_WORLD : MPI_COMM_NULL, own == leader ? other : -9, 4,
                         &both);
    MPI_Comm_test_inter(both, &flag);
    CHECK(flag);
    MPI_Comm_size(both, &locals);
    MPI_Comm_remote_size(both, &remotes);
    CHECK(locals == (low ? lower : size - lower) && remotes == size - locals);
    messages();
    without_root();
    for (int of_low = 0; of_low < 2; of_low++) {
        with_root(of_low, 0);
        with_root(of_low, (of_low ? lower : size - lower) - 1);
    }
    at_once();
    derived();
    errors();
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    return end("intercommunicators");
}
