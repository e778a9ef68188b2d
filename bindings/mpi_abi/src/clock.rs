//! Virtual time of a rank: the time of the simulator's last answer plus the cost of clock reads since then.
//!
//! A rank sees virtual time only. Reading a clock costs [`COST`], so that a program that polls a clock makes
//! progress. Before `MPI_Init` the time of a rank stands at zero. Processes that are not ranks see the clocks
//! of the operating system.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use libc::{clockid_t, time_t, timespec, timeval};

use crate::link;
use crate::types::*;

/// Time of a clock read: 100 ns, the order of magnitude of a system call on machines of that time (a choice
/// of this project).
pub const COST: Duration = Duration::from_nanos(100);

/// Beginning of virtual time in seconds since 1970: 1 January 2000, 0:00 UTC (a choice of this project).
const BEGINNING: u64 = 946_684_800;

/// Computing time of this process since the last answer, in ps.
static COMPUTED_PS: AtomicU64 = AtomicU64::new(0);

/// Reads the clock: time since the beginning of the run.
pub fn read() -> Duration {
    virtual_time().unwrap_or_else(|| real(libc::CLOCK_MONOTONIC))
}

/// Takes the computing time since the last answer, in ps, to report it with the next call.
pub fn take_ps() -> u64 {
    COMPUTED_PS.swap(0, Ordering::Relaxed)
}

fn virtual_time() -> Option<Duration> {
    let slot = link::slot()?;
    let cost = COST.as_nanos() as u64 * 1000;
    let computed = COMPUTED_PS.fetch_add(cost, Ordering::Relaxed).saturating_add(cost);
    let ps = slot.time_ps().saturating_add(computed);
    Some(Duration::new(ps / 1_000_000_000_000, (ps % 1_000_000_000_000 / 1000) as u32))
}

/// Clock of the operating system, read by system call because this library replaces `clock_gettime`.
fn real(clock: clockid_t) -> Duration {
    let mut time = timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes one `timespec` to a valid address.
    unsafe { libc::syscall(libc::SYS_clock_gettime, clock, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Calendar time: virtual time begins at a fixed date.
fn wall() -> Duration {
    match virtual_time() {
        Some(time) => time + Duration::from_secs(BEGINNING),
        None => real(libc::CLOCK_REALTIME),
    }
}

// SAFETY: the library replaces these POSIX names on purpose, so that every caller sees virtual time. The
// caller guarantees valid pointers; that of `time` may be null.
/// `clock_gettime` of POSIX; virtual time for ranks.
#[unsafe(no_mangle)]
pub extern "C" fn clock_gettime(clock: clockid_t, time: *mut timespec) -> c_int {
    let is_virtual = link::slot().is_some();
    let now = match clock {
        libc::CLOCK_REALTIME | libc::CLOCK_REALTIME_COARSE if is_virtual => wall(),
        _ if is_virtual => read(),
        // SAFETY: the operating system checks the arguments.
        _ => return unsafe { libc::syscall(libc::SYS_clock_gettime, clock, time) as c_int },
    };
    if time.is_null() {
        return -1;
    }
    // SAFETY: see above.
    unsafe { *time = timespec { tv_sec: now.as_secs() as time_t, tv_nsec: now.subsec_nanos().into() } };
    0
}

/// `gettimeofday` of POSIX; virtual time for ranks.
#[unsafe(no_mangle)]
pub extern "C" fn gettimeofday(time: *mut timeval, _zone: *mut c_void) -> c_int {
    let now = wall();
    if !time.is_null() {
        // SAFETY: see above.
        unsafe { *time = timeval { tv_sec: now.as_secs() as time_t, tv_usec: now.subsec_micros().into() } };
    }
    0
}

/// `time` of C; virtual time for ranks.
#[unsafe(no_mangle)]
pub extern "C" fn time(place: *mut time_t) -> time_t {
    let now = wall().as_secs() as time_t;
    if !place.is_null() {
        // SAFETY: see above.
        unsafe { *place = now };
    }
    now
}
