/* Deviations from the standard that other libraries allow; --strict refuses the one that is named. All named
   datatypes with the operations that they have. */
#include "check.h"
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

/* Sums and logical operations of values that are not integers in the standard. */
static void characters(void)
{
    char own[2] = { 1, (char)rank }, sum[2] = { 0, 0 };
    double real = rank + 0.5, all = 0;
    MPI_Allreduce(own, sum, 2, MPI_CHAR, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum[0] == size && sum[1] == size * (size - 1) / 2);
    MPI_Allreduce(own, sum, 2, MPI_CHARACTER, MPI_MAX, MPI_COMM_WORLD);
    CHECK(sum[0] == 1 && sum[1] == size - 1);
    MPI_Allreduce(&real, &all, 1, MPI_DOUBLE, MPI_LAND, MPI_COMM_WORLD);
    CHECK(all == (size > 1 ? 1.0 : 0.5));
    sum[0] = 5;
    MPI_Reduce_local(own, sum, 1, MPI_CHAR, MPI_PROD);
    CHECK(sum[0] == 5);
}

/* No elements may have no datatype. */
static void nothing(void)
{
    int in = -1, counts[64] = { 0 }, places[64] = { 0 }, peer = rank ^ 1;
    MPI_Datatype kinds[64];
    MPI_Status status;
    for (int i = 0; i < size; i++)
        kinds[i] = MPI_DATATYPE_NULL;
    MPI_Alltoallw(NULL, counts, places, kinds, NULL, counts, places, kinds, MPI_COMM_WORLD);
    if (peer >= size)
        return;
    MPI_Sendrecv(NULL, 0, MPI_DATATYPE_NULL, peer, 1, &in, 0, MPI_DATATYPE_NULL, peer, 1, MPI_COMM_WORLD, &status);
    CHECK(in == -1 && status.MPI_SOURCE == peer);
}

/* Ranks disagree about the operation; each applies its own. */
static void operations(void)
{
    int result = -1;
    MPI_Reduce(&rank, &result, 1, MPI_INT, rank == 0 ? MPI_MIN : MPI_MAX, 0, MPI_COMM_WORLD);
    CHECK(rank != 0 || (result >= 0 && result < size));
}

static void names(void)
{
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    MPI_Comm_get_name(MPI_COMM_NULL, name, &length);
    CHECK(!strcmp(name, "MPI_COMM_NULL") && length == 13);
    MPI_Type_get_name(MPI_DATATYPE_NULL, name, &length);
    CHECK(!strcmp(name, "MPI_DATATYPE_NULL"));
}

/* Fortran's kinds of other sizes. */
static void kinds(void)
{
    struct { MPI_Datatype kind; int size; } all[] = {
        { MPI_LOGICAL1, 1 }, { MPI_LOGICAL2, 2 }, { MPI_LOGICAL4, 4 }, { MPI_LOGICAL8, 8 }, { MPI_LOGICAL16, 16 },
        { MPI_INTEGER1, 1 }, { MPI_INTEGER2, 2 }, { MPI_INTEGER4, 4 }, { MPI_INTEGER8, 8 }, { MPI_INTEGER16, 16 },
        { MPI_REAL2, 2 }, { MPI_REAL4, 4 }, { MPI_REAL8, 8 }, { MPI_REAL16, 16 }, { MPI_COMPLEX4, 4 },
        { MPI_COMPLEX8, 8 }, { MPI_COMPLEX16, 16 }, { MPI_COMPLEX32, 32 },
    };
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        int bytes;
        MPI_Type_size(all[i].kind, &bytes);
        CHECK(bytes == all[i].size);
    }
    __int128 wide = ((__int128)1 << 100) + rank, sum = 0;
    MPI_Allreduce(&wide, &sum, 1, MPI_INTEGER16, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == ((__int128)size << 100) + size * (size - 1) / 2);
    _Float128 quad = 1, quads = 0;
    MPI_Allreduce(&quad, &quads, 1, MPI_REAL16, MPI_SUM, MPI_COMM_WORLD);
    CHECK(quads == size);
    int64_t truth = rank == 0, any = 0;
    MPI_Allreduce(&truth, &any, 1, MPI_LOGICAL8, MPI_LOR, MPI_COMM_WORLD);
    CHECK(any == 1);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "all";
    begin(&argc, &argv);
    names();
    kinds();
    if (!strcmp(what, "all") || !strcmp(what, "characters"))
        characters();
    if (!strcmp(what, "all") || !strcmp(what, "nothing"))
        nothing();
    if (!strcmp(what, "all") || !strcmp(what, "operations"))
        operations();
    return end("tolerated");
}
