//! Which datagrams a path carries, tried out (after RFC 8899): usual sizes, from small to large, each by packets with nothing in them.
//! Such a packet that is lost says nothing of congestion.

use core::time::Duration;

use crate::time::Instant;

/// Bytes of UDP that fit: IPv6 over a tunnel, IPv6 and IPv4 over Ethernet, the two over large frames, the largest.
const SIZES: [usize; 6] = [1_372, 1_452, 1_472, 8_952, 8_972, 65_507];
/// Times that a size is tried before it counts as too large.
const TRIES: u32 = 3;
/// After which what was too large is tried again.
const AGAIN: Duration = Duration::from_secs(600);

/// State of the trials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Discovery {
    base: usize,
    most: usize,
    now: usize,
    /// Size and number of the packet that is out.
    out: Option<(usize, u64)>,
    failed: u32,
    rests_until: Instant,
}

impl Discovery {
    /// A path that carries `base` bytes; more than `most` is not tried.
    pub fn new(base: usize, most: usize) -> Self {
        let most = most.max(base);
        Self { base, most, now: base, out: None, failed: 0, rests_until: Instant::ZERO }
    }

    /// Bytes that every path carries.
    pub fn base(&self) -> usize {
        self.base
    }

    /// Bytes that both sides take.
    pub fn most(&self) -> usize {
        self.most
    }

    /// Largest datagram that is known to be carried.
    pub fn datagram(&self) -> usize {
        self.now
    }

    /// The size that is to be tried now.
    pub fn trial(&self, now: Instant) -> Option<usize> {
        if self.out.is_some() || now < self.rests_until {
            return None;
        }
        let above = SIZES.into_iter().map(|size| size.min(self.most));
        above.into_iter().find(|size| *size > self.now)
    }

    /// A trial has left.
    pub fn tried(&mut self, size: usize, number: u64) {
        self.out = Some((size, number));
    }

    /// Whether a packet is the trial that is out.
    pub fn is_trial(&self, number: u64) -> bool {
        self.out.is_some_and(|(_, out)| out == number)
    }

    /// The trial has arrived.
    pub fn arrived(&mut self) {
        if let Some((size, _)) = self.out.take() {
            self.now = self.now.max(size);
            self.failed = 0;
        }
    }

    /// The trial was lost.
    pub fn lost(&mut self, now: Instant) {
        self.out = None;
        self.failed += 1;
        if self.failed == TRIES {
            (self.failed, self.rests_until) = (0, now + AGAIN);
        }
    }

    /// Nothing arrives any more: the path may have become narrower.
    pub fn falls(&mut self, now: Instant) {
        if self.now > self.base {
            (self.now, self.out, self.failed, self.rests_until) = (self.base, None, 0, now + AGAIN);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_tried_upwards_until_one_is_lost_three_times() {
        let (mut path, now) = (Discovery::new(1_200, 9_000), Instant::ZERO);
        let mut number = 0;
        while let Some(size) = path.trial(now) {
            number += 1;
            path.tried(size, number);
            assert!(path.is_trial(number) && path.trial(now).is_none());
            if size <= 1_500 { path.arrived() } else { path.lost(now) }
        }
        assert_eq!((path.datagram(), number), (1_472, 6));
        assert_eq!(path.trial(now + AGAIN), Some(8_952));
        path.falls(now);
        assert_eq!((path.datagram(), path.trial(now), path.trial(now + AGAIN)), (1_200, None, Some(1_372)));
    }

    #[test]
    fn no_more_is_tried_than_both_sides_take() {
        let mut path = Discovery::new(1_200, 1_300);
        assert_eq!(path.trial(Instant::ZERO), Some(1_300));
        path.tried(1_300, 1);
        path.arrived();
        assert_eq!(path.trial(Instant::ZERO), None);
        assert_eq!(Discovery::new(1_200, 1_000).trial(Instant::ZERO), None);
    }
}
