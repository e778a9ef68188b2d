//! Slots of connections: allocation, eviction and timers.

use std::net::SocketAddr;

use super::{Endpoint, Slot};
use crate::event::{Event, Peer, Reason};
use crate::modern::{Connection, Context, Stage};

impl Endpoint {
    pub(super) fn peer(&self, slot: u32) -> Peer {
        Peer { slot, generation: self.slots[slot as usize].generation }
    }

    pub(super) fn slot(&self, peer: Peer) -> Option<u32> {
        let slot = self.slots.get(peer.slot as usize)?;
        (slot.generation == peer.generation && slot.connection.is_some()).then_some(peer.slot)
    }

    /// Allocates a slot for a new connection.
    pub(super) fn place(&mut self, address: SocketAddr) -> Option<u32> {
        if self.free.is_empty() && self.slots.len() >= self.config.peers {
            self.displace();
        }
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None if self.slots.len() >= self.config.peers => return None,
            None => {
                self.slots.push(Slot { generation: 0, connection: None, active: false });
                (self.slots.len() - 1) as u32
            }
        };
        let id = self.secret.id();
        self.ids.insert(id, slot);
        let place = &mut self.slots[slot as usize];
        place.generation = place.generation.wrapping_add(1);
        place.connection = Some(Box::new(Connection::new(self.now, &self.config, address, id)));
        Some(slot)
    }

    /// Evicts the incoming call that has waited longest for its first Data.
    fn displace(&mut self) {
        while let Some(peer) = self.half_open_order.pop_front() {
            let Some(slot) = self.slot(peer) else { continue };
            let waits = |connection: &Connection| connection.stage == Stage::HalfOpen && !connection.known;
            if self.slots[slot as usize].connection.as_deref().is_some_and(waits) {
                return self.remove(slot, None);
            }
        }
    }

    pub(super) fn remove(&mut self, slot: u32, reason: Option<Reason>) {
        let peer = self.peer(slot);
        let place = &mut self.slots[slot as usize];
        let Some(connection) = place.connection.take() else { return };
        self.timers.set(slot, None);
        self.ids.remove(&connection.id);
        if let Some(key) = connection.key
            && let Some(slots) = self.keys.get_mut(&key)
        {
            slots.retain(|other| *other != slot);
            if slots.is_empty() {
                self.keys.remove(&key);
            }
        }
        for map in [&mut self.addresses, &mut self.half_open] {
            if map.get(&connection.address) == Some(&slot) {
                map.remove(&connection.address);
            }
        }
        self.ledger.forget(slot);
        self.free.push(slot);
        if let Some(reason) = reason
            && connection.known
        {
            self.events.push_back(Event::Closed { peer, reason });
        }
    }

    pub(super) fn activate(&mut self, slot: u32) {
        let place = &mut self.slots[slot as usize];
        if !place.active {
            place.active = true;
            self.active.push_back(slot);
        }
    }

    pub(super) fn renew(&mut self, slot: u32) {
        let connection = self.slots[slot as usize].connection.as_ref();
        let timeout = connection.and_then(|connection| connection.timeout(&self.config));
        self.timers.set(slot, timeout);
    }

    /// A connection with its environment and the datagram buffer.
    pub(super) fn context(&mut self, slot: u32) -> Option<(&mut Connection, (Context<'_>, &mut Vec<u8>))> {
        let peer = self.peer(slot);
        let connection = self.slots[slot as usize].connection.as_mut()?;
        let context = Context {
            now: self.now,
            peer,
            config: &self.config,
            counters: &mut self.counters,
            events: &mut self.events,
            ledger: &mut self.ledger,
        };
        Some((connection, (context, &mut self.out)))
    }

    pub(super) fn expire(&mut self) {
        while let Some(slot) = self.timers.due(self.now) {
            let Some((connection, (mut cx, _))) = self.context(slot) else { continue };
            match connection.expire(&mut cx) {
                Some(reason) => self.remove(slot, Some(reason)),
                None => self.activate(slot),
            }
        }
    }
}
