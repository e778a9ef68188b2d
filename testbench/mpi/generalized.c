/* Generalized requests, buffers of communicators, and hints. */
#include "check.h"

struct operation {
    int queries, frees, cancels, complete;
};

static int query(void *extra, MPI_Status *status)
{
    struct operation *own = extra;
    own->queries++;
    MPI_Status_set_elements(status, MPI_INT, 3);
    MPI_Status_set_cancelled(status, own->cancels > 0);
    status->MPI_SOURCE = 7;
    status->MPI_TAG = 8;
    return MPI_SUCCESS;
}

static int release(void *extra)
{
    ((struct operation *)extra)->frees++;
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
    struct operation *own = extra;
    own->cancels++;
    own->complete = complete;
    return MPI_SUCCESS;
}

static void generalized(void)
{
    struct operation own = { 0 };
    MPI_Request request, requests[2], copy;
    MPI_Status status;
    int flag, count, index, in = -1, peer = rank ^ 1;
    MPI_Grequest_start(query, release, cancel, &own, &request);
    MPI_Test(&request, &flag, &status);
    CHECK(!flag && request != MPI_REQUEST_NULL);
    MPI_Cancel(&request);
    CHECK(own.cancels == 1 && !own.complete);
    MPI_Grequest_complete(request);
    MPI_Request_get_status(request, &flag, &status);
    CHECK(flag && own.queries == 1 && own.frees == 0 && status.MPI_TAG == 8);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    MPI_Test_cancelled(&status, &flag);
    CHECK(request == MPI_REQUEST_NULL && count == 3 && flag && status.MPI_SOURCE == 7);
    CHECK(own.queries == 2 && own.frees == 1);
    /* A wait that nothing can end is an error. */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Grequest_start(query, release, cancel, &own, &request);
    CHECK(MPI_Wait(&request, &status) == MPI_ERR_REQUEST);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    /* A freed request ends when it is complete. */
    copy = request;
    MPI_Request_free(&request);
    CHECK(request == MPI_REQUEST_NULL && own.frees == 1);
    MPI_Grequest_complete(copy);
    CHECK(own.frees == 2);
    if (peer >= size)
        return;
    /* With a receive. */
    MPI_Grequest_start(query, release, cancel, &own, &requests[0]);
    MPI_Irecv(&in, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
    CHECK(!flag);
    MPI_Send(&rank, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
    MPI_Waitany(2, requests, &index, &status);
    CHECK(index == 1 && in == peer);
    MPI_Grequest_complete(requests[0]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK(own.frees == 3);
}

static void buffers(void)
{
    MPI_Comm twin;
    MPI_Request request;
    static char space[1000 + MPI_BSEND_OVERHEAD];
    char out[600] = "text", in[600], *old;
    int bytes;
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    MPI_Comm_attach_buffer(twin, space, sizeof(space));
    MPI_Bsend(out, 600, MPI_CHAR, (rank + 1) % size, 0, twin);
    MPI_Comm_iflush_buffer(twin, &request);
    MPI_Recv(in, 600, MPI_CHAR, (rank + size - 1) % size, 0, twin, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(!strcmp(in, "text"));
    MPI_Comm_flush_buffer(twin);
    MPI_Comm_set_errhandler(twin, MPI_ERRORS_RETURN);
    CHECK(MPI_Comm_attach_buffer(twin, space, sizeof(space)) == MPI_ERR_BUFFER);
    MPI_Comm_detach_buffer(twin, &old, &bytes);
    CHECK(old == space && bytes == sizeof(space));
    CHECK(MPI_Bsend(out, 600, MPI_CHAR, 0, 0, twin) == MPI_ERR_BUFFER);
    MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0);
    MPI_Bsend(out, 600, MPI_CHAR, rank, 0, twin);
    MPI_Buffer_iflush(&request);
    MPI_Recv(in, 600, MPI_CHAR, rank, 0, twin, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&old, &bytes);
    MPI_Comm_free(&twin);
}

static void hints(void)
{
    MPI_Info given, used;
    MPI_Comm twin, other;
    char value[8];
    int flag, count, length = sizeof(value);
    MPI_Info_create(&given);
    MPI_Info_set(given, "mpi_assert_no_any_tag", "true");
    MPI_Info_set(given, "unknown", "true");
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, given, &twin);
    MPI_Comm_dup(twin, &other);
    MPI_Info_set(given, "mpi_assert_no_any_tag", "false");
    MPI_Info_set(given, "mpi_assert_exact_length", "true");
    MPI_Comm_set_info(twin, given);
    MPI_Comm_get_info(twin, &used);
    MPI_Info_get_string(used, "mpi_assert_no_any_tag", &length, value, &flag);
    MPI_Info_get_nkeys(used, &count);
    CHECK(flag && !strcmp(value, "false") && count == 2);
    MPI_Info_free(&used);
    MPI_Comm_get_info(other, &used);
    length = sizeof(value);
    MPI_Info_get_string(used, "mpi_assert_no_any_tag", &length, value, &flag);
    CHECK(flag && !strcmp(value, "true"));
    MPI_Info_free(&used);
    MPI_Info_free(&given);
    MPI_Comm_free(&twin);
    MPI_Comm_free(&other);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    generalized();
    buffers();
    hints();
    return end("generalized");
}
