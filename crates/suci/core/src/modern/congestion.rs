//! How much may be on the way, and how far apart packets leave. Slow start and additive increase, halved on loss (RFC 5681), and
//! restored when the loss was none (RFC 4015).

use core::time::Duration;

use crate::time::Instant;

/// Datagrams that may leave at once.
const BURST: usize = 10;

/// State of congestion control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Congestion {
    datagram: usize,
    window: usize,
    threshold: usize,
    /// A loss of packets below this number was answered already.
    recovery: u64,
    before: Option<(usize, usize)>,
    /// When the next packet is due.
    next: Instant,
}

impl Congestion {
    /// At the start of a connection with datagrams of this size.
    pub fn new(datagram: usize) -> Self {
        let window = BURST * datagram;
        Self { datagram, window, threshold: usize::MAX, recovery: 0, before: None, next: Instant::ZERO }
    }

    /// Bytes that may be on the way.
    pub fn window(&self) -> usize {
        self.window
    }

    /// A packet arrived, when so much was on the way.
    pub fn acknowledged(&mut self, number: u64, bytes: usize, in_flight: usize) {
        // A window that is not used says nothing of the network.
        if number < self.recovery || in_flight * 2 < self.window {
            return;
        }
        self.window += if self.window < self.threshold { bytes } else { self.datagram * bytes / self.window };
    }

    /// A packet was lost; `next` is the number of the next one.
    pub fn lost(&mut self, number: u64, next: u64) {
        if number < self.recovery {
            return;
        }
        self.before = Some((self.window, self.threshold));
        self.threshold = (self.window / 2).max(2 * self.datagram);
        self.window = self.threshold;
        self.recovery = next;
    }

    /// A packet up to this number was marked by a router that would have lost it else; `next` is the number of the next one.
    pub fn marked(&mut self, number: u64, next: u64) {
        self.lost(number, next);
        // A mark is never a mistake.
        self.before = None;
    }

    /// The path carries larger datagrams; the window has room for two.
    pub fn widen(&mut self, datagram: usize) {
        self.datagram = datagram;
        self.window = self.window.max(2 * datagram);
    }

    /// The loss was none: the packet was late.
    pub fn undo(&mut self) {
        if let Some((window, threshold)) = self.before.take() {
            self.window = self.window.max(window);
            self.threshold = threshold;
        }
    }

    /// No answer at all, several times.
    pub fn collapse(&mut self) {
        self.threshold = (self.window / 2).max(2 * self.datagram);
        self.window = 2 * self.datagram;
    }

    /// When a packet may leave; now if that has passed.
    pub fn departure(&self, smoothed: Option<Duration>) -> Instant {
        let ahead = self.interval(BURST * self.datagram, smoothed);
        Instant::from_nanos(self.next.nanos().saturating_sub(ahead))
    }

    /// A packet left.
    pub fn departed(&mut self, now: Instant, bytes: usize, smoothed: Option<Duration>) {
        self.next = self.next.max(now) + Duration::from_nanos(self.interval(bytes, smoothed));
    }

    /// Nanoseconds that so many bytes take at twice the rate of the window in slow start, 5/4 of it after.
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
    fn one_loss_halves_the_window_once_and_a_mistake_is_undone() {
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
    fn a_burst_may_leave_at_once_and_what_follows_is_spread_over_the_round_trip() {
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
