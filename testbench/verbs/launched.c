/* Ranks of MPI, in an MPI library that uses verbs: messages of all sizes between all pairs, a sum, and times of round trips
 * between ranks 0 and 1. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 65536, ROUNDS = 10 };

static char sent[MOST], received[MOST];

static void wrong(const char *what, int rank, int size)
{
    printf("launched: rank %d: wrong %s of %d bytes\n", rank, what, size);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv)
{
    int rank, ranks, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int size = 0; size <= MOST; size = size ? 8 * size : 1) {
        int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
        memset(sent, rank + 1, MOST);
        memset(received, 0, MOST);
        MPI_Sendrecv(sent, size, MPI_CHAR, next, size, received, size, MPI_CHAR, before, size, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int at = 0; at < MOST; at++)
            if (received[at] != (at < size ? before + 1 : 0))
                wrong("message", rank, size);
    }
    int own = rank + 1;
    MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (sum != ranks * (ranks + 1) / 2)
        wrong("sum", rank, (int)sizeof sum);
    for (int size = 0; size <= MOST && ranks > 1; size = size ? 8 * size : 8) {
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = MPI_Wtime();
        for (int round = 0; round < ROUNDS && rank < 2; round++) {
            if (rank == 0)
                MPI_Send(sent, size, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(received, size, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (rank == 1)
                MPI_Send(sent, size, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        }
        if (rank == 0 && argc > 1)
            printf("%d bytes: %.2f us one way\n", size, (MPI_Wtime() - begin) / ROUNDS / 2 * 1e6);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("launched: right on %d\n", ranks);
    MPI_Finalize();
    return 0;
}
