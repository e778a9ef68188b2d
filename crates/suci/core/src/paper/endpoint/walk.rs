//! States for [`crate::walk`].

use std::hash::Hash;

use super::{Endpoint, Peer};

impl Endpoint {
    /// All that decides what it does from now on; not what it was made with, nor what it has counted.
    pub fn state(&self) -> impl Eq + Hash {
        (self.now, self.epoch, &self.peers, &self.grants, &self.events, self.turn, self.active)
    }

    /// Bytes of blocks from a peer, whole or not, that the application has not taken.
    pub fn held(&self, peer: crate::Peer) -> usize {
        self.peers.get(peer.slot as usize).map_or(0, Peer::held)
    }

    /// It is [`Instant::ZERO`](crate::Instant::ZERO) now; what is due later still is.
    pub fn forget_time(&mut self) {
        let now = core::mem::take(&mut self.now);
        self.peers.iter_mut().for_each(|peer| peer.forget_time(now));
        self.grants.grants.iter_mut().for_each(|grant| grant.until = grant.until.counted_from(now));
    }
}
