//! Virtual time as a process sees it, and the clock functions of POSIX that return it.
//!
//! A library of a process takes the names of these functions, so that its program sees virtual time alone. Reading a
//! clock costs [`READ_COST`], so a program that polls a clock makes progress. In other processes the functions return
//! the time of the operating system.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use libc::{c_int, clockid_t, time_t, timespec, timeval};

/// Virtual time that reading a clock takes: 100 ns, the order of magnitude of a system call on a PC of 2003 (our choice).
pub const READ_COST: Duration = Duration::from_nanos(100);

/// Start of virtual time since 1970: the first instant of the year 2000 (our choice).
pub const EPOCH: Duration = Duration::from_secs(946_684_800);

/// How long a host has been running when virtual time begins (our choice). Open MPI takes a second 0 of the monotonic
/// clock for no time.
pub const UPTIME: Duration = Duration::from_secs(1);

const PS_PER_S: u64 = 1_000_000_000_000;

/// Value of a clock when virtual time begins.
pub fn beginning(clock: clockid_t) -> Duration {
    match clock {
        libc::CLOCK_REALTIME | libc::CLOCK_REALTIME_COARSE | libc::CLOCK_REALTIME_ALARM | libc::CLOCK_TAI => {
            EPOCH
        }
        libc::CLOCK_MONOTONIC
        | libc::CLOCK_MONOTONIC_RAW
        | libc::CLOCK_MONOTONIC_COARSE
        | libc::CLOCK_BOOTTIME
        | libc::CLOCK_BOOTTIME_ALARM => UPTIME,
        _ => Duration::ZERO,
    }
}

/// The virtual clock of a process.
#[derive(Debug, Default)]
pub struct Clock {
    /// Time of all reads, and of all that passes without the simulator, since its last answer, in ps.
    computed_ps: AtomicU64,
}

impl Clock {
    /// A clock that has not been read.
    pub const fn new() -> Self {
        Clock { computed_ps: AtomicU64::new(0) }
    }

    /// Reads the clock: time since the start of the run. `answered_ps` is the time of the last answer.
    pub fn read(&self, answered_ps: u64) -> Duration {
        let cost = READ_COST.as_nanos() as u64 * 1000;
        let computed = self.computed_ps.fetch_add(cost, Relaxed).saturating_add(cost);
        let ps = answered_ps.saturating_add(computed);
        Duration::new(ps / PS_PER_S, (ps % PS_PER_S / 1000) as u32)
    }

    /// Virtual time since the last answer, in ps.
    pub fn computed_ps(&self) -> u64 {
        self.computed_ps.load(Relaxed)
    }

    /// Adds virtual time that passes without the simulator, in ps.
    pub fn add_ps(&self, ps: u64) {
        self.computed_ps.fetch_add(ps, Relaxed);
    }

    /// Takes the time of all reads since the last call, in ps, for the next message to the simulator.
    pub fn take_ps(&self) -> u64 {
        self.computed_ps.swap(0, Relaxed)
    }
}

/// Reads a clock of the operating system, by a system call: the function of libc has been replaced.
pub fn real(clock: clockid_t) -> Duration {
    let mut time = timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes one `timespec`, which is valid.
    unsafe { libc::syscall(libc::SYS_clock_gettime, clock, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn wall(virtual_time: Option<Duration>) -> Duration {
    virtual_time.map_or_else(|| real(libc::CLOCK_REALTIME), |time| time + EPOCH)
}

/// `clock_gettime` of POSIX; clocks have their own [beginning].
///
/// # Safety
/// `time` is null or valid for writing.
pub unsafe fn clock_gettime(virtual_time: Option<Duration>, clock: clockid_t, time: *mut timespec) -> c_int {
    let Some(now) = virtual_time else {
        // SAFETY: the operating system checks the arguments.
        return unsafe { libc::syscall(libc::SYS_clock_gettime, clock, time) as c_int };
    };
    if time.is_null() {
        // SAFETY: the pointer is that of this thread's `errno`.
        unsafe { *libc::__errno_location() = libc::EFAULT };
        return -1;
    }
    let now = now + beginning(clock);
    // SAFETY: the pointer is not null; the caller guarantees the rest.
    unsafe { *time = timespec { tv_sec: now.as_secs() as time_t, tv_nsec: now.subsec_nanos().into() } };
    0
}

/// `gettimeofday` of POSIX.
///
/// # Safety
/// `time` is null or valid for writing.
pub unsafe fn gettimeofday(virtual_time: Option<Duration>, time: *mut timeval) -> c_int {
    let now = wall(virtual_time);
    if !time.is_null() {
        // SAFETY: the pointer is not null; the caller guarantees the rest.
        unsafe { *time = timeval { tv_sec: now.as_secs() as time_t, tv_usec: now.subsec_micros().into() } };
    }
    0
}

/// `time` of C.
///
/// # Safety
/// `time` is null or valid for writing.
pub unsafe fn time(virtual_time: Option<Duration>, time: *mut time_t) -> time_t {
    let now = wall(virtual_time).as_secs() as time_t;
    if !time.is_null() {
        // SAFETY: the pointer is not null; the caller guarantees the rest.
        unsafe { *time = now };
    }
    now
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_read_costs_time_until_the_cost_is_taken() {
        let clock = Clock::new();
        assert_eq!(clock.read(5_000_000), Duration::from_nanos(5_100));
        assert_eq!(clock.read(5_000_000), Duration::from_nanos(5_200));
        assert_eq!((clock.take_ps(), clock.take_ps()), (200_000, 0));
    }

    #[test]
    fn clocks_have_their_beginnings() {
        let mut time = timespec { tv_sec: 0, tv_nsec: 0 };
        let mut read = |clock| {
            // SAFETY: the place is valid.
            assert_eq!(
                unsafe { clock_gettime(Some(Duration::from_nanos(1_000_000_007)), clock, &mut time) },
                0
            );
            (time.tv_sec, time.tv_nsec)
        };
        assert_eq!(read(libc::CLOCK_PROCESS_CPUTIME_ID), (1, 7));
        assert_eq!(read(libc::CLOCK_MONOTONIC), (2, 7));
        assert_eq!(read(libc::CLOCK_REALTIME), (946_684_801, 7));
    }
}
