//! Info objects (MPI 5.0, chapter 10).

use super::functions;
use crate::calls::info;
use crate::types::*;

functions! {
    MPI_Info_create(info: *mut MPI_Info) = info::info_create;
    MPI_Info_create_env(argc: c_int, argv: *mut *mut c_char, info: *mut MPI_Info) = info::info_create_env;
    MPI_Info_delete(info: MPI_Info, key: *const c_char) = info::info_delete;
    MPI_Info_dup(info: MPI_Info, newinfo: *mut MPI_Info) = info::info_dup;
    MPI_Info_free(info: *mut MPI_Info) = info::info_free;
    MPI_Info_get(
        info: MPI_Info, key: *const c_char, valuelen: c_int, value: *mut c_char, flag: *mut c_int
    ) = info::info_get;
    MPI_Info_get_nkeys(info: MPI_Info, nkeys: *mut c_int) = info::info_get_nkeys;
    MPI_Info_get_nthkey(info: MPI_Info, n: c_int, key: *mut c_char) = info::info_get_nthkey;
    MPI_Info_get_string(
        info: MPI_Info, key: *const c_char, buflen: *mut c_int, value: *mut c_char, flag: *mut c_int
    ) = info::info_get_string;
    MPI_Info_get_valuelen(
        info: MPI_Info, key: *const c_char, valuelen: *mut c_int, flag: *mut c_int
    ) = info::info_get_valuelen;
    MPI_Info_set(info: MPI_Info, key: *const c_char, value: *const c_char) = info::info_set;
}
