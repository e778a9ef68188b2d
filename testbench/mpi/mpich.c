/* A program as compiled with the mpi.h of MPICH: its handles, values and statuses are written out, so that no MPICH is
 * needed to compile it. It also runs with MPICH itself. */
#include <stdio.h>
#include <stdlib.h>

typedef int MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request, MPI_Errhandler;
typedef struct {
    int count_lo, count_hi_and_cancelled, MPI_SOURCE, MPI_TAG, MPI_ERROR;
} MPI_Status;
typedef int MPI_Copy(MPI_Comm, int, void *, void *, void *, int *);

#define MPI_COMM_WORLD ((MPI_Comm)0x44000000)
#define MPI_REQUEST_NULL ((MPI_Request)0x2c000000)
#define MPI_ERRORS_RETURN ((MPI_Errhandler)0x54000001)
#define MPI_BYTE ((MPI_Datatype)0x4c00010d)
#define MPI_LB ((MPI_Datatype)0x4c000010)
#define MPI_UB ((MPI_Datatype)0x4c000011)
#define MPI_INT ((MPI_Datatype)0x4c000405)
#define MPI_DOUBLE_INT ((MPI_Datatype)0x8c000001)
#define MPI_SUM ((MPI_Op)0x58000003)
#define MPI_MAXLOC ((MPI_Op)0x5800000c)
#define MPI_ANY_SOURCE (-2)
#define MPI_ANY_TAG (-1)
#define MPI_TAG_UB 0x64400001
#define MPI_STATUS_IGNORE ((MPI_Status *)1)
#define MPI_IN_PLACE ((void *)-1)
#define MPI_ERR_TRUNCATE 14

int MPI_Init(int *, char ***);
int MPI_Finalize(void);
int MPI_Abort(MPI_Comm, int);
int MPI_Comm_rank(MPI_Comm, int *);
int MPI_Comm_size(MPI_Comm, int *);
int MPI_Send(const void *, int, MPI_Datatype, int, int, MPI_Comm);
int MPI_Recv(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
int MPI_Isend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Irecv(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Waitall(int, MPI_Request *, MPI_Status *);
int MPI_Get_count(const MPI_Status *, MPI_Datatype, int *);
int MPI_Allreduce(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
int MPI_Reduce(const void *, void *, int, MPI_Datatype, MPI_Op, int, MPI_Comm);
int MPI_Type_extent(MPI_Datatype, long *);
int MPI_Type_lb(MPI_Datatype, long *);
int MPI_Type_ub(MPI_Datatype, long *);
int MPI_Type_size(MPI_Datatype, int *);
int MPI_Type_struct(int, int *, long *, MPI_Datatype *, MPI_Datatype *);
int MPI_Errhandler_set(MPI_Comm, MPI_Errhandler);
int MPI_Errhandler_get(MPI_Comm, MPI_Errhandler *);
int MPI_Type_vector(int, int, int, MPI_Datatype, MPI_Datatype *);
int MPI_Type_commit(MPI_Datatype *);
int MPI_Type_free(MPI_Datatype *);
int MPI_Op_create(void (*)(void *, void *, int *, MPI_Datatype *), int, MPI_Op *);
int MPI_Op_free(MPI_Op *);
int MPI_Comm_create_keyval(MPI_Copy *, void *, int *, void *);
int MPI_Comm_set_attr(MPI_Comm, int, void *);
int MPI_Comm_get_attr(MPI_Comm, int, void *, int *);
int MPI_Comm_set_errhandler(MPI_Comm, MPI_Errhandler);
int MPI_Comm_dup(MPI_Comm, MPI_Comm *);
int MPI_Comm_free(MPI_Comm *);
int MPI_Error_class(int, int *);
MPI_Copy MPIR_Dup_fn;
extern int *const MPI_UNWEIGHTED;

#define CHECK(condition)                                                                   \
    do {                                                                                   \
        if (!(condition)) {                                                                \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);        \
            MPI_Abort(MPI_COMM_WORLD, 99);                                                 \
        }                                                                                  \
    } while (0)

static int rank, size;

/* Messages around the ring, checked by their statuses. */
static void messages(void)
{
    int next = (rank + 1) % size, before = (rank + size - 1) % size, out[3] = {rank, 1, 2}, in[5] = {0}, count = 0;
    MPI_Request requests[3] = {MPI_REQUEST_NULL};
    MPI_Status statuses[3];
    MPI_Isend(out, 3, MPI_INT, next, 5, MPI_COMM_WORLD, &requests[1]);
    MPI_Irecv(in, 5, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[2]);
    MPI_Waitall(3, requests, statuses);
    CHECK(requests[1] == MPI_REQUEST_NULL && requests[2] == MPI_REQUEST_NULL);
    CHECK(statuses[2].MPI_SOURCE == before && statuses[2].MPI_TAG == 5 && statuses[2].count_lo == 12);
    CHECK(statuses[0].MPI_SOURCE == MPI_ANY_SOURCE && statuses[0].MPI_TAG == MPI_ANY_TAG);
    MPI_Get_count(&statuses[2], MPI_INT, &count);
    CHECK(count == 3 && in[0] == before && in[2] == 2);
    MPI_Isend(out, 1, MPI_BYTE, next, 6, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv(in, 1, MPI_BYTE, before, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(1, requests, (MPI_Status *)1);
}

/* A truncated message: the error class has MPICH's value. */
static void truncated(void)
{
    int next = (rank + 1) % size, before = (rank + size - 1) % size, out[2] = {1, 2}, in[1], class = 0;
    MPI_Request request;
    MPI_Isend(out, 2, MPI_INT, next, 7, MPI_COMM_WORLD, &request);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Recv(in, 1, MPI_INT, before, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE), &class);
    CHECK(class == MPI_ERR_TRUNCATE);
    MPI_Waitall(1, &request, (MPI_Status *)1);
}

static void larger(void *in, void *inout, int *count, MPI_Datatype *kind)
{
    CHECK(*kind == MPI_INT);
    for (int i = 0; i < *count; i++)
        if (((int *)in)[i] > ((int *)inout)[i])
            ((int *)inout)[i] = ((int *)in)[i];
}

enum { LONG = 5000 };

/* An operation of one element, which is a vector of known length. */
static void larger_vector(void *in, void *inout, int *count, MPI_Datatype *kind)
{
    int one = LONG, number = MPI_INT;
    CHECK(*count == 1 && *kind != MPI_INT);
    larger(in, inout, &one, &number);
}

/* Long vectors as single elements, which no algorithm may split. */
static void vectors(void)
{
    static int own[LONG], found[LONG];
    MPI_Datatype vector;
    MPI_Op op;
    MPI_Type_vector(LONG, 1, 1, MPI_INT, &vector);
    MPI_Type_commit(&vector);
    MPI_Op_create(larger_vector, 1, &op);
    for (int i = 0; i < LONG; i++)
        own[i] = i % size == rank ? i + 1 : 0;
    MPI_Allreduce(own, found, 1, vector, op, MPI_COMM_WORLD);
    for (int i = 0; i < LONG; i++)
        CHECK(found[i] == i + 1);
    MPI_Reduce(own, found, 1, vector, op, size - 1, MPI_COMM_WORLD);
    CHECK(rank != size - 1 || found[LONG - 1] == LONG);
    MPI_Op_free(&op);
    MPI_Type_free(&vector);
}

static void reductions(void)
{
    int sum = rank + 1, largest = 0;
    struct {
        double value;
        int at;
    } own = {rank == 1 ? 5.0 : 1.0, rank}, found;
    MPI_Op op;
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == size * (size + 1) / 2);
    MPI_Allreduce(&own, &found, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    CHECK(found.value == 5.0 && found.at == 1);
    MPI_Op_create(larger, 1, &op);
    MPI_Allreduce(&rank, &largest, 1, MPI_INT, op, MPI_COMM_WORLD);
    CHECK(largest == size - 1);
    MPI_Op_free(&op);
}

/* Derived datatypes and communicators, and an attribute copied by MPICH's predefined callback. */
static void objects(void)
{
    MPI_Datatype vector;
    MPI_Comm copy;
    long extent = 0;
    int key = 0, flag = 0, value = 7, *found = NULL;
    MPI_Type_vector(2, 1, 3, MPI_INT, &vector);
    MPI_Type_commit(&vector);
    MPI_Type_extent(vector, &extent);
    CHECK(extent == 16);
    MPI_Type_free(&vector);
    MPI_Comm_create_keyval(MPIR_Dup_fn, NULL, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &value);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_get_attr(copy, key, &found, &flag);
    CHECK(flag && found == &value);
    MPI_Comm_get_attr(copy, MPI_TAG_UB, &found, &flag);
    CHECK(flag && *found >= 32767);
    MPI_Comm_free(&copy);
    CHECK(MPI_UNWEIGHTED != NULL);
}

/* Names of MPI 1: bounds that are marked, smaller than the data, and an error handler. */
static void first_version(void)
{
    int lengths[3] = {1, 2, 1}, size_of = 0, out[4] = {1, 2, 3, 4};
    long places[3] = {-4, 0, 4}, lower = 0, upper = 0, extent = 0;
    MPI_Datatype parts[3] = {MPI_LB, MPI_INT, MPI_UB}, pair, only_upper;
    MPI_Errhandler handler = 0;
    MPI_Status status;
    MPI_Type_struct(3, lengths, places, parts, &pair);
    MPI_Type_lb(pair, &lower);
    MPI_Type_ub(pair, &upper);
    MPI_Type_extent(pair, &extent);
    MPI_Type_size(pair, &size_of);
    CHECK(lower == -4 && upper == 4 && extent == 8 && size_of == 8);
    MPI_Type_struct(2, lengths + 1, places + 1, parts + 1, &only_upper);
    MPI_Type_commit(&only_upper);
    MPI_Type_extent(only_upper, &extent);
    CHECK(extent == 4);
    /* Two elements, one INT apart, of two INTs each. */
    MPI_Request request;
    MPI_Isend(out, 2, only_upper, rank, 8, MPI_COMM_WORLD, &request);
    int got[4] = {0};
    MPI_Recv(got, 4, MPI_INT, rank, 8, MPI_COMM_WORLD, &status);
    MPI_Waitall(1, &request, (MPI_Status *)1);
    CHECK(got[0] == 1 && got[1] == 2 && got[2] == 2 && got[3] == 3);
    MPI_Type_free(&pair);
    MPI_Type_free(&only_upper);
    MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Errhandler_get(MPI_COMM_WORLD, &handler);
    CHECK(handler == MPI_ERRORS_RETURN);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(size > 1);
    messages();
    reductions();
    vectors();
    objects();
    first_version();
    truncated();
    MPI_Finalize();
    if (rank == 0)
        printf("mpich: right on %d\n", size);
    return 0;
}
