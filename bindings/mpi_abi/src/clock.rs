//! Virtual time: that of the last answer, and what reading clocks has cost since.
//!
//! A rank sees no other time. So that a program that waits for a clock does not wait for ever, reading one takes time: [`COST`]. Before
//! MPI begins, and in processes that are no ranks, the clocks are those of the operating system, but for ranks that have not begun:
//! their time stands at its beginning.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use libc::{clockid_t, time_t, timespec, timeval};

use crate::link;
use crate::types::*;

/// What reading a clock takes: 100 ns, as a call of the system took on the machines of that time, in the order of magnitude (our choice).
pub const COST: Duration = Duration::from_nanos(100);

/// When virtual time begins, in seconds since 1970: the first instant of the year 2000 (our choice).
const BEGINNING: u64 = 946_684_800;

/// What this process has computed since the last answer, in ps.
static COMPUTED_PS: AtomicU64 = AtomicU64::new(0);

/// Reads the clock: time since the run began.
pub fn read() -> Duration {
    virtual_time().unwrap_or_else(|| real(libc::CLOCK_MONOTONIC))
}

/// What was computed since the last answer, in ps, for the next call.
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

/// The clock of the operating system, past the name that this library has taken.
fn real(clock: clockid_t) -> Duration {
    let mut time = timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes one `timespec`, which is there.
    unsafe { libc::syscall(libc::SYS_clock_gettime, clock, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The time of the world: virtual time begins at a fixed date.
fn wall() -> Duration {
    match virtual_time() {
        Some(time) => time + Duration::from_secs(BEGINNING),
        None => real(libc::CLOCK_REALTIME),
    }
}

// SAFETY: the names are those of POSIX, taken on purpose: whoever asks for the time gets that of the run. The pointers are those of the
// caller, who by the standard gives a place for the answer, or for `time` perhaps none.
/// `clock_gettime` of POSIX, in virtual time for ranks.
#[unsafe(no_mangle)]
pub extern "C" fn clock_gettime(clock: clockid_t, time: *mut timespec) -> c_int {
    let is_virtual = link::slot().is_some();
    let now = match clock {
        libc::CLOCK_REALTIME | libc::CLOCK_REALTIME_COARSE if is_virtual => wall(),
        _ if is_virtual => read(),
        // SAFETY: the operating system checks the arguments of its caller.
        _ => return unsafe { libc::syscall(libc::SYS_clock_gettime, clock, time) as c_int },
    };
    if time.is_null() {
        return -1;
    }
    // SAFETY: see above.
    unsafe { *time = timespec { tv_sec: now.as_secs() as time_t, tv_nsec: now.subsec_nanos().into() } };
    0
}

/// `gettimeofday` of POSIX, in virtual time for ranks.
#[unsafe(no_mangle)]
pub extern "C" fn gettimeofday(time: *mut timeval, _zone: *mut c_void) -> c_int {
    let now = wall();
    if !time.is_null() {
        // SAFETY: see above.
        unsafe { *time = timeval { tv_sec: now.as_secs() as time_t, tv_usec: now.subsec_micros().into() } };
    }
    0
}

/// `time` of C, in virtual time for ranks.
#[unsafe(no_mangle)]
pub extern "C" fn time(place: *mut time_t) -> time_t {
    let now = wall().as_secs() as time_t;
    if !place.is_null() {
        // SAFETY: see above.
        unsafe { *place = now };
    }
    now
}
