//! Virtual time of a program: that of the last answer, and the cost of all reads since.

use std::time::Duration;

use slots::clock::Clock;

use crate::slot;

static CLOCK: Clock = Clock::new();

/// Cost of all reads since the last answer, in ps, for the next call.
pub fn take_ps() -> u64 {
    CLOCK.take_ps()
}

/// Time since the run began; `None` in processes of no run.
pub fn read() -> Option<Duration> {
    slot::get().map(|slot| CLOCK.read(slot.time_ps()))
}
