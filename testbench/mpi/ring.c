/* A growing message travels round the ring; then all ranks exchange with their neighbours at once. */
#include "check.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    int *list = calloc(size + 1, sizeof *list);
    MPI_Status status;
    int count;
    if (rank == 0) {
        MPI_Ssend(list, 1, MPI_INT, next, 0, MPI_COMM_WORLD);
        MPI_Recv(list, size + 1, MPI_INT, last, size - 1, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        CHECK(count == size);
        for (int i = 0; i < size; i++)
            CHECK(list[i] == i);
    } else {
        MPI_Probe(last, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        CHECK(count == rank && status.MPI_TAG == rank - 1);
        MPI_Recv(list, count, MPI_INT, last, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        list[rank] = rank;
        MPI_Send(list, rank + 1, MPI_INT, next, rank, MPI_COMM_WORLD);
    }
    int mine = 100 + rank, got = -1;
    MPI_Sendrecv(&mine, 1, MPI_INT, next, 5, &got, 1, MPI_INT, last, 5, MPI_COMM_WORLD, &status);
    CHECK(got == 100 + last);
    MPI_Sendrecv_replace(&mine, 1, MPI_INT, last, 6, next, 6, MPI_COMM_WORLD, &status);
    CHECK(mine == 100 + next);
    MPI_Request requests[4];
    int out[2] = { rank, -rank }, in[2];
    MPI_Irecv(&in[0], 1, MPI_INT, last, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&in[1], 1, MPI_INT, next, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&out[0], 1, MPI_INT, next, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&out[1], 1, MPI_INT, last, 2, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    CHECK(in[0] == last && in[1] == -next);
    for (int i = 0; i < 4; i++)
        CHECK(requests[i] == MPI_REQUEST_NULL);
    free(list);
    return end("ring");
}
