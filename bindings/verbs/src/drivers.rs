//! Functions for libraries of drivers (`IBVERBS_PRIVATE_34`).
//!
//! Programs are linked to libmlx5 or libefa for a few extra functions, and the loader wants all symbols that these
//! libraries name. They register themselves; then nothing more happens, because `memonet0` is none of their devices.
#![allow(unsafe_code)]

use std::ptr::null_mut;

use crate::abi::{c_char, c_int, c_void, size_t};
use crate::link;

/// No driver may destroy objects of a device that has gone.
// SAFETY: the name is that of rdma-core, taken on purpose; drivers read one byte.
#[unsafe(no_mangle)]
pub static verbs_allow_disassociate_destroy: bool = false;

/// Functions that no driver calls without a device: each returns `EOPNOTSUPP`.
macro_rules! refused {
    ($($name:ident)*) => {
        $(
            /// Fails: there is no device of a driver.
            // SAFETY: the name is that of rdma-core, taken on purpose.
            #[unsafe(no_mangle)]
            pub extern "C" fn $name() -> c_int {
                libc::EOPNOTSUPP
            }
        )*
    };
}

refused! {
    ibv_cmd_advise_mr ibv_cmd_alloc_dm ibv_cmd_alloc_mw ibv_cmd_alloc_pd ibv_cmd_attach_mcast ibv_cmd_close_xrcd
    ibv_cmd_create_ah ibv_cmd_create_counters ibv_cmd_create_cq ibv_cmd_create_cq_ex ibv_cmd_create_flow
    ibv_cmd_create_flow_action_esp ibv_cmd_create_qp ibv_cmd_create_qp_ex ibv_cmd_create_qp_ex2
    ibv_cmd_create_rwq_ind_table ibv_cmd_create_srq ibv_cmd_create_srq_ex ibv_cmd_create_wq ibv_cmd_dealloc_mw
    ibv_cmd_dealloc_pd ibv_cmd_dereg_mr ibv_cmd_destroy_ah ibv_cmd_destroy_counters ibv_cmd_destroy_cq
    ibv_cmd_destroy_flow ibv_cmd_destroy_flow_action ibv_cmd_destroy_qp ibv_cmd_destroy_rwq_ind_table
    ibv_cmd_destroy_srq ibv_cmd_destroy_wq ibv_cmd_detach_mcast ibv_cmd_free_dm ibv_cmd_get_context ibv_cmd_modify_cq
    ibv_cmd_modify_flow_action_esp ibv_cmd_modify_qp ibv_cmd_modify_qp_ex ibv_cmd_modify_srq ibv_cmd_modify_wq
    ibv_cmd_open_qp ibv_cmd_open_xrcd ibv_cmd_poll_cq ibv_cmd_post_recv ibv_cmd_post_send ibv_cmd_post_srq_recv
    ibv_cmd_query_context ibv_cmd_query_device_any ibv_cmd_query_mr ibv_cmd_query_port ibv_cmd_query_qp
    ibv_cmd_query_srq ibv_cmd_read_counters ibv_cmd_reg_dm_mr ibv_cmd_reg_dmabuf_mr ibv_cmd_reg_mr
    ibv_cmd_req_notify_cq ibv_cmd_rereg_mr ibv_cmd_resize_cq execute_ioctl verbs_init_cq
}

// SAFETY of all below: the names are those of rdma-core, taken on purpose.

/// Ignores a driver: none has the device of this library.
#[unsafe(no_mangle)]
pub extern "C" fn verbs_register_driver_34(_driver: *const c_void) {}

/// Ignores a driver of an earlier rdma-core.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_register_driver(_name: *const c_char, _init: *const c_void) {}

/// Returns 0: there are no attributes of an `ioctl`.
#[unsafe(no_mangle)]
pub extern "C" fn __ioctl_final_num_attrs(_attributes: u32, _link: *mut c_void) -> u32 {
    0
}

/// Ignores a message of a driver.
#[unsafe(no_mangle)]
pub extern "C" fn __verbs_log(_context: *mut c_void, _level: u32, _format: *const c_char) {}

/// Fails: there is no device of a driver.
#[unsafe(no_mangle)]
pub extern "C" fn _verbs_init_and_alloc_context() -> *mut c_void {
    link::set_errno(libc::EOPNOTSUPP);
    null_mut()
}

/// Fails, as [`_verbs_init_and_alloc_context`].
#[unsafe(no_mangle)]
pub extern "C" fn verbs_open_device(_device: *mut c_void, _private: *mut c_void) -> *mut c_void {
    _verbs_init_and_alloc_context()
}

/// Does nothing: there is no context of a driver.
#[unsafe(no_mangle)]
pub extern "C" fn verbs_set_ops(_context: *mut c_void, _ops: *const c_void) {}

/// Does nothing, as [`verbs_set_ops`].
#[unsafe(no_mangle)]
pub extern "C" fn verbs_uninit_context(_context: *mut c_void) {}

/// Fails: the device of a driver has no files.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_read_ibdev_sysfs_file(
    _buffer: *mut c_char,
    _bytes: size_t,
    _device: *mut c_void,
) -> c_int {
    link::set_errno(libc::ENOENT);
    -1
}
