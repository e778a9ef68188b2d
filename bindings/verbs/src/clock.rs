//! Virtual time: that of the last answer, and what reading clocks has cost since; and the number of the process.
//!
//! A guest sees no other time, and no number of a process that the operating system has chosen: programs make numbers of packets out of both. In processes that are no
//! guests everything is the operating system's.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use libc::{c_int, c_uint, c_void, clockid_t, pid_t, time_t, timespec, timeval, useconds_t};
use processes::verbs::Call;

use crate::link;

/// What reading a clock takes: 100 ns, as for ranks of MPI (our choice).
const COST_PS: u64 = 100_000;
/// When virtual time begins, in seconds since 1970: the first instant of the year 2000, as for ranks of MPI (our choice).
const BEGINNING: u64 = 946_684_800;
/// The number of the process of host 0; those of others follow (our choice).
const FIRST_PROCESS: pid_t = 1_000;

/// What this process has computed since the last answer, in ps.
static COMPUTED_PS: AtomicU64 = AtomicU64::new(0);

/// What was computed since the last answer, in ps, for the next call.
pub fn take_ps() -> u64 {
    COMPUTED_PS.swap(0, Ordering::Relaxed)
}

/// The time since the run began, for guests.
fn read() -> Option<Duration> {
    let slot = link::slot()?;
    let computed = COMPUTED_PS.fetch_add(COST_PS, Ordering::Relaxed).saturating_add(COST_PS);
    let ps = slot.time_ps().saturating_add(computed);
    Some(Duration::new(ps / 1_000_000_000_000, (ps % 1_000_000_000_000 / 1000) as u32))
}

/// The clock of the operating system, past the name that this library has taken.
fn real(clock: clockid_t) -> Duration {
    let mut time = timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes one `timespec`, which is there.
    unsafe { libc::syscall(libc::SYS_clock_gettime, clock, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn wall() -> Duration {
    match read() {
        Some(time) => time + Duration::from_secs(BEGINNING),
        None => real(libc::CLOCK_REALTIME),
    }
}

/// Sleeps in virtual time; false for processes that are no guests.
fn sleeps(duration: Duration) -> bool {
    let ps = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX).saturating_mul(1000);
    link::slot().is_some() && link::ask("sleep", Call::Sleep(ps)).is_ok()
}

// SAFETY of all below: the names are those of POSIX, taken on purpose. The pointers are those of the caller, who by the standard gives a place for the
// answer, or for `time` and the rest of a sleep perhaps none.
/// `clock_gettime` of POSIX, in virtual time for guests.
#[unsafe(no_mangle)]
pub extern "C" fn clock_gettime(clock: clockid_t, time: *mut timespec) -> c_int {
    let is_wall = matches!(clock, libc::CLOCK_REALTIME | libc::CLOCK_REALTIME_COARSE);
    let Some(now) = (if is_wall { link::slot().map(|_| wall()) } else { read() }) else {
        // SAFETY: the operating system checks the arguments of its caller.
        return unsafe { libc::syscall(libc::SYS_clock_gettime, clock, time) as c_int };
    };
    if time.is_null() {
        link::fail(libc::EFAULT);
        return -1;
    }
    // SAFETY: see above.
    unsafe { *time = timespec { tv_sec: now.as_secs() as time_t, tv_nsec: now.subsec_nanos().into() } };
    0
}

/// `gettimeofday` of POSIX, in virtual time for guests.
#[unsafe(no_mangle)]
pub extern "C" fn gettimeofday(time: *mut timeval, _zone: *mut c_void) -> c_int {
    let now = wall();
    if !time.is_null() {
        // SAFETY: see above.
        unsafe { *time = timeval { tv_sec: now.as_secs() as time_t, tv_usec: now.subsec_micros().into() } };
    }
    0
}

/// `time` of C, in virtual time for guests.
#[unsafe(no_mangle)]
pub extern "C" fn time(place: *mut time_t) -> time_t {
    let now = wall().as_secs() as time_t;
    if !place.is_null() {
        // SAFETY: see above.
        unsafe { *place = now };
    }
    now
}

/// `nanosleep` of POSIX, in virtual time for guests.
#[unsafe(no_mangle)]
pub extern "C" fn nanosleep(wanted: *const timespec, rest: *mut timespec) -> c_int {
    if link::slot().is_some() && !wanted.is_null() {
        // SAFETY: see above.
        let timespec { tv_sec, tv_nsec } = unsafe { *wanted };
        if tv_sec < 0 || !(0..1_000_000_000).contains(&tv_nsec) {
            link::fail(libc::EINVAL);
            return -1;
        }
        if sleeps(Duration::new(tv_sec as u64, tv_nsec as u32)) {
            return 0;
        }
    }
    // SAFETY: the operating system checks the arguments of its caller.
    unsafe { libc::syscall(libc::SYS_nanosleep, wanted, rest) as c_int }
}

/// `usleep` of POSIX, in virtual time for guests.
#[unsafe(no_mangle)]
pub extern "C" fn usleep(us: useconds_t) -> c_int {
    let wanted = timespec { tv_sec: (us / 1_000_000).into(), tv_nsec: i64::from(us % 1_000_000) * 1000 };
    nanosleep(&wanted, std::ptr::null_mut())
}

/// `sleep` of POSIX, in virtual time for guests.
#[unsafe(no_mangle)]
pub extern "C" fn sleep(seconds: c_uint) -> c_uint {
    let wanted = timespec { tv_sec: seconds.into(), tv_nsec: 0 };
    if nanosleep(&wanted, std::ptr::null_mut()) == 0 { 0 } else { seconds }
}

/// `kill` of POSIX: a guest that means itself is meant.
#[unsafe(no_mangle)]
pub extern "C" fn kill(process: pid_t, signal: c_int) -> c_int {
    // SAFETY: the operating system checks the arguments of its caller.
    unsafe {
        let own = link::slot().is_some() && process == getpid();
        let process = if own { libc::syscall(libc::SYS_getpid) as pid_t } else { process };
        libc::syscall(libc::SYS_kill, process, signal) as c_int
    }
}

/// `getpid` of POSIX: a number that is the same in each run, for guests.
#[unsafe(no_mangle)]
pub extern "C" fn getpid() -> pid_t {
    match link::host() {
        Some(host) => FIRST_PROCESS + host,
        // SAFETY: the call has no arguments.
        None => unsafe { libc::syscall(libc::SYS_getpid) as pid_t },
    }
}
