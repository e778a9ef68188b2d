/* Pairs of ranks that have a socket between them get an intercommunicator (MPI_Comm_join), and part again. */
#include "check.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* A stream to the peer. The kernel completes the connection before it is accepted, so no rank waits for another. */
static int stream(int peer)
{
    struct sockaddr_un name = { .sun_family = AF_UNIX };
    int listener = socket(AF_UNIX, SOCK_STREAM, 0), own = -1;
    /* An abstract name, which no file has. */
    snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "memonet-join-%d-%d", (int)getppid(), rank & ~1);
    if (rank < peer)
        CHECK(bind(listener, (struct sockaddr *)&name, sizeof name) == 0 && listen(listener, 1) == 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank > peer)
        CHECK(connect(listener, (struct sockaddr *)&name, sizeof name) == 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank > peer)
        return listener;
    own = rank < peer ? accept(listener, NULL, NULL) : own;
    close(listener);
    return own;
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int peer = size % 2 && rank == size - 1 ? rank : rank ^ 1, ends[2], class, in = -1, remote, sum;
    int own = stream(peer);
    MPI_Comm joined, merged;
    if (peer != rank) {
        MPI_Comm_join(own, &joined);
        MPI_Comm_remote_size(joined, &remote);
        CHECK(remote == 1);
        MPI_Sendrecv(&rank, 1, MPI_INT, 0, 3, &in, 1, MPI_INT, 0, 3, joined, MPI_STATUS_IGNORE);
        CHECK(in == peer);
        MPI_Intercomm_merge(joined, rank > peer, &merged);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, merged);
        CHECK(sum == rank + peer);
        MPI_Comm_disconnect(&merged);
        MPI_Comm_disconnect(&joined);
        CHECK(joined == MPI_COMM_NULL);
        /* The socket belongs to the program again, and nothing is left in it. */
        CHECK(send(own, &rank, sizeof rank, 0) == sizeof rank);
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK(recv(own, &in, sizeof in, 0) == sizeof in && in == peer);
        close(own);
    } else
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    close(ends[1]);
    MPI_Error_class(MPI_Comm_join(ends[0], &joined), &class);
    CHECK(class == MPI_ERR_ARG);
    close(ends[0]);
    return end("join");
}
