//! Virtual time of a program: that of the last answer, and the cost of all reads since.

use std::time::Duration;

use processes::verbs::Call;
use slots::clock::Clock;

use crate::{link, slot, timers};

static CLOCK: Clock = Clock::new();

/// Virtual time that passes without a call of the simulator, at most, in ps: 10 us. A program that reads clocks in a
/// loop then lets the others go on (our choice).
const MOST_ALONE_PS: u64 = 10_000_000;

/// Cost of all reads since the last answer, in ps, for the next call.
pub fn take_ps() -> u64 {
    CLOCK.take_ps()
}

/// Virtual time since the run began, in ps, which looking at it does not change.
pub fn now_ps() -> Option<u64> {
    slot::get().map(|slot| slot.time_ps().saturating_add(CLOCK.computed_ps()))
}

/// The program has computed for this long.
pub fn spend_ps(ps: u64) {
    CLOCK.add_ps(ps);
    if CLOCK.computed_ps() > MOST_ALONE_PS {
        let _ = link::ask("clock", Call::Sleep(0));
    }
    timers::run();
}

/// Time since the run began; `None` in processes of no run. Reading it costs time.
pub fn read() -> Option<Duration> {
    let now = slot::get().map(|slot| CLOCK.read(slot.time_ps()));
    if now.is_some() {
        spend_ps(0);
    }
    now
}

/// Time since the run began, in ps, read by an instruction of the processor; `None` in processes of no run.
pub fn read_counter_ps() -> Option<u64> {
    slot::get()?;
    spend_ps(COUNTER_PS);
    now_ps()
}

/// Virtual time that reading the time-stamp counter takes, in ps: 30 ns, 80 clocks of a Pentium 4 (our choice).
const COUNTER_PS: u64 = 30_000;
