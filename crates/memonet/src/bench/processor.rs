//! Processor time, which other work on the machine does not touch.

use rustix::time::{ClockId, clock_gettime};

/// Seconds of processor time so far: of this thread, or of the whole process, as the clock says.
pub fn seconds(clock: ClockId) -> f64 {
    let time = clock_gettime(clock);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
