//! Clocks and sleeps of a verbs program, in virtual time. Other processes get those of the operating system.
#![allow(unsafe_code)]

use std::time::Duration;

use libc::{c_int, c_long, c_uint, c_void, clock_t, clockid_t, time_t, timespec, timeval, tms, useconds_t};
use processes::verbs::Call;
use slots::clock;

use crate::{link, slot, timers, virtual_time};

/// Ticks of `times` in a second, as `sysconf(_SC_CLK_TCK)` says.
const TICKS_PER_SECOND: u128 = 100;

/// Sleeps until an instant of virtual time, in ps, or until a timer sends a signal; false for the latter.
pub fn sleep_until_ps(until: u64) -> bool {
    let signals = timers::signals();
    while let Some(now) = virtual_time::now_ps() {
        if timers::signals() != signals {
            return false;
        }
        if now >= until {
            return true;
        }
        // A timer expires in between.
        let next = until.min(timers::next_ps().max(now));
        if link::ask("sleep", Call::Sleep(link::slice_ps(next - now))).is_err() {
            return true;
        }
    }
    true
}

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

/// `nanosleep` of POSIX, in virtual time.
#[unsafe(no_mangle)]
pub extern "C" fn nanosleep(wanted: *const timespec, rest: *mut timespec) -> c_int {
    match clock_nanosleep(libc::CLOCK_MONOTONIC, 0, wanted, rest) {
        0 => 0,
        errno => {
            link::set_errno(errno);
            -1
        }
    }
}

/// `clock_nanosleep` of POSIX, in virtual time; an `errno`.
#[unsafe(no_mangle)]
pub extern "C" fn clock_nanosleep(
    clock: clockid_t,
    flags: c_int,
    wanted: *const timespec,
    rest: *mut timespec,
) -> c_int {
    let Some(now) = virtual_time::now_ps() else {
        // SAFETY: the operating system checks the arguments.
        return match unsafe { libc::syscall(libc::SYS_clock_nanosleep, clock, flags, wanted, rest) } {
            0 => 0,
            // SAFETY: the pointer is that of this thread's `errno`.
            _ => unsafe { *libc::__errno_location() },
        };
    };
    if wanted.is_null() {
        return libc::EFAULT;
    }
    let is_absolute = flags & libc::TIMER_ABSTIME != 0;
    let is_wall = is_absolute && clock == libc::CLOCK_REALTIME;
    // SAFETY: see above.
    let time = unsafe { *wanted };
    let Some(ps) = timers::deadline_ps(time, is_wall).filter(|_| time.tv_sec >= 0) else {
        return libc::EINVAL;
    };
    let until = if is_absolute { ps } else { now.saturating_add(ps) };
    if sleep_until_ps(until) {
        return 0;
    }
    if !is_absolute && !rest.is_null() {
        let left = Duration::from_nanos(until.saturating_sub(virtual_time::now_ps().unwrap_or(until)) / 1000);
        // SAFETY: see above.
        unsafe {
            *rest = timespec { tv_sec: left.as_secs() as time_t, tv_nsec: left.subsec_nanos() as c_long }
        };
    }
    libc::EINTR
}

/// `usleep` of POSIX, in virtual time.
#[unsafe(no_mangle)]
pub extern "C" fn usleep(us: useconds_t) -> c_int {
    let wanted = timespec { tv_sec: (us / 1_000_000).into(), tv_nsec: i64::from(us % 1_000_000) * 1000 };
    nanosleep(&wanted, std::ptr::null_mut())
}

/// `sleep` of POSIX, in virtual time.
#[unsafe(no_mangle)]
pub extern "C" fn sleep(seconds: c_uint) -> c_uint {
    let wanted = timespec { tv_sec: seconds.into(), tv_nsec: 0 };
    let mut rest = timespec { tv_sec: 0, tv_nsec: 0 };
    if nanosleep(&wanted, &mut rest) == 0 { 0 } else { rest.tv_sec as c_uint + u32::from(rest.tv_nsec > 0) }
}

/// `pause` of POSIX, if a timer runs: until it sends a signal.
#[unsafe(no_mangle)]
pub extern "C" fn pause() -> c_int {
    if slot::get().is_some() && timers::next_ps() != u64::MAX {
        sleep_until_ps(u64::MAX);
        link::set_errno(libc::EINTR);
        return -1;
    }
    // SAFETY: the call has no arguments.
    unsafe { libc::syscall(libc::SYS_pause) as c_int }
}
