/* The tool information interface. */
#include "check.h"

static unsigned long long read_one(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    unsigned long long value = 0;
    CHECK(MPI_T_pvar_read(session, handle, &value) == MPI_SUCCESS);
    return value;
}

int main(int argc, char **argv)
{
    int provided, count, index, length, name_length, verbosity, class, bind, read_only, continuous, atomic, in = 0;
    char name[64], text[128];
    MPI_Datatype kind;
    MPI_T_enum enumeration;
    MPI_T_pvar_session session;
    MPI_T_pvar_handle messages, bytes, stale;
    unsigned long long value;
    CHECK(MPI_T_pvar_get_num(&count) == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS);
    MPI_T_cvar_get_num(&count);
    CHECK(count == 0 && MPI_T_cvar_get_index("any", &index) == MPI_T_ERR_INVALID_NAME);
    MPI_T_category_get_num(&count);
    CHECK(count == 0 && MPI_T_category_get_cvars(0, 1, &index) == MPI_T_ERR_INVALID_INDEX);
    MPI_T_event_get_num(&count);
    CHECK(count == 0);
    MPI_T_source_get_num(&count);
    CHECK(count == 0);
    MPI_T_pvar_get_num(&count);
    CHECK(count == 3 && MPI_T_pvar_get_index("bytes_sent", MPI_T_PVAR_CLASS_TIMER, &index) == MPI_T_ERR_INVALID_NAME);
    CHECK(MPI_T_pvar_get_index("bytes_sent", MPI_T_PVAR_CLASS_COUNTER, &index) == MPI_SUCCESS);
    name_length = 6, length = sizeof(text);
    MPI_T_pvar_get_info(index, name, &name_length, &verbosity, &class, &kind, &enumeration, text, &length, &bind, &read_only,
                        &continuous, &atomic);
    CHECK(!strcmp(name, "bytes") && name_length == 11 && class == MPI_T_PVAR_CLASS_COUNTER && continuous);
    CHECK(kind == MPI_UNSIGNED_LONG_LONG && enumeration == MPI_T_ENUM_NULL && (int)strlen(text) + 1 == length);
    CHECK(MPI_T_pvar_get_info(3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL) ==
          MPI_T_ERR_INVALID_INDEX);
    begin(&argc, &argv);
    MPI_T_pvar_session_create(&session);
    MPI_T_pvar_handle_alloc(session, index, NULL, &bytes, &count);
    CHECK(count == 1);
    MPI_T_pvar_get_index("messages_sent", MPI_T_PVAR_CLASS_COUNTER, &index);
    MPI_T_pvar_handle_alloc(session, index, NULL, &messages, &count);
    MPI_T_pvar_reset(session, MPI_T_PVAR_ALL_HANDLES);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &in, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    CHECK(read_one(session, messages) == 1 && read_one(session, bytes) == 4);
    MPI_T_pvar_readreset(session, bytes, &value);
    CHECK(value == 4 && read_one(session, bytes) == 0);
    value = 10;
    MPI_T_pvar_write(session, bytes, &value);
    CHECK(read_one(session, bytes) == 10);
    CHECK(MPI_T_pvar_start(session, bytes) == MPI_T_ERR_PVAR_NO_STARTSTOP);
    CHECK(MPI_T_pvar_stop(session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    stale = bytes;
    MPI_T_pvar_handle_free(session, &bytes);
    CHECK(bytes == MPI_T_PVAR_HANDLE_NULL && MPI_T_pvar_read(session, stale, &value) == MPI_T_ERR_INVALID_HANDLE);
    MPI_T_pvar_session_free(&session);
    CHECK(session == MPI_T_PVAR_SESSION_NULL);
    int status = end("tools");
    MPI_T_finalize();
    CHECK(MPI_T_finalize() == MPI_T_ERR_NOT_INITIALIZED);
    return status;
}
