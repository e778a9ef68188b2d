//! Initialization, finalization and environment (MPI 5.0, chapters 9 and 11).

use super::functions;
use crate::calls::{abi, environment};
use crate::types::*;

functions! {
    MPI_Abi_get_fortran_booleans(logical_size: c_int, logical_true: *mut c_void, logical_false: *mut c_void, is_set: *mut c_int) = abi::get_fortran_booleans;
    MPI_Abi_get_fortran_info(info: *mut MPI_Info) = abi::get_fortran_info;
    MPI_Abi_get_info(info: *mut MPI_Info) = abi::get_info;
    MPI_Abi_get_version(abi_major: *mut c_int, abi_minor: *mut c_int) = environment::abi_get_version;
    MPI_Abi_set_fortran_booleans(logical_size: c_int, logical_true: *mut c_void, logical_false: *mut c_void) = abi::set_fortran_booleans;
    MPI_Abi_set_fortran_info(info: MPI_Info) = abi::set_fortran_info;
    MPI_Abort(comm: MPI_Comm, errorcode: c_int) = environment::abort;
    MPI_Alloc_mem(size: MPI_Aint, info: MPI_Info, baseptr: *mut c_void) = environment::alloc_mem;
    MPI_Finalize() = environment::finalize;
    MPI_Finalized(flag: *mut c_int) = environment::finalized;
    MPI_Free_mem(base: *mut c_void) = environment::free_mem;
    MPI_Get_hw_resource_info(hw_info: *mut MPI_Info) = abi::get_hw_resource_info;
    MPI_Get_library_version(version: *mut c_char, resultlen: *mut c_int) = environment::get_library_version;
    MPI_Get_processor_name(name: *mut c_char, resultlen: *mut c_int) = environment::get_processor_name;
    MPI_Get_version(version: *mut c_int, subversion: *mut c_int) = environment::get_version;
    MPI_Init(argc: *mut c_int, argv: *mut *mut *mut c_char) = environment::init;
    MPI_Init_thread(argc: *mut c_int, argv: *mut *mut *mut c_char, required: c_int, provided: *mut c_int) = environment::init_thread;
    MPI_Initialized(flag: *mut c_int) = environment::initialized;
    MPI_Is_thread_main(flag: *mut c_int) = environment::is_thread_main;
    MPI_Pcontrol(level: c_int) = environment::pcontrol;
    MPI_Query_thread(provided: *mut c_int) = environment::query_thread;
}
