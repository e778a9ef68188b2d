/* Errors of programs that connect groups, selected by name; two ranks. */
#include "check.h"

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int number = 0;
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm own, between;
    begin(&argc, &argv);
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &own);
    MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, 1 - rank, 0, &between);
    if (!strcmp(what, "root"))
        MPI_Bcast(&number, 1, MPI_INT, 0, between);
    else if (!strcmp(what, "length"))
        MPI_Bcast(&number, 1 - rank, MPI_INT, rank == 0 ? MPI_ROOT : 0, between);
    else if (!strcmp(what, "function")) {
        if (rank == 0)
            MPI_Barrier(between);
        else
            MPI_Intercomm_merge(between, 0, &own);
    } else if (!strcmp(what, "deadlock"))
        MPI_Recv(&number, 1, MPI_INT, 0, 3, between, MPI_STATUS_IGNORE);
    else if (!strcmp(what, "no client")) {
        if (rank == 0) {
            MPI_Open_port(MPI_INFO_NULL, port);
            MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &between);
        }
    } else if (!strcmp(what, "no leader")) {
        if (rank == 0)
            MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, 1, 5, &between);
    } else if (!strcmp(what, "leader"))
        MPI_Intercomm_create(own, 1, MPI_COMM_WORLD, 1, 5, &between);
    MPI_Barrier(MPI_COMM_WORLD);
    return end("wrong_groups");
}
