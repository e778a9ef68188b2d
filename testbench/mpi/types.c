/* Datatypes: attributes, distributed arrays, external32, kinds by precision and size, and their contents. */
#include "check.h"
#include <stdint.h>

static char order[32];
static int fails;

static int copied(MPI_Datatype old, int key, void *extra, void *in, void *out, int *flag)
{
    (void)old, (void)key;
    CHECK(extra == (void *)order);
    *(void **)out = (char *)in + 1;
    *flag = 1;
    return fails ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int deleted(MPI_Datatype old, int key, void *value, void *extra)
{
    (void)old, (void)key, (void)extra;
    if (fails)
        return MPI_ERR_OTHER;
    strncat(order, value, 1);
    return MPI_SUCCESS;
}

static void attributes(void)
{
    MPI_Datatype pair, twin, none = MPI_INT;
    int key, other, of_comm, flag, code;
    char *value;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Type_create_keyval(copied, deleted, &key, order);
    MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &other, NULL);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &of_comm, NULL);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_set_attr(pair, key, "abc");
    MPI_Type_set_attr(pair, other, &fails);
    CHECK(class_of(MPI_Type_set_attr(pair, of_comm, NULL)) == MPI_ERR_KEYVAL);
    MPI_Type_dup(pair, &twin);
    MPI_Type_get_attr(twin, key, &value, &flag);
    CHECK(flag && *value == 'b');
    MPI_Type_get_attr(twin, other, &value, &flag);
    CHECK(flag && value == (char *)&fails);
    fails = 1;
    code = MPI_Type_free(&twin);
    /* The standard gives failed callbacks no class. */
    CHECK(code != MPI_SUCCESS && twin != MPI_DATATYPE_NULL);
    CHECK(MPI_Type_dup(pair, &none) != MPI_SUCCESS && none == MPI_DATATYPE_NULL);
    fails = 0;
    MPI_Type_free(&twin);
    MPI_Type_free(&pair);
    CHECK(!strcmp(order, "ba"));
    /* Predefined datatypes have attributes and names as well. */
    MPI_Type_set_attr(MPI_INT, other, order);
    MPI_Type_get_attr(MPI_INT, other, &value, &flag);
    CHECK(flag && value == order);
    MPI_Type_delete_attr(MPI_INT, other);
    MPI_Type_get_attr(MPI_INT, other, &value, &flag);
    CHECK(!flag);
    int freed = other;
    MPI_Type_free_keyval(&other);
    MPI_Type_free_keyval(&key);
    MPI_Comm_free_keyval(&of_comm);
    CHECK(other == MPI_KEYVAL_INVALID && class_of(MPI_Type_set_attr(MPI_INT, freed, NULL)) == MPI_ERR_KEYVAL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* Each rank sends its part of a 5 x 7 array, and rank 0 collects all parts in one array. */
static void distributed(void)
{
    int grid[2] = { 0, 0 }, sizes[2] = { 5, 7 }, counts[4], integers[12];
    int kinds[2] = { MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK };
    int arguments[2] = { 2, MPI_DISTRIBUTE_DFLT_DARG };
    int own[35], all[35], bytes;
    MPI_Datatype part, of[1];
    MPI_Request request;
    MPI_Dims_create(size, 2, grid);
    for (int i = 0; i < 35; i++)
        own[i] = i, all[i] = -1;
    MPI_Type_create_darray(size, rank, 2, sizes, kinds, arguments, grid, MPI_ORDER_C, MPI_INT, &part);
    MPI_Type_commit(&part);
    MPI_Isend(own, 1, part, 0, 0, MPI_COMM_WORLD, &request);
    for (int from = 0; rank == 0 && from < size; from++) {
        MPI_Datatype theirs;
        MPI_Type_create_darray(size, from, 2, sizes, kinds, arguments, grid, MPI_ORDER_C, MPI_INT, &theirs);
        MPI_Type_commit(&theirs);
        MPI_Recv(all, 1, theirs, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Type_free(&theirs);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; rank == 0 && i < 35; i++)
        CHECK(all[i] == i);
    MPI_Aint lower, extent;
    MPI_Type_get_extent(part, &lower, &extent);
    CHECK(lower == 0 && extent == 35 * sizeof(int));
    MPI_Type_get_envelope(part, &counts[0], &counts[1], &counts[2], &counts[3]);
    CHECK(counts[0] == 12 && counts[1] == 0 && counts[2] == 1 && counts[3] == MPI_COMBINER_DARRAY);
    MPI_Type_get_contents(part, 12, 0, 1, integers, NULL, of);
    CHECK(integers[0] == size && integers[1] == rank && integers[2] == 2 && integers[3] == 5 && integers[4] == 7);
    CHECK(integers[5] == MPI_DISTRIBUTE_CYCLIC && integers[6] == MPI_DISTRIBUTE_BLOCK && integers[7] == 2);
    CHECK(integers[8] == MPI_DISTRIBUTE_DFLT_DARG && integers[9] == grid[0] && integers[11] == MPI_ORDER_C);
    CHECK(of[0] == MPI_INT);
    MPI_Type_size(part, &bytes);
    MPI_Reduce(rank ? &bytes : MPI_IN_PLACE, &bytes, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    CHECK(rank || bytes == 35 * (int)sizeof(int));
    MPI_Type_free(&part);
}

/* external32 is big-endian; a long has 4 bytes. */
static void external(void)
{
    struct element { double real; long whole; short small; } out[2] = { { 1.5, -7, 3 }, { -2.5, 9, -4 } }, in[2];
    int lengths[3] = { 1, 1, 1 };
    MPI_Aint places[3] = { offsetof(struct element, real), offsetof(struct element, whole), offsetof(struct element, small) };
    MPI_Datatype kinds[3] = { MPI_DOUBLE, MPI_LONG, MPI_SHORT }, kind, resized;
    MPI_Aint bytes, position = 0;
    unsigned char buffer[64];
    MPI_Type_create_struct(3, lengths, places, kinds, &kind);
    MPI_Type_create_resized(kind, 0, sizeof(struct element), &resized);
    MPI_Type_commit(&resized);
    MPI_Pack_external_size("external32", 2, resized, &bytes);
    CHECK(bytes == 28);
    MPI_Pack_external("external32", out, 2, resized, buffer, sizeof(buffer), &position);
    CHECK(position == 28 && buffer[0] == 0x3f && buffer[1] == 0xf8 && buffer[11] == 0xf9 && buffer[13] == 3);
    position = 0;
    MPI_Unpack_external("external32", buffer, 28, &position, in, 2, resized);
    CHECK(position == 28 && in[0].real == 1.5 && in[0].whole == -7 && in[1].whole == 9 && in[1].small == -4);
    long double wide = 1.25L, back = 0;
    position = 0;
    MPI_Pack_external("external32", &wide, 1, MPI_LONG_DOUBLE, buffer, sizeof(buffer), &position);
    CHECK(position == 16 && buffer[0] == 0x3f && buffer[1] == 0xff && buffer[2] == 0x40 && buffer[3] == 0);
    position = 0;
    MPI_Unpack_external("external32", buffer, 16, &position, &back, 1, MPI_LONG_DOUBLE);
    CHECK(back == 1.25L);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    long large = 1L << 40;
    position = 0;
    CHECK(class_of(MPI_Pack_external("external32", &large, 1, MPI_LONG, buffer, 64, &position)) == MPI_ERR_CONVERSION);
    CHECK(class_of(MPI_Pack_external("native", &large, 1, MPI_LONG, buffer, 64, &position)) == MPI_ERR_UNSUPPORTED_DATAREP);
    CHECK(class_of(MPI_Pack_external("external32", &large, 1, MPI_INT64_T, buffer, 4, &position)) == MPI_ERR_TRUNCATE);
    CHECK(position == 0);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Type_free(&kind);
    MPI_Type_free(&resized);
}

static void chosen(void)
{
    MPI_Datatype kind, twin, pair;
    int bytes, counts[4], integers[2];
    double own = rank, sum;
    MPI_Type_create_f90_real(10, MPI_UNDEFINED, &kind);
    MPI_Type_create_f90_real(10, MPI_UNDEFINED, &twin);
    MPI_Type_size(kind, &bytes);
    CHECK(bytes == 8 && kind == twin);
    MPI_Allreduce(&own, &sum, 1, kind, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == size * (size - 1) / 2);
    MPI_Type_get_envelope(kind, &counts[0], &counts[1], &counts[2], &counts[3]);
    CHECK(counts[0] == 2 && counts[2] == 0 && counts[3] == MPI_COMBINER_F90_REAL);
    MPI_Type_get_contents(kind, 2, 0, 0, integers, NULL, NULL);
    CHECK(integers[0] == 10 && integers[1] == MPI_UNDEFINED);
    MPI_Type_create_f90_integer(12, &kind);
    MPI_Type_size(kind, &bytes);
    CHECK(bytes == 8);
    MPI_Type_create_f90_complex(MPI_UNDEFINED, 20, &kind);
    MPI_Type_size(kind, &bytes);
    CHECK(bytes == 8);
    MPI_Type_create_f90_real(33, 4931, &kind);
    MPI_Type_size(kind, &bytes);
    CHECK(bytes == 16);
    MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &kind);
    CHECK(kind == MPI_REAL8);
    MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 2, &kind);
    CHECK(kind == MPI_INTEGER2);
    MPI_Type_match_size(MPI_TYPECLASS_COMPLEX, 8, &kind);
    CHECK(kind == MPI_COMPLEX8);
    MPI_Type_get_value_index(MPI_DOUBLE, MPI_INT, &pair);
    CHECK(pair == MPI_DOUBLE_INT);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK(MPI_Type_create_f90_real(40, MPI_UNDEFINED, &kind) == MPI_ERR_ARG);
    CHECK(MPI_Type_create_f90_real(MPI_UNDEFINED, MPI_UNDEFINED, &kind) == MPI_ERR_ARG);
    CHECK(class_of(MPI_Type_match_size(MPI_TYPECLASS_REAL, 3, &kind)) == MPI_ERR_ARG);
    CHECK(class_of(MPI_Type_free(&twin)) == MPI_ERR_TYPE);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    attributes();
    distributed();
    external();
    chosen();
    return end("types");
}
