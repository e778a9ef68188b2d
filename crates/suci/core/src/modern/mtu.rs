//! Path MTU discovery (after RFC 8899): probes usual sizes in increasing order with padded packets. A lost
//! probe does not indicate congestion.

use core::time::Duration;

use crate::time::Instant;

/// Probed UDP payloads: IPv6 over a tunnel, IPv6 and IPv4 over Ethernet, both over jumbo frames, and the
/// maximum.
const SIZES: [usize; 6] = [1_372, 1_452, 1_472, 8_952, 8_972, 65_507];
/// Lost probes of a size before it counts as too large.
const TRIES: u32 = 3;
/// Time after which a failed size is probed again.
const AGAIN: Duration = Duration::from_secs(600);

/// State of path MTU discovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Discovery {
    base: usize,
    most: usize,
    now: usize,
    /// Size and packet number of the probe in flight.
    out: Option<(usize, u64)>,
    failed: u32,
    rests_until: Instant,
}

impl Discovery {
    /// A path that carries `base` bytes; sizes above `most` are not probed.
    pub fn new(base: usize, most: usize) -> Self {
        let most = most.max(base);
        Self { base, most, now: base, out: None, failed: 0, rests_until: Instant::ZERO }
    }

    /// Datagram in bytes that every path carries.
    pub fn base(&self) -> usize {
        self.base
    }

    /// Largest datagram in bytes that both sides accept.
    pub fn most(&self) -> usize {
        self.most
    }

    /// Largest datagram in bytes known to be carried.
    pub fn datagram(&self) -> usize {
        self.now
    }

    /// Size to probe now, if any.
    pub fn trial(&self, now: Instant) -> Option<usize> {
        if self.out.is_some() || now < self.rests_until {
            return None;
        }
        let above = SIZES.into_iter().map(|size| size.min(self.most));
        above.into_iter().find(|size| *size > self.now)
    }

    /// Records a probe.
    pub fn tried(&mut self, size: usize, number: u64) {
        self.out = Some((size, number));
    }

    /// Whether a packet is the probe in flight.
    pub fn is_trial(&self, number: u64) -> bool {
        self.out.is_some_and(|(_, out)| out == number)
    }

    /// Handles an acknowledged probe.
    pub fn arrived(&mut self) {
        if let Some((size, _)) = self.out.take() {
            self.now = self.now.max(size);
            self.failed = 0;
        }
    }

    /// Handles a lost probe.
    pub fn lost(&mut self, now: Instant) {
        self.out = None;
        self.failed += 1;
        if self.failed == TRIES {
            (self.failed, self.rests_until) = (0, now + AGAIN);
        }
    }

    /// Falls back to the base size: after consecutive timeouts the path MTU may have shrunk.
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
    fn sizes_are_probed_upwards_until_one_is_lost_three_times() {
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
    fn probes_do_not_exceed_the_limits_of_both_sides() {
        let mut path = Discovery::new(1_200, 1_300);
        assert_eq!(path.trial(Instant::ZERO), Some(1_300));
        path.tried(1_300, 1);
        path.arrived();
        assert_eq!(path.trial(Instant::ZERO), None);
        assert_eq!(Discovery::new(1_200, 1_000).trial(Instant::ZERO), None);
    }
}
