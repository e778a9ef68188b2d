/* Ping-pong of 4 bytes between two ranks: prints half of the round trip in virtual time. */
#include "check.h"

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 100;
    int number = 0;
    begin(&argc, &argv);
    CHECK(size == 2);
    double start = MPI_Wtime();
    for (int i = 0; i < rounds; i++) {
        MPI_Status status;
        if (rank == 0) {
            number = i;
            MPI_Send(&number, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
            MPI_Recv(&number, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, &status);
            CHECK(number == i + 1 && status.MPI_SOURCE == 1 && status.MPI_TAG == 8);
        } else {
            MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            CHECK(status.MPI_SOURCE == 0 && status.MPI_TAG == 7);
            number++;
            MPI_Send(&number, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
        }
    }
    double time = MPI_Wtime() - start;
    if (rank == 0)
        printf("half round trip %.3f us\n", time / rounds / 2 * 1e6);
    return end("ping");
}
