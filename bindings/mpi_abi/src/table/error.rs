//! Error handlers and codes (MPI 5.0, section 9.3).

use super::functions;
use crate::calls::{error, error_code};
use crate::types::*;

functions! {
    MPI_Add_error_class(errorclass: *mut c_int) = error_code::add_error_class;
    MPI_Add_error_code(errorclass: c_int, errorcode: *mut c_int) = error_code::add_error_code;
    MPI_Add_error_string(errorcode: c_int, string: *const c_char) = error_code::add_error_string;
    MPI_Comm_call_errhandler(comm: MPI_Comm, errorcode: c_int) = error::comm_call_errhandler;
    MPI_Comm_create_errhandler(
        comm_errhandler_fn: MPI_Comm_errhandler_function, errhandler: *mut MPI_Errhandler
    ) = error::comm_create_errhandler;
    MPI_Comm_get_errhandler(comm: MPI_Comm, errhandler: *mut MPI_Errhandler) = error::comm_get_errhandler;
    MPI_Comm_set_errhandler(comm: MPI_Comm, errhandler: MPI_Errhandler) = error::comm_set_errhandler;
    MPI_Errhandler_free(errhandler: *mut MPI_Errhandler) = error::errhandler_free;
    MPI_Error_class(errorcode: c_int, errorclass: *mut c_int) = error_code::error_class;
    MPI_Error_string(errorcode: c_int, string: *mut c_char, resultlen: *mut c_int) = error_code::error_string;
    MPI_Remove_error_class(errorclass: c_int) = error_code::remove_error_class;
    MPI_Remove_error_code(errorcode: c_int) = error_code::remove_error_code;
    MPI_Remove_error_string(errorcode: c_int) = error_code::remove_error_string;
}
