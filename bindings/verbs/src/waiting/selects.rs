//! `select` and `pselect`.
#![allow(unsafe_code)]

use std::ptr::null_mut;

use libc::{c_int, fd_set, sigset_t, timespec, timeval};

use super::{Descriptors, after, found};
use crate::{link, slot};

/// Waits in virtual time for one of these descriptors.
///
/// # Safety
/// Each set is null or valid.
unsafe fn block(function: &str, count: c_int, sets: [*mut fd_set; 3], until: Result<u64, c_int>) -> c_int {
    let Ok(until) = until else {
        link::set_errno(libc::EINVAL);
        return -1;
    };
    // SAFETY: the contract of this function.
    let wanted = sets.map(|set| (!set.is_null()).then(|| unsafe { *set }));
    let mut descriptors = Descriptors::new();
    for fd in 0..count.clamp(0, libc::FD_SETSIZE as c_int) {
        // SAFETY: the sets are valid and have this descriptor.
        if wanted.iter().flatten().any(|set| unsafe { libc::FD_ISSET(fd, set) }) {
            descriptors.add(fd);
        }
    }
    let look = || {
        for (set, wanted) in sets.iter().zip(&wanted) {
            if let Some(wanted) = wanted {
                // SAFETY: the contract of this function.
                unsafe { **set = *wanted };
            }
        }
        let mut none = timeval { tv_sec: 0, tv_usec: 0 };
        let [read, write, except] = sets;
        // SAFETY: the operating system checks the arguments.
        found(unsafe { libc::syscall(libc::SYS_select, count, read, write, except, &raw mut none) })
    };
    descriptors.block(function, until, look).result()
}

// SAFETY of all below: the names are those of POSIX, taken on purpose. The caller passes valid pointers, some of which may
// be null.

/// `select` of POSIX, in virtual time; the duration stays as it is.
#[unsafe(no_mangle)]
pub extern "C" fn select(
    count: c_int,
    read: *mut fd_set,
    write: *mut fd_set,
    except: *mut fd_set,
    duration: *mut timeval,
) -> c_int {
    if slot::get().is_none() {
        // SAFETY: the operating system checks the arguments.
        return unsafe { libc::syscall(libc::SYS_select, count, read, write, except, duration) as c_int };
    }
    // SAFETY: see above.
    let time = (!duration.is_null()).then(|| unsafe { ((*duration).tv_sec, (*duration).tv_usec) });
    // SAFETY: see above.
    unsafe { block("select", count, [read, write, except], after(time, 1_000_000)) }
}

/// `pselect` of POSIX, in virtual time; the signal mask stays that of the thread.
#[unsafe(no_mangle)]
pub extern "C" fn pselect(
    count: c_int,
    read: *mut fd_set,
    write: *mut fd_set,
    except: *mut fd_set,
    duration: *const timespec,
    mask: *const sigset_t,
) -> c_int {
    // SAFETY: see above.
    let time = (!duration.is_null()).then(|| unsafe { *duration });
    if slot::get().is_none() {
        let mut copy = time;
        let place = copy.as_mut().map_or(null_mut(), |copy| copy as *mut timespec);
        let signals: [usize; 2] = [mask as usize, 8];
        // SAFETY: the operating system checks the arguments; the last one is a mask with the bytes of its signal set.
        return unsafe {
            libc::syscall(libc::SYS_pselect6, count, read, write, except, place, signals.as_ptr()) as c_int
        };
    }
    let until = after(time.map(|time| (time.tv_sec, time.tv_nsec)), 1_000_000_000);
    // SAFETY: see above.
    unsafe { block("pselect", count, [read, write, except], until) }
}
