/* Errors of programs, selected by name. */
#include "check.h"
#include <signal.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int number = 0;
    begin(&argc, &argv);
    if (!strcmp(what, "handle"))
        MPI_Send(&number, 1, MPI_INT, 0, 0, (MPI_Comm)0x7777);
    else if (!strcmp(what, "count"))
        MPI_Send(&number, -1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    else if (!strcmp(what, "rank"))
        MPI_Send(&number, 1, MPI_INT, size, 0, MPI_COMM_WORLD);
    else if (!strcmp(what, "uncommitted")) {
        MPI_Datatype kind;
        MPI_Type_contiguous(2, MPI_INT, &kind);
        MPI_Send(&number, 1, kind, 0, 0, MPI_COMM_WORLD);
    } else if (!strcmp(what, "truncation")) {
        int list[4] = { 0 };
        if (rank == 0)
            MPI_Send(list, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
        else
            MPI_Recv(list, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (!strcmp(what, "freed")) {
        MPI_Request request, kept;
        MPI_Irecv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        kept = request;
        MPI_Request_free(&request);
        MPI_Wait(&kept, MPI_STATUS_IGNORE);
    } else if (!strcmp(what, "overlap")) {
        MPI_Datatype kind;
        int list[8] = { 0 };
        MPI_Type_create_hvector(4, 2, 4, MPI_INT, &kind);
        MPI_Type_commit(&kind);
        MPI_Sendrecv(list, 8, MPI_INT, rank, 0, list, 1, kind, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (!strcmp(what, "function")) {
        if (rank == 0)
            MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
        else
            MPI_Reduce(&number, &rank, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    } else if (!strcmp(what, "root"))
        MPI_Bcast(&number, 1, MPI_INT, rank, MPI_COMM_WORLD);
    else if (!strcmp(what, "length")) {
        int list[2] = { 0 };
        MPI_Bcast(list, 1 + rank, MPI_INT, 0, MPI_COMM_WORLD);
    } else if (!strcmp(what, "operation"))
        MPI_Allreduce(&rank, &number, 1, MPI_INT, rank ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD);
    else if (!strcmp(what, "split")) {
        MPI_Comm part;
        if (rank == 0)
            MPI_Comm_dup(MPI_COMM_WORLD, &part);
        else
            MPI_Barrier(MPI_COMM_WORLD);
    } else if (!strcmp(what, "returned")) {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        CHECK(MPI_Send(&number, -1, MPI_INT, 0, 0, MPI_COMM_WORLD) == MPI_ERR_COUNT);
        CHECK(MPI_Send(&number, 1, MPI_INT, 0, -7, MPI_COMM_WORLD) == MPI_ERR_TAG);
        CHECK(MPI_Send(&number, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD) == MPI_ERR_TYPE);
        CHECK(MPI_Bcast(&number, 1, MPI_INT, size, MPI_COMM_WORLD) == MPI_ERR_ROOT);
        CHECK(MPI_Allreduce(&number, &number, 1, MPI_CHAR, MPI_SUM, MPI_COMM_WORLD) == MPI_ERR_OP);
        CHECK(MPI_Send(NULL, 1, MPI_INT, 0, 0, MPI_COMM_WORLD) == MPI_ERR_BUFFER);
    } else if (!strcmp(what, "no-finalize"))
        exit(rank == 1 ? 0 : (MPI_Finalize(), 0));
    else if (!strcmp(what, "crash") && rank == 1)
        raise(SIGSEGV);
    else if (!strcmp(what, "abort") && rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 42);
    else if (!strcmp(what, "code")) {
        MPI_Finalize();
        return rank == 1 ? 7 : 0;
    } else if (!strcmp(what, "deadlock"))
        MPI_Recv(&number, 1, MPI_INT, (rank + 1) % size, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (!strcmp(what, "socket")) {
        MPI_Comm none;
        MPI_Comm_join(0, &none);
    } else if (!strcmp(what, "clock")) {
        double until = MPI_Wtime() + 1e-3;
        while (MPI_Wtime() < until)
            ;
    } else if (!strcmp(what, "for-ever"))
        for (;;)
            pause();
    MPI_Barrier(MPI_COMM_WORLD);
    return end("wrong");
}
