//! Permits: what a receiver lets its senders have on the way to it (section 3.2, figures 1 and 2).
//!
//! The paper prints that a receiver answers a request with a size. Two things are ours, because without them it fails: a permit
//! has a number, so that a repeated one grants nothing more, and it expires, so that a lost one does not use up the budget for ever.
//! [`charge`] and [`allot`] are functions of numbers alone.

use core::time::Duration;
use std::collections::BTreeMap;

use crate::time::Instant;

/// How the budget of a receiver is divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Policy {
    /// Equally among the peers that are sending.
    #[default]
    Share,
    /// In proportion to the weights that `weigh` gave them.
    Weighted,
    /// Only as the application says by `grant`.
    Manual,
}

/// Permits of a peer that are told apart; they are renewed each quarter of their life.
const MOST_PERMITS: usize = 8;

/// What one peer may use of the budget: its permits that have not expired, as bytes and when they have wherever they are, by the
/// receiver's clock. A newer one replaces the others where it arrives; but it may be lost, so the largest counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Charge([(usize, Instant); MOST_PERMITS]);

impl Charge {
    /// Bytes that are to be reckoned with at a time.
    pub fn at(&self, now: Instant) -> usize {
        self.0.iter().filter(|permit| now < permit.1).map(|permit| permit.0).max().unwrap_or(0)
    }
}

/// The charge of a peer after a further permit.
pub fn charge(mut charge: Charge, now: Instant, bytes: usize, until: Instant) -> Charge {
    // The place of one that has expired, else of the one that does so first, which is then held for as long as the new one.
    if let Some(place) = charge.0.iter_mut().min_by_key(|permit| permit.1) {
        let kept = if now < place.1 { place.0 } else { 0 };
        *place = (bytes.max(kept), until.max(place.1));
    }
    charge
}

/// Bytes of the next permit of a peer: its share, as far as what the others may use leaves room for it.
pub fn allot(budget: usize, others: usize, weight: u32, all_weights: u32) -> usize {
    let share = budget as u128 * u128::from(weight) / u128::from(all_weights.max(weight).max(1));
    (share as usize).min(budget.saturating_sub(others))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Place {
    charge: Charge,
    weight: u32,
    /// When the peer sent last; a peer that has sent nothing for the life of a permit is not sending.
    active_until: Instant,
    granted: Option<usize>,
}

impl Place {
    /// Whether anything is lost if it is forgotten.
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
    /// Those that send, or of whom something was said: walks take as long as these are many, not all peers.
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

    /// What all other peers may have on the way.
    fn others(&self, peer: u32, now: Instant) -> usize {
        let others = self.places.iter().filter(|(at, _)| **at != peer);
        others.map(|(_, place)| place.charge.at(now)).sum()
    }

    /// Sets what a peer may have on the way, where the application decides; returns how much of it the budget allows.
    pub(crate) fn grant(&mut self, now: Instant, peer: u32, bytes: usize) -> usize {
        let others = self.places.iter().filter(|(at, _)| **at != peer);
        let promised: usize = others.filter_map(|(_, place)| place.granted).sum();
        let bytes = bytes.min(self.budget.saturating_sub(promised.max(self.others(peer, now))));
        self.place(peer).granted = Some(bytes);
        bytes
    }

    /// A permit for a peer that is sending, and how long it is in force where it arrives. `round_trip` is how long its last
    /// datagrams may be on the way after that.
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

    /// What all permits together allow.
    pub(crate) fn charged(&self, now: Instant) -> usize {
        self.places.values().map(|place| place.charge.at(now)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn permits_never_add_up_to_more_than_the_budget() {
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
    fn permits_beyond_those_that_are_told_apart_are_not_forgotten() {
        let until = Instant::ZERO + 100 * MS;
        let mut of_one = charge(Charge::default(), Instant::ZERO, 1_000, until);
        for renewed in 1..50 {
            let now = Instant::ZERO + MS * renewed;
            of_one = charge(of_one, now, 10, now + 200 * MS);
            assert_eq!(of_one.at(now), 1_000);
        }
    }

    #[test]
    fn a_lost_permit_comes_back_to_the_budget_when_it_expires() {
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
    fn the_application_cannot_grant_more_than_the_budget() {
        let mut ledger = Ledger::new(1_000, 10 * MS);
        ledger.policy = Policy::Manual;
        assert_eq!(ledger.grant(Instant::ZERO, 0, 700), 700);
        assert_eq!(ledger.grant(Instant::ZERO, 1, 700), 300);
        assert_eq!(ledger.permit(Instant::ZERO, 1, MS).0, 300);
    }
}
