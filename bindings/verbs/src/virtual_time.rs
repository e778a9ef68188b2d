//! Virtual time as the program reads and spends it.

use std::time::Duration;

use processes::verbs::Call;

pub use crate::virtual_clock::now_ps;
use crate::{link, timers, virtual_clock};

/// Virtual time that passes without a call of the simulator, at most, in ps: 10 us. A program that reads clocks in a
/// loop then lets the others go on (our choice).
const MOST_ALONE_PS: u64 = 10_000_000;

/// The program has computed for this long.
pub fn spend_ps(ps: u64) {
    virtual_clock::add_ps(ps);
    if virtual_clock::computed_ps() > MOST_ALONE_PS {
        let _ = link::ask("clock", Call::Sleep(0));
    }
    timers::run();
    threads::step();
}

/// Time since the run began; `None` in processes of no run. Reading it costs time.
pub fn read() -> Option<Duration> {
    let now = virtual_clock::read();
    if now.is_some() {
        spend_ps(0);
    }
    now
}

/// Time since the run began, in ps, read by an instruction of the processor; `None` in processes of no run.
pub fn read_counter_ps() -> Option<u64> {
    now_ps()?;
    spend_ps(COUNTER_PS);
    now_ps()
}

/// Virtual time that reading the time-stamp counter takes, in ps: 30 ns, 80 clocks of a Pentium 4 (our choice).
const COUNTER_PS: u64 = 30_000;
