/* Requests: tests, waits, persistent and cancelled requests, and matched probes. */
#include "check.h"

static void some(void)
{
    int in[4], out[4], places[4], done = 0, count;
    MPI_Request requests[8];
    for (int i = 0; i < 4; i++) {
        out[i] = 10 * rank + i;
        MPI_Irecv(&in[i], 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, &requests[i]);
    }
    for (int i = 3; i >= 0; i--)
        MPI_Isend(&out[i], 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, &requests[4 + i]);
    while (done < 4) {
        MPI_Waitsome(4, requests, &count, places, MPI_STATUSES_IGNORE);
        CHECK(count > 0);
        done += count;
    }
    MPI_Waitsome(4, requests, &count, places, MPI_STATUSES_IGNORE);
    CHECK(count == MPI_UNDEFINED);
    for (int i = 0; i < 4; i++)
        CHECK(in[i] == 10 * (1 - rank) + i);
    int flag = 0, place;
    for (int i = 0; i < 4; i++) {
        MPI_Waitany(4, requests + 4, &place, MPI_STATUS_IGNORE);
        CHECK(place >= 0 && place < 4);
    }
    MPI_Testany(4, requests + 4, &place, &flag, MPI_STATUS_IGNORE);
    CHECK(flag && place == MPI_UNDEFINED);
    MPI_Testall(4, requests + 4, &flag, MPI_STATUSES_IGNORE);
    CHECK(flag);
}

static void persistent(void)
{
    int out, in = -1, flag;
    MPI_Request pair[2];
    MPI_Send_init(&out, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, &pair[0]);
    MPI_Recv_init(&in, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, &pair[1]);
    for (int i = 0; i < 3; i++) {
        out = 7 * i + rank;
        MPI_Startall(2, pair);
        MPI_Waitall(2, pair, MPI_STATUSES_IGNORE);
        CHECK(in == 7 * i + 1 - rank && pair[0] != MPI_REQUEST_NULL);
    }
    MPI_Test(&pair[0], &flag, MPI_STATUS_IGNORE);
    CHECK(flag);
    MPI_Request_free(&pair[0]);
    MPI_Request_free(&pair[1]);
    CHECK(pair[0] == MPI_REQUEST_NULL);
}

static void found(void)
{
    if (rank == 0) {
        int pair[2] = { 1, 2 };
        MPI_Send(pair, 2, MPI_INT, 1, 4, MPI_COMM_WORLD);
        MPI_Send(pair, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
        MPI_Ssend(pair, 0, MPI_INT, 1, 5, MPI_COMM_WORLD);
    } else {
        MPI_Message first, second;
        MPI_Status status;
        int flag = 0, count, list[2] = { 0, 0 };
        while (!flag)
            MPI_Iprobe(0, 4, MPI_COMM_WORLD, &flag, &status);
        MPI_Mprobe(0, 4, MPI_COMM_WORLD, &first, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        CHECK(count == 2);
        MPI_Mprobe(0, 4, MPI_COMM_WORLD, &second, &status);
        MPI_Mrecv(list, 1, MPI_INT, &second, &status);
        MPI_Mrecv(list, 2, MPI_INT, &first, &status);
        CHECK(list[1] == 2 && first == MPI_MESSAGE_NULL);
        MPI_Recv(NULL, 0, MPI_INT, 0, 5, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        CHECK(count == 0);
    }
}

static void given_up(void)
{
    int in, flag;
    MPI_Request request;
    MPI_Status status;
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &request);
    MPI_Test(&request, &flag, &status);
    CHECK(!flag);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    CHECK(flag);
    MPI_Irecv(&in, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);
    CHECK(status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
}

static void buffered(void)
{
    char room[1000 + MPI_BSEND_OVERHEAD], *back;
    int bytes, number = rank;
    MPI_Buffer_attach(room, sizeof room);
    MPI_Bsend(&number, 1, MPI_INT, 1 - rank, 9, MPI_COMM_WORLD);
    MPI_Recv(&number, 1, MPI_INT, 1 - rank, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(number == 1 - rank);
    MPI_Buffer_detach(&back, &bytes);
    CHECK(back == room && bytes == (int)sizeof room);
}

/* A null request has the empty status, error field included. */
static void nothing(void)
{
    MPI_Request none = MPI_REQUEST_NULL;
    MPI_Status status;
    int flag, index;
    for (int way = 0; way < 6; way++) {
        status.MPI_SOURCE = status.MPI_TAG = status.MPI_ERROR = 77;
        flag = 1;
        switch (way) {
        case 0: MPI_Wait(&none, &status); break;
        case 1: MPI_Test(&none, &flag, &status); break;
        case 2: MPI_Waitany(1, &none, &index, &status); break;
        case 3: MPI_Testany(1, &none, &index, &flag, &status); break;
        case 4: MPI_Request_get_status(none, &flag, &status); break;
        default: MPI_Request_get_status_any(1, &none, &index, &flag, &status); break;
        }
        CHECK(flag && status.MPI_SOURCE == MPI_ANY_SOURCE && status.MPI_TAG == MPI_ANY_TAG);
        CHECK(status.MPI_ERROR == MPI_SUCCESS);
    }
}

/* Queries leave requests unchanged. */
static void looked_at(void)
{
    int number = rank, in = -1, flag, index, count, places[3], elements;
    MPI_Request requests[3] = { MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL };
    MPI_Status statuses[3];
    MPI_Request_get_status_any(3, requests, &index, &flag, &statuses[0]);
    CHECK(flag && index == MPI_UNDEFINED);
    MPI_Isendrecv_replace(&number, 1, MPI_INT, 1 - rank, 3, 1 - rank, 3, MPI_COMM_WORLD, &requests[1]);
    MPI_Irecv(&in, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD, &requests[2]);
    MPI_Request_get_status_all(3, requests, &flag, statuses);
    CHECK(!flag);
    do
        MPI_Request_get_status_some(3, requests, &count, places, statuses);
    while (count == 0);
    CHECK(count == 1 && places[0] == 1);
    MPI_Request_get_status_any(3, requests, &index, &flag, &statuses[0]);
    CHECK(flag && index == 1);
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD);
    do
        MPI_Request_get_status_all(3, requests, &flag, statuses);
    while (!flag);
    CHECK(statuses[2].MPI_SOURCE == 1 - rank && statuses[2].MPI_TAG == 4);
    CHECK(requests[1] != MPI_REQUEST_NULL && requests[2] != MPI_REQUEST_NULL);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    CHECK(number == 1 - rank && in == 1 - rank);
    MPI_Status_set_elements(&statuses[0], MPI_DOUBLE, 5);
    MPI_Get_elements(&statuses[0], MPI_DOUBLE, &elements);
    CHECK(elements == 5);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    CHECK(size == 2);
    some();
    looked_at();
    nothing();
    persistent();
    found();
    given_up();
    buffered();
    /* Longer than a slot and than the eager limit. */
    int count = 300000, *out = malloc(count * sizeof *out), *in = malloc(count * sizeof *in);
    for (int i = 0; i < count; i++)
        out[i] = i * (rank + 1);
    MPI_Sendrecv(out, count, MPI_INT, 1 - rank, 0, in, count, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < count; i++)
        CHECK(in[i] == i * (2 - rank));
    free(out);
    free(in);
    return end("requests");
}
