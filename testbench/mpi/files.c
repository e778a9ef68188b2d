/* Files: modes, views, file pointers, all ways of access, and errors. */
#include "check.h"

#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[PATH_MAX], name[PATH_MAX + 16];

#define IS(class, call) CHECK(class_of(call) == (class))
#define OK(call) IS(MPI_SUCCESS, call)

static int count_of(MPI_Status *status, MPI_Datatype type)
{
    int count;
    OK(MPI_Get_count(status, type, &count));
    return count;
}

static MPI_File opened(int mode)
{
    MPI_File file;
    OK(MPI_File_open(MPI_COMM_WORLD, name, mode, MPI_INFO_NULL, &file));
    return file;
}

/* A new empty file, which goes when it is closed. */
static MPI_File fresh(void)
{
    return opened(MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_DELETE_ON_CLOSE);
}

static void close_file(MPI_File *file)
{
    OK(MPI_File_close(file));
    CHECK(*file == MPI_FILE_NULL);
}

static MPI_Offset size_of(MPI_File file)
{
    MPI_Offset bytes;
    OK(MPI_File_get_size(file, &bytes));
    return bytes;
}

static void opening(void)
{
    MPI_File file = MPI_FILE_NULL;
    MPI_Group group, world;
    MPI_Info info;
    char value[MPI_MAX_INFO_VAL];
    int mode, result, flag, wrong[] = {
        0, MPI_MODE_RDONLY | MPI_MODE_RDWR, MPI_MODE_RDONLY | MPI_MODE_CREATE, MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL,
        MPI_MODE_CREATE, 1 << 30
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        IS(MPI_ERR_AMODE, MPI_File_open(MPI_COMM_WORLD, name, wrong[i], MPI_INFO_NULL, &file));
    IS(MPI_ERR_NO_SUCH_FILE, MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
    IS(MPI_ERR_NO_SUCH_FILE, MPI_File_delete(name, MPI_INFO_NULL));
    IS(MPI_ERR_BAD_FILE, MPI_File_open(MPI_COMM_WORLD, folder, MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
    IS(MPI_ERR_BAD_FILE, MPI_File_delete(folder, MPI_INFO_NULL));
    IS(MPI_ERR_COMM, MPI_File_open(MPI_COMM_NULL, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
    if (size > 1) {
        /* Two groups have no common file. */
        MPI_Comm half, between;
        OK(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half));
        OK(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &between));
        IS(MPI_ERR_COMM, MPI_File_open(between, name, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file));
        OK(MPI_Comm_free(&between));
        OK(MPI_Comm_free(&half));
        mode = rank == 1 ? MPI_MODE_WRONLY : MPI_MODE_RDWR;
        IS(MPI_ERR_NOT_SAME, MPI_File_open(MPI_COMM_WORLD, name, mode | MPI_MODE_CREATE, MPI_INFO_NULL, &file));
        /* One rank has another mistake, and all fail with its class. */
        mode = rank == 1 ? 0 : MPI_MODE_RDWR | MPI_MODE_CREATE;
        IS(MPI_ERR_AMODE, MPI_File_open(MPI_COMM_WORLD, name, mode, MPI_INFO_NULL, &file));
    }
    CHECK(file == MPI_FILE_NULL);

    file = fresh();
    CHECK(size_of(file) == 0);
    MPI_File other;
    IS(MPI_ERR_FILE_EXISTS,
       MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_WRONLY | MPI_MODE_CREATE | MPI_MODE_EXCL, MPI_INFO_NULL, &other));
    OK(MPI_File_get_amode(file, &mode));
    CHECK(mode == (MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_DELETE_ON_CLOSE));
    OK(MPI_File_get_group(file, &group));
    OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    OK(MPI_Group_compare(group, world, &result));
    CHECK(result == MPI_IDENT);
    OK(MPI_Group_free(&group));
    OK(MPI_Group_free(&world));
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "access_style", "random"));
    OK(MPI_Info_set(info, "of_nobody", "1"));
    OK(MPI_File_set_info(file, info));
    OK(MPI_Info_free(&info));
    OK(MPI_File_get_info(file, &info));
    OK(MPI_Info_get(info, "access_style", sizeof value - 1, value, &flag));
    CHECK(flag && strcmp(value, "random") == 0);
    OK(MPI_Info_get(info, "filename", sizeof value - 1, value, &flag));
    CHECK(flag && strcmp(value, name) == 0);
    OK(MPI_Info_get(info, "of_nobody", sizeof value - 1, value, &flag));
    CHECK(!flag);
    OK(MPI_Info_free(&info));

    OK(MPI_File_set_size(file, 1000));
    CHECK(size_of(file) == 1000);
    OK(MPI_File_preallocate(file, 500));
    CHECK(size_of(file) == 1000);
    OK(MPI_File_preallocate(file, 2000));
    CHECK(size_of(file) == 2000);
    IS(MPI_ERR_ARG, MPI_File_set_size(file, -1));
    if (size > 1) {
        IS(MPI_ERR_NOT_SAME, MPI_File_set_size(file, rank));
        IS(MPI_ERR_ARG, MPI_File_set_size(file, rank == 1 ? -1 : 4));
    }
    CHECK(size_of(file) == 2000);
    OK(MPI_File_set_atomicity(file, 1));
    OK(MPI_File_get_atomicity(file, &flag));
    CHECK(flag);
    OK(MPI_File_sync(file));
    close_file(&file);
    IS(MPI_ERR_NO_SUCH_FILE, MPI_File_delete(name, MPI_INFO_NULL));
    IS(MPI_ERR_FILE, MPI_File_close(&file));
}

/* Explicit offsets and individual file pointers, without and with other ranks. */
static void plain(void)
{
    MPI_File file = fresh();
    MPI_Status status;
    MPI_Request request, requests[2];
    MPI_Offset offset;
    int own[4] = {rank, rank + 100, rank + 200, rank + 300}, got[8], flag;

    OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    OK(MPI_File_write_at_all(file, 4 * rank, own, 4, MPI_INT, &status));
    CHECK(count_of(&status, MPI_INT) == 4);
    CHECK(size_of(file) == 16 * size);
    int next = (rank + 1) % size;
    OK(MPI_File_read_at(file, 4 * next + 1, got, 2, MPI_INT, &status));
    CHECK(count_of(&status, MPI_INT) == 2 && got[0] == next + 100 && got[1] == next + 200);
    /* The end of the file. */
    OK(MPI_File_read_at(file, 4 * size - 1, got, 8, MPI_INT, &status));
    CHECK(count_of(&status, MPI_INT) == 1 && got[0] == size - 1 + 300);
    OK(MPI_File_read_at_all(file, 400 * size, got, 8, MPI_INT, &status));
    CHECK(count_of(&status, MPI_INT) == 0);
    OK(MPI_File_read_at_all(file, 0, NULL, 0, MPI_INT, MPI_STATUS_IGNORE));

    OK(MPI_File_seek(file, 4 * rank, MPI_SEEK_SET));
    OK(MPI_File_read(file, got, 1, MPI_INT, &status));
    OK(MPI_File_seek(file, 1, MPI_SEEK_CUR));
    OK(MPI_File_iread(file, got + 1, 1, MPI_INT, &request));
    OK(MPI_Wait(&request, &status));
    CHECK(got[0] == rank && got[1] == rank + 200 && count_of(&status, MPI_INT) == 1);
    OK(MPI_File_get_position(file, &offset));
    CHECK(offset == 4 * rank + 3);
    OK(MPI_File_get_byte_offset(file, offset, &offset));
    CHECK(offset == 16 * rank + 12);
    OK(MPI_File_seek(file, -1, MPI_SEEK_END));
    OK(MPI_File_read_all(file, got, 1, MPI_INT, &status));
    CHECK(got[0] == size - 1 + 300);
    IS(MPI_ERR_ARG, MPI_File_seek(file, -1, MPI_SEEK_SET));
    IS(MPI_ERR_ARG, MPI_File_seek(file, 0, 12345));

    OK(MPI_File_seek(file, 4 * size + rank, MPI_SEEK_SET));
    OK(MPI_File_write_all(file, &own[1], 1, MPI_INT, &status));
    OK(MPI_File_iwrite_at_all(file, 5 * size + rank, &own[2], 1, MPI_INT, &requests[0]));
    OK(MPI_File_iwrite_at(file, 6 * size + rank, &own[3], 1, MPI_INT, &requests[1]));
    OK(MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE));
    CHECK(flag && requests[0] == MPI_REQUEST_NULL);
    OK(MPI_File_sync(file));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_File_iread_at_all(file, 4 * size + next, got, 1, MPI_INT, &requests[0]));
    OK(MPI_File_iread_at(file, 6 * size + next, got + 1, 1, MPI_INT, &requests[1]));
    OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CHECK(got[0] == next + 100 && got[1] == next + 300);
    OK(MPI_File_seek(file, 5 * size + next, MPI_SEEK_SET));
    OK(MPI_File_iread_all(file, got, 1, MPI_INT, &request));
    OK(MPI_Request_get_status(request, &flag, &status));
    CHECK(flag && count_of(&status, MPI_INT) == 1);
    OK(MPI_Request_free(&request));
    CHECK(got[0] == next + 200);

    /* Split collective calls. */
    OK(MPI_File_write_at_all_begin(file, rank, own, 1, MPI_INT));
    IS(MPI_ERR_IO, MPI_File_write_all_begin(file, own, 1, MPI_INT));
    IS(MPI_ERR_IO, MPI_File_read_at_all_end(file, own, &status));
    OK(MPI_File_write_at_all_end(file, own, &status));
    CHECK(count_of(&status, MPI_INT) == 1);
    IS(MPI_ERR_IO, MPI_File_write_at_all_end(file, own, &status));
    OK(MPI_File_seek(file, rank, MPI_SEEK_SET));
    OK(MPI_File_read_all_begin(file, got, 1, MPI_INT));
    OK(MPI_File_read_all_end(file, got, &status));
    CHECK(got[0] == rank);
    OK(MPI_File_write_at_c(file, rank, own, (MPI_Count)1, MPI_INT, &status));
    close_file(&file);
}

/* Data with gaps in memory and in the file: each rank has every size-th pair of integers. */
static void views(void)
{
    enum { PAIRS = 5000 };
    static int own[2 * PAIRS][2], got[2 * PAIRS][2];
    MPI_File file = fresh();
    MPI_Status status;
    MPI_Datatype pairs, filetype, column, etype, seen;
    MPI_Offset displacement, offset;
    MPI_Aint lower, extent;
    char representation[MPI_MAX_DATAREP_STRING];

    OK(MPI_Type_contiguous(2, MPI_INT, &pairs));
    OK(MPI_Type_create_resized(pairs, 0, size * 8, &filetype));
    OK(MPI_Type_commit(&filetype));
    OK(MPI_Type_vector(2 * PAIRS, 1, 2, MPI_INT, &column));
    OK(MPI_Type_commit(&column));
    for (int i = 0; i < 2 * PAIRS; i++)
        own[i][0] = 1000000 * rank + i, own[i][1] = -1;
    OK(MPI_File_set_view(file, 12 + 8 * rank, MPI_INT, filetype, "native", MPI_INFO_NULL));
    OK(MPI_File_write_all(file, own, 1, column, &status));
    CHECK(count_of(&status, column) == 1 && count_of(&status, MPI_INT) == 2 * PAIRS);
    CHECK(size_of(file) == 12 + 8 * size * PAIRS);
    OK(MPI_File_get_position(file, &offset));
    CHECK(offset == 2 * PAIRS);
    OK(MPI_File_seek(file, 0, MPI_SEEK_END));
    OK(MPI_File_get_position(file, &offset));
    CHECK(offset == 2 * PAIRS);
    OK(MPI_File_get_byte_offset(file, 3, &offset));
    CHECK(offset == 12 + 8 * rank + 8 * size + 4);
    memset(got, 0, sizeof got);
    OK(MPI_File_read_at_all(file, 2 * PAIRS - 4, got, 1, column, &status));
    CHECK(count_of(&status, MPI_INT) == 4 && count_of(&status, column) == MPI_UNDEFINED);
    for (int i = 0; i < 4; i++)
        CHECK(got[i][0] == own[2 * PAIRS - 4 + i][0] && got[i][1] == 0);
    CHECK(got[4][0] == 0);

    OK(MPI_File_get_view(file, &displacement, &etype, &seen, representation));
    CHECK(displacement == 12 + 8 * rank && etype == MPI_INT && strcmp(representation, "native") == 0);
    OK(MPI_Type_get_extent(seen, &lower, &extent));
    CHECK(extent == size * 8);
    OK(MPI_Type_free(&seen));
    OK(MPI_File_get_type_extent(file, MPI_DOUBLE, &extent));
    CHECK(extent == 8);

    /* The whole file, as one rank wrote it. */
    OK(MPI_File_set_view(file, 12, MPI_INT, MPI_INT, "internal", MPI_INFO_NULL));
    for (int of = 0; of < size; of++) {
        int two[2];
        OK(MPI_File_read_at(file, 2 * (size * 7 + of), two, 2, MPI_INT, &status));
        CHECK(two[0] == 1000000 * of + 14 && two[1] == 1000000 * of + 15);
    }

    OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "external32", MPI_INFO_NULL));
    unsigned char bytes[4];
    int value = 0x01020304 + rank;
    OK(MPI_File_write_at_all(file, rank, &value, 1, MPI_INT, &status));
    CHECK(count_of(&status, MPI_INT) == 1);
    value = 0;
    OK(MPI_File_read_at(file, rank, &value, 1, MPI_INT, &status));
    CHECK(value == 0x01020304 + rank);
    OK(MPI_File_set_view(file, 0, MPI_LONG, MPI_LONG, "external32", MPI_INFO_NULL));
    OK(MPI_File_get_type_extent(file, MPI_LONG, &extent));
    CHECK(extent == 4);
    long wide = 0;
    OK(MPI_File_read_at(file, rank, &wide, 1, MPI_LONG, &status));
    CHECK(wide == 0x01020304 + rank && count_of(&status, MPI_LONG) == 1);
    OK(MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    OK(MPI_File_read_at(file, 4 * rank, bytes, 4, MPI_BYTE, &status));
    CHECK(bytes[0] == 1 && bytes[3] == 4 + rank);

    /* Wrong views: all ranks fail, and the old view stays. */
    MPI_Datatype backward, negative, odd;
    int lengths[2] = {1, 1}, places[2] = {1, 0}, before[1] = {-1};
    OK(MPI_Type_indexed(2, lengths, places, MPI_INT, &backward));
    OK(MPI_Type_commit(&backward));
    OK(MPI_Type_indexed(1, lengths, before, MPI_INT, &negative));
    OK(MPI_Type_commit(&negative));
    OK(MPI_Type_contiguous(3, MPI_BYTE, &odd));
    IS(MPI_ERR_TYPE, MPI_File_set_view(file, 0, MPI_BYTE, odd, "native", MPI_INFO_NULL));
    OK(MPI_Type_commit(&odd));
    IS(MPI_ERR_IO, MPI_File_set_view(file, 0, MPI_INT, backward, "native", MPI_INFO_NULL));
    IS(MPI_ERR_IO, MPI_File_set_view(file, 0, MPI_INT, negative, "native", MPI_INFO_NULL));
    IS(MPI_ERR_TYPE, MPI_File_set_view(file, 0, MPI_INT, odd, "native", MPI_INFO_NULL));
    IS(MPI_ERR_TYPE, MPI_File_set_view(file, 0, MPI_DATATYPE_NULL, MPI_INT, "native", MPI_INFO_NULL));
    IS(MPI_ERR_ARG, MPI_File_set_view(file, -5, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    IS(MPI_ERR_ARG, MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    IS(MPI_ERR_UNSUPPORTED_DATAREP, MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "roman", MPI_INFO_NULL));
    if (size > 1) {
        etype = rank == 1 ? MPI_SHORT : MPI_INT;
        IS(MPI_ERR_NOT_SAME, MPI_File_set_view(file, 0, etype, etype, "native", MPI_INFO_NULL));
    }
    OK(MPI_File_get_view(file, &displacement, &etype, &seen, representation));
    CHECK(displacement == 0 && etype == MPI_BYTE && seen == MPI_BYTE);
    /* 4 bytes are a third of an etype. */
    OK(MPI_File_set_view(file, 0, odd, odd, "native", MPI_INFO_NULL));
    IS(MPI_ERR_IO, MPI_File_write_at(file, 0, bytes, 4, MPI_BYTE, &status));
    OK(MPI_Type_free(&odd));
    OK(MPI_Type_free(&negative));
    OK(MPI_Type_free(&backward));
    OK(MPI_Type_free(&column));
    OK(MPI_Type_free(&filetype));
    OK(MPI_Type_free(&pairs));
    close_file(&file);
}

static void shared_pointers(void)
{
    MPI_File file = fresh();
    MPI_Status status;
    MPI_Request request;
    MPI_Offset offset;
    int own[64], got[64], all[64] = {0}, sum[64];

    OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    for (int i = 0; i < 64; i++)
        own[i] = 100 * rank + i;
    /* Rank r has r + 1 integers. */
    OK(MPI_File_write_ordered(file, own, rank + 1, MPI_INT, &status));
    CHECK(count_of(&status, MPI_INT) == rank + 1);
    int written = size * (size + 1) / 2;
    OK(MPI_File_get_position_shared(file, &offset));
    CHECK(offset == written);
    for (int of = 0, at = 0; of < size; at += ++of) {
        OK(MPI_File_read_at(file, at, got, of + 1, MPI_INT, &status));
        CHECK(got[0] == 100 * of && got[of] == 100 * of + of);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    OK(MPI_File_read_ordered_begin(file, got, rank + 1, MPI_INT));
    OK(MPI_File_read_ordered_end(file, got, &status));
    CHECK(got[0] == 100 * rank && got[rank] == 100 * rank + rank);
    OK(MPI_File_write_ordered_begin(file, own, 1, MPI_INT));
    OK(MPI_File_write_ordered_end(file, own, &status));
    OK(MPI_Barrier(MPI_COMM_WORLD));

    /* Each integer is read once, by some rank. */
    OK(MPI_File_seek_shared(file, -size, MPI_SEEK_END));
    OK(MPI_File_get_position_shared(file, &offset));
    CHECK(offset == written);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_File_read_shared(file, got, 1, MPI_INT, &status));
    CHECK(count_of(&status, MPI_INT) == 1);
    all[got[0] / 100]++;
    OK(MPI_Allreduce(all, sum, size, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    for (int of = 0; of < size; of++)
        CHECK(sum[of] == 1);
    OK(MPI_File_iread_shared(file, got, 1, MPI_INT, &request));
    OK(MPI_Wait(&request, &status));
    CHECK(count_of(&status, MPI_INT) == 0);

    OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    OK(MPI_File_write_shared(file, own, 1, MPI_INT, &status));
    OK(MPI_File_iwrite_shared(file, own, 1, MPI_INT, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    memset(all, 0, sizeof all);
    OK(MPI_File_read_at(file, 0, got, 2 * size, MPI_INT, &status));
    for (int i = 0; i < 2 * size; i++)
        all[got[i] / 100]++;
    for (int of = 0; of < size; of++)
        CHECK(all[of] == 2);
    IS(MPI_ERR_ARG, MPI_File_seek_shared(file, -1, MPI_SEEK_SET));
    if (size > 1)
        IS(MPI_ERR_NOT_SAME, MPI_File_seek_shared(file, rank, MPI_SEEK_SET));
    close_file(&file);

    /* Sequential files have no other pointer. */
    file = opened(MPI_MODE_WRONLY | MPI_MODE_CREATE | MPI_MODE_SEQUENTIAL);
    OK(MPI_File_write_ordered(file, own, 4, MPI_BYTE, &status));
    OK(MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    OK(MPI_File_write_ordered(file, own + 1, 1, MPI_INT, &status));
    IS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_write(file, own, 1, MPI_INT, &status));
    IS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_seek(file, 0, MPI_SEEK_SET));
    CHECK(size_of(file) == 8 * size);
    close_file(&file);
    file = opened(MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE);
    OK(MPI_File_read_at(file, 4 * (size + rank), got, 1, MPI_INT, &status));
    CHECK(got[0] == own[1]);
    close_file(&file);

    file = opened(MPI_MODE_WRONLY | MPI_MODE_CREATE);
    OK(MPI_File_set_size(file, 7));
    close_file(&file);
    file = opened(MPI_MODE_RDWR | MPI_MODE_APPEND | MPI_MODE_DELETE_ON_CLOSE);
    OK(MPI_File_get_position(file, &offset));
    CHECK(offset == 7);
    OK(MPI_File_get_position_shared(file, &offset));
    CHECK(offset == 7);
    close_file(&file);
}

static int calls;

static void count_call(MPI_File *file, int *code, ...)
{
    (void)file;
    CHECK(class_of(*code) == MPI_ERR_READ_ONLY);
    calls++;
}

static void wrong(void)
{
    MPI_File file;
    MPI_Status status;
    MPI_Errhandler handler, found;
    int value = 7;

    file = opened(MPI_MODE_WRONLY | MPI_MODE_CREATE);
    IS(MPI_ERR_ACCESS, MPI_File_read(file, &value, 1, MPI_INT, &status));
    IS(MPI_ERR_ACCESS, MPI_File_read_ordered(file, &value, 1, MPI_INT, &status));
    IS(MPI_ERR_COUNT, MPI_File_write(file, &value, -1, MPI_INT, &status));
    IS(MPI_ERR_ARG, MPI_File_write_at(file, -1, &value, 1, MPI_INT, &status));
    IS(MPI_ERR_ARG, MPI_File_write_at(file, LLONG_MAX - 2, &value, 1, MPI_INT, &status));
    IS(MPI_ERR_BUFFER, MPI_File_write(file, NULL, 1, MPI_INT, &status));
    IS(MPI_ERR_TYPE, MPI_File_write(file, &value, 1, MPI_DATATYPE_NULL, &status));
    CHECK(size_of(file) == 0);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    /* A mistake of one rank is its own fault, and does not stop the others. */
    int mine = MPI_File_write_at_all(file, 4 * rank, &value, rank == size - 1 ? -1 : 1, MPI_INT, &status);
    CHECK(class_of(mine) == (rank == size - 1 ? MPI_ERR_COUNT : MPI_SUCCESS));
    mine = MPI_File_write_ordered(file, &value, rank == 0 ? -1 : 1, MPI_INT, &status);
    CHECK(class_of(mine) == (rank == 0 ? MPI_ERR_COUNT : MPI_SUCCESS));
    CHECK(size_of(file) == 4 * (size - 1));
    close_file(&file);

    file = opened(MPI_MODE_RDONLY);
    IS(MPI_ERR_READ_ONLY, MPI_File_write(file, &value, 1, MPI_INT, &status));
    IS(MPI_ERR_READ_ONLY, MPI_File_set_size(file, 8));
    OK(MPI_File_get_errhandler(file, &found));
    CHECK(found == MPI_ERRORS_RETURN);
    OK(MPI_File_create_errhandler(count_call, &handler));
    OK(MPI_File_set_errhandler(file, handler));
    OK(MPI_Errhandler_free(&handler));
    MPI_File_write_all(file, &value, 1, MPI_INT, &status);
    MPI_File_call_errhandler(file, MPI_ERR_READ_ONLY);
    CHECK(calls == 2);
    close_file(&file);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0)
        OK(MPI_File_delete(name, MPI_INFO_NULL));
    OK(MPI_Barrier(MPI_COMM_WORLD));

    IS(MPI_ERR_FILE, MPI_File_write(MPI_FILE_NULL, &value, 1, MPI_INT, &status));
    IS(MPI_ERR_ARG, MPI_Register_datarep("", NULL, NULL, NULL, NULL));
    IS(MPI_ERR_DUP_DATAREP, MPI_Register_datarep("native", NULL, NULL, NULL, NULL));

    /* A device without space, and one that has no end of the file. */
    char full[] = "/dev/full";
    OK(MPI_File_open(MPI_COMM_SELF, full, MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    IS(MPI_ERR_NO_SPACE, MPI_File_write(file, &value, 1, MPI_INT, &status));
    OK(MPI_File_read(file, &value, 1, MPI_INT, &status));
    CHECK(value == 0);
    close_file(&file);
    if (geteuid() != 0 && rank == 0) {
        OK(MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file));
        close_file(&file);
        CHECK(chmod(name, 0) == 0);
        IS(MPI_ERR_ACCESS, MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
        OK(MPI_File_delete(name, MPI_INFO_NULL));
    }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    /* All ranks have the same parent, so no message has to carry the name. */
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/mpi-files-%d", temporary ? temporary : "/tmp", (int)getppid());
    snprintf(name, sizeof name, "%s/data", folder);
    if (rank == 0)
        CHECK(mkdir(folder, 0700) == 0);
    MPI_Barrier(MPI_COMM_WORLD);
    opening();
    plain();
    views();
    shared_pointers();
    wrong();
    MPI_Barrier(MPI_COMM_WORLD);
    /* No file is left. */
    if (rank == 0)
        CHECK(rmdir(folder) == 0);
    return end("files");
}
