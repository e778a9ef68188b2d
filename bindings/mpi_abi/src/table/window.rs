//! One-sided communication (MPI 5.0, chapter 12).

use super::functions;
use crate::calls::window::{self, access, attribute, create, error, synchronize};
use crate::types::*;

functions! {
    MPI_Accumulate[_c](
        origin_addr: *const c_void, origin_count: Count, origin_datatype: MPI_Datatype, target_rank: c_int, target_disp: MPI_Aint,
        target_count: Count, target_datatype: MPI_Datatype, op: MPI_Op, win: MPI_Win
    ) = access::accumulate;
    MPI_Compare_and_swap(
        origin_addr: *const c_void, compare_addr: *const c_void, result_addr: *mut c_void, datatype: MPI_Datatype, target_rank: c_int,
        target_disp: MPI_Aint, win: MPI_Win
    ) = access::compare_and_swap;
    MPI_Fetch_and_op(
        origin_addr: *const c_void, result_addr: *mut c_void, datatype: MPI_Datatype, target_rank: c_int, target_disp: MPI_Aint, op: MPI_Op,
        win: MPI_Win
    ) = access::fetch_and_op;
    MPI_Get[_c](
        origin_addr: *mut c_void, origin_count: Count, origin_datatype: MPI_Datatype, target_rank: c_int, target_disp: MPI_Aint,
        target_count: Count, target_datatype: MPI_Datatype, win: MPI_Win
    ) = access::get;
    MPI_Get_accumulate[_c](
        origin_addr: *const c_void, origin_count: Count, origin_datatype: MPI_Datatype, result_addr: *mut c_void, result_count: Count,
        result_datatype: MPI_Datatype, target_rank: c_int, target_disp: MPI_Aint, target_count: Count, target_datatype: MPI_Datatype,
        op: MPI_Op, win: MPI_Win
    ) = access::get_accumulate;
    MPI_Put[_c](
        origin_addr: *const c_void, origin_count: Count, origin_datatype: MPI_Datatype, target_rank: c_int, target_disp: MPI_Aint,
        target_count: Count, target_datatype: MPI_Datatype, win: MPI_Win
    ) = access::put;
    MPI_Raccumulate[_c](
        origin_addr: *const c_void, origin_count: Count, origin_datatype: MPI_Datatype, target_rank: c_int, target_disp: MPI_Aint,
        target_count: Count, target_datatype: MPI_Datatype, op: MPI_Op, win: MPI_Win, request: *mut MPI_Request
    ) = access::raccumulate;
    MPI_Rget[_c](
        origin_addr: *mut c_void, origin_count: Count, origin_datatype: MPI_Datatype, target_rank: c_int, target_disp: MPI_Aint,
        target_count: Count, target_datatype: MPI_Datatype, win: MPI_Win, request: *mut MPI_Request
    ) = access::rget;
    MPI_Rget_accumulate[_c](
        origin_addr: *const c_void, origin_count: Count, origin_datatype: MPI_Datatype, result_addr: *mut c_void, result_count: Count,
        result_datatype: MPI_Datatype, target_rank: c_int, target_disp: MPI_Aint, target_count: Count, target_datatype: MPI_Datatype,
        op: MPI_Op, win: MPI_Win, request: *mut MPI_Request
    ) = access::rget_accumulate;
    MPI_Rput[_c](
        origin_addr: *const c_void, origin_count: Count, origin_datatype: MPI_Datatype, target_rank: c_int, target_disp: MPI_Aint,
        target_count: Count, target_datatype: MPI_Datatype, win: MPI_Win, request: *mut MPI_Request
    ) = access::rput;
    MPI_Win_allocate[_c](size: MPI_Aint, disp_unit: Displacement, info: MPI_Info, comm: MPI_Comm, baseptr: *mut c_void, win: *mut MPI_Win) = create::allocate;
    MPI_Win_allocate_shared[_c](
        size: MPI_Aint, disp_unit: Displacement, info: MPI_Info, comm: MPI_Comm, baseptr: *mut c_void, win: *mut MPI_Win
    ) = create::allocate_shared;
    MPI_Win_attach(win: MPI_Win, base: *mut c_void, size: MPI_Aint) = create::attach;
    MPI_Win_call_errhandler(win: MPI_Win, errorcode: c_int) = error::call_errhandler;
    MPI_Win_complete(win: MPI_Win) = synchronize::complete;
    MPI_Win_create[_c](base: *mut c_void, size: MPI_Aint, disp_unit: Displacement, info: MPI_Info, comm: MPI_Comm, win: *mut MPI_Win) = create::create;
    MPI_Win_create_dynamic(info: MPI_Info, comm: MPI_Comm, win: *mut MPI_Win) = create::create_dynamic;
    MPI_Win_create_errhandler(win_errhandler_fn: MPI_Win_errhandler_function, errhandler: *mut MPI_Errhandler) = error::create_errhandler;
    MPI_Win_create_keyval(
        win_copy_attr_fn: MPI_Win_copy_attr_function, win_delete_attr_fn: MPI_Win_delete_attr_function, win_keyval: *mut c_int,
        extra_state: *mut c_void
    ) = attribute::create_keyval;
    MPI_Win_delete_attr(win: MPI_Win, win_keyval: c_int) = attribute::delete_attr;
    MPI_Win_detach(win: MPI_Win, base: *const c_void) = create::detach;
    MPI_Win_fence(assert: c_int, win: MPI_Win) = synchronize::fence;
    MPI_Win_flush(rank: c_int, win: MPI_Win) = synchronize::flush;
    MPI_Win_flush_all(win: MPI_Win) = synchronize::flush_all;
    MPI_Win_flush_local(rank: c_int, win: MPI_Win) = synchronize::flush_local;
    MPI_Win_flush_local_all(win: MPI_Win) = synchronize::flush_local_all;
    MPI_Win_free(win: *mut MPI_Win) = create::free;
    MPI_Win_free_keyval(win_keyval: *mut c_int) = attribute::free_keyval;
    MPI_Win_get_attr(win: MPI_Win, win_keyval: c_int, attribute_val: *mut c_void, flag: *mut c_int) = attribute::get_attr;
    MPI_Win_get_errhandler(win: MPI_Win, errhandler: *mut MPI_Errhandler) = error::get_errhandler;
    MPI_Win_get_group(win: MPI_Win, group: *mut MPI_Group) = window::get_group;
    MPI_Win_get_info(win: MPI_Win, info_used: *mut MPI_Info) = window::get_info;
    MPI_Win_get_name(win: MPI_Win, win_name: *mut c_char, resultlen: *mut c_int) = window::get_name;
    MPI_Win_lock(lock_type: c_int, rank: c_int, assert: c_int, win: MPI_Win) = synchronize::lock;
    MPI_Win_lock_all(assert: c_int, win: MPI_Win) = synchronize::lock_all;
    MPI_Win_post(group: MPI_Group, assert: c_int, win: MPI_Win) = synchronize::post;
    MPI_Win_set_attr(win: MPI_Win, win_keyval: c_int, attribute_val: *mut c_void) = attribute::set_attr;
    MPI_Win_set_errhandler(win: MPI_Win, errhandler: MPI_Errhandler) = error::set_errhandler;
    MPI_Win_set_info(win: MPI_Win, info: MPI_Info) = window::set_info;
    MPI_Win_set_name(win: MPI_Win, win_name: *const c_char) = window::set_name;
    MPI_Win_shared_query[_c](win: MPI_Win, rank: c_int, size: *mut MPI_Aint, disp_unit: *mut Displacement, baseptr: *mut c_void) = window::shared_query;
    MPI_Win_start(group: MPI_Group, assert: c_int, win: MPI_Win) = synchronize::start;
    MPI_Win_sync(win: MPI_Win) = synchronize::sync;
    MPI_Win_test(win: MPI_Win, flag: *mut c_int) = synchronize::test;
    MPI_Win_unlock(rank: c_int, win: MPI_Win) = synchronize::unlock;
    MPI_Win_unlock_all(win: MPI_Win) = synchronize::unlock_all;
    MPI_Win_wait(win: MPI_Win) = synchronize::wait;
}
