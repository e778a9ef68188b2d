//! `timerfd`: timers with a descriptor. The descriptor is an `eventfd`, which has the same reads and the same readiness;
//! the library adds the expirations to it.
#![allow(unsafe_code)]

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use libc::{c_int, clockid_t, itimerspec, timespec};

use slots::clock::beginning;

use super::{seconds, since_ps};
use crate::errno::set_errno;
use crate::{slot, virtual_clock};

/// Setting of a timer; times in ps.
#[derive(Clone, Copy)]
struct Timer {
    /// Value of its clock when virtual time began.
    begin: Duration,
    /// Time of the next expiration, in ps of virtual time; `u64::MAX` for none.
    next: u64,
    /// Interval between expirations, in ps; 0 for one expiration.
    interval: u64,
}

static TIMERS: Mutex<BTreeMap<c_int, Timer>> = Mutex::new(BTreeMap::new());
/// The earliest expiration of all timers.
static NEXT: AtomicU64 = AtomicU64::new(u64::MAX);

fn timers() -> std::sync::MutexGuard<'static, BTreeMap<c_int, Timer>> {
    TIMERS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn note_next(timers: &BTreeMap<c_int, Timer>) {
    NEXT.store(timers.values().map(|timer| timer.next).min().unwrap_or(u64::MAX), Relaxed);
}

pub fn next_ps() -> u64 {
    NEXT.load(Relaxed)
}

/// Adds expirations to the descriptors whose time has come.
pub fn run(now: u64) {
    if now < NEXT.load(Relaxed) {
        return;
    }
    let mut timers = timers();
    for (fd, timer) in timers.iter_mut().filter(|(_, timer)| timer.next <= now) {
        let count: u64 = match timer.interval {
            0 => 1,
            interval => (now - timer.next) / interval + 1,
        };
        // SAFETY: the call reads the 8 bytes of the number.
        unsafe { libc::syscall(libc::SYS_write, *fd, &raw const count, 8) };
        timer.next = match timer.interval {
            0 => u64::MAX,
            interval => timer.next.saturating_add(count.saturating_mul(interval)),
        };
    }
    note_next(&timers);
}

/// Whether a descriptor is a timer.
pub fn is_timer(fd: c_int) -> bool {
    timers().contains_key(&fd)
}

/// The program closes a descriptor.
pub fn close(fd: c_int) {
    let mut timers = timers();
    if timers.remove(&fd).is_some() {
        note_next(&timers);
    }
}

fn value(ps: u64) -> timespec {
    let (tv_sec, rest) = seconds(ps);
    timespec { tv_sec, tv_nsec: rest.div_ceil(1000) as i64 }
}

fn setting(timer: &Timer, now: u64) -> itimerspec {
    let left = if timer.next == u64::MAX { 0 } else { timer.next.saturating_sub(now).max(1) };
    itimerspec { it_value: value(left), it_interval: value(timer.interval) }
}

// SAFETY of all below: the names are those of Linux, taken on purpose. The caller passes valid pointers, some of which
// may be null.

/// `timerfd_create` of Linux, in virtual time.
#[unsafe(no_mangle)]
pub extern "C" fn timerfd_create(clock: clockid_t, flags: c_int) -> c_int {
    if slot::get().is_none() {
        // SAFETY: the arguments are numbers.
        return unsafe { libc::syscall(libc::SYS_timerfd_create, clock, flags) as c_int };
    }
    // SAFETY: the arguments are numbers; both calls have the same flags.
    let fd = unsafe { libc::eventfd(0, flags) };
    if fd >= 0 {
        timers().insert(fd, Timer { begin: beginning(clock), next: u64::MAX, interval: 0 });
    }
    fd
}

/// `timerfd_settime` of Linux, in virtual time.
#[unsafe(no_mangle)]
pub extern "C" fn timerfd_settime(
    fd: c_int,
    flags: c_int,
    new: *const itimerspec,
    old: *mut itimerspec,
) -> c_int {
    let mut timers = timers();
    let (Some(now), Some(timer)) = (virtual_clock::now_ps(), timers.get_mut(&fd)) else {
        // SAFETY: the operating system checks the arguments.
        return unsafe { libc::syscall(libc::SYS_timerfd_settime, fd, flags, new, old) as c_int };
    };
    // SAFETY: see above.
    let itimerspec { it_value, it_interval } = unsafe { *new };
    let is_absolute = flags & libc::TFD_TIMER_ABSTIME != 0;
    let value = since_ps(if is_absolute { timer.begin } else { Duration::ZERO }, it_value);
    let interval = since_ps(Duration::ZERO, it_interval);
    let (Some(value), Some(interval)) = (value, interval) else {
        set_errno(libc::EINVAL);
        return -1;
    };
    if !old.is_null() {
        // SAFETY: see above.
        unsafe { *old = setting(timer, now) };
    }
    timer.interval = interval;
    timer.next = match (it_value.tv_sec, it_value.tv_nsec) {
        (0, 0) => u64::MAX,
        _ if is_absolute => value,
        _ => now.saturating_add(value),
    };
    // Expirations that the program has not read belong to the old setting.
    let mut count = 0_u64;
    let mut poll = libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
    // SAFETY: the calls read and write one `pollfd` and 8 bytes, which are valid.
    unsafe {
        if libc::syscall(libc::SYS_poll, &raw mut poll, 1, 0) == 1 {
            libc::syscall(libc::SYS_read, fd, &raw mut count, 8);
        }
    }
    note_next(&timers);
    0
}

/// `timerfd_gettime` of Linux, in virtual time.
#[unsafe(no_mangle)]
pub extern "C" fn timerfd_gettime(fd: c_int, place: *mut itimerspec) -> c_int {
    match (virtual_clock::now_ps(), timers().get(&fd)) {
        (Some(now), Some(timer)) => {
            // SAFETY: see above.
            unsafe { *place = setting(timer, now) };
            0
        }
        // SAFETY: the operating system checks the arguments.
        _ => unsafe { libc::syscall(libc::SYS_timerfd_gettime, fd, place) as c_int },
    }
}
