//! Flags of descriptors.
#![allow(unsafe_code)]

use libc::c_int;

/// The flags of an open descriptor.
fn flags(fd: c_int) -> Option<c_int> {
    // SAFETY: the arguments are numbers.
    Some(unsafe { libc::fcntl(fd, libc::F_GETFL) }).filter(|flags| *flags >= 0)
}

/// Whether a descriptor is open, and its operations block.
pub fn is_blocking(fd: c_int) -> bool {
    flags(fd).is_some_and(|flags| flags & libc::O_NONBLOCK == 0)
}

/// Whether a descriptor is open, and its operations do not block.
pub fn is_nonblocking(fd: c_int) -> bool {
    flags(fd).is_some_and(|flags| flags & libc::O_NONBLOCK != 0)
}
