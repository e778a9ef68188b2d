/* Sessions before, within and after MPI_Init, or without it: ./sessions alone. */
#include "check.h"

static int handled;

static void handler(MPI_Session *on, int *code, ...)
{
    (void)on;
    handled = *code;
}

static void one_session(int in_world)
{
    MPI_Session session, none;
    MPI_Errhandler on_error, found;
    MPI_Info info;
    MPI_Group world, own, unknown;
    MPI_Request request;
    char name[MPI_MAX_PSET_NAME_LEN], value[32], buffer[4000], *old;
    int code, sets, length, flag, ranks, bytes, seen = 0, initialized;
    MPI_Session_create_errhandler(handler, &on_error);
    CHECK(MPI_Session_init(MPI_INFO_NULL, on_error, &session) == MPI_SUCCESS);
    MPI_Initialized(&initialized);
    CHECK(initialized == in_world);
    MPI_Session_get_errhandler(session, &found);
    CHECK(found == on_error);
    MPI_Session_get_num_psets(session, MPI_INFO_NULL, &sets);
    for (int i = 0; i < sets; i++) {
        length = 0;
        MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, NULL);
        CHECK(length > 1 && length <= MPI_MAX_PSET_NAME_LEN);
        MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, name);
        CHECK((int)strlen(name) + 1 == length);
        seen |= !strcmp(name, "mpi://WORLD") ? 1 : !strcmp(name, "mpi://SELF") ? 2 : 0;
    }
    CHECK(seen == 3);
    MPI_Session_get_pset_info(session, "mpi://WORLD", &info);
    length = sizeof(value);
    MPI_Info_get_string(info, "mpi_size", &length, value, &flag);
    MPI_Info_free(&info);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &world);
    MPI_Group_from_session_pset(session, "mpi://self", &own); /* case does not matter */
    MPI_Group_from_session_pset(session, "mpi://NOBODY", &unknown);
    MPI_Group_size(world, &ranks);
    MPI_Group_rank(world, &rank);
    CHECK(flag && atoi(value) == ranks && unknown == MPI_GROUP_NULL);
    MPI_Group_size(own, &ranks);
    CHECK(ranks == 1);
    /* A communicator of the processes, whose errors go to the handler that it is given. */
    MPI_Comm all;
    int sum = -1;
    MPI_Comm_create_from_group(world, "memonet.sessions", MPI_INFO_NULL, MPI_ERRORS_RETURN, &all);
    MPI_Comm_size(all, &ranks);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, all);
    CHECK(atoi(value) == ranks && sum == ranks * (ranks - 1) / 2);
    CHECK(class_of(MPI_Send(&sum, 1, MPI_INT, ranks, 0, all)) == MPI_ERR_RANK);
    MPI_Comm_free(&all);
    MPI_Group_free(&world);
    MPI_Group_free(&own);
    MPI_Session_get_info(session, &info);
    length = sizeof(value);
    MPI_Info_get_string(info, "thread_level", &length, value, &flag);
    CHECK(flag && !strncmp(value, "MPI_THREAD_", 11));
    MPI_Info_free(&info);
    /* Errors belong to the session. */
    code = MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 2, &length, name);
    CHECK(code != MPI_SUCCESS && class_of(handled) == class_of(code));
    MPI_Session_call_errhandler(session, MPI_ERR_OTHER);
    CHECK(class_of(handled) == MPI_ERR_OTHER);
    MPI_Session_attach_buffer(session, buffer, sizeof(buffer));
    CHECK(class_of(MPI_Session_attach_buffer(session, buffer, sizeof(buffer))) == MPI_ERR_BUFFER && class_of(handled) == MPI_ERR_BUFFER);
    MPI_Session_flush_buffer(session);
    MPI_Session_iflush_buffer(session, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Session_detach_buffer(session, &old, &bytes);
    CHECK(old == buffer && bytes == sizeof(buffer));
    MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN);
    CHECK(class_of(MPI_Session_get_pset_info(session, "mpi://NOBODY", &info)) == MPI_ERR_ARG);
    MPI_Errhandler_free(&on_error);
    none = session;
    MPI_Session_finalize(&session);
    CHECK(session == MPI_SESSION_NULL);
    if (in_world) {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        CHECK(class_of(MPI_Session_get_num_psets(none, MPI_INFO_NULL, &sets)) == MPI_ERR_SESSION);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    }
}

int main(int argc, char **argv)
{
    int finalized;
    MPI_Session later;
    one_session(0);
    if (argc > 1 && !strcmp(argv[1], "alone")) {
        one_session(0);
        if (rank == 0)
            puts("sessions: right");
        return 0;
    }
    begin(&argc, &argv);
    one_session(1);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &later);
    int status = end("sessions");
    MPI_Finalized(&finalized);
    MPI_Session_finalize(&later);
    return finalized ? status : 1;
}
