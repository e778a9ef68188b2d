/* Accesses of 4 bytes to the window of another rank, each with a flush: put, get or fetch_and_op. */
#include "check.h"

int main(int argc, char **argv)
{
    const char *kind = argc > 1 ? argv[1] : "put";
    int rounds = argc > 2 ? atoi(argv[2]) : 100;
    int *memory;
    MPI_Win window;
    begin(&argc, &argv);
    CHECK(size == 2);
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    *memory = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        double start = MPI_Wtime();
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);
        for (int i = 0; i < rounds; i++) {
            int number = i + 1, result = -1;
            if (strcmp(kind, "put") == 0)
                MPI_Put(&number, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
            else if (strcmp(kind, "get") == 0)
                MPI_Get(&result, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
            else
                MPI_Fetch_and_op(&number, &result, MPI_INT, 1, 0, MPI_REPLACE, window);
            MPI_Win_flush(1, window);
            if (strcmp(kind, "fetch_and_op") == 0)
                CHECK(result == i);
            else
                CHECK(result == (strcmp(kind, "get") == 0 ? 0 : -1));
        }
        MPI_Win_unlock(1, window);
        printf("%s %.3f us\n", kind, (MPI_Wtime() - start) / rounds * 1e6);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);
        CHECK(*memory == (strcmp(kind, "get") == 0 ? 0 : rounds));
        MPI_Win_unlock(1, window);
    }
    MPI_Win_free(&window);
    return end("one_sided");
}
