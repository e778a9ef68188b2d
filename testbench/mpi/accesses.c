/* Puts and gets of all datatypes to memory of MPI_Win_allocate, which a network interface may access by itself, next to
 * accumulates and locks. */
#include "check.h"

enum { WORDS = 9000 };

static int peer, before, *memory;
static MPI_Win win;

/* The value that a rank writes into a word. */
static int value(int of, int word)
{
    return 10000 * (of + 1) + word;
}

/* Puts `count` elements of a datatype at the peer, reads them back, and finds them at home. */
static void moved(MPI_Datatype type, int count)
{
    static int out[WORDS], in[WORDS];
    MPI_Aint low, extent;
    int bytes;
    MPI_Type_commit(&type);
    MPI_Type_get_extent(type, &low, &extent);
    MPI_Type_size(type, &bytes);
    for (int i = 0; i < WORDS; i++) {
        out[i] = value(rank, i);
        in[i] = memory[i] = -1;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, peer, 0, win);
    MPI_Put(out, count, type, peer, 0, count, type, win);
    MPI_Win_flush(peer, win);
    MPI_Get(in, count, type, peer, 0, count, type, win);
    MPI_Win_unlock(peer, win);
    MPI_Barrier(MPI_COMM_WORLD);
    int there = 0, here = 0;
    for (int i = 0; i < WORDS; i++) {
        CHECK(in[i] == -1 || in[i] == value(rank, i));
        CHECK(memory[i] == -1 || memory[i] == value(before, i));
        here += in[i] != -1;
        there += memory[i] != -1;
    }
    CHECK(here * (int)sizeof(int) == count * bytes && there == here);
    MPI_Type_free(&type);
}

static void datatypes(void)
{
    MPI_Datatype type;
    int counts[] = {1, 2, 122, 123, 124, 125, 1000, 4096, 4097, 9000};
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        MPI_Type_contiguous(counts[i], MPI_INT, &type);
        moved(type, 1);
    }
    /* Elements of 4, 16 and 12 bytes at equal distances, and rows of 4 KB. */
    MPI_Type_vector(300, 1, 30, MPI_INT, &type);
    moved(type, 1);
    MPI_Type_vector(5, 4, 7, MPI_INT, &type);
    moved(type, 3);
    MPI_Type_vector(40, 3, 5, MPI_INT, &type);
    moved(type, 1);
    MPI_Type_vector(3, 1024, 2048, MPI_INT, &type);
    moved(type, 1);
    /* Elements where a list says. */
    static int places[300], lengths[3] = {3, 1, 6}, starts[3] = {100, 0, 250};
    for (int i = 0; i < 300; i++)
        places[i] = (7 * i * i + 3 * i) % 8999;
    int used = 0;
    for (int i = 0; i < 300; i++) {
        int twice = 0;
        for (int j = 0; j < used; j++)
            twice |= places[j] == places[i];
        if (!twice)
            places[used++] = places[i];
    }
    MPI_Type_create_indexed_block(used, 1, places, MPI_INT, &type);
    moved(type, 1);
    MPI_Type_indexed(3, lengths, starts, MPI_INT, &type);
    moved(type, 1);
}

/* Bytes that are no words, which a board reaches by no primitive. */
static void bytes(void)
{
    char *at = (char *)memory, out[7] = "abcdefg", in[7] = "";
    memset(memory, 0, 64);
    MPI_Win_fence(0, win);
    MPI_Put(out, 7, MPI_CHAR, peer, 3, 7, MPI_CHAR, win);
    MPI_Win_fence(0, win);
    MPI_Get(in, 7, MPI_CHAR, peer, 3, 7, MPI_CHAR, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    /* Displacements are in words. */
    CHECK(!memcmp(in, out, 7) && !memcmp(at + 12, out, 7) && at[11] == 0 && at[19] == 0);
}

/* A put and an accumulate to one word stay in their order, and all ranks count to the same sum. */
static void order(void)
{
    int zero = 0, one = 1, seen = -1;
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < 20; i++) {
        MPI_Put(&zero, 1, MPI_INT, peer, 5, 1, MPI_INT, win);
        MPI_Accumulate(&one, 1, MPI_INT, peer, 5, 1, MPI_INT, MPI_SUM, win);
        MPI_Accumulate(&one, 1, MPI_INT, peer, 5, 1, MPI_INT, MPI_SUM, win);
        if (i % 2)
            MPI_Win_flush(peer, win);
        MPI_Get(&seen, 1, MPI_INT, peer, 5, 1, MPI_INT, win);
        MPI_Win_flush_local(peer, win);
        CHECK(seen == 2);
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(memory[5] == 2);
    memory[6] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 10; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Get(&seen, 1, MPI_INT, 0, 6, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        seen++;
        MPI_Put(&seen, 1, MPI_INT, 0, 6, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(rank != 0 || memory[6] == 10 * size);
}

static void errors(void)
{
    int word = 1;
    MPI_Datatype type;
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Type_vector(3, 1, 4000, MPI_INT, &type);
    MPI_Type_commit(&type);
    CHECK(class_of(MPI_Put(&word, 1, MPI_INT, peer, 0, 1, MPI_INT, win)) == MPI_ERR_RMA_SYNC);
    CHECK(class_of(MPI_Get(&word, 1, MPI_INT, peer, 0, 1, MPI_INT, win)) == MPI_ERR_RMA_SYNC);
    MPI_Win_lock(MPI_LOCK_SHARED, peer, 0, win);
    CHECK(class_of(MPI_Put(&word, 1, MPI_INT, peer, WORDS, 1, MPI_INT, win)) == MPI_ERR_RMA_RANGE);
    CHECK(class_of(MPI_Get(&word, 1, MPI_INT, peer, WORDS, 1, MPI_INT, win)) == MPI_ERR_RMA_RANGE);
    CHECK(class_of(MPI_Put(memory, 1, type, peer, 1000, 1, type, win)) == MPI_ERR_RMA_RANGE);
    CHECK(class_of(MPI_Get(memory, 1, type, peer, 1000, 1, type, win)) == MPI_ERR_RMA_RANGE);
    CHECK(class_of(MPI_Put(&word, 1, MPI_INT, peer, -1, 1, MPI_INT, win)) == MPI_ERR_DISP);
    /* A window is not freed while a put of an open epoch is in flight. */
    MPI_Put(&word, 1, MPI_INT, peer, 7, 1, MPI_INT, win);
    CHECK(class_of(MPI_Win_free(&win)) == MPI_ERR_RMA_SYNC);
    MPI_Win_unlock(peer, win);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(memory[7] == 1);
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    peer = (rank + 1) % size;
    before = (rank + size - 1) % size;
    MPI_Win_allocate(WORDS * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    datatypes();
    bytes();
    order();
    errors();
    /* Freed without a synchronization behind the last put. */
    MPI_Win_fence(0, win);
    MPI_Put(&rank, 1, MPI_INT, peer, 0, 1, MPI_INT, win);
    MPI_Win_free(&win);
    return end("accesses");
}
