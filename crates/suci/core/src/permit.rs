//! Permits: the bytes that a receiver allows its senders to have in flight (section 3.2, figures 1 and 2).
//!
//! The paper prints that a receiver answers a request with a size. Two additions of this project are
//! necessary: a permit has a number, so that a duplicate grants nothing, and it expires, so that a lost one
//! does not reduce the budget forever. [`charge`] and [`allot`] are pure functions.

use core::time::Duration;
use std::collections::BTreeMap;

use crate::time::Instant;

/// Policy by which a receiver divides its budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Policy {
    /// Equal shares for all active senders.
    #[default]
    Share,
    /// Shares in proportion to the weights set with `weigh`.
    Weighted,
    /// Amounts set by the application with `grant`.
    Manual,
}

/// Permits of a peer that are tracked separately; a permit is renewed after a quarter of its life.
const MOST_PERMITS: usize = 8;

/// Budget that one peer may use: the sizes of its unexpired permits, with the latest expiry at any place by
/// the receiver's clock. A newer permit replaces older ones where it arrives, but it may be lost, so the
/// largest one counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Charge([(usize, Instant); MOST_PERMITS]);

impl Charge {
    /// Bytes charged at a time.
    pub fn at(&self, now: Instant) -> usize {
        self.0.iter().filter(|permit| now < permit.1).map(|permit| permit.0).max().unwrap_or(0)
    }
}

/// Charge of a peer after another permit.
pub fn charge(mut charge: Charge, now: Instant, bytes: usize, until: Instant) -> Charge {
    // Replaces an expired permit, or else the one that expires first, whose size is then held until the later
    // expiry.
    if let Some(place) = charge.0.iter_mut().min_by_key(|permit| permit.1) {
        let kept = if now < place.1 { place.0 } else { 0 };
        *place = (bytes.max(kept), until.max(place.1));
    }
    charge
}

/// Size of a peer's next permit: its share, limited by the remaining budget.
pub fn allot(budget: usize, others: usize, weight: u32, all_weights: u32) -> usize {
    let share = budget as u128 * u128::from(weight) / u128::from(all_weights.max(weight).max(1));
    (share as usize).min(budget.saturating_sub(others))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Place {
    charge: Charge,
    weight: u32,
    /// Expiry of the peer's activity: a peer that is silent for the life of a permit is inactive.
    active_until: Instant,
    granted: Option<usize>,
}

impl Place {
    /// Whether the entry must be kept.
    fn matters(&self, now: Instant) -> bool {
        now < self.active_until || self.charge.at(now) > 0 || self.weight != 1 || self.granted.is_some()
    }
}

/// Permits of one receiver.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Ledger {
    pub(crate) policy: Policy,
    budget: usize,
    life: Duration,
    /// Entries of active peers and of peers with settings, so that the cost of a permit is independent of the
    /// number of all peers.
    places: BTreeMap<u32, Place>,
}

impl Ledger {
    pub(crate) fn new(budget: usize, life: Duration) -> Self {
        Self { policy: Policy::Share, budget, life, places: BTreeMap::new() }
    }

    fn place(&mut self, peer: u32) -> &mut Place {
        self.places.entry(peer).or_insert(Place {
            charge: Charge::default(),
            weight: 1,
            active_until: Instant::ZERO,
            granted: None,
        })
    }

    pub(crate) fn forget(&mut self, peer: u32) {
        self.places.remove(&peer);
    }

    pub(crate) fn weigh(&mut self, peer: u32, weight: u32) {
        self.place(peer).weight = weight;
    }

    /// Bytes charged to all other peers.
    fn others(&self, peer: u32, now: Instant) -> usize {
        let others = self.places.iter().filter(|(at, _)| **at != peer);
        others.map(|(_, place)| place.charge.at(now)).sum()
    }

    /// Sets the bytes that a peer may have in flight, with the manual policy. Returns the amount that the
    /// budget allows.
    pub(crate) fn grant(&mut self, now: Instant, peer: u32, bytes: usize) -> usize {
        let others = self.places.iter().filter(|(at, _)| **at != peer);
        let promised: usize = others.filter_map(|(_, place)| place.granted).sum();
        let bytes = bytes.min(self.budget.saturating_sub(promised.max(self.others(peer, now))));
        self.place(peer).granted = Some(bytes);
        bytes
    }

    /// Permit of an active peer, and its lifetime on arrival. `round_trip` is the time for which its last
    /// datagrams may be in flight afterwards.
    pub(crate) fn permit(&mut self, now: Instant, peer: u32, round_trip: Duration) -> (usize, Duration) {
        let life = self.life.max(round_trip * 4);
        self.places.retain(|_, place| place.matters(now));
        self.place(peer).active_until = now + life;
        let bytes = match (self.policy, self.place(peer).granted) {
            (Policy::Manual, granted) => granted.unwrap_or(0),
            (policy, _) => {
                let weight = |place: &Place| if policy == Policy::Weighted { place.weight } else { 1 };
                let active = self.places.values().filter(|place| now < place.active_until);
                let all = active.map(weight).fold(0u32, u32::saturating_add);
                let own = self.places.get(&peer).map_or(1, weight);
                allot(self.budget, self.others(peer, now), own, all)
            }
        };
        let until = now + life + round_trip;
        let place = self.place(peer);
        place.charge = charge(place.charge, now, bytes, until);
        (bytes, life)
    }

    /// Bytes charged to all peers.
    pub(crate) fn charged(&self, now: Instant) -> usize {
        self.places.values().map(|place| place.charge.at(now)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn permits_never_exceed_the_budget() {
        let mut ledger = Ledger::new(100_000, 4 * MS);
        let mut now = Instant::ZERO;
        let mut shares = vec![0; 40];
        for round in 0..200u32 {
            for peer in 0..40.min(1 + round / 2) {
                shares[peer as usize] = ledger.permit(now, peer, MS).0;
                assert!(ledger.charged(now) <= 100_000, "round {round}");
            }
            now = now + MS;
        }
        assert_eq!(shares, vec![2_500; 40]);
    }

    #[test]
    fn permits_beyond_the_tracked_ones_are_not_forgotten() {
        let until = Instant::ZERO + 100 * MS;
        let mut of_one = charge(Charge::default(), Instant::ZERO, 1_000, until);
        for renewed in 1..50 {
            let now = Instant::ZERO + MS * renewed;
            of_one = charge(of_one, now, 10, now + 200 * MS);
            assert_eq!(of_one.at(now), 1_000);
        }
    }

    #[test]
    fn lost_permit_returns_to_the_budget_on_expiry() {
        let mut ledger = Ledger::new(1_000, 10 * MS);
        assert_eq!(ledger.permit(Instant::ZERO, 0, MS).0, 1_000);
        assert_eq!(ledger.permit(Instant::ZERO + MS, 1, MS).0, 0);
        assert_eq!(ledger.permit(Instant::ZERO + 11 * MS, 1, MS).0, 1_000);
    }

    #[test]
    fn weights_divide_the_budget() {
        let mut ledger = Ledger::new(1_000, 10 * MS);
        ledger.policy = Policy::Weighted;
        ledger.weigh(0, 3);
        for round in 0..4 {
            let now = Instant::ZERO + MS * (8 * round);
            let shares = [ledger.permit(now, 0, MS).0, ledger.permit(now, 1, MS).0];
            if round == 3 {
                assert_eq!(shares, [750, 250]);
            }
        }
    }

    #[test]
    fn application_cannot_grant_more_than_the_budget() {
        let mut ledger = Ledger::new(1_000, 10 * MS);
        ledger.policy = Policy::Manual;
        assert_eq!(ledger.grant(Instant::ZERO, 0, 700), 700);
        assert_eq!(ledger.grant(Instant::ZERO, 1, 700), 300);
        assert_eq!(ledger.permit(Instant::ZERO, 1, MS).0, 300);
    }
}
