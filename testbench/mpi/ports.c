/* Ports and published names: the even ranks serve, and each odd rank is a client of its own. */
#include "check.h"

static void errors(void)
{
    MPI_Comm none;
    char port[MPI_MAX_PORT_NAME];
    int class;
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Comm_connect("no port", MPI_INFO_NULL, 0, MPI_COMM_SELF, &none), &class);
    CHECK(class == MPI_ERR_PORT);
    MPI_Error_class(MPI_Comm_accept("no port", MPI_INFO_NULL, 0, MPI_COMM_SELF, &none), &class);
    CHECK(class == MPI_ERR_PORT);
    MPI_Error_class(MPI_Comm_connect("no port", MPI_INFO_NULL, 1, MPI_COMM_SELF, &none), &class);
    CHECK(class == MPI_ERR_ROOT);
    MPI_Error_class(MPI_Close_port("no port"), &class);
    CHECK(class == MPI_ERR_PORT);
    MPI_Error_class(MPI_Lookup_name("nobody", MPI_INFO_NULL, port), &class);
    CHECK(class == MPI_ERR_NAME);
    MPI_Error_class(MPI_Unpublish_name("nobody", MPI_INFO_NULL, "no port"), &class);
    CHECK(class == MPI_ERR_SERVICE);
    /* The run has no spare hosts. */
    int code = MPI_SUCCESS;
    MPI_Error_class(MPI_Comm_spawn("sh", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &none, &code), &class);
    CHECK(class == MPI_ERR_SPAWN && code == MPI_ERR_SPAWN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_get_parent(&none);
    CHECK(none == MPI_COMM_NULL);
    /* All ranks learn that their root knows no port. */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Comm_connect(rank == 0 ? "no port" : NULL, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &none), &class);
    CHECK(class == MPI_ERR_PORT);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    errors();
    MPI_Comm servers, client;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &servers);
    char port[MPI_MAX_PORT_NAME];
    int evens = (size + 1) / 2, count, in, class;
    if (rank == 0) {
        MPI_Open_port(MPI_INFO_NULL, port);
        MPI_Publish_name("memonet.doubling", MPI_INFO_NULL, port);
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
        MPI_Error_class(MPI_Publish_name("memonet.doubling", MPI_INFO_NULL, port), &class);
        CHECK(class == MPI_ERR_SERVICE);
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank % 2 == 0) {
        /* One client after the other, in the order in which they come. */
        for (int clients = 0; clients < size / 2; clients++) {
            MPI_Comm_accept(rank == 0 ? port : NULL, MPI_INFO_NULL, 0, servers, &client);
            MPI_Comm_remote_size(client, &count);
            CHECK(count == 1);
            MPI_Bcast(&in, 1, MPI_INT, 0, client);
            in *= 2;
            MPI_Request request;
            MPI_Isend(&in, 1, MPI_INT, 0, rank, client, &request);
            MPI_Comm_disconnect(&client);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            CHECK(client == MPI_COMM_NULL);
        }
    } else {
        MPI_Lookup_name("memonet.doubling", MPI_INFO_NULL, port);
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &client);
        MPI_Comm_remote_size(client, &count);
        CHECK(count == evens);
        in = rank;
        MPI_Bcast(&in, 1, MPI_INT, MPI_ROOT, client);
        for (int i = 0; i < evens; i++) {
            MPI_Recv(&in, 1, MPI_INT, i, 2 * i, client, MPI_STATUS_IGNORE);
            CHECK(in == 2 * rank);
        }
        MPI_Comm_disconnect(&client);
    }
    if (rank == 0) {
        MPI_Unpublish_name("memonet.doubling", MPI_INFO_NULL, port);
        MPI_Close_port(port);
    }
    MPI_Comm_free(&servers);
    return end("ports");
}
