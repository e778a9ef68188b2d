//! The virtual clock of the program: time of the last answer, and the cost of all reads since.

use std::time::Duration;

use slots::clock::Clock;

use crate::slot;

static CLOCK: Clock = Clock::new();

/// Cost of all reads since the last answer, in ps, for the next call.
pub fn take_ps() -> u64 {
    CLOCK.take_ps()
}

/// Virtual time since the last answer, in ps.
pub fn computed_ps() -> u64 {
    CLOCK.computed_ps()
}

/// Adds virtual time that passes without a call, in ps.
pub fn add_ps(ps: u64) {
    CLOCK.add_ps(ps);
}

/// Virtual time since the run began, in ps, which looking at it does not change; `None` in processes of no run.
pub fn now_ps() -> Option<u64> {
    slot::get().map(|slot| slot.time_ps().saturating_add(CLOCK.computed_ps()))
}

/// Time since the run began, with the cost of this read; `None` in processes of no run.
pub fn read() -> Option<Duration> {
    slot::get().map(|slot| CLOCK.read(slot.time_ps()))
}
