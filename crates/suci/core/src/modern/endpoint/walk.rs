//! States for [`crate::walk`].

use std::hash::Hash;

use super::Endpoint;
use crate::event::Peer;

impl Endpoint {
    /// State that determines the future behaviour, without configuration and counters.
    pub fn state(&self) -> impl Eq + Hash {
        let addresses = (&self.addresses, &self.half_open, &self.half_open_order, &self.keys, &self.ids);
        let connections = (&self.slots, &self.free, addresses, &self.timers);
        let waiting = (&self.active, &self.answers, &self.events);
        (self.now, &self.secret, connections, waiting, &self.ledger)
    }

    /// Cost of a peer's blocks that the application has not taken, complete or not.
    pub fn held(&self, peer: Peer) -> usize {
        let connection = self.slot(peer).and_then(|slot| self.slots[slot as usize].connection.as_ref());
        connection.map_or(0, |connection| connection.held())
    }
}
