/* Windows that are used wrongly, selected by name. */
#include "check.h"
#include <signal.h>

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int memory[2] = {0, 0}, value = 1;
    MPI_Win win;
    begin(&argc, &argv);
    if (!strcmp(what, "unmapped")) {
        MPI_Win_create((void *)0x10, 8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
        MPI_Win_free(&win);
    }
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (!strcmp(what, "outside"))
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    else if (!strcmp(what, "twice")) {
        /* Rank 1 keeps the lock that rank 0 waits for. */
        if (rank == 1)
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0)
            MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        else
            MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (!strcmp(what, "start")) {
        MPI_Group all, other;
        int peer = 1 - rank;
        MPI_Win_get_group(win, &all);
        MPI_Group_incl(all, 1, &peer, &other);
        if (rank == 0)
            MPI_Win_start(other, 0, win);
        else {
            MPI_Win_post(other, 0, win);
            MPI_Win_wait(win);
        }
        /* Rank 0 never completes. */
        MPI_Win_free(&win);
    } else if (!strcmp(what, "fence")) {
        if (rank == 0)
            MPI_Win_fence(0, win);
        else
            MPI_Win_free(&win);
    } else if (!strcmp(what, "dies")) {
        MPI_Win_lock_all(0, win);
        if (rank == 1)
            raise(SIGKILL);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_unlock_all(win);
    } else if (!strcmp(what, "ends")) {
        MPI_Win_lock_all(0, win);
        if (rank == 1)
            exit(3);
        MPI_Win_flush_all(win);
    }
    return end("windows_misused");
}
