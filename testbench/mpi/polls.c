/* Ranks that poll by MPI_Test, MPI_Iprobe and MPI_Request_get_status, read clocks meanwhile, and do nothing else. */
#include "check.h"

enum { ROUNDS = 20 };

/* Sends a number and polls for the answer. */
static long ask(int number)
{
    int answer = 0, flag = 0, any = 0;
    long looks = 0;
    MPI_Request requests[2];
    MPI_Irecv(&answer, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&any, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Send(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    for (; !flag; looks++)
        if (number % 3 == 0)
            MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
        else if (number % 3 == 1)
            MPI_Request_get_status(requests[0], &flag, MPI_STATUS_IGNORE);
        else
            MPI_Testall(1, requests, &flag, MPI_STATUSES_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    CHECK(answer == number + 1);
    MPI_Cancel(&requests[1]);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    return looks;
}

/* Polls for a number and the clock, and answers. */
static long answer(void)
{
    int number, flag = 0;
    long looks = 0;
    double before = MPI_Wtime();
    while (!flag) {
        MPI_Iprobe(0, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        if (++looks % 7 == 0) {
            double now = MPI_Wtime();
            CHECK(now > before);
            before = now;
        }
    }
    MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    number++;
    MPI_Send(&number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    return looks;
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    long looks = 0, all = 0;
    for (int round = 0; round < ROUNDS && rank < 2; round++)
        looks += rank == 0 ? ask(round) : answer();
    MPI_Reduce(&looks, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%ld looks\n", all);
    return end("polls");
}
