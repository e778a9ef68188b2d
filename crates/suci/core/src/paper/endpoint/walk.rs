//! States for [`crate::walk`].

use std::hash::Hash;

use super::{Endpoint, Peer};

impl Endpoint {
    /// State that determines the future behaviour, without configuration and counters.
    pub fn state(&self) -> impl Eq + Hash {
        (self.now, self.epoch, &self.peers, &self.grants, &self.events, self.turn, self.active)
    }

    /// Bytes of a peer's blocks that the application has not taken, complete or not.
    pub fn held(&self, peer: crate::Peer) -> usize {
        self.peers.get(peer.slot as usize).map_or(0, Peer::held)
    }

    /// Shifts all times so that the current one is [`Instant::ZERO`](crate::Instant::ZERO); pending timers
    /// stay pending.
    pub fn forget_time(&mut self) {
        let now = core::mem::take(&mut self.now);
        self.peers.iter_mut().for_each(|peer| peer.forget_time(now));
        self.grants.forget_time(now);
    }
}
