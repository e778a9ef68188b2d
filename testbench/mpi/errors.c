/* Error classes, codes and texts of the program; error handlers of communicators and files. */
#include "check.h"
#include <stdint.h>

static int last(void)
{
    int *value, flag;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag);
    CHECK(flag);
    return *value;
}

static void codes(void)
{
    int class, code, found, length;
    char text[MPI_MAX_ERROR_STRING];
    CHECK(last() == MPI_ERR_LASTCODE);
    MPI_Add_error_class(&class);
    MPI_Add_error_code(class, &code);
    CHECK(class > MPI_ERR_LASTCODE && code != class && last() == (code > class ? code : class));
    MPI_Add_error_string(code, "out of paper");
    MPI_Error_string(code, text, &length);
    CHECK(!strcmp(text, "out of paper") && length == 12);
    MPI_Error_class(code, &found);
    CHECK(found == class);
    MPI_Error_string(class, text, &length);
    CHECK(length == 0 && !text[0]);
    MPI_Add_error_code(MPI_ERR_ARG, &found);
    CHECK(MPI_Remove_error_code(found) == MPI_SUCCESS);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK(MPI_Add_error_string(MPI_ERR_ARG, "mine") == MPI_ERR_ARG);
    CHECK(MPI_Add_error_code(code, &found) == MPI_ERR_ARG);
    CHECK(MPI_Remove_error_class(MPI_ERR_ARG) == MPI_ERR_ARG);
    CHECK(MPI_Remove_error_class(class) != MPI_SUCCESS);
    MPI_Remove_error_string(code);
    MPI_Error_string(code, text, &length);
    CHECK(length == 0);
    CHECK(MPI_Remove_error_string(code) == MPI_ERR_ARG);
    MPI_Remove_error_code(code);
    MPI_Remove_error_class(class);
    CHECK(last() == MPI_ERR_LASTCODE);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

static MPI_Comm seen;
static int seen_code, files;

static void of_comm(MPI_Comm *on, int *code, ...)
{
    seen = *on;
    seen_code = *code;
}

static void of_file(MPI_File *on, int *code, ...)
{
    CHECK(*on == MPI_FILE_NULL);
    files += *code;
}

static void handlers(void)
{
    MPI_Errhandler on_comm, on_file, found;
    MPI_Comm twin;
    int code;
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    MPI_Comm_create_errhandler(of_comm, &on_comm);
    MPI_File_create_errhandler(of_file, &on_file);
    MPI_Comm_set_errhandler(twin, on_comm);
    MPI_Comm_get_errhandler(twin, &found);
    CHECK(found == on_comm);
    MPI_Errhandler_free(&on_comm);
    CHECK(on_comm == MPI_ERRHANDLER_NULL);
    MPI_Add_error_code(MPI_ERR_OTHER, &code);
    MPI_Comm_call_errhandler(twin, code);
    CHECK(seen == twin && seen_code == code);
    CHECK(MPI_Send(NULL, -1, MPI_INT, 0, 0, twin) == MPI_ERR_COUNT && seen_code == MPI_ERR_COUNT);
    MPI_Comm_free(&twin);
    MPI_Remove_error_code(code);
    MPI_File_get_errhandler(MPI_FILE_NULL, &found);
    CHECK(found == MPI_ERRORS_RETURN);
    MPI_File_set_errhandler(MPI_FILE_NULL, on_file);
    MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_FILE);
    CHECK(files == MPI_ERR_FILE);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, on_file) == MPI_ERR_ERRHANDLER);
    CHECK(MPI_Comm_call_errhandler(MPI_COMM_NULL, MPI_ERR_OTHER) == MPI_ERR_COMM);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&on_file);
}

/* Facts about the interface, before MPI_Init. */
static void facts(void)
{
    MPI_Info info;
    char value[16];
    int length = sizeof(value), flag, set;
    int64_t yes = -1, no = -1;
    MPI_Abi_get_info(&info);
    MPI_Info_get_string(info, "mpi_count_size", &length, value, &flag);
    CHECK(flag && atoi(value) == sizeof(MPI_Count));
    MPI_Info_free(&info);
    MPI_Abi_get_fortran_info(&info);
    length = sizeof(value);
    MPI_Info_get_string(info, "mpi_real2_supported", &length, value, &flag);
    CHECK(flag && !strcmp(value, "false"));
    CHECK(MPI_Abi_set_fortran_info(info) == MPI_SUCCESS);
    MPI_Info_free(&info);
    MPI_Abi_get_fortran_booleans(8, &yes, &no, &set);
    CHECK(set && yes == 1 && no == 0 && MPI_Abi_set_fortran_booleans(8, &yes, &no) == MPI_SUCCESS);
    MPI_Get_hw_resource_info(&info);
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    int early;
    facts();
    MPI_Add_error_class(&early);
    MPI_Remove_error_class(early);
    begin(&argc, &argv);
    codes();
    handlers();
    return end("errors");
}
