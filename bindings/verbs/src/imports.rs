//! Objects of other processes and of other devices, extended connection establishment: the adapter has none of them.
#![allow(unsafe_code)]

use std::ptr::null_mut;

use crate::abi::*;
use crate::link;

fn refuse() -> *mut c_void {
    link::set_errno(libc::EOPNOTSUPP);
    null_mut()
}

// SAFETY of all below: the names are those of rdma-core, taken on purpose.

/// Fails: a context cannot be shared between processes.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_import_device(_fd: c_int) -> *mut c_void {
    refuse()
}

/// Fails, as [`ibv_import_device`].
#[unsafe(no_mangle)]
pub extern "C" fn ibv_import_pd(_context: *mut Context, _handle: u32) -> *mut c_void {
    refuse()
}

/// Fails, as [`ibv_import_device`].
#[unsafe(no_mangle)]
pub extern "C" fn ibv_import_mr(_pd: *mut Pd, _handle: u32) -> *mut c_void {
    refuse()
}

/// Fails: the adapter has no memory for programs.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_import_dm(_context: *mut Context, _handle: u32) -> *mut c_void {
    refuse()
}

/// Fails: other devices of the computer are not modelled.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_reg_dmabuf_mr(
    _pd: *mut Pd,
    _offset: u64,
    _length: size_t,
    _iova: u64,
    _fd: c_int,
    _access: c_int,
) -> *mut c_void {
    refuse()
}

/// Does nothing: no object was imported.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_unimport_pd(_pd: *mut Pd) {}

/// Does nothing, as [`ibv_unimport_pd`].
#[unsafe(no_mangle)]
pub extern "C" fn ibv_unimport_mr(_mr: *mut Mr) {}

/// Does nothing, as [`ibv_unimport_pd`].
#[unsafe(no_mangle)]
pub extern "C" fn ibv_unimport_dm(_memory: *mut c_void) {}

/// Fails: there are no options of a connection.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_set_ece(_qp: *mut Qp, _options: *mut c_void) -> c_int {
    libc::EOPNOTSUPP
}

/// Fails, as [`ibv_set_ece`].
#[unsafe(no_mangle)]
pub extern "C" fn ibv_query_ece(_qp: *mut Qp, _options: *mut c_void) -> c_int {
    libc::EOPNOTSUPP
}

/// Returns 0: the bytes of a message become visible in no promised order.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_query_qp_data_in_order(_qp: *mut Qp, _operation: c_int, _flags: u32) -> c_int {
    0
}
