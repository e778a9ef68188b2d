/* Ping-pong between two ranks: prints half of the round trip in virtual time.
   ping ROUNDS BYTES: 100 rounds of 4 bytes without arguments; a message has whole integers. */
#include "check.h"

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 100;
    int count = argc > 2 ? atoi(argv[2]) / (int)sizeof(int) : 1;
    begin(&argc, &argv);
    CHECK(size == 2 && count > 0);
    int *numbers = calloc(count, sizeof *numbers);
    double start = MPI_Wtime();
    for (int i = 0; i < rounds; i++) {
        MPI_Status status;
        if (rank == 0) {
            numbers[count - 1] = i;
            MPI_Send(numbers, count, MPI_INT, 1, 7, MPI_COMM_WORLD);
            MPI_Recv(numbers, count, MPI_INT, 1, 8, MPI_COMM_WORLD, &status);
            CHECK(numbers[count - 1] == i + 1 && status.MPI_SOURCE == 1 && status.MPI_TAG == 8);
        } else {
            MPI_Recv(numbers, count, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            CHECK(status.MPI_SOURCE == 0 && status.MPI_TAG == 7);
            numbers[count - 1]++;
            MPI_Send(numbers, count, MPI_INT, 0, 8, MPI_COMM_WORLD);
        }
    }
    double time = MPI_Wtime() - start;
    free(numbers);
    if (rank == 0)
        printf("half round trip %.3f us\n", time / rounds / 2 * 1e6);
    return end("ping");
}
