//! Clocks of a verbs program, in virtual time. Other processes get those of the operating system.
#![allow(unsafe_code)]

use libc::{c_int, c_void, clock_t, clockid_t, time_t, timespec, timeval, tms};
use slots::clock;

use crate::{link, scheduled, slot, timers, virtual_time};

/// Ticks of `times` in a second, as `sysconf(_SC_CLK_TCK)` says.
const TICKS_PER_SECOND: u128 = 100;

// SAFETY of all below: the names are those of POSIX, taken on purpose, so that programs see virtual time. POSIX requires
// the caller to pass valid pointers, some of which may be null.

/// `clock_gettime` of POSIX, in virtual time.
#[unsafe(no_mangle)]
pub extern "C" fn clock_gettime(clock: clockid_t, time: *mut timespec) -> c_int {
    // SAFETY: see above.
    unsafe { clock::clock_gettime(virtual_time::read(), clock, time) }
}

/// `gettimeofday` of POSIX, in virtual time.
#[unsafe(no_mangle)]
pub extern "C" fn gettimeofday(time: *mut timeval, _zone: *mut c_void) -> c_int {
    // SAFETY: see above.
    unsafe { clock::gettimeofday(virtual_time::read(), time) }
}

/// `time` of C, in virtual time.
#[unsafe(no_mangle)]
pub extern "C" fn time(place: *mut time_t) -> time_t {
    // SAFETY: see above.
    unsafe { clock::time(virtual_time::read(), place) }
}

/// `timespec_get` of C, in virtual time.
#[unsafe(no_mangle)]
pub extern "C" fn timespec_get(place: *mut timespec, base: c_int) -> c_int {
    /// `TIME_UTC`.
    const UTC: c_int = 1;
    if base != UTC || clock_gettime(libc::CLOCK_REALTIME, place) != 0 {
        return 0;
    }
    base
}

/// `clock` of C: processor time of the program, in us, which is virtual time.
#[unsafe(no_mangle)]
pub extern "C" fn clock() -> clock_t {
    let now = virtual_time::read().unwrap_or_else(|| clock::real(libc::CLOCK_PROCESS_CPUTIME_ID));
    now.as_micros() as clock_t
}

/// `times` of POSIX: virtual time, all of it processor time of the program.
#[unsafe(no_mangle)]
pub extern "C" fn times(place: *mut tms) -> clock_t {
    let Some(now) = virtual_time::read() else {
        // SAFETY: the operating system checks the argument.
        return unsafe { libc::syscall(libc::SYS_times, place) };
    };
    let ticks = (now.as_nanos() * TICKS_PER_SECOND / 1_000_000_000) as clock_t;
    if !place.is_null() {
        // SAFETY: see above.
        unsafe { *place = tms { tms_utime: ticks, tms_stime: 0, tms_cutime: 0, tms_cstime: 0 } };
    }
    ticks
}

/// `pause` of POSIX, if a timer runs: until it sends a signal.
#[unsafe(no_mangle)]
pub extern "C" fn pause() -> c_int {
    if slot::get().is_some() && timers::next_ps() != u64::MAX {
        scheduled::sleep_until_ps(u64::MAX);
        link::set_errno(libc::EINTR);
        return -1;
    }
    // SAFETY: the call has no arguments.
    unsafe { libc::syscall(libc::SYS_pause) as c_int }
}
