//! Progress of the repetition of a session.

use std::time::{Duration, Instant};

use cluster::Time;
use indicatif::ProgressBar;
use machine_api::progress;

/// Shorter repetitions show no progress.
const SHORT: Duration = Duration::from_millis(500);

/// A repetition up to this time.
pub(crate) struct Repetition {
    until: Time,
    since: Instant,
    bar: Option<ProgressBar>,
}

impl Repetition {
    pub fn until(until: Time) -> Self {
        Repetition { until, since: Instant::now(), bar: None }
    }

    /// Draws the progress, on terminals only.
    pub fn has_come_to(&mut self, now: Time) {
        let now = micro(now);
        match &self.bar {
            Some(bar) if bar.position() == now => {}
            Some(bar) => bar.set_position(now),
            None if self.since.elapsed() < SHORT => {}
            None => {
                let bar = progress("time", micro(self.until), "us").with_position(now);
                // The time before the bar appeared does not count for its speed.
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
