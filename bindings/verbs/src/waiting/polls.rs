//! `poll` and `ppoll`.
#![allow(unsafe_code)]

use libc::{c_int, nfds_t, pollfd, sigset_t, timespec};

use super::{Descriptors, after, after_ms, found};
use crate::{link, slot};

/// Waits in virtual time for one of these descriptors.
///
/// # Safety
/// There are `count` descriptors.
unsafe fn block(function: &str, fds: *mut pollfd, count: nfds_t, until: u64) -> c_int {
    let mut descriptors = Descriptors::new();
    for at in 0..count as usize {
        // SAFETY: the contract of this function.
        let fd = unsafe { (*fds.add(at)).fd };
        if fd >= 0 {
            descriptors.add(fd);
        }
    }
    // SAFETY: the operating system checks the arguments.
    let look = || found(unsafe { libc::syscall(libc::SYS_poll, fds, count, 0) });
    descriptors.block(function, until, look).result()
}

// SAFETY of all below: the names are those of POSIX, taken on purpose. The caller passes valid pointers, some of which may
// be null.

/// `poll` of POSIX, in virtual time.
#[unsafe(no_mangle)]
pub extern "C" fn poll(fds: *mut pollfd, count: nfds_t, ms: c_int) -> c_int {
    match slot::get() {
        // SAFETY: see above.
        Some(_) => unsafe { block("poll", fds, count, after_ms(ms)) },
        // SAFETY: the operating system checks the arguments.
        None => unsafe { libc::syscall(libc::SYS_poll, fds, count, ms) as c_int },
    }
}

/// `ppoll` of Linux, in virtual time; the signal mask stays that of the thread.
#[unsafe(no_mangle)]
pub extern "C" fn ppoll(
    fds: *mut pollfd,
    count: nfds_t,
    duration: *const timespec,
    mask: *const sigset_t,
) -> c_int {
    if slot::get().is_none() {
        // The system call changes the duration.
        // SAFETY: see above.
        let mut copy = (!duration.is_null()).then(|| unsafe { *duration });
        let place = copy.as_mut().map_or(std::ptr::null_mut(), |copy| copy as *mut timespec);
        // SAFETY: the operating system checks the arguments; its signal sets have 8 bytes.
        return unsafe { libc::syscall(libc::SYS_ppoll, fds, count, place, mask, 8) as c_int };
    }
    // SAFETY: see above.
    let time = (!duration.is_null()).then(|| unsafe { ((*duration).tv_sec, (*duration).tv_nsec) });
    match after(time, 1_000_000_000) {
        // SAFETY: see above.
        Ok(until) => unsafe { block("ppoll", fds, count, until) },
        Err(errno) => {
            link::set_errno(errno);
            -1
        }
    }
}
