//! Loss detection and timeouts as pure functions (after RFC 8985 and RFC 9002).

use core::time::Duration;

use crate::time::Instant;

/// Timer granularity.
pub const GRANULARITY: Duration = Duration::from_micros(50);
/// Reordering threshold in packets; it grows with each spurious loss.
pub const REORDERING: u64 = 3;
/// Upper bound of the reordering threshold.
pub const MOST_REORDERING: u64 = 64;

/// Round trip time estimate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RoundTrip {
    /// Smoothed value and mean deviation, after the first sample.
    smoothed: Option<(Duration, Duration)>,
    latest: Duration,
    least: Duration,
}

impl RoundTrip {
    /// Smoothed round trip time; `None` before the first sample.
    pub fn smoothed(&self) -> Option<Duration> {
        self.smoothed.map(|(smoothed, _)| smoothed)
    }

    /// Adds a sample; `held` is the peer's acknowledgement delay.
    #[must_use]
    pub fn sample(self, latest: Duration, held: Duration) -> Self {
        let Some((smoothed, deviation)) = self.smoothed else {
            return Self { smoothed: Some((latest, latest / 2)), latest, least: latest };
        };
        let least = self.least.min(latest);
        // An exaggerated delay cannot reduce the sample below the observed minimum.
        let adjusted = if latest >= least + held { latest - held } else { latest };
        let error = smoothed.abs_diff(adjusted);
        Self { smoothed: Some(((smoothed * 7 + adjusted) / 8, (deviation * 3 + error) / 4)), latest, least }
    }

    /// Time threshold: age at which a packet counts as lost once a later one is acknowledged.
    pub fn loss_delay(&self, initial: Duration) -> Duration {
        let longest = self.smoothed().unwrap_or(initial).max(self.latest);
        (longest * 9 / 8).max(longest + GRANULARITY)
    }

    /// Probe timeout: at least `floor` above the round trip, doubled with each consecutive timeout.
    pub fn timeout(&self, initial: Duration, floor: Duration, held: Duration, in_vain: u32) -> Duration {
        let (smoothed, deviation) = self.smoothed.unwrap_or((initial, initial / 2));
        let once = smoothed + (deviation * 4).max(floor).max(GRANULARITY) + held;
        once.saturating_mul(1 << in_vain.min(12)).min(Duration::from_secs(5).max(once))
    }
}

/// State of an unacknowledged packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Possibly reordered; counts as lost at this time.
    Wait(Instant),
    /// Counts as lost.
    Lost,
    /// No later packet is acknowledged, so only the probe timeout applies.
    Unknown,
}

/// Determines the state of a packet from the highest acknowledged number.
pub fn judge(
    number: u64,
    sent: Instant,
    highest: Option<u64>,
    reordering: u64,
    delay: Duration,
    now: Instant,
) -> Verdict {
    match highest {
        Some(highest) if number < highest => {
            let deadline = sent + delay;
            if highest - number >= reordering || deadline <= now {
                Verdict::Lost
            } else {
                Verdict::Wait(deadline)
            }
        }
        _ => Verdict::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn packet_is_lost_by_packet_threshold_or_time_threshold() {
        let sent = Instant::ZERO + MS;
        assert_eq!(judge(5, sent, None, REORDERING, MS, sent + 9 * MS), Verdict::Unknown);
        assert_eq!(judge(5, sent, Some(4), REORDERING, MS, sent + 9 * MS), Verdict::Unknown);
        assert_eq!(judge(5, sent, Some(7), REORDERING, MS, sent), Verdict::Wait(sent + MS));
        assert_eq!(judge(5, sent, Some(7), REORDERING, MS, sent + MS), Verdict::Lost);
        assert_eq!(judge(5, sent, Some(8), REORDERING, MS, sent), Verdict::Lost);
    }

    #[test]
    fn timeout_doubles_up_to_a_bound() {
        let trip = RoundTrip::default().sample(MS, Duration::ZERO);
        let once = trip.timeout(MS, Duration::ZERO, Duration::ZERO, 0);
        assert_eq!(once, 3 * MS);
        assert_eq!(trip.timeout(MS, Duration::ZERO, Duration::ZERO, 3), once * 8);
        assert_eq!(trip.timeout(MS, Duration::ZERO, Duration::ZERO, 99), Duration::from_secs(5));
    }

    #[test]
    fn exaggerated_delay_does_not_shorten_the_round_trip() {
        let trip = RoundTrip::default().sample(10 * MS, Duration::ZERO);
        assert_eq!(trip.sample(10 * MS, 9 * MS).smoothed(), Some(10 * MS));
        assert!(trip.sample(14 * MS, 3 * MS).smoothed() < Some(11 * MS));
    }
}
