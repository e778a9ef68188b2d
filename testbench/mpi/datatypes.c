/* Datatypes: sends with one and receives with another, and queries. */
#include "check.h"

struct mixed { char letter; double real; int numbers[3]; };

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    CHECK(size == 2);
    int other = 1 - rank, matrix[6][5], column[6], bytes;
    MPI_Aint lower, extent;
    MPI_Status status;
    for (int i = 0; i < 30; i++)
        matrix[i / 5][i % 5] = 100 * rank + i;
    /* A column is sent and received as a row. */
    MPI_Datatype strided;
    MPI_Type_vector(6, 1, 5, MPI_INT, &strided);
    MPI_Type_commit(&strided);
    MPI_Type_size(strided, &bytes);
    MPI_Type_get_extent(strided, &lower, &extent);
    CHECK(bytes == 24 && lower == 0 && extent == (5 * 5 + 1) * 4);
    MPI_Sendrecv(&matrix[0][2], 1, strided, other, 0, column, 6, MPI_INT, other, 0, MPI_COMM_WORLD, &status);
    for (int i = 0; i < 6; i++)
        CHECK(column[i] == 100 * other + 5 * i + 2);
    /* Array of structures. */
    struct mixed out[2] = { { 'a', 1.5, { 1, 2, 3 } }, { 'b', rank, { 4, 5, 6 } } }, in[2];
    MPI_Datatype kinds[3] = { MPI_CHAR, MPI_DOUBLE, MPI_INT }, mixed;
    MPI_Aint places[3] = { offsetof(struct mixed, letter), offsetof(struct mixed, real), offsetof(struct mixed, numbers) };
    int lengths[3] = { 1, 1, 3 }, count;
    MPI_Type_create_struct(3, lengths, places, kinds, &mixed);
    MPI_Type_commit(&mixed);
    MPI_Type_get_extent(mixed, &lower, &extent);
    CHECK(extent == sizeof(struct mixed));
    MPI_Sendrecv(out, 2, mixed, other, 0, in, 2, mixed, other, 0, MPI_COMM_WORLD, &status);
    CHECK(in[0].letter == 'a' && in[1].real == other && in[1].numbers[2] == 6);
    MPI_Get_count(&status, mixed, &count);
    CHECK(count == 2);
    MPI_Get_elements(&status, mixed, &count);
    CHECK(count == 10);
    /* Absolute addresses. */
    MPI_Datatype absolute;
    int left = 11 + rank, right = 22 + rank, block[2] = { 1, 1 };
    MPI_Aint addresses[2];
    MPI_Get_address(&left, &addresses[0]);
    MPI_Get_address(&right, &addresses[1]);
    MPI_Type_create_hindexed(2, block, addresses, MPI_INT, &absolute);
    MPI_Type_commit(&absolute);
    int pair[2];
    MPI_Sendrecv(MPI_BOTTOM, 1, absolute, other, 0, pair, 2, MPI_INT, other, 0, MPI_COMM_WORLD, &status);
    CHECK(pair[0] == 11 + other && pair[1] == 22 + other);
    /* Inner part of an array. */
    MPI_Datatype part;
    int sizes[2] = { 6, 5 }, parts[2] = { 2, 3 }, starts[2] = { 1, 1 }, inner[6], integers[20], n[4], combiner;
    MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &part);
    MPI_Type_commit(&part);
    MPI_Sendrecv(matrix, 1, part, other, 0, inner, 6, MPI_INT, other, 0, MPI_COMM_WORLD, &status);
    for (int i = 0; i < 6; i++)
        CHECK(inner[i] == 100 * other + 5 * (1 + i / 3) + 1 + i % 3);
    MPI_Type_get_envelope(part, &n[0], &n[1], &n[2], &combiner);
    CHECK(combiner == MPI_COMBINER_SUBARRAY && n[0] == 8 && n[1] == 0 && n[2] == 1);
    MPI_Type_get_contents(part, n[0], n[1], n[2], integers, NULL, kinds);
    CHECK(integers[0] == 2 && integers[1] == 6 && integers[4] == 3 && integers[7] == MPI_ORDER_C && kinds[0] == MPI_INT);
    /* Resized, so that columns are adjacent. */
    MPI_Datatype side;
    MPI_Type_create_resized(strided, 0, sizeof(int), &side);
    MPI_Type_commit(&side);
    int turned[5][6];
    MPI_Sendrecv(matrix, 5, side, other, 0, turned, 30, MPI_INT, other, 0, MPI_COMM_WORLD, &status);
    for (int i = 0; i < 30; i++)
        CHECK(turned[i / 6][i % 6] == 100 * other + 5 * (i % 6) + i / 6);
    /* Explicit packing. */
    char room[200];
    int position = 0;
    MPI_Pack(&left, 1, MPI_INT, room, sizeof room, &position, MPI_COMM_WORLD);
    MPI_Pack(out, 2, mixed, room, sizeof room, &position, MPI_COMM_WORLD);
    MPI_Sendrecv(room, position, MPI_PACKED, other, 0, room + 100, 100, MPI_PACKED, other, 0, MPI_COMM_WORLD, &status);
    position = 0;
    MPI_Unpack(room + 100, 100, &position, &count, 1, MPI_INT, MPI_COMM_WORLD);
    memset(in, 0, sizeof in);
    MPI_Unpack(room + 100, 100, &position, in, 2, mixed, MPI_COMM_WORLD);
    CHECK(count == 11 + other && in[0].real == 1.5);
    MPI_Type_free(&strided);
    MPI_Type_free(&mixed);
    MPI_Type_free(&absolute);
    MPI_Type_free(&part);
    MPI_Type_free(&side);
    CHECK(side == MPI_DATATYPE_NULL);
    return end("datatypes");
}
