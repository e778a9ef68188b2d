//! Permits that this endpoint has given to its senders (section 3.2).

use core::time::Duration;

use super::timeout::MOST_TIMEOUT;
use crate::time::Instant;

/// Permit of one sender (section 3.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Grant {
    number: u32,
    bytes: usize,
    until: Instant,
}

/// Permits of all senders.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Grants {
    budget: usize,
    life: Duration,
    grants: Vec<Grant>,
}

impl Grants {
    /// Permits of `peers` senders for `budget` bytes in total, none of them given.
    pub fn new(budget: usize, life: Duration, peers: usize) -> Grants {
        Grants { budget, life, grants: vec![Grant::default(); peers] }
    }

    /// Answers a request for `asked` bytes; 0 is a refusal. The sender uses the answer only within its
    /// patience. The permit lives twice as long, so its data has arrived when it expires here.
    pub fn grant(
        &mut self,
        now: Instant,
        peer: usize,
        number: u32,
        asked: usize,
        patience: Option<Duration>,
    ) -> usize {
        let life = self.life.max(patience.unwrap_or_default().min(MOST_TIMEOUT) * 2);
        if patience.is_some() {
            // A lost permit expires instead of reducing the budget forever (H19).
            self.grants.iter_mut().filter(|grant| grant.until <= now).for_each(|grant| grant.bytes = 0);
            let before = &mut self.grants[peer];
            if before.number == number && before.bytes > 0 {
                before.until = now + life;
                return before.bytes;
            }
            before.bytes = 0;
        }
        let charged: usize = self.grants.iter().map(|grant| grant.bytes).sum();
        let bytes = asked.min(self.budget.saturating_sub(charged));
        let grant = &mut self.grants[peer];
        *grant = Grant { number, bytes: grant.bytes + bytes, until: now + life };
        bytes
    }

    /// Shortest time that a sender waits for its permit.
    pub fn least_patience(&self) -> Duration {
        self.life / 2
    }

    /// Records received bytes.
    pub fn used(&mut self, peer: usize, bytes: usize) {
        let grant = &mut self.grants[peer];
        grant.bytes = grant.bytes.saturating_sub(bytes);
    }

    /// Forgets the permit of a restarted peer.
    pub fn forget(&mut self, peer: usize) {
        self.grants[peer] = Grant::default();
    }

    /// Permitted bytes that have not arrived.
    pub fn charged(&self) -> usize {
        self.grants.iter().map(|grant| grant.bytes).sum()
    }

    /// Shifts all times so that `now` becomes [`Instant::ZERO`].
    pub fn forget_time(&mut self, now: Instant) {
        self.grants.iter_mut().for_each(|grant| grant.until = grant.until.counted_from(now));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_request_adds_to_the_permit_of_an_impatient_sender() {
        let now = Instant::ZERO + Duration::from_secs(1);
        for (patience, again, charged) in [(None, 40, 100), (Some(Duration::from_millis(1)), 60, 60)] {
            let mut grants = Grants::new(100, Duration::from_secs(1), 2);
            assert_eq!(grants.grant(now, 0, 7, 60, patience), 60);
            assert_eq!(grants.grant(now, 0, 7, 60, patience), again);
            assert_eq!(grants.charged(), charged);
        }
    }

    #[test]
    fn permit_ends_with_its_life_if_senders_are_patient() {
        let life = Duration::from_secs(1);
        let given = Instant::ZERO + life;
        let before = given + (life - Duration::from_nanos(1));
        for (patience, now, left) in [
            (None, given + life, 40),
            (Some(Duration::from_millis(1)), before, 40),
            (Some(Duration::from_millis(1)), given + life, 100),
        ] {
            let mut grants = Grants::new(100, life, 2);
            assert_eq!(grants.grant(given, 0, 7, 60, patience), 60);
            assert_eq!(grants.grant(now, 1, 3, 200, patience), left);
        }
    }
}
