//! Sleeping, in virtual time.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_uint};

use libc::{clockid_t, timespec, useconds_t};
use slots::clock::EPOCH;

use crate::real;
use crate::scheduler::{Event, is_scheduled, now_ps, wait, yield_or_wait};

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
    let begin = if clock == libc::CLOCK_REALTIME { EPOCH.as_secs() as libc::time_t } else { 0 };
    ps(&timespec { tv_sec: time.tv_sec.saturating_sub(begin), tv_nsec: time.tv_nsec })
}

fn sleep_until(until_ps: u64) {
    wait(Event::Time, Some(until_ps), |_| false);
}

// SAFETY of all below: the names are those of POSIX, taken on purpose; the callers keep its rules.

/// `clock_nanosleep` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn clock_nanosleep(
    clock: clockid_t,
    flags: c_int,
    time: *const timespec,
    left: *mut timespec,
) -> c_int {
    if !is_scheduled() || time.is_null() {
        return real!(clock_nanosleep(
            clock => clockid_t, flags => c_int, time => *const timespec, left => *mut timespec
        ) -> c_int);
    }
    // SAFETY: POSIX requires a valid time.
    sleep_until(match flags & libc::TIMER_ABSTIME {
        // SAFETY: as above.
        0 => now_ps().saturating_add(ps(unsafe { &*time })),
        // SAFETY: as above.
        _ => unsafe { deadline_ps(clock, time) },
    });
    0
}

/// `nanosleep` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn nanosleep(time: *const timespec, left: *mut timespec) -> c_int {
    if !is_scheduled() || time.is_null() {
        return real!(nanosleep(time => *const timespec, left => *mut timespec) -> c_int);
    }
    clock_nanosleep(libc::CLOCK_MONOTONIC, 0, time, left)
}

/// `usleep` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn usleep(time: useconds_t) -> c_int {
    if !is_scheduled() {
        return real!(usleep(time => useconds_t) -> c_int);
    }
    sleep_until(now_ps().saturating_add(u64::from(time) * 1000 * PS_PER_NS));
    0
}

/// `sleep` of POSIX.
#[unsafe(no_mangle)]
pub extern "C" fn sleep(seconds: c_uint) -> c_uint {
    if !is_scheduled() {
        return real!(sleep(seconds => c_uint) -> c_uint);
    }
    sleep_until(now_ps().saturating_add(u64::from(seconds) * PS_PER_S));
    0
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
