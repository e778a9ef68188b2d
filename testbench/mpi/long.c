/* Data that is long enough to go directly from buffer to buffer, in each kind of call, with a check of every byte around
   it. Two ranks; any argument ends the program with an error: a buffer that is no memory. */
#include "check.h"
#include <stdint.h>

enum { MOST = 20001, AROUND = 64 };

static const int lengths[] = {16383, 16384, MOST};
static unsigned char there[AROUND + MOST + AROUND], here[AROUND + MOST + AROUND];

static unsigned char byte_at(int at, int seed)
{
    return (unsigned char)(at % 251 * 7 + seed);
}

static unsigned char *fill(int length, int seed)
{
    memset(here, 0xEE, sizeof here);
    for (int at = 0; at < length; at++)
        here[AROUND + at] = byte_at(at, seed);
    return here + AROUND;
}

static unsigned char *clear(void)
{
    memset(there, 0xDD, sizeof there);
    return there + AROUND;
}

/* `length` bytes have come into a cleared buffer, and nothing around them. */
static void compare(int length, int seed)
{
    for (int at = 0; at < (int)sizeof there; at++) {
        int in = at - AROUND;
        CHECK(there[at] == (in >= 0 && in < length ? byte_at(in, seed) : 0xDD));
    }
}

static void expect(MPI_Status *status, int length)
{
    int count;
    MPI_Get_count(status, MPI_BYTE, &count);
    CHECK(count == length && status->MPI_SOURCE == 0);
}

/* The buffer of the receiver is longer than the message. */
static void blocking(int length)
{
    MPI_Status status;
    if (rank == 0) {
        MPI_Send(fill(length, 1), length, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
        MPI_Ssend(fill(length, 2), length, MPI_BYTE, 1, 2, MPI_COMM_WORLD);
    } else {
        MPI_Recv(clear(), MOST, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &status);
        compare(length, 1);
        expect(&status, length);
        MPI_Recv(clear(), length, MPI_BYTE, 0, 2, MPI_COMM_WORLD, &status);
        compare(length, 2);
        expect(&status, length);
    }
}

/* The sender changes its buffer before the message has been received. */
static void nonblocking(int length)
{
    MPI_Request requests[2];
    MPI_Status statuses[2];
    int which, flag = 0;
    if (rank == 0) {
        MPI_Isend(fill(length, 3), length, MPI_BYTE, 1, 3, MPI_COMM_WORLD, &requests[0]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        fill(length, 4);
        MPI_Send(here + AROUND, length, MPI_BYTE, 1, 4, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Send(fill(length, 5), length, MPI_BYTE, 1, 5, MPI_COMM_WORLD);
    } else {
        char small;
        MPI_Irecv(&small, 1, MPI_BYTE, 0, 99, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(clear(), MOST, MPI_BYTE, 0, 3, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitany(2, requests, &which, &statuses[0]);
        CHECK(which == 1 && requests[1] == MPI_REQUEST_NULL);
        expect(&statuses[0], length);
        compare(length, 3);
        MPI_Irecv(clear(), MOST, MPI_BYTE, 0, 4, MPI_COMM_WORLD, &requests[1]);
        MPI_Barrier(MPI_COMM_WORLD);
        while (!flag)
            MPI_Testsome(2, requests, &flag, &which, statuses);
        CHECK(which == 1);
        compare(length, 4);
        MPI_Cancel(&requests[0]);
        MPI_Irecv(clear(), MOST, MPI_BYTE, 0, 5, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, statuses);
        MPI_Test_cancelled(&statuses[0], &flag);
        CHECK(flag);
        expect(&statuses[1], length);
        compare(length, 5);
    }
}

static void probed(int length)
{
    MPI_Message message;
    MPI_Status status;
    if (rank == 0)
        MPI_Send(fill(length, 6), length, MPI_BYTE, 1, 6, MPI_COMM_WORLD);
    else {
        MPI_Mprobe(0, 6, MPI_COMM_WORLD, &message, &status);
        expect(&status, length);
        MPI_Mrecv(clear(), MOST, MPI_BYTE, &message, &status);
        expect(&status, length);
        compare(length, 6);
    }
}

static void persistent(int length)
{
    MPI_Request request;
    if (rank == 0)
        MPI_Send_init(here + AROUND, length, MPI_BYTE, 1, 7, MPI_COMM_WORLD, &request);
    else
        MPI_Recv_init(there + AROUND, MOST, MPI_BYTE, 0, 7, MPI_COMM_WORLD, &request);
    for (int seed = 7; seed < 10; seed++) {
        if (rank == 0)
            fill(length, seed);
        else
            clear();
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (rank == 1)
            compare(length, seed);
    }
    MPI_Request_free(&request);
}

/* Every second byte, which has to be packed, and elements behind an offset. */
static void shaped(int length)
{
    MPI_Datatype every_second, behind;
    MPI_Type_vector(length / 2, 1, 2, MPI_BYTE, &every_second);
    MPI_Type_commit(&every_second);
    MPI_Aint offset = 5;
    int block = length - 5;
    MPI_Type_create_hindexed(1, &block, &offset, MPI_BYTE, &behind);
    MPI_Type_commit(&behind);
    if (rank == 0) {
        MPI_Send(fill(length, 10), 1, every_second, 1, 8, MPI_COMM_WORLD);
        MPI_Send(here + AROUND, 1, behind, 1, 9, MPI_COMM_WORLD);
    } else {
        MPI_Recv(clear(), 1, every_second, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int at = 0; at < length / 2 * 2; at++)
            CHECK(there[AROUND + at] == (at % 2 ? 0xDD : byte_at(at, 10)));
        MPI_Recv(clear(), 1, behind, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int at = 0; at < (int)sizeof there; at++) {
            int in = at - AROUND;
            CHECK(there[at] == (in >= 5 && in < length ? byte_at(in, 10) : 0xDD));
        }
    }
    MPI_Type_free(&every_second);
    MPI_Type_free(&behind);
}

/* A message that is longer than the buffer is an error and leaves what is around the buffer. */
static void truncated(int length)
{
    MPI_Status status;
    if (rank == 0)
        MPI_Send(fill(length, 11), length, MPI_BYTE, 1, 10, MPI_COMM_WORLD);
    else {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        clear();
        int code = MPI_Recv(there + AROUND, length - 1, MPI_BYTE, 0, 10, MPI_COMM_WORLD, &status);
        CHECK(class_of(code) == MPI_ERR_TRUNCATE);
        for (int at = 0; at < AROUND; at++)
            CHECK(there[at] == 0xDD && there[AROUND + length - 1 + at] == 0xDD);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    }
}

static void to_itself(int length)
{
    MPI_Request request;
    MPI_Irecv(clear(), MOST, MPI_BYTE, rank, 11, MPI_COMM_WORLD, &request);
    MPI_Send(fill(length, 12), length, MPI_BYTE, rank, 11, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    compare(length, 12);
}

static void add(void *first, void *second, int *count, MPI_Datatype *kind)
{
    for (int at = 0; at < *count; at++)
        ((unsigned char *)second)[at] += ((unsigned char *)first)[at];
    (void)kind;
}

static void collective(int length)
{
    MPI_Op op;
    MPI_Op_create(add, 1, &op);
    if (rank == 0) {
        MPI_Bcast(fill(length, 13), length, MPI_BYTE, 0, MPI_COMM_WORLD);
        for (int at = 0; at < length; at++)
            CHECK(here[AROUND + at] == byte_at(at, 13));
    } else {
        MPI_Bcast(clear(), length, MPI_BYTE, 0, MPI_COMM_WORLD);
        compare(length, 13);
    }
    MPI_Allreduce(fill(length, 20 + rank), clear(), length, MPI_BYTE, op, MPI_COMM_WORLD);
    for (int at = 0; at < length; at++)
        CHECK(there[AROUND + at] == (unsigned char)(byte_at(at, 20) + byte_at(at, 21)));
    MPI_Op_free(&op);
    unsigned char *all = malloc(2 * (size_t)length);
    MPI_Allgather(fill(length, 30 + rank), length, MPI_BYTE, all, length, MPI_BYTE, MPI_COMM_WORLD);
    for (int at = 0; at < 2 * length; at++)
        CHECK(all[at] == byte_at(at % length, 30 + at / length));
    for (int at = 0; at < length; at++)
        all[rank * length + at] = byte_at(at, 40 + rank);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_BYTE, all, length, MPI_BYTE, MPI_COMM_WORLD);
    for (int at = 0; at < 2 * length; at++)
        CHECK(all[at] == byte_at(at % length, 40 + at / length));
    free(all);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (argc > 1 && rank == 0)
        MPI_Send((void *)(uintptr_t)4096, MOST, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    for (size_t at = 0; at < sizeof lengths / sizeof *lengths; at++) {
        int length = lengths[at];
        blocking(length);
        nonblocking(length);
        probed(length);
        persistent(length);
        shaped(length);
        truncated(length);
        to_itself(length);
        collective(length);
    }
    return end("long");
}
