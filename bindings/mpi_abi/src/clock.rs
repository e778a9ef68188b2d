//! The clock of a rank: virtual time, for MPI_Wtime and for the functions of POSIX.
//!
//! Before `MPI_Init` the virtual time of a rank stands at its start. Processes that are no ranks get the clocks of the
//! operating system.
#![allow(unsafe_code)]

use std::time::Duration;

use libc::{clockid_t, time_t, timespec, timeval};
pub use slots::clock::READ_COST;
use slots::clock::{self, Clock};

use crate::slot;
use crate::types::*;

static CLOCK: Clock = Clock::new();

/// Reads the clock: time since the run began.
pub fn read() -> Duration {
    virtual_time().unwrap_or_else(|| clock::real(libc::CLOCK_MONOTONIC))
}

/// Time since the last answer, in ps.
pub fn computed_ps() -> u64 {
    CLOCK.computed_ps()
}

/// Adds time that passes without the simulator, in ps.
pub fn add_ps(ps: u64) {
    CLOCK.add_ps(ps);
}

/// Time since the last answer, in ps, for the next call.
pub fn take_ps() -> u64 {
    CLOCK.take_ps()
}

fn virtual_time() -> Option<Duration> {
    slot::get().map(|slot| CLOCK.read(slot.time_ps()))
}

// SAFETY of all below: the names are those of POSIX, taken on purpose, so that programs see virtual time.

/// `clock_gettime` of POSIX, in virtual time for ranks.
#[unsafe(no_mangle)]
pub extern "C" fn clock_gettime(clock: clockid_t, time: *mut timespec) -> c_int {
    // SAFETY: POSIX requires a valid pointer of the caller.
    unsafe { clock::clock_gettime(virtual_time(), clock, time) }
}

/// `gettimeofday` of POSIX, in virtual time for ranks.
#[unsafe(no_mangle)]
pub extern "C" fn gettimeofday(time: *mut timeval, _zone: *mut c_void) -> c_int {
    // SAFETY: POSIX requires a valid pointer of the caller, or null.
    unsafe { clock::gettimeofday(virtual_time(), time) }
}

/// `time` of C, in virtual time for ranks.
#[unsafe(no_mangle)]
pub extern "C" fn time(place: *mut time_t) -> time_t {
    // SAFETY: C requires a valid pointer of the caller, or null.
    unsafe { clock::time(virtual_time(), place) }
}
