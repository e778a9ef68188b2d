//! Reception of datagrams.

use std::net::SocketAddr;

use super::{Endpoint, MOST_ANSWERS};
use crate::counters::Dropped;
use crate::event::Reason;
use crate::modern::noise::Called;
use crate::modern::packet::{self, Cookie, Packet};
use crate::modern::{Connection, Context, Stage};
use crate::time::Instant;

impl Endpoint {
    /// Processes a received datagram. Any content is safe; unusable datagrams are counted.
    pub fn input(&mut self, now: Instant, from: SocketAddr, datagram: &[u8], marked: bool) {
        self.clock(now);
        self.counters.received += 1;
        if datagram.len() > self.config.most() {
            return self.counters.drop(Dropped::Length);
        }
        match packet::parse(datagram) {
            Ok(Packet::Initiate { id, cookie, hello }) => self.called(from, id, cookie, hello),
            Ok(Packet::Retry { id, cookie }) => {
                self.on_connection(from, id, |connection, cx| connection.retry(cx, cookie))
            }
            Ok(Packet::Accept { id, hello }) => {
                self.on_connection(from, id, |connection, cx| connection.accepted(cx, hello));
                if let Some(&slot) = self.ids.get(&id) {
                    self.names(slot);
                }
            }
            Ok(Packet::Data { id, number, header, body }) => {
                let mut opened = core::mem::take(&mut self.opened);
                self.data(from, marked, id, number, (header, body), &mut opened);
                self.opened = opened;
            }
            Err(why) => self.counters.drop(why),
        }
    }

    /// Passes a packet to the connection with its ID if it comes from the peer's address.
    fn on_connection(
        &mut self,
        from: SocketAddr,
        id: u64,
        what: impl FnOnce(&mut Connection, &mut Context<'_>),
    ) {
        let Some(&slot) = self.ids.get(&id) else { return self.counters.drop(Dropped::Stale) };
        let Some((connection, (mut cx, _))) = self.context(slot) else { return };
        if connection.address != from {
            return cx.counters.drop(Dropped::Misdirected);
        }
        what(connection, &mut cx);
        self.activate(slot);
    }

    /// Handles Initiate. The endpoint keeps no state before the caller's address is validated.
    fn called(&mut self, from: SocketAddr, id: u64, cookie: Cookie, message: &[u8]) {
        if !self.secret.proves(&cookie, self.now, &from, id) {
            if cookie != Cookie::default() {
                self.counters.drop(Dropped::Unproven);
            }
            if self.answers.len() < MOST_ANSWERS {
                self.answers.push_back((from, id, self.secret.cookie(self.now, &from, id)));
            }
            return;
        }
        let ephemeral = self.ephemeral();
        let connection = |slot: u32| self.slots[slot as usize].connection.as_deref();
        let half_open = self.half_open.get(&from).copied();
        if let Some(slot) = half_open
            && connection(slot).is_some_and(|connection| connection.peer_id == id)
        {
            return self.on_slot(slot, |connection, cx| connection.called_again(cx.now));
        }
        let known = self.addresses.get(&from).copied();
        match known.and_then(connection) {
            Some(known) if known.peer_id == id => return self.counters.drop(Dropped::Repeated),
            // Both sides have called at the same time: the call with the lower ID is accepted.
            Some(known) if known.stage == Stage::Calling && known.id < id => return,
            _ => {}
        }
        let called = match Called::new(&self.config.security, id, message, ephemeral) {
            Ok(called) => called,
            Err(why) => return self.counters.drop(why),
        };
        // Blocks queued for an outgoing call go only to the peer that was called.
        let calling = known.and_then(connection).is_some_and(|known| {
            matches!(known.stage, Stage::Calling | Stage::HalfOpen) && known.key == called.key
        });
        if let Some(slot) = half_open.filter(|slot| known != Some(*slot)) {
            self.remove(slot, None);
        }
        let slot = if calling { known } else { self.place(from) };
        let Some(slot) = slot else { return self.counters.drop(Dropped::TooManyPeers) };
        self.half_open.insert(from, slot);
        self.half_open_order.push_back(self.peer(slot));
        if self.half_open_order.len() > self.config.peers {
            self.half_open_order.pop_front();
        }
        self.on_slot(slot, |connection, cx| connection.called(cx, called));
    }

    fn on_slot(&mut self, slot: u32, what: impl FnOnce(&mut Connection, &mut Context<'_>)) {
        if let Some((connection, (mut cx, _))) = self.context(slot) {
            what(connection, &mut cx);
            self.activate(slot);
        }
    }

    fn data(
        &mut self,
        from: SocketAddr,
        marked: bool,
        id: u64,
        number: u64,
        (header, body): (&[u8], &[u8]),
        opened: &mut Vec<u8>,
    ) {
        let Some(&slot) = self.ids.get(&id) else { return self.counters.drop(Dropped::Stale) };
        let Some(connection) = &mut self.slots[slot as usize].connection else { return };
        if connection.address != from && !connection.may_move() {
            return self.counters.drop(Dropped::Misdirected);
        }
        if matches!(connection.stage, Stage::Calling | Stage::Closing) {
            return self.counters.drop(Dropped::Stale);
        }
        let (time, frames) = match connection.opened(&self.config, self.now, number, header, body, opened) {
            Ok(opened) => opened,
            Err(why) => return self.counters.drop(why),
        };
        if connection.stage == Stage::HalfOpen {
            self.opens(slot, from);
        }
        // Only a new address gets a challenge.
        let elsewhere =
            self.slots[slot as usize].connection.as_ref().is_some_and(|known| known.address != from);
        let question = if elsewhere { self.secret.id() } else { 0 };
        let (mut ended, mut moved) = (None, None);
        self.on_slot(slot, |connection, cx| {
            let address = connection.address;
            ended = connection.data(cx, (from, question), marked, number, time, frames);
            moved = (connection.address != address).then_some(address);
        });
        if let Some(before) = moved {
            if self.addresses.get(&before) == Some(&slot) {
                self.addresses.remove(&before);
            }
            self.addresses.insert(from, slot);
        }
        if ended.is_some() {
            self.remove(slot, ended);
        }
    }

    /// Opens a connection at the first Data of its caller.
    fn opens(&mut self, slot: u32, from: SocketAddr) {
        self.half_open.remove(&from);
        // The former peer at this address is gone.
        if let Some(before) = self.addresses.get(&from).copied().filter(|before| *before != slot) {
            self.remove(before, Some(Reason::Restarted));
        }
        self.addresses.insert(from, slot);
        self.on_slot(slot, |connection, cx| connection.open(cx));
        self.names(slot);
    }

    /// Records the key of an open connection.
    fn names(&mut self, slot: u32) {
        let connection = self.slots[slot as usize].connection.as_ref();
        let connection = connection.filter(|connection| connection.stage == Stage::Open);
        let Some(key) = connection.and_then(|connection| connection.key) else { return };
        let slots = self.keys.entry(key).or_default();
        if !slots.contains(&slot) {
            slots.push(slot);
        }
        if slots.len() > self.config.per_key {
            let oldest = slots[0];
            self.remove(oldest, Some(Reason::Restarted));
        }
    }
}
