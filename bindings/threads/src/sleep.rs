//! Sleeping, in virtual time.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_uint};

use libc::{clockid_t, timespec, useconds_t};
use slots::clock::beginning;

use crate::real;
use crate::scheduler::{is_scheduled, now_ps, simulator, yield_or_wait};

const PS_PER_NS: u64 = 1000;
const PS_PER_S: u64 = 1_000_000_000_000;

fn ps(time: &timespec) -> u64 {
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0).saturating_mul(PS_PER_S);
    seconds.saturating_add(u64::try_from(time.tv_nsec).unwrap_or(0) * PS_PER_NS)
}

/// Virtual time of a time of this clock.
///
/// # Safety
/// `time` is valid, or null for the present.
pub(crate) unsafe fn deadline_ps(clock: clockid_t, time: *const timespec) -> u64 {
    // SAFETY: the caller guarantees it.
    let Some(time) = (unsafe { time.as_ref() }) else { return 0 };
    let begin = beginning(clock).as_secs() as libc::time_t;
    ps(&timespec { tv_sec: time.tv_sec.saturating_sub(begin), tv_nsec: time.tv_nsec })
}

/// Sets `errno` of this thread; the result of a function that has failed.
pub fn set_errno(error: c_int) -> c_int {
    // SAFETY: the pointer is that of this thread's `errno`.
    unsafe { *libc::__errno_location() = error };
    -1
}

/// A duration in ps, as a time.
fn time(ps: u64) -> timespec {
    timespec { tv_sec: (ps / PS_PER_S) as libc::time_t, tv_nsec: (ps % PS_PER_S / PS_PER_NS) as libc::c_long }
}

// SAFETY of all below: the names are those of POSIX, taken on purpose; the callers keep its rules.

/// `clock_nanosleep` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn clock_nanosleep(
    clock: clockid_t,
    flags: c_int,
    wanted: *const timespec,
    left: *mut timespec,
) -> c_int {
    let Some(simulator) = simulator().filter(|_| !wanted.is_null()) else {
        return real!(clock_nanosleep(
            clock => clockid_t, flags => c_int, wanted => *const timespec, left => *mut timespec
        ) -> c_int);
    };
    // SAFETY: POSIX requires a valid time.
    let wanted = unsafe { &*wanted };
    if wanted.tv_sec < 0 || !(0..1_000_000_000).contains(&wanted.tv_nsec) {
        return libc::EINVAL;
    }
    let is_absolute = flags & libc::TIMER_ABSTIME != 0;
    let until_ps = match is_absolute {
        false => now_ps().saturating_add(ps(wanted)),
        // SAFETY: as above.
        true => unsafe { deadline_ps(clock, wanted) },
    };
    if simulator.sleep(until_ps) {
        return 0;
    }
    if !is_absolute && !left.is_null() {
        // SAFETY: POSIX requires a valid place.
        unsafe { *left = time(until_ps.saturating_sub(now_ps())) };
    }
    libc::EINTR
}

/// `nanosleep` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn nanosleep(wanted: *const timespec, left: *mut timespec) -> c_int {
    match clock_nanosleep(libc::CLOCK_MONOTONIC, 0, wanted, left) {
        0 => 0,
        error => set_errno(error),
    }
}

/// `usleep` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn usleep(us: useconds_t) -> c_int {
    nanosleep(&time(u64::from(us) * 1000 * PS_PER_NS), std::ptr::null_mut())
}

/// `sleep` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn sleep(seconds: c_uint) -> c_uint {
    let mut left = time(0);
    match nanosleep(&time(u64::from(seconds) * PS_PER_S), &mut left) {
        0 => 0,
        _ => left.tv_sec as c_uint + c_uint::from(left.tv_nsec > 0),
    }
}

/// `sched_yield` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn sched_yield() -> c_int {
    yield_or_wait();
    if is_scheduled() { 0 } else { real!(sched_yield() -> c_int) }
}

/// `pthread_yield` of older C libraries.
#[unsafe(no_mangle)]
pub extern "C" fn pthread_yield() -> c_int {
    sched_yield()
}
