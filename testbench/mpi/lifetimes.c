/* Lifetimes: objects that the program frees while calls use them, data of requests that no call waits for, and
   the order of callbacks. */
#include "check.h"

static void larger(void *in, void *inout, int *count, MPI_Datatype *datatype)
{
    int *a = in, *b = inout;
    (void)datatype;
    for (int i = 0; i < *count; i++)
        b[2 * i] = a[2 * i] > b[2 * i] ? a[2 * i] : b[2 * i];
}

/* The operation and the datatype are freed while the reduction is pending. */
static void freed_operation(void)
{
    MPI_Op op;
    MPI_Datatype every_second, resized;
    MPI_Request request;
    int own[4] = { rank, -1, 10 * rank, -1 }, all[4] = { 0, 7, 0, 7 };
    MPI_Op_create(larger, 1, &op);
    MPI_Type_contiguous(1, MPI_INT, &every_second);
    MPI_Type_create_resized(every_second, 0, 2 * sizeof(int), &resized);
    MPI_Type_commit(&resized);
    MPI_Iallreduce(own, all, 2, resized, op, MPI_COMM_WORLD, &request);
    MPI_Op_free(&op);
    MPI_Type_free(&every_second);
    MPI_Type_free(&resized);
    CHECK(op == MPI_OP_NULL && resized == MPI_DATATYPE_NULL);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(all[0] == size - 1 && all[1] == 7 && all[2] == 10 * (size - 1) && all[3] == 7);
}

/* A persistent request keeps its datatype and its communicator. */
static void persistent(void)
{
    MPI_Comm twin;
    MPI_Datatype pair;
    MPI_Request request[2];
    int out[2], in[2];
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Send_init(out, 1, pair, next, 5, twin, &request[0]);
    MPI_Recv_init(in, 1, pair, previous, 5, twin, &request[1]);
    MPI_Type_free(&pair);
    MPI_Comm_free(&twin);
    for (int turn = 0; turn < 3; turn++) {
        out[0] = rank, out[1] = turn;
        in[0] = in[1] = -1;
        MPI_Startall(2, request);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        CHECK(in[0] == previous && in[1] == turn);
    }
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
}

/* A communicator that is freed while a receive on it is pending still delivers the message, and communicators
   made meanwhile do not. */
static void freed_communicator(void)
{
    MPI_Comm old, new;
    MPI_Request request, other;
    int first = 1000 + rank, second = 2000 + rank, in = -1, from_new = -1;
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    MPI_Comm_dup(MPI_COMM_WORLD, &old);
    MPI_Irecv(&in, 1, MPI_INT, previous, 0, old, &request);
    MPI_Isend(&first, 1, MPI_INT, next, 0, old, &other);
    MPI_Comm_free(&old);
    MPI_Comm_dup(MPI_COMM_WORLD, &new);
    MPI_Sendrecv(&second, 1, MPI_INT, next, 0, &from_new, 1, MPI_INT, previous, 0, new, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Wait(&other, MPI_STATUS_IGNORE);
    CHECK(in == 1000 + previous && from_new == 2000 + previous);
    MPI_Comm_free(&new);
}

/* MPI_Request_get_status reports a message whose data is in the buffer; the error field stays. */
static void looked_at(void)
{
    int in = -1, flag = 0, peer = rank ^ 1;
    MPI_Request request;
    MPI_Status status;
    if (rank > 1)
        return;
    memset(&status, 0, sizeof(status));
    MPI_Irecv(&in, 1, MPI_INT, peer, 3, MPI_COMM_WORLD, &request);
    MPI_Send(&rank, 1, MPI_INT, peer, 3, MPI_COMM_WORLD);
    status.MPI_ERROR = 4711;
    while (!flag)
        MPI_Request_get_status(request, &flag, &status);
    CHECK(in == peer && status.MPI_SOURCE == peer && status.MPI_ERROR == 4711);
    /* The data is placed once. */
    in = 77;
    MPI_Wait(&request, &status);
    CHECK(in == 77 && status.MPI_TAG == 3 && status.MPI_ERROR == 4711);
}

/* A receive that the program has freed places its data; a later message tells when. */
static void freed_receive(void)
{
    int in = -1, out = 31 + rank, peer = rank ^ 1, token = 0;
    MPI_Request request;
    if (rank > 1)
        return;
    MPI_Irecv(&in, 1, MPI_INT, peer, 8, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    CHECK(request == MPI_REQUEST_NULL);
    MPI_Send(&out, 1, MPI_INT, peer, 8, MPI_COMM_WORLD);
    MPI_Sendrecv(&out, 1, MPI_INT, peer, 9, &token, 1, MPI_INT, peer, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(token == 31 + peer && in == 31 + peer);
}

/* A wait for a cancelled send returns although no rank receives meanwhile. */
static void cancelled_send(void)
{
    static char data[1 << 20];
    MPI_Request request;
    MPI_Status status;
    int cancelled;
    if (rank == 0) {
        data[12345] = 42;
        MPI_Isend(data, sizeof(data), MPI_CHAR, 1, 4, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &cancelled);
        MPI_Send(&cancelled, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(&cancelled, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (!cancelled) {
            MPI_Recv(data, sizeof(data), MPI_CHAR, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            CHECK(data[12345] == 42);
        }
    }
}

/* Probes leave the error field of a status unchanged. */
static void probed(void)
{
    MPI_Status status;
    MPI_Message message;
    int flag = 0, in, peer = rank ^ 1;
    if (rank > 1)
        return;
    MPI_Send(&rank, 1, MPI_INT, peer, 6, MPI_COMM_WORLD);
    status.MPI_ERROR = 11;
    MPI_Probe(peer, 6, MPI_COMM_WORLD, &status);
    CHECK(status.MPI_ERROR == 11 && status.MPI_SOURCE == peer);
    MPI_Iprobe(peer, 6, MPI_COMM_WORLD, &flag, &status);
    CHECK(flag && status.MPI_ERROR == 11);
    MPI_Mprobe(peer, 6, MPI_COMM_WORLD, &message, &status);
    CHECK(status.MPI_ERROR == 11);
    MPI_Mrecv(&in, 1, MPI_INT, &message, &status);
    CHECK(in == peer && status.MPI_ERROR == 11);
}

static char order[16];
static int refuses;

static int deleted(MPI_Comm on, int key, void *value, void *extra)
{
    (void)on, (void)key, (void)extra;
    if (refuses)
        return MPI_ERR_OTHER;
    strncat(order, value, 1);
    return MPI_SUCCESS;
}

/* Attributes are deleted in the reverse order of setting. One whose callback fails stays, and the error
   belongs to the communicator. */
static void attributes(void)
{
    MPI_Comm twin;
    int key[3], flag;
    char *value;
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    MPI_Comm_set_errhandler(twin, MPI_ERRORS_RETURN);
    for (int i = 0; i < 3; i++)
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deleted, &key[i], NULL);
    MPI_Comm_set_attr(twin, key[1], "b");
    MPI_Comm_set_attr(twin, key[0], "a");
    MPI_Comm_set_attr(twin, key[2], "c");
    refuses = 1;
    CHECK(MPI_Comm_delete_attr(twin, key[0]) == MPI_ERR_OTHER);
    refuses = 0;
    MPI_Comm_get_attr(twin, key[0], &value, &flag);
    CHECK(flag && *value == 'a');
    /* A new value is set last. */
    MPI_Comm_set_attr(twin, key[1], "d");
    CHECK(strcmp(order, "b") == 0);
    MPI_Comm_free(&twin);
    CHECK(strcmp(order, "bdca") == 0);
    for (int i = 0; i < 3; i++)
        MPI_Comm_free_keyval(&key[i]);
}

/* Each of two disjoint groups gets a communicator of its own. */
static void disjoint_groups(void)
{
    MPI_Group all, part;
    MPI_Comm half;
    int ranges[1][3] = { { rank % 2, size - 1, 2 } }, sum = 0, count = 0, expected = 0;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_range_incl(all, 1, ranges, &part);
    MPI_Comm_create(MPI_COMM_WORLD, part, &half);
    MPI_Comm_size(half, &count);
    CHECK(count == (size + 1 - rank % 2) / 2);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, half);
    for (int other = rank % 2; other < size; other += 2)
        expected += other;
    CHECK(sum == expected);
    MPI_Comm_free(&half);
    MPI_Group_free(&part);
    MPI_Group_free(&all);
}

/* A descriptor that is no socket is an error. */
static void no_socket(void)
{
    int class = MPI_SUCCESS;
    MPI_Comm none;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int code = MPI_Comm_join(-1, &none);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Error_class(code, &class);
    CHECK(class == MPI_ERR_ARG);
}

int main(int argc, char **argv)
{
    MPI_Info info;
    char value[8];
    int flag, version, subversion, length = sizeof(value);
    MPI_Info_create(&info);
    MPI_Info_set(info, "before", "init");
    MPI_Get_version(&version, &subversion);
    begin(&argc, &argv);
    MPI_Info_get_string(info, "before", &length, value, &flag);
    CHECK(flag && strcmp(value, "init") == 0);
    freed_operation();
    persistent();
    freed_communicator();
    looked_at();
    freed_receive();
    cancelled_send();
    probed();
    attributes();
    disjoint_groups();
    no_socket();
    int status = end("lifetimes");
    MPI_Info_free(&info);
    return status;
}
