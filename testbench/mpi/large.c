/* A large transfer from rank 0 to rank 1 with a check of every byte.
   large BYTES PIECE: in messages of at most PIECE bytes. large BYTES whole: in one message, whose count is an MPI_Count.
   large BYTES type: in one message, of elements of 64 KiB, whose count is an int. */
#include "check.h"

/* The pattern has a prime period, so that truncated, moved and duplicated data is detected. */
static unsigned char byte_at(long long at)
{
    return (unsigned char)(at % 65521 * 31 >> 4);
}

static void fill(unsigned char *piece, long long from, long long count)
{
    for (long long i = 0; i < count; i++)
        piece[i] = byte_at(from + i);
}

static void compare(const unsigned char *piece, long long from, long long count)
{
    for (long long i = 0; i < count; i++)
        CHECK(piece[i] == byte_at(from + i));
}

static void in_pieces(long long bytes, long long most)
{
    unsigned char *piece = malloc(most);
    for (long long from = 0; from < bytes; from += most) {
        int count = (int)(bytes - from < most ? bytes - from : most);
        if (rank == 0) {
            fill(piece, from, count);
            MPI_Send(piece, count, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        } else if (rank == 1) {
            MPI_Recv(piece, count, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            compare(piece, from, count);
        }
    }
    free(piece);
}

static void whole(long long bytes, MPI_Datatype kind, MPI_Count count)
{
    unsigned char *all = malloc(bytes);
    MPI_Status status;
    MPI_Count came;
    if (rank == 0) {
        fill(all, 0, bytes);
        MPI_Send_c(all, count, kind, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv_c(all, count, kind, 0, 0, MPI_COMM_WORLD, &status);
        MPI_Get_count_c(&status, MPI_BYTE, &came);
        CHECK(came == bytes);
        compare(all, 0, bytes);
    }
    free(all);
}

int main(int argc, char **argv)
{
    long long bytes = argc > 1 ? atoll(argv[1]) : 100000;
    const char *how = argc > 2 ? argv[2] : "whole";
    begin(&argc, &argv);
    if (!strcmp(how, "whole"))
        whole(bytes, MPI_BYTE, bytes);
    else if (!strcmp(how, "type")) {
        MPI_Datatype kind;
        MPI_Type_contiguous(65536, MPI_BYTE, &kind);
        MPI_Type_commit(&kind);
        whole(bytes, kind, bytes / 65536);
        MPI_Type_free(&kind);
    } else
        in_pieces(bytes, atoll(how));
    return end("large");
}
