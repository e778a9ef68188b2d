//! Congestion control and pacing. Slow start and additive increase with halving on loss (RFC 5681); spurious
//! losses are undone (RFC 4015).

use core::time::Duration;

use crate::time::Instant;

/// Datagrams that may be sent in a burst.
const BURST: usize = 10;

/// Congestion state of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Congestion {
    datagram: usize,
    window: usize,
    threshold: usize,
    /// Losses of packets below this number belong to a past congestion event.
    recovery: u64,
    before: Option<(usize, usize)>,
    /// Departure time of the next packet.
    next: Instant,
}

impl Congestion {
    /// Initial state for datagrams of this size.
    pub fn new(datagram: usize) -> Self {
        let window = BURST * datagram;
        Self { datagram, window, threshold: usize::MAX, recovery: 0, before: None, next: Instant::ZERO }
    }

    /// Congestion window in bytes.
    pub fn window(&self) -> usize {
        self.window
    }

    /// Handles an acknowledged packet; `in_flight` is the number of bytes in flight before the acknowledgement.
    pub fn acknowledged(&mut self, number: u64, bytes: usize, in_flight: usize) {
        // An underused window gives no information about the path.
        if number < self.recovery || in_flight * 2 < self.window {
            return;
        }
        self.window += if self.window < self.threshold { bytes } else { self.datagram * bytes / self.window };
    }

    /// Handles a lost packet; `next` is the next packet number.
    pub fn lost(&mut self, number: u64, next: u64) {
        if number < self.recovery {
            return;
        }
        self.before = Some((self.window, self.threshold));
        self.threshold = (self.window / 2).max(2 * self.datagram);
        self.window = self.threshold;
        self.recovery = next;
    }

    /// Handles a congestion mark on a packet up to this number; `next` is the next packet number.
    pub fn marked(&mut self, number: u64, next: u64) {
        self.lost(number, next);
        // A congestion mark is never spurious.
        self.before = None;
    }

    /// Adapts to larger datagrams; the window holds at least two.
    pub fn widen(&mut self, datagram: usize) {
        self.datagram = datagram;
        self.window = self.window.max(2 * datagram);
    }

    /// Undoes the reaction to a spurious loss.
    pub fn undo(&mut self) {
        if let Some((window, threshold)) = self.before.take() {
            self.window = self.window.max(window);
            self.threshold = threshold;
        }
    }

    /// Reacts to persistent congestion: consecutive probe timeouts.
    pub fn collapse(&mut self) {
        self.threshold = (self.window / 2).max(2 * self.datagram);
        self.window = 2 * self.datagram;
    }

    /// Earliest departure time of a packet; the past means now.
    pub fn departure(&self, smoothed: Option<Duration>) -> Instant {
        let ahead = self.interval(BURST * self.datagram, smoothed);
        Instant::from_nanos(self.next.nanos().saturating_sub(ahead))
    }

    /// Records the departure of a packet.
    pub fn departed(&mut self, now: Instant, bytes: usize, smoothed: Option<Duration>) {
        self.next = self.next.max(now) + Duration::from_nanos(self.interval(bytes, smoothed));
    }

    /// Time in nanoseconds of `bytes` at twice the rate of the window in slow start, 5/4 of it afterwards.
    fn interval(&self, bytes: usize, smoothed: Option<Duration>) -> u64 {
        let trip = smoothed.unwrap_or_default().as_nanos();
        let (numerator, denominator) = if self.window < self.threshold { (1, 2) } else { (4, 5) };
        (trip * bytes as u128 * numerator / (self.window.max(1) as u128 * denominator)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loss_halves_the_window_once_and_spurious_loss_is_undone() {
        let mut congestion = Congestion::new(1_000);
        congestion.acknowledged(1, 5_000, 10_000);
        assert_eq!(congestion.window(), 15_000);
        congestion.lost(2, 9);
        congestion.lost(3, 9);
        assert_eq!(congestion.window(), 7_500);
        congestion.undo();
        assert_eq!(congestion.window(), 15_000);
    }

    #[test]
    fn packets_after_a_burst_are_paced_over_the_round_trip() {
        let mut congestion = Congestion::new(1_000);
        let trip = Some(Duration::from_millis(10));
        let now = Instant::from_nanos(1_000_000_000);
        for _ in 0..10 {
            assert!(congestion.departure(trip) <= now);
            congestion.departed(now, 1_000, trip);
        }
        congestion.departed(now, 1_000, trip);
        assert_eq!(congestion.departure(trip).since(now), Duration::from_micros(500));
    }
}
