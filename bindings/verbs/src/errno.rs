//! `errno` of the thread.
#![allow(unsafe_code)]

use libc::c_int;

/// Sets `errno` of this thread.
pub fn set_errno(errno: c_int) {
    // SAFETY: the pointer is that of this thread's `errno`.
    unsafe { *libc::__errno_location() = errno };
}
