/* Rank 0 computes while all others wait for it, repeatedly; the loop counts are arguments. */
#include "check.h"

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 10;
    int steps = argc > 2 ? atoi(argv[2]) : 20000;
    volatile int done = 0;
    begin(&argc, &argv);
    for (int i = 0; i < rounds; i++) {
        int number = -1;
        if (rank == 0) {
            for (int step = 0; step < steps; step++)
                done++;
            number = i;
        }
        MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
        CHECK(number == i);
    }
    CHECK(rank != 0 || done == rounds * steps);
    return end("waits");
}
