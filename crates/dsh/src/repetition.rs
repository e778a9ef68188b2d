//! How far the repetition of a session has come, for whoever waits for it.

use std::time::{Duration, Instant};

use cluster::Time;
use indicatif::ProgressBar;
use lab::progress;

/// What takes no longer needs no progress.
const SHORT: Duration = Duration::from_millis(500);

/// All that was done is done again, up to this time.
pub(crate) struct Repetition {
    until: Time,
    since: Instant,
    bar: Option<ProgressBar>,
}

impl Repetition {
    pub fn until(until: Time) -> Self {
        Repetition { until, since: Instant::now(), bar: None }
    }

    /// Draws it, on terminals only.
    pub fn has_come_to(&mut self, now: Time) {
        let now = micro(now);
        match &self.bar {
            Some(bar) if bar.position() == now => {}
            Some(bar) => bar.set_position(now),
            None if self.since.elapsed() < SHORT => {}
            None => {
                let bar = progress("time", micro(self.until), "us").with_position(now);
                // What came before the bar is no measure of its speed.
                bar.reset_eta();
                self.bar = Some(bar);
            }
        }
    }
}

fn micro(time: Time) -> u64 {
    time.ps() / 1_000_000
}

impl Drop for Repetition {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
