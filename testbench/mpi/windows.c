/* One-sided communication: all ways to synchronize, all accesses, and the errors of all of them. */
#include "check.h"
#include <sys/mman.h>

static int peer, before;

#define FAILS(call, class) CHECK(class_of(call) == (class))

static void fences(void)
{
    enum { WORDS = 600 };
    int memory[WORDS + 2], out[WORDS], in[WORDS];
    MPI_Win win;
    for (int i = 0; i < WORDS + 2; i++)
        memory[i] = -1;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    for (int i = 0; i < WORDS; i++)
        out[i] = 1000 * rank + i;
    MPI_Put(out, WORDS, MPI_INT, peer, 1, WORDS, MPI_INT, win);
    MPI_Win_fence(0, win);
    CHECK(memory[0] == -1 && memory[WORDS + 1] == -1);
    for (int i = 0; i < WORDS; i++)
        CHECK(memory[i + 1] == 1000 * before + i);
    memset(in, 0, sizeof in);
    MPI_Get(in, WORDS, MPI_INT, peer, 1, WORDS, MPI_INT, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < WORDS; i++)
        CHECK(in[i] == 1000 * rank + i);

    /* Every second word at the target, from a column at the origin. */
    MPI_Datatype second, column;
    MPI_Type_vector(3, 1, 2, MPI_INT, &second);
    MPI_Type_vector(3, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&second);
    MPI_Type_commit(&column);
    MPI_Put(out, 1, column, peer, 0, 1, second, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 3; i++)
        CHECK(memory[2 * i] == 1000 * before + 4 * i && (i == 0 || memory[2 * i - 1] == 1000 * before + 2 * i - 2));
    MPI_Type_free(&second);
    MPI_Type_free(&column);

    /* Accumulates of all ranks at rank 0, in any order. */
    for (int i = 0; i < WORDS + 2; i++)
        memory[i] = 0;
    MPI_Win_fence(0, win);
    for (int i = 0; i < WORDS; i++)
        out[i] = rank + i;
    MPI_Accumulate(out, WORDS, MPI_INT, 0, 0, WORDS, MPI_INT, MPI_SUM, win);
    MPI_Accumulate(&rank, 1, MPI_INT, 0, WORDS, 1, MPI_INT, MPI_MAX, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    for (int i = 0; rank == 0 && i < WORDS; i++)
        CHECK(memory[i] == size * (size - 1) / 2 + size * i);
    CHECK(rank != 0 || memory[WORDS] == size - 1);
    MPI_Win_free(&win);
    CHECK(win == MPI_WIN_NULL);
}

static void exposures(void)
{
    int *memory;
    MPI_Win win;
    MPI_Group all, to, from;
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &peer, &to);
    MPI_Group_incl(all, 1, &before, &from);
    for (int round = 0; round < 4; round++) {
        int value = 100 * round + rank, old = round ? value - 100 : 0, got = -1, flag = 0;
        int assertion = round == 3 ? MPI_MODE_NOCHECK : 0;
        MPI_Win_post(from, assertion, win);
        if (assertion)
            MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_start(to, assertion, win);
        MPI_Put(&value, 1, MPI_INT, peer, round % 2, 1, MPI_INT, win);
        MPI_Get(&got, 1, MPI_INT, peer, (round + 1) % 2, 1, MPI_INT, win);
        MPI_Win_complete(win);
        CHECK(got == old);
        if (round % 2)
            MPI_Win_wait(win);
        else
            while (!flag)
                MPI_Win_test(win, &flag);
        CHECK(memory[round % 2] == 100 * round + before);
    }
    MPI_Win_post(MPI_GROUP_EMPTY, 0, win);
    MPI_Win_start(MPI_GROUP_EMPTY, 0, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    MPI_Group_free(&to);
    MPI_Group_free(&from);
    MPI_Group_free(&all);
    MPI_Win_free(&win);
}

static void locks(void)
{
    long *memory, mine = 0, seen = 0, one = 1;
    MPI_Win win;
    MPI_Win_allocate(rank == 0 ? 4 * sizeof(long) : 0, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    /* A counter, by lock, get and put. */
    for (int i = 0; i < 5; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Get(&seen, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win);
        MPI_Win_flush(0, win);
        seen++;
        MPI_Put(&seen, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win);
        MPI_Win_unlock(0, win);
    }
    /* Tickets, each seen once, and a sum of them. */
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < 5; i++) {
        MPI_Fetch_and_op(&one, &seen, MPI_LONG, 0, 1, MPI_SUM, win);
        MPI_Win_flush_local(0, win);
        mine += seen;
    }
    /* The first one writes its rank. */
    long none = 0, own = rank + 1, old = -1;
    MPI_Compare_and_swap(&own, &none, &old, MPI_LONG, 0, 2, win);
    MPI_Win_flush_all(win);
    CHECK(old >= 0 && old <= size && old != own);
    MPI_Win_unlock_all(win);
    long sum, winners, won = old == 0;
    MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&won, &winners, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == (5L * size - 1) * 5 * size / 2 && winners == 1);
    if (rank == 0)
        CHECK(memory[0] == 5 * size && memory[1] == 5 * size && memory[2] > 0 && memory[2] <= size);
    /* Locks of several targets, unchecked locks, and those of no rank. */
    MPI_Win_lock(MPI_LOCK_SHARED, peer, MPI_MODE_NOCHECK, win);
    if (peer != 0)
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Fetch_and_op(NULL, &seen, MPI_LONG, 0, 1, MPI_NO_OP, win);
    MPI_Win_flush_local_all(win);
    CHECK(seen == 5 * size);
    if (peer != 0)
        MPI_Win_unlock(0, win);
    MPI_Win_unlock(peer, win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, MPI_PROC_NULL, 0, win);
    MPI_Put(&one, 1, MPI_LONG, MPI_PROC_NULL, 0, 1, MPI_LONG, win);
    MPI_Win_unlock(MPI_PROC_NULL, win);
    MPI_Win_free(&win);
}

static void requests(void)
{
    double *memory, value = rank + 0.5, got[2] = {0, 0}, result = -1;
    MPI_Request all[4];
    MPI_Win win;
    MPI_Win_allocate(3 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    MPI_Rput(&value, 1, MPI_DOUBLE, peer, 0, 1, MPI_DOUBLE, win, &all[0]);
    MPI_Wait(&all[0], MPI_STATUS_IGNORE);
    MPI_Raccumulate(&value, 1, MPI_DOUBLE, peer, 1, 1, MPI_DOUBLE, MPI_SUM, win, &all[1]);
    MPI_Rget_accumulate(&value, 1, MPI_DOUBLE, &result, 1, MPI_DOUBLE, peer, 1, 1, MPI_DOUBLE, MPI_PROD, win, &all[2]);
    MPI_Waitall(3, all, MPI_STATUSES_IGNORE);
    MPI_Win_flush_all(win);
    MPI_Rget(got, 2, MPI_DOUBLE, peer, 0, 2, MPI_DOUBLE, win, &all[3]);
    MPI_Wait(&all[3], MPI_STATUS_IGNORE);
    CHECK(got[0] == value && got[1] == value * value && result == value);
    MPI_Rget(got, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, 1, MPI_DOUBLE, win, &all[0]);
    MPI_Wait(&all[0], MPI_STATUS_IGNORE);
    MPI_Win_sync(win);
    /* The data of a get is there when the lock ends, and not put there later. */
    MPI_Rget(got, 1, MPI_DOUBLE, peer, 0, 1, MPI_DOUBLE, win, &all[0]);
    MPI_Win_unlock_all(win);
    CHECK(got[0] == value);
    got[0] = -1;
    MPI_Wait(&all[0], MPI_STATUS_IGNORE);
    CHECK(got[0] == -1);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(memory[0] == before + 0.5 && memory[1] == (before + 0.5) * (before + 0.5));
    /* A pair of value and place. */
    struct { double value; int place; } pair = {rank == 0 ? -1 : rank, rank}, least = {9, 9}, *place = (void *)memory;
    MPI_Barrier(MPI_COMM_WORLD);
    place->value = 5;
    place->place = -1;
    MPI_Win_fence(0, win);
    MPI_Get_accumulate(&pair, 1, MPI_DOUBLE_INT, &least, 1, MPI_DOUBLE_INT, 0, 0, 1, MPI_DOUBLE_INT, MPI_MINLOC, win);
    MPI_Win_fence(0, win);
    CHECK(least.value <= 5 && (rank != 0 || (place->value == -1 && place->place == 0)));
    MPI_Win_free(&win);
}

static void dynamic(void)
{
    /* At one address in every run, because addresses are data that ranks exchange. */
    int *block = mmap((void *)0x200000000, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    int value = 7 + rank, got = 0;
    MPI_Aint mine, theirs;
    MPI_Win win;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    CHECK(block != MAP_FAILED);
    MPI_Win_attach(win, block, 4 * sizeof(int));
    /* The standard gives overlapping memory no class. */
    CHECK(MPI_Win_attach(win, block + 1, sizeof(int)) != MPI_SUCCESS);
    MPI_Get_address(block, &mine);
    MPI_Sendrecv(&mine, 1, MPI_AINT, before, 0, &theirs, 1, MPI_AINT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_lock(MPI_LOCK_SHARED, peer, 0, win);
    MPI_Put(&value, 1, MPI_INT, peer, MPI_Aint_add(theirs, 2 * sizeof(int)), 1, MPI_INT, win);
    MPI_Win_flush(peer, win);
    MPI_Get(&got, 1, MPI_INT, peer, MPI_Aint_add(theirs, 2 * sizeof(int)), 1, MPI_INT, win);
    CHECK(MPI_Win_flush(peer, win) == MPI_SUCCESS && got == value);
    MPI_Put(&value, 1, MPI_INT, peer, MPI_Aint_add(theirs, 4 * sizeof(int)), 1, MPI_INT, win);
    FAILS(MPI_Win_flush(peer, win), MPI_ERR_RMA_RANGE);
    MPI_Get(&got, 1, MPI_INT, peer, 0, 1, MPI_INT, win);
    FAILS(MPI_Win_unlock(peer, win), MPI_ERR_RMA_RANGE);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(block[2] == 7 + before && block[3] == 0);
    MPI_Win_detach(win, block);
    FAILS(MPI_Win_detach(win, block), MPI_ERR_RMA_ATTACH);
    MPI_Win_free(&win);
}

static int deleted;

static int delete_value(MPI_Win win, int key, void *value, void *extra)
{
    (void)win;
    (void)key;
    deleted += *(int *)value + *(int *)extra;
    return MPI_SUCCESS;
}

static int handled;

static void handle(MPI_Win *win, int *code, ...)
{
    CHECK(*win != MPI_WIN_NULL);
    handled = class_of(*code);
}

static void objects(void)
{
    char *base, *own, name[MPI_MAX_OBJECT_NAME];
    int flag, length, unit, *number, key, value = 30, extra = 4, same;
    MPI_Aint *bytes, size_of;
    MPI_Win win;
    MPI_Group group, all;
    MPI_Info info;
    MPI_Win_allocate_shared(24, 8, MPI_INFO_NULL, MPI_COMM_SELF, &base, &win);
    MPI_Win_shared_query(win, 0, &size_of, &unit, &own);
    CHECK(size_of == 24 && unit == 8 && own == base);
    MPI_Win_get_attr(win, MPI_WIN_BASE, &own, &flag);
    CHECK(flag && own == base);
    MPI_Win_get_attr(win, MPI_WIN_SIZE, &bytes, &flag);
    CHECK(flag && *bytes == 24);
    MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &number, &flag);
    CHECK(flag && *number == 8);
    MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &number, &flag);
    CHECK(flag && *number == MPI_WIN_FLAVOR_SHARED);
    MPI_Win_get_attr(win, MPI_WIN_MODEL, &number, &flag);
    CHECK(flag && *number == MPI_WIN_UNIFIED);
    MPI_Win_set_name(win, "a window");
    MPI_Win_get_name(win, name, &length);
    CHECK(length == 8 && !strcmp(name, "a window"));
    MPI_Win_get_info(win, &info);
    MPI_Info_get(info, "no_locks", sizeof name - 1, name, &flag);
    CHECK(flag && !strcmp(name, "false"));
    MPI_Win_set_info(win, info);
    MPI_Info_free(&info);
    MPI_Win_get_group(win, &group);
    MPI_Comm_group(MPI_COMM_SELF, &all);
    MPI_Group_compare(group, all, &same);
    CHECK(same == MPI_IDENT);
    MPI_Group_free(&group);
    MPI_Group_free(&all);
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, delete_value, &key, &extra);
    MPI_Win_set_attr(win, key, &value);
    MPI_Win_get_attr(win, key, &number, &flag);
    CHECK(flag && number == &value);
    MPI_Win_delete_attr(win, key);
    MPI_Win_get_attr(win, key, &number, &flag);
    CHECK(!flag && deleted == 34);
    MPI_Win_set_attr(win, key, &value);
    MPI_Win_free_keyval(&key);
    MPI_Errhandler handler, of_win;
    MPI_Win_create_errhandler(handle, &handler);
    MPI_Win_set_errhandler(win, handler);
    MPI_Win_get_errhandler(win, &of_win);
    CHECK(of_win == handler);
    MPI_Errhandler_free(&handler);
    MPI_Win_call_errhandler(win, MPI_ERR_RMA_RANGE);
    CHECK(class_of(handled) == MPI_ERR_RMA_RANGE);
    FAILS(MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
    CHECK(class_of(handled) == MPI_ERR_RMA_SYNC);
    MPI_Win_free(&win);
    CHECK(deleted == 68);
}

static void errors(void)
{
    int memory[4] = {0}, value = 1, result = 0;
    double real = 1;
    MPI_Win win, other;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    FAILS(MPI_Win_create(memory, -1, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win), MPI_ERR_SIZE);
    FAILS(MPI_Win_create(memory, 8, 0, MPI_INFO_NULL, MPI_COMM_WORLD, &win), MPI_ERR_DISP);
    FAILS(MPI_Win_create(NULL, 8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win), MPI_ERR_ARG);
    FAILS(MPI_Win_create(memory, 8, 1, MPI_INFO_NULL, MPI_COMM_NULL, &win), MPI_ERR_COMM);
    if (size > 1)
        FAILS(MPI_Win_allocate_shared(8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win), MPI_ERR_RMA_SHARED);
    FAILS(MPI_Win_fence(0, MPI_WIN_NULL), MPI_ERR_WIN);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    other = win;

    /* Outside of all epochs. */
    FAILS(MPI_Put(&value, 1, MPI_INT, peer, 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Get(&value, 1, MPI_INT, peer, 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Accumulate(&value, 1, MPI_INT, peer, 0, 1, MPI_INT, MPI_SUM, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_complete(win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_wait(win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_test(win, &result), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_unlock(peer, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_unlock_all(win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_flush(peer, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_flush_local_all(win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_fence(1 << 20, win), MPI_ERR_ASSERT);
    FAILS(MPI_Win_lock(17, peer, 0, win), MPI_ERR_LOCKTYPE);
    FAILS(MPI_Win_lock(MPI_LOCK_SHARED, size, 0, win), MPI_ERR_RANK);
    FAILS(MPI_Win_post(MPI_GROUP_NULL, 0, win), MPI_ERR_GROUP);
    FAILS(MPI_Win_attach(win, memory, 4), MPI_ERR_RMA_FLAVOR);
    FAILS(MPI_Win_get_attr(win, 999, &result, &result), MPI_ERR_KEYVAL);

    /* Arguments of accesses. */
    MPI_Win_fence(0, win);
    FAILS(MPI_Put(&value, 1, MPI_INT, size, 0, 1, MPI_INT, win), MPI_ERR_RANK);
    FAILS(MPI_Put(&value, 1, MPI_INT, peer, -1, 1, MPI_INT, win), MPI_ERR_DISP);
    FAILS(MPI_Put(&value, -1, MPI_INT, peer, 0, 1, MPI_INT, win), MPI_ERR_COUNT);
    FAILS(MPI_Put(&value, 1, MPI_DATATYPE_NULL, peer, 0, 1, MPI_INT, win), MPI_ERR_TYPE);
    FAILS(MPI_Put(memory, 4, MPI_INT, peer, 1, 4, MPI_INT, win), MPI_ERR_RMA_RANGE);
    FAILS(MPI_Get(memory, 4, MPI_INT, peer, 1, 4, MPI_INT, win), MPI_ERR_RMA_RANGE);
    FAILS(MPI_Put(memory, 4, MPI_INT, peer, 0, 3, MPI_INT, win), MPI_ERR_TRUNCATE);
    FAILS(MPI_Put(memory, 3, MPI_INT, peer, 0, 4, MPI_INT, win), MPI_ERR_TRUNCATE);
    FAILS(MPI_Accumulate(&value, 1, MPI_INT, peer, 0, 1, MPI_FLOAT, MPI_SUM, win), MPI_ERR_TYPE);
    FAILS(MPI_Accumulate(&real, 1, MPI_DOUBLE, peer, 0, 1, MPI_DOUBLE, MPI_BXOR, win), MPI_ERR_OP);
    FAILS(MPI_Compare_and_swap(&real, &real, &real, MPI_DOUBLE, peer, 0, win), MPI_ERR_TYPE);
    MPI_Request request;
    FAILS(MPI_Rput(&value, 1, MPI_INT, peer, 0, 1, MPI_INT, win, &request), MPI_ERR_RMA_SYNC);
    MPI_Put(&value, 1, MPI_INT, peer, 0, 1, MPI_INT, win);
    FAILS(MPI_Win_lock(MPI_LOCK_SHARED, peer, 0, win), MPI_ERR_RMA_SYNC);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    CHECK(memory[0] == 1);

    /* Locks that this rank holds already, and a window that is freed while it holds one. */
    MPI_Win_lock(MPI_LOCK_SHARED, peer, 0, win);
    FAILS(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, peer, 0, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_lock_all(0, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_fence(0, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_free(&win), MPI_ERR_RMA_SYNC);
    CHECK(win == other);
    MPI_Win_unlock(peer, win);

    /* A lock of memory that is exposed is a conflict. */
    MPI_Group world, pair;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &before, &pair);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_post(pair, MPI_MODE_NOCHECK, win);
    FAILS(MPI_Win_post(pair, 0, win), MPI_ERR_RMA_SYNC);
    MPI_Barrier(MPI_COMM_WORLD);
    FAILS(MPI_Win_lock(MPI_LOCK_SHARED, peer, 0, win), MPI_ERR_RMA_CONFLICT);
    FAILS(MPI_Win_free(&win), MPI_ERR_RMA_SYNC);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Group_free(&pair);
    MPI_Group_incl(world, 1, &peer, &pair);
    MPI_Win_start(pair, MPI_MODE_NOCHECK, win);
    if (size > 1)
        FAILS(MPI_Put(&value, 1, MPI_INT, rank, 0, 1, MPI_INT, win), size == 1 ? MPI_SUCCESS : MPI_ERR_RMA_SYNC);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    MPI_Group_free(&pair);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    FAILS(MPI_Win_free(&other), MPI_ERR_WIN);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    peer = (rank + 1) % size;
    before = (rank + size - 1) % size;
    fences();
    exposures();
    locks();
    requests();
    dynamic();
    objects();
    errors();
    return end("windows");
}
