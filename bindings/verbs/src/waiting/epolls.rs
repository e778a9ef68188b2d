//! `epoll`: the library notes the members of each set, and waits for them in virtual time.
#![allow(unsafe_code)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use libc::{c_int, epoll_event, sigset_t, timespec};

use super::{Descriptors, after, after_ms, found};
use crate::{link, slot};

/// Members of each set, by its descriptor.
static SETS: Mutex<BTreeMap<c_int, BTreeSet<c_int>>> = Mutex::new(BTreeMap::new());

fn sets() -> std::sync::MutexGuard<'static, BTreeMap<c_int, BTreeSet<c_int>>> {
    SETS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Members of a set; none if the descriptor is that of no set.
pub fn members(fd: c_int) -> Option<Vec<c_int>> {
    sets().get(&fd).map(|members| members.iter().copied().collect())
}

/// The program closes a descriptor.
pub fn close(fd: c_int) {
    let mut sets = sets();
    sets.remove(&fd);
    for members in sets.values_mut() {
        members.remove(&fd);
    }
}

/// Waits in virtual time for an event of a set.
fn block(function: &str, fd: c_int, events: *mut epoll_event, most: c_int, until: u64) -> c_int {
    let mut descriptors = Descriptors::new();
    descriptors.add(fd);
    // SAFETY: the operating system checks the arguments.
    let look = || found(unsafe { libc::syscall(libc::SYS_epoll_wait, fd, events, most, 0) });
    descriptors.block(function, until, look).result()
}

// SAFETY of all below: the names are those of Linux, taken on purpose. The caller passes valid pointers, some of which may
// be null.

/// `epoll_ctl` of Linux.
#[unsafe(no_mangle)]
pub extern "C" fn epoll_ctl(set: c_int, operation: c_int, fd: c_int, event: *mut epoll_event) -> c_int {
    // SAFETY: the operating system checks the arguments.
    let result = unsafe { libc::syscall(libc::SYS_epoll_ctl, set, operation, fd, event) as c_int };
    if result == 0 {
        let mut sets = sets();
        let members = sets.entry(set).or_default();
        if operation == libc::EPOLL_CTL_DEL {
            members.remove(&fd);
        } else {
            members.insert(fd);
        }
    }
    result
}

/// `epoll_wait` of Linux, in virtual time.
#[unsafe(no_mangle)]
pub extern "C" fn epoll_wait(fd: c_int, events: *mut epoll_event, most: c_int, ms: c_int) -> c_int {
    match slot::get() {
        Some(_) => block("epoll_wait", fd, events, most, after_ms(ms)),
        // SAFETY: the operating system checks the arguments.
        None => unsafe { libc::syscall(libc::SYS_epoll_wait, fd, events, most, ms) as c_int },
    }
}

/// `epoll_pwait` of Linux, in virtual time; the signal mask stays that of the thread.
#[unsafe(no_mangle)]
pub extern "C" fn epoll_pwait(
    fd: c_int,
    events: *mut epoll_event,
    most: c_int,
    ms: c_int,
    mask: *const sigset_t,
) -> c_int {
    match slot::get() {
        Some(_) => block("epoll_pwait", fd, events, most, after_ms(ms)),
        // SAFETY: the operating system checks the arguments; its signal sets have 8 bytes.
        None => unsafe { libc::syscall(libc::SYS_epoll_pwait, fd, events, most, ms, mask, 8) as c_int },
    }
}

/// `epoll_pwait2` of Linux, as [`epoll_pwait`].
#[unsafe(no_mangle)]
pub extern "C" fn epoll_pwait2(
    fd: c_int,
    events: *mut epoll_event,
    most: c_int,
    duration: *const timespec,
    mask: *const sigset_t,
) -> c_int {
    if slot::get().is_none() {
        // SAFETY: the operating system checks the arguments; its signal sets have 8 bytes.
        return unsafe {
            libc::syscall(libc::SYS_epoll_pwait2, fd, events, most, duration, mask, 8) as c_int
        };
    }
    // SAFETY: see above.
    let time = (!duration.is_null()).then(|| unsafe { ((*duration).tv_sec, (*duration).tv_nsec) });
    match after(time, 1_000_000_000) {
        Ok(until) => block("epoll_pwait2", fd, events, most, until),
        Err(errno) => {
            link::set_errno(errno);
            -1
        }
    }
}
