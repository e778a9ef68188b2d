//! When a packet counts as lost, and how long an answer is waited for. Functions of numbers alone (as RFC 8985 and RFC 9002).

use core::time::Duration;

use crate::time::Instant;

/// The shortest time that is told apart.
pub const GRANULARITY: Duration = Duration::from_micros(50);
/// Packets by which an earlier one may be overtaken before it counts as lost; more after each mistake.
pub const REORDERING: u64 = 3;
/// Bound of the above.
pub const MOST_REORDERING: u64 = 64;

/// Round trip times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RoundTrip {
    /// Smoothed and mean deviation, after the first sample.
    smoothed: Option<(Duration, Duration)>,
    latest: Duration,
    least: Duration,
}

impl RoundTrip {
    /// Smoothed round trip time.
    pub fn smoothed(&self) -> Option<Duration> {
        self.smoothed.map(|(smoothed, _)| smoothed)
    }

    /// Takes a sample; `held` is how long the peer kept the answer back.
    #[must_use]
    pub fn sample(self, latest: Duration, held: Duration) -> Self {
        let Some((smoothed, deviation)) = self.smoothed else {
            return Self { smoothed: Some((latest, latest / 2)), latest, least: latest };
        };
        let least = self.least.min(latest);
        // A peer that overstates `held` cannot bring the sample below what was seen.
        let adjusted = if latest >= least + held { latest - held } else { latest };
        let error = smoothed.abs_diff(adjusted);
        Self { smoothed: Some(((smoothed * 7 + adjusted) / 8, (deviation * 3 + error) / 4)), latest, least }
    }

    /// How long after it was sent a packet counts as lost, if a later one has arrived.
    pub fn loss_delay(&self, initial: Duration) -> Duration {
        let longest = self.smoothed().unwrap_or(initial).max(self.latest);
        (longest * 9 / 8).max(longest + GRANULARITY)
    }

    /// How long an answer is waited for: at least `floor` more than the round trip, doubled with each time in vain.
    pub fn timeout(&self, initial: Duration, floor: Duration, held: Duration, in_vain: u32) -> Duration {
        let (smoothed, deviation) = self.smoothed.unwrap_or((initial, initial / 2));
        let once = smoothed + (deviation * 4).max(floor).max(GRANULARITY) + held;
        once.saturating_mul(1 << in_vain.min(12)).min(Duration::from_secs(5).max(once))
    }
}

/// What is known of a packet that is not acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It may only be late; it counts as lost at this time.
    Wait(Instant),
    /// It is lost.
    Lost,
    /// Nothing sent after it has arrived, so only the time-out can tell.
    Unknown,
}

/// Judges a packet by the highest number that was acknowledged.
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
    fn a_packet_is_lost_when_three_later_ones_have_arrived_or_time_has_passed() {
        let sent = Instant::ZERO + MS;
        assert_eq!(judge(5, sent, None, REORDERING, MS, sent + 9 * MS), Verdict::Unknown);
        assert_eq!(judge(5, sent, Some(4), REORDERING, MS, sent + 9 * MS), Verdict::Unknown);
        assert_eq!(judge(5, sent, Some(7), REORDERING, MS, sent), Verdict::Wait(sent + MS));
        assert_eq!(judge(5, sent, Some(7), REORDERING, MS, sent + MS), Verdict::Lost);
        assert_eq!(judge(5, sent, Some(8), REORDERING, MS, sent), Verdict::Lost);
    }

    #[test]
    fn the_time_out_doubles_in_vain_and_has_a_bound() {
        let trip = RoundTrip::default().sample(MS, Duration::ZERO);
        let once = trip.timeout(MS, Duration::ZERO, Duration::ZERO, 0);
        assert_eq!(once, 3 * MS);
        assert_eq!(trip.timeout(MS, Duration::ZERO, Duration::ZERO, 3), once * 8);
        assert_eq!(trip.timeout(MS, Duration::ZERO, Duration::ZERO, 99), Duration::from_secs(5));
    }

    #[test]
    fn an_overstated_delay_does_not_shorten_the_round_trip() {
        let trip = RoundTrip::default().sample(10 * MS, Duration::ZERO);
        assert_eq!(trip.sample(10 * MS, 9 * MS).smoothed(), Some(10 * MS));
        assert!(trip.sample(14 * MS, 3 * MS).smoothed() < Some(11 * MS));
    }
}
