/* Processes on spare hosts: the ranks start two, and later two programs with one process each. */
#include "check.h"
#include <unistd.h>

static int attribute(int key)
{
    int *value, flag;
    MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &flag);
    return flag ? *value : -1;
}

/* A new process: reports the arguments that it has got, and its part of a sum. The second program has a folder of its own. */
static int child(MPI_Comm parent, int argc, char **argv)
{
    char folder[4096];
    int remotes, number = attribute(MPI_APPNUM), sum = -1, one = 1;
    CHECK(argc == 3 && strcmp(argv[1], "child") == 0 && strcmp(argv[2], number ? "second" : "first word") == 0);
    CHECK(getcwd(folder, sizeof(folder)) && (strcmp(folder, "/") == 0) == number);
    MPI_Comm_remote_size(parent, &remotes);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, parent);
    CHECK(sum == remotes);
    int told[3] = { rank, size, number };
    MPI_Send(told, 3, MPI_INT, 0, 1, parent);
    MPI_Comm whole;
    MPI_Intercomm_merge(parent, 1, &whole);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, whole);
    CHECK(sum == remotes + size);
    MPI_Comm_free(&whole);
    MPI_Comm_disconnect(&parent);
    MPI_Comm_get_parent(&parent);
    CHECK(parent == MPI_COMM_NULL);
    MPI_Finalize();
    return 0;
}

/* Talks to `count` new processes, each of another program if `several`. */
static void with_children(MPI_Comm children, int count, int several)
{
    int remotes, sum = -1, one = 1, at, told[3];
    MPI_Comm_remote_size(children, &remotes);
    CHECK(remotes == count);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, children);
    CHECK(sum == count);
    for (int i = 0; rank == 0 && i < count; i++) {
        MPI_Recv(told, 3, MPI_INT, i, 1, children, MPI_STATUS_IGNORE);
        CHECK(told[0] == i && told[1] == count && told[2] == (several ? i : 0));
    }
    MPI_Comm whole;
    MPI_Intercomm_merge(children, 0, &whole);
    MPI_Comm_rank(whole, &at);
    CHECK(at == rank);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, whole);
    CHECK(sum == size + count);
    MPI_Comm_free(&whole);
    MPI_Comm_disconnect(&children);
}

int main(int argc, char **argv)
{
    MPI_Comm parent, children;
    begin(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL)
        return child(parent, argc, argv);
    int root = size - 1, spare = attribute(MPI_UNIVERSE_SIZE) - size, codes[64], class;
    CHECK(spare == 2);
    /* More processes than there are hosts, and a program that does not exist. */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, spare + 1, MPI_INFO_NULL, root, MPI_COMM_WORLD, &children,
                                   codes), &class);
    CHECK(class == MPI_ERR_SPAWN && (rank != root || codes[spare] == MPI_ERR_SPAWN));
    MPI_Error_class(MPI_Comm_spawn("./no such program", MPI_ARGV_NULL, 1, MPI_INFO_NULL, root, MPI_COMM_WORLD,
                                   &children, MPI_ERRCODES_IGNORE), &class);
    CHECK(class == MPI_ERR_SPAWN);
    MPI_Info in_folder;
    MPI_Info_create(&in_folder);
    MPI_Info_set(in_folder, "wdir", "/no such folder");
    MPI_Error_class(MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, in_folder, root, MPI_COMM_WORLD, &children,
                                   MPI_ERRCODES_IGNORE), &class);
    CHECK(class == MPI_ERR_SPAWN);
    MPI_Info_set(in_folder, "wdir", "/");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    char *words[] = { "child", "first word", NULL }, *others[] = { "child", "second", NULL };
    codes[0] = codes[1] = -1;
    MPI_Comm_spawn(argv[0], words, 2, MPI_INFO_NULL, root, MPI_COMM_WORLD, &children, codes);
    CHECK(codes[0] == MPI_SUCCESS && codes[1] == MPI_SUCCESS);
    with_children(children, 2, 0);
    /* The hosts are spare again when both processes have ended. */
    char *commands[] = { argv[0], argv[0] }, **arguments[] = { words, others };
    int counts[] = { 1, 1 };
    MPI_Info infos[] = { MPI_INFO_NULL, in_folder };
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    do {
        MPI_Wtime(); /* takes time */
        MPI_Error_class(MPI_Comm_spawn_multiple(2, commands, arguments, counts, infos, root, MPI_COMM_WORLD, &children,
                                                MPI_ERRCODES_IGNORE), &class);
    } while (class == MPI_ERR_SPAWN);
    CHECK(class == MPI_SUCCESS);
    MPI_Info_free(&in_folder);
    with_children(children, 2, 1);
    return end("spawn");
}
