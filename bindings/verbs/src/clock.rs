//! The clock, sleeps and process number of a verbs program.
//!
//! Programs derive packet numbers from the time and from their process number. So a program sees virtual time, and a
//! process number that is the same in each run. Other processes get those of the operating system.
#![allow(unsafe_code)]

use std::time::Duration;

use libc::{c_int, c_uint, c_void, clockid_t, pid_t, time_t, timespec, timeval, useconds_t};
use processes::verbs::Call;
use slots::clock;

use crate::link;
use crate::slot;
use crate::virtual_time;

/// Process number of the program of host 0; those of other hosts follow (our choice).
const FIRST_PROCESS: pid_t = 1_000;

/// Sleeps in virtual time; false in processes of no run.
fn sleep_virtually(duration: Duration) -> bool {
    let ps = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX).saturating_mul(1000);
    slot::get().is_some() && link::ask("sleep", Call::Sleep(ps)).is_ok()
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

/// `nanosleep` of POSIX, in virtual time.
#[unsafe(no_mangle)]
pub extern "C" fn nanosleep(wanted: *const timespec, rest: *mut timespec) -> c_int {
    if slot::get().is_some() && !wanted.is_null() {
        // SAFETY: see above.
        let timespec { tv_sec, tv_nsec } = unsafe { *wanted };
        if tv_sec < 0 || !(0..1_000_000_000).contains(&tv_nsec) {
            link::set_errno(libc::EINVAL);
            return -1;
        }
        if sleep_virtually(Duration::new(tv_sec as u64, tv_nsec as u32)) {
            return 0;
        }
    }
    // SAFETY: the operating system checks the arguments.
    unsafe { libc::syscall(libc::SYS_nanosleep, wanted, rest) as c_int }
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
    if nanosleep(&wanted, std::ptr::null_mut()) == 0 { 0 } else { seconds }
}

/// `kill` of POSIX; the number of [`getpid`] is translated to the real one.
#[unsafe(no_mangle)]
pub extern "C" fn kill(process: pid_t, signal: c_int) -> c_int {
    // SAFETY: the operating system checks the arguments.
    unsafe {
        let own = slot::get().is_some() && process == getpid();
        let process = if own { libc::syscall(libc::SYS_getpid) as pid_t } else { process };
        libc::syscall(libc::SYS_kill, process, signal) as c_int
    }
}

/// `getpid` of POSIX: a number that is the same in each run.
#[unsafe(no_mangle)]
pub extern "C" fn getpid() -> pid_t {
    match slot::host() {
        Some(host) => FIRST_PROCESS + host,
        // SAFETY: the call has no arguments.
        None => unsafe { libc::syscall(libc::SYS_getpid) as pid_t },
    }
}
