//! `alarm` and the timer of real time of `setitimer`, which are the same timer.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use libc::{c_int, c_uint, itimerval, suseconds_t, timeval};

use super::{ps_of, seconds};
use crate::errno::set_errno;
use crate::virtual_clock;

/// Time of the next signal, in ps of virtual time; `u64::MAX` for none.
static NEXT: AtomicU64 = AtomicU64::new(u64::MAX);
/// Interval between signals, in ps; 0 for one signal.
static INTERVAL: AtomicU64 = AtomicU64::new(0);
static SIGNALS: AtomicU64 = AtomicU64::new(0);
/// Held by a thread that sets the timer.
static SETTING: Mutex<()> = Mutex::new(());

pub fn next_ps() -> u64 {
    NEXT.load(Relaxed)
}

pub fn signals() -> u64 {
    SIGNALS.load(Relaxed)
}

/// Stops the timer: a fork does not have that of its program.
pub fn stop() {
    NEXT.store(u64::MAX, Relaxed);
}

/// Sends the signal if its time has come.
pub fn run(now: u64) {
    let next = NEXT.load(Relaxed);
    if now < next {
        return;
    }
    let later = match INTERVAL.load(Relaxed) {
        0 => u64::MAX,
        interval => next.saturating_add(((now - next) / interval + 1).saturating_mul(interval)),
    };
    if NEXT.compare_exchange(next, later, Relaxed, Relaxed).is_ok() {
        SIGNALS.fetch_add(1, Relaxed);
        // SAFETY: the arguments are numbers. The signal reaches this process at once.
        unsafe { libc::syscall(libc::SYS_kill, libc::syscall(libc::SYS_getpid), libc::SIGALRM) };
    }
}

/// Sets the timer; the time left of the one before and its interval, in ps.
fn set(now: u64, after: u64, interval: u64) -> (u64, u64) {
    let _setting = SETTING.lock().unwrap_or_else(PoisonError::into_inner);
    let next = if after == 0 { u64::MAX } else { now.saturating_add(after) };
    let before = INTERVAL.swap(interval, Relaxed);
    let old = NEXT.swap(next, Relaxed);
    (if old == u64::MAX { 0 } else { old.saturating_sub(now).max(1) }, before)
}

fn value(ps: u64) -> timeval {
    let (tv_sec, rest) = seconds(ps);
    timeval { tv_sec, tv_usec: rest.div_ceil(1_000_000) as suseconds_t }
}

// SAFETY of all below: the names are those of POSIX, taken on purpose. POSIX requires the caller to pass valid pointers,
// some of which may be null.

/// `alarm` of POSIX, in virtual time.
#[unsafe(no_mangle)]
pub extern "C" fn alarm(after: c_uint) -> c_uint {
    let Some(now) = virtual_clock::now_ps() else {
        // SAFETY: the argument is a number.
        return unsafe { libc::syscall(libc::SYS_alarm, after) as c_uint };
    };
    let (left, _) = set(now, u64::from(after) * 1_000_000_000_000, 0);
    left.div_ceil(1_000_000_000_000) as c_uint
}

/// `setitimer` of POSIX; the timer of real time is in virtual time, others count time of the processor as always.
#[unsafe(no_mangle)]
pub extern "C" fn setitimer(which: c_int, new: *const itimerval, old: *mut itimerval) -> c_int {
    let now = match virtual_clock::now_ps() {
        Some(now) if which == libc::ITIMER_REAL && !new.is_null() => now,
        // SAFETY: the operating system checks the arguments.
        _ => return unsafe { libc::syscall(libc::SYS_setitimer, which, new, old) as c_int },
    };
    // SAFETY: see above.
    let itimerval { it_value, it_interval } = unsafe { *new };
    let [after, interval] = [it_value, it_interval].map(|time| ps_of(time.tv_sec, time.tv_usec, 1_000_000));
    let (Some(after), Some(interval)) = (after, interval) else {
        set_errno(libc::EINVAL);
        return -1;
    };
    let (left, before) = set(now, after, interval);
    if !old.is_null() {
        // SAFETY: see above.
        unsafe { *old = itimerval { it_value: value(left), it_interval: value(before) } };
    }
    0
}

/// `getitimer` of POSIX, as [`setitimer`].
#[unsafe(no_mangle)]
pub extern "C" fn getitimer(which: c_int, place: *mut itimerval) -> c_int {
    let now = match virtual_clock::now_ps() {
        Some(now) if which == libc::ITIMER_REAL && !place.is_null() => now,
        // SAFETY: the operating system checks the arguments.
        _ => return unsafe { libc::syscall(libc::SYS_getitimer, which, place) as c_int },
    };
    let next = NEXT.load(Relaxed);
    let left = if next == u64::MAX { 0 } else { next.saturating_sub(now).max(1) };
    // SAFETY: see above.
    unsafe { *place = itimerval { it_value: value(left), it_interval: value(INTERVAL.load(Relaxed)) } };
    0
}
