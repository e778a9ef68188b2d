/* Half of a round trip from rank 0 to each other rank, and the node of each.
   neighbours ROUNDS INTS: 16 rounds of one int of 4 bytes without arguments. */
#include "check.h"

static double half_round_trip(int other, int rounds, int *number, int count)
{
    *number = 0;
    double start = MPI_Wtime();
    for (int i = 0; i < rounds; i++) {
        if (rank == 0) {
            MPI_Send(number, count, MPI_INT, other, 1, MPI_COMM_WORLD);
            MPI_Recv(number, count, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (rank == other) {
            MPI_Recv(number, count, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            ++*number;
            MPI_Send(number, count, MPI_INT, 0, 2, MPI_COMM_WORLD);
        }
    }
    double time = MPI_Wtime() - start;
    CHECK((rank != 0 && rank != other) || *number >= rounds - 1);
    MPI_Barrier(MPI_COMM_WORLD);
    return time / rounds / 2 * 1e6;
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 16, count = argc > 2 ? atoi(argv[2]) : 1;
    begin(&argc, &argv);
    char own[MPI_MAX_PROCESSOR_NAME] = "";
    int length;
    MPI_Get_processor_name(own, &length);
    char *names = calloc(size, sizeof own);
    MPI_Gather(own, sizeof own, MPI_CHAR, names, sizeof own, MPI_CHAR, 0, MPI_COMM_WORLD);
    int *numbers = calloc(count, sizeof *numbers);
    for (int other = 1; other < size; other++) {
        double time = half_round_trip(other, rounds, numbers, count);
        if (rank == 0)
            printf("rank 0 on %s, rank %d on %s: half round trip %.3f us\n", names, other,
                   names + other * sizeof own, time);
    }
    free(numbers);
    free(names);
    return end("neighbours");
}
