//! An endpoint with the rules of our own.

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;

use super::packet::{self, Cookie, Packet};
use super::seal::{Call, Called};
use super::{Connection, Context, Secret, Stage};
use crate::config::Config;
use crate::counters::{Counters, Dropped};
use crate::endpoint::Transmit;
use crate::event::{ConnectError, Event, Flow, Peer, Priority, Reason, SendError};
use crate::permit::{Ledger, Policy};
use crate::time::Instant;

#[derive(Debug)]
struct Slot {
    generation: u32,
    connection: Option<Box<Connection>>,
    timeout: Option<Instant>,
    /// It stands in the queue of those that may have something to send.
    active: bool,
}

pub(crate) struct Endpoint {
    config: Config,
    secret: Secret,
    now: Instant,
    slots: Vec<Slot>,
    free: Vec<u32>,
    /// Connections by address: those that are open or that we called.
    addresses: BTreeMap<SocketAddr, u32>,
    /// Connections that were called and wait for the first Data of their caller.
    half_open: BTreeMap<SocketAddr, u32>,
    /// Connections by the id that packets to here carry.
    ids: BTreeMap<u64, u32>,
    active: VecDeque<u32>,
    answers: VecDeque<(SocketAddr, u64, Cookie)>,
    events: VecDeque<Event>,
    counters: Counters,
    ledger: Ledger,
    out: Vec<u8>,
    /// Where packets are sealed, and opened.
    scratch: Vec<u8>,
    opened: Vec<u8>,
}

/// Answers to unproven addresses that wait to be sent; more calls than this at once are not answered.
const MOST_ANSWERS: usize = 64;

impl Endpoint {
    pub fn new(config: Config, seed: [u8; 32]) -> Self {
        Self {
            secret: Secret::new(seed),
            now: Instant::ZERO,
            slots: Vec::new(),
            free: Vec::new(),
            addresses: BTreeMap::new(),
            half_open: BTreeMap::new(),
            ids: BTreeMap::new(),
            active: VecDeque::new(),
            answers: VecDeque::new(),
            events: VecDeque::new(),
            counters: Counters::default(),
            ledger: Ledger::new(config.budget, config.permit_life),
            out: Vec::with_capacity(config.datagram),
            scratch: Vec::new(),
            opened: Vec::new(),
            config,
        }
    }

    /// What it was made with.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// What it has counted.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    fn clock(&mut self, now: Instant) {
        if now < self.now {
            self.counters.clock_went_back += 1;
        }
        self.now = self.now.max(now);
    }

    /// Calls a peer; the one that is there if its address was called before. Blocks can be sent at once; they wait for its answer.
    pub fn connect(&mut self, now: Instant, address: SocketAddr) -> Result<Peer, ConnectError> {
        self.clock(now);
        if let Some(&slot) = self.addresses.get(&address) {
            return Ok(self.peer(slot));
        }
        let slot = self.place(address).ok_or(ConnectError::TooManyPeers)?;
        self.addresses.insert(address, slot);
        let (config, connection) = (&self.config, &mut self.slots[slot as usize].connection);
        let called = connection.as_mut().is_some_and(|connection| {
            let call = Call::new(&config.security, &connection.hello(config));
            call.map(|call| connection.calls(call)).is_ok()
        });
        if !called {
            self.remove(slot, None);
            return Err(ConnectError::NoRandomness);
        }
        self.activate(slot);
        Ok(self.peer(slot))
    }

    /// Queues a block for a peer. It is copied, and kept until the peer has acknowledged it.
    pub fn send(&mut self, peer: Peer, priority: Priority, block: &[u8]) -> Result<(), SendError> {
        let Some(slot) = self.slot(peer) else { return Err(SendError::Closed) };
        let connection = self.slots[slot as usize].connection.as_mut();
        let connection = connection.filter(|connection| connection.stage != Stage::Closing);
        connection.ok_or(SendError::Closed)?.send(&self.config, priority, block)?;
        self.activate(slot);
        Ok(())
    }

    /// Ends a connection. Blocks that are not acknowledged are given up: see `queued_blocks` of [`flow`](Self::flow) first.
    pub fn close(&mut self, peer: Peer) {
        let Some(slot) = self.slot(peer) else { return };
        let Some(connection) = &mut self.slots[slot as usize].connection else { return };
        match connection.stage {
            Stage::Open => {
                connection.close();
                self.activate(slot);
                self.events.push_back(Event::Closed { peer, reason: Reason::Here });
            }
            Stage::Closing => {}
            Stage::Calling | Stage::HalfOpen => self.remove(slot, Some(Reason::Here)),
        }
    }

    /// What flows to a peer; none if it is closed.
    pub fn flow(&self, peer: Peer) -> Option<Flow> {
        let slot = self.slot(peer)?;
        Some(self.slots[slot as usize].connection.as_ref()?.flow(self.now))
    }

    /// How the budget is divided among those that send to here, from the next permits on.
    pub fn permits(&mut self, policy: Policy) {
        self.ledger.policy = policy;
    }

    /// The weight of a peer for [`Policy::Weighted`]; 1 unless it is set.
    pub fn weigh(&mut self, peer: Peer, weight: u32) {
        if let Some(slot) = self.slot(peer) {
            self.ledger.weigh(slot, weight);
        }
    }

    /// What a peer may have on the way to here, in bytes, for [`Policy::Manual`]. Returns how much of it the budget allows.
    pub fn grant(&mut self, peer: Peer, bytes: usize) -> usize {
        let slot = self.slot(peer);
        slot.map_or(0, |slot| self.ledger.grant(self.now, slot, bytes))
    }

    /// What permits that are in force allow all peers together to have on the way to here, in bytes.
    pub fn permitted(&self) -> usize {
        self.ledger.charged(self.now)
    }

    /// Takes a datagram. Whatever it holds, it cannot fail; what is of no use is counted.
    pub fn input(&mut self, now: Instant, from: SocketAddr, datagram: &[u8]) {
        self.clock(now);
        self.counters.received += 1;
        if datagram.len() > self.config.datagram {
            return self.counters.drop(Dropped::Length);
        }
        match packet::parse(datagram) {
            Ok(Packet::Initiate { id, cookie, hello }) => self.called(from, id, cookie, hello),
            Ok(Packet::Retry { id, cookie }) => {
                self.on_connection(from, id, |connection, cx| connection.retry(cx, cookie))
            }
            Ok(Packet::Accept { id, hello }) => {
                self.on_connection(from, id, |connection, cx| connection.accepted(cx, hello));
            }
            Ok(Packet::Data { id, number, body }) => {
                let mut opened = core::mem::take(&mut self.opened);
                self.data(from, id, number, body, &mut opened);
                self.opened = opened;
            }
            Err(why) => self.counters.drop(why),
        }
    }

    /// The next datagram to send now. Call it until there is none.
    pub fn poll_transmit(&mut self, now: Instant) -> Option<Transmit<'_>> {
        self.clock(now);
        if let Some((to, id, cookie)) = self.answers.pop_front() {
            packet::put_retry(&mut self.out, id, &cookie);
            self.counters.sent += 1;
            return Some(Transmit { to, bytes: &self.out });
        }
        self.expire();
        while let Some(slot) = self.active.pop_front() {
            self.slots[slot as usize].active = false;
            let Some((connection, (mut cx, out))) = self.context(slot) else { continue };
            let to = connection.address;
            let sends = connection.transmit(&mut cx, out);
            let closed = connection.stage == Stage::Closing;
            if closed {
                self.remove(slot, None);
            } else {
                self.renew(slot);
            }
            if sends {
                if !closed {
                    // Peers take turns.
                    self.activate(slot);
                }
                self.counters.sent += 1;
                return Some(Transmit { to, bytes: &self.out });
            }
        }
        None
    }

    /// When [`poll_transmit`](Self::poll_transmit) is to be called next, if nothing else happens before.
    pub fn poll_timeout(&self) -> Option<Instant> {
        if !self.active.is_empty() || !self.answers.is_empty() {
            return Some(self.now);
        }
        self.slots.iter().filter_map(|slot| slot.timeout).min()
    }

    /// The next event.
    pub fn poll_event(&mut self) -> Option<Event> {
        let event = self.events.pop_front()?;
        if let Event::Block { peer, block, .. } = &event
            && let Some(slot) = self.slot(*peer)
            && let Some(connection) = &mut self.slots[slot as usize].connection
        {
            connection.taken(block.len());
            self.activate(slot);
        }
        Some(event)
    }

    fn peer(&self, slot: u32) -> Peer {
        Peer { slot, generation: self.slots[slot as usize].generation }
    }

    fn slot(&self, peer: Peer) -> Option<u32> {
        let slot = self.slots.get(peer.slot as usize)?;
        (slot.generation == peer.generation && slot.connection.is_some()).then_some(peer.slot)
    }

    /// A place for a new connection.
    fn place(&mut self, address: SocketAddr) -> Option<u32> {
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None if self.slots.len() >= self.config.peers => return None,
            None => {
                self.slots.push(Slot { generation: 0, connection: None, timeout: None, active: false });
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

    fn remove(&mut self, slot: u32, reason: Option<Reason>) {
        let peer = self.peer(slot);
        let place = &mut self.slots[slot as usize];
        let Some(connection) = place.connection.take() else { return };
        place.timeout = None;
        self.ids.remove(&connection.id);
        // Nobody has heard of a peer that called and has not sent anything yet.
        let known = self.addresses.get(&connection.address) == Some(&slot);
        for map in [&mut self.addresses, &mut self.half_open] {
            if map.get(&connection.address) == Some(&slot) {
                map.remove(&connection.address);
            }
        }
        self.ledger.forget(slot);
        self.free.push(slot);
        if let Some(reason) = reason
            && known
        {
            self.events.push_back(Event::Closed { peer, reason });
        }
    }

    fn activate(&mut self, slot: u32) {
        let place = &mut self.slots[slot as usize];
        if !place.active {
            place.active = true;
            self.active.push_back(slot);
        }
    }

    fn renew(&mut self, slot: u32) {
        let place = &mut self.slots[slot as usize];
        place.timeout = place.connection.as_ref().and_then(|connection| connection.timeout(&self.config));
    }

    /// A connection, what it works with, and the buffer for datagrams.
    fn context(&mut self, slot: u32) -> Option<(&mut Connection, (Context<'_>, &mut Vec<u8>))> {
        let peer = self.peer(slot);
        let connection = self.slots[slot as usize].connection.as_mut()?;
        let context = Context {
            now: self.now,
            peer,
            config: &self.config,
            counters: &mut self.counters,
            events: &mut self.events,
            ledger: &mut self.ledger,
            scratch: &mut self.scratch,
        };
        Some((connection, (context, &mut self.out)))
    }

    fn expire(&mut self) {
        for slot in 0..self.slots.len() as u32 {
            if self.slots[slot as usize].timeout.is_none_or(|at| at > self.now) {
                continue;
            }
            let Some((connection, (mut cx, _))) = self.context(slot) else { continue };
            match connection.expire(&mut cx) {
                Some(reason) => self.remove(slot, Some(reason)),
                None => {
                    self.slots[slot as usize].timeout = None;
                    self.activate(slot);
                }
            }
        }
    }

    /// Gives a packet to the connection it names, if it comes from its peer.
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

    /// Somebody calls. Nothing is kept of it before its address is proven.
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
        let connection = |slot: u32| self.slots[slot as usize].connection.as_deref();
        let half_open = self.half_open.get(&from).copied();
        if let Some(slot) = half_open
            && connection(slot).is_some_and(|connection| connection.peer_id == id)
        {
            return self.on_slot(slot, |connection, cx| connection.called_again(cx.now));
        }
        let known = self.addresses.get(&from).copied();
        let calling = match known.and_then(connection) {
            Some(known) if known.peer_id == id => return self.counters.drop(Dropped::Repeated),
            // Both call at once: the call with the lower id is taken.
            Some(known) if known.stage == Stage::Calling && known.id < id => return,
            Some(known) => matches!(known.stage, Stage::Calling | Stage::HalfOpen),
            None => false,
        };
        let called = match Called::new(&self.config.security, id, message) {
            Ok(called) => called,
            Err(why) => return self.counters.drop(why),
        };
        if let Some(slot) = half_open.filter(|slot| known != Some(*slot)) {
            self.remove(slot, None);
        }
        let slot = if calling { known } else { self.place(from) };
        let Some(slot) = slot else { return self.counters.drop(Dropped::TooManyPeers) };
        self.half_open.insert(from, slot);
        self.on_slot(slot, |connection, cx| connection.called(cx, called));
    }

    fn on_slot(&mut self, slot: u32, what: impl FnOnce(&mut Connection, &mut Context<'_>)) {
        if let Some((connection, (mut cx, _))) = self.context(slot) {
            what(connection, &mut cx);
            self.activate(slot);
        }
    }

    fn data(&mut self, from: SocketAddr, id: u64, number: u64, body: &[u8], opened: &mut Vec<u8>) {
        let Some(&slot) = self.ids.get(&id) else { return self.counters.drop(Dropped::Stale) };
        let Some(connection) = &self.slots[slot as usize].connection else { return };
        if connection.address != from {
            return self.counters.drop(Dropped::Misdirected);
        }
        if matches!(connection.stage, Stage::Calling | Stage::Closing) {
            return self.counters.drop(Dropped::Stale);
        }
        let checked = connection.seal.open(number, body, opened).and_then(|body| {
            let (time, frames) = packet::parse_body(body)?;
            connection.check(number, frames)?;
            Ok((time, frames))
        });
        let (time, frames) = match checked {
            Ok(checked) => checked,
            Err(why) => return self.counters.drop(why),
        };
        if connection.stage == Stage::HalfOpen {
            self.half_open.remove(&from);
            // The caller has shown that it is there; what was at its address before is not.
            if let Some(before) = self.addresses.get(&from).copied().filter(|before| *before != slot) {
                self.remove(before, Some(Reason::Restarted));
            }
            self.addresses.insert(from, slot);
            self.on_slot(slot, |connection, cx| connection.open(cx));
        }
        let mut ended = None;
        self.on_slot(slot, |connection, cx| ended = connection.data(cx, number, time, frames));
        if ended.is_some() {
            self.remove(slot, ended);
        }
    }
}
