//! Processor time, which other load on the computer does not affect.

use rustix::time::{ClockId, clock_gettime};

/// Seconds of processor time used by this thread or by the whole process, depending on `clock`.
pub fn seconds(clock: ClockId) -> f64 {
    let time = clock_gettime(clock);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
