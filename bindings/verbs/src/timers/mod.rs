//! Timers in virtual time: those that send signals, and those of descriptors.
//!
//! A timer expires when the program next reads a clock, makes a call or returns from a wait.

mod alarms;
mod descriptors;

use std::time::Duration;

use libc::timespec;

use crate::virtual_clock;

pub use alarms::stop;
pub use descriptors::{close, is_timer};

/// Lets all timers expire whose time has come.
pub fn run() {
    if let Some(now) = virtual_clock::now_ps() {
        descriptors::run(now);
        alarms::run(now);
    }
}

/// Virtual time of the next expiration, in ps; `u64::MAX` if no timer runs.
pub fn next_ps() -> u64 {
    descriptors::next_ps().min(alarms::next_ps())
}

/// Signals of timers sent so far. A wait during which the number changes ends with `EINTR`.
pub fn signals() -> u64 {
    alarms::signals()
}

/// A time that the program gives, counted from `begin`, in ps of virtual time; none if it is no time.
pub fn since_ps(begin: Duration, time: timespec) -> Option<u64> {
    ps_of(time.tv_sec.saturating_sub(begin.as_secs() as i64).max(0), time.tv_nsec, 1_000_000_000)
}

/// A duration in ps as seconds, and the rest in ps.
fn seconds(ps: u64) -> (i64, u64) {
    const PS_PER_S: u64 = 1_000_000_000_000;
    ((ps / PS_PER_S) as i64, ps % PS_PER_S)
}

/// Seconds and a part of them as ps; none if they are no duration.
pub fn ps_of(seconds: i64, part: i64, parts_per_second: i64) -> Option<u64> {
    let seconds = u64::try_from(seconds).ok()?;
    let part = u64::try_from(part).ok().filter(|_| part < parts_per_second)?;
    let ps_per_part = 1_000_000_000_000 / parts_per_second as u64;
    Some(seconds.saturating_mul(1_000_000_000_000).saturating_add(part * ps_per_part))
}
