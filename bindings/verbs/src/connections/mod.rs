//! The file `/dev/infiniband/rdma_cm`, by which the installed `librdmacm` speaks with the connection manager of Linux
//! (decision 0084).
#![allow(unsafe_code)]

mod channels;
mod commands;
mod marshal;

use std::ffi::CStr;

use libc::{c_char, c_int, c_uint, c_void, size_t, ssize_t, stat};

use crate::errno::set_errno;
use crate::slot;

pub use channels::{close, fetch, fetch_of, number};

/// The file.
const FILE: &CStr = c"/dev/infiniband/rdma_cm";

/// Carries out a command that the program writes to an event channel; none if the descriptor is that of another file.
///
/// # Safety
/// The buffer is valid for `bytes` bytes.
pub unsafe fn write(fd: c_int, buffer: *const c_void, bytes: size_t) -> Option<ssize_t> {
    let channel = number(fd)?;
    // SAFETY: the contract of this function.
    let message = unsafe { std::slice::from_raw_parts(buffer.cast::<u8>(), bytes) };
    Some(match commands::carry_out(fd, channel, message) {
        Ok(()) => bytes as ssize_t,
        Err(errno) => {
            set_errno(errno);
            -1
        }
    })
}

// SAFETY of all below: the names are those of POSIX, taken on purpose. The caller passes valid pointers.

/// `open` of POSIX. Where it has no third argument, the operating system ignores what is there.
#[unsafe(no_mangle)]
pub extern "C" fn open(path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    // SAFETY: see above.
    if !path.is_null() && unsafe { CStr::from_ptr(path) } == FILE && slot::get().is_some() {
        return channels::open().unwrap_or_else(|errno| {
            set_errno(errno);
            -1
        });
    }
    // SAFETY: the operating system checks the arguments.
    unsafe { libc::syscall(libc::SYS_openat, libc::AT_FDCWD, path, flags, mode) as c_int }
}

/// `fstat` of POSIX: the file is a device of characters.
#[unsafe(no_mangle)]
pub extern "C" fn fstat(fd: c_int, place: *mut stat) -> c_int {
    // SAFETY: the operating system checks the arguments.
    let result = unsafe { libc::syscall(libc::SYS_fstat, fd, place) as c_int };
    if result == 0 && number(fd).is_some() {
        // SAFETY: see above.
        unsafe { (*place).st_mode = libc::S_IFCHR | 0o666 };
    }
    result
}
