//! An endpoint with the rules of our own.

mod input;
mod places;
mod walk;

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;

use super::noise::Call;
use super::packet::{self, Cookie};
use super::timers::Timers;
use super::{Connection, Secret, Stage};
use crate::config::{Config, Security};
use crate::counters::Counters;
use crate::endpoint::Transmit;
use crate::event::{ConnectError, Event, Flow, Peer, Priority, Reason, SendError};
use crate::keys::PublicKey;
use crate::permit::{Ledger, Policy};
use crate::time::Instant;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Slot {
    generation: u32,
    connection: Option<Box<Connection>>,
    /// It stands in the queue of those that may have something to send.
    active: bool,
}

#[derive(Clone)]
pub(crate) struct Endpoint {
    config: Config,
    secret: Secret,
    /// Keys for connections are made of the secret, and not by the operating system.
    derives_keys: bool,
    now: Instant,
    slots: Vec<Slot>,
    free: Vec<u32>,
    /// Connections by address: those that are open or that we called.
    addresses: BTreeMap<SocketAddr, u32>,
    /// Connections that were called and wait for the first Data of their caller.
    half_open: BTreeMap<SocketAddr, u32>,
    /// The same in the order in which they were called; some have opened or ended since.
    half_open_order: VecDeque<Peer>,
    /// Open connections by the key of the peer, the oldest first.
    keys: BTreeMap<PublicKey, Vec<u32>>,
    /// Connections by the id that packets to here carry.
    ids: BTreeMap<u64, u32>,
    active: VecDeque<u32>,
    answers: VecDeque<(SocketAddr, u64, Cookie)>,
    events: VecDeque<Event>,
    counters: Counters,
    ledger: Ledger,
    timers: Timers,
    out: Vec<u8>,
    /// Where packets are opened.
    opened: Vec<u8>,
}

/// Answers to unproven addresses that wait to be sent; more calls than this at once are not answered.
const MOST_ANSWERS: usize = 64;

impl Endpoint {
    pub fn new(config: Config, seed: [u8; 32]) -> Self {
        Self {
            secret: Secret::new(seed),
            derives_keys: false,
            now: Instant::ZERO,
            slots: Vec::new(),
            free: Vec::new(),
            addresses: BTreeMap::new(),
            half_open: BTreeMap::new(),
            half_open_order: VecDeque::new(),
            keys: BTreeMap::new(),
            ids: BTreeMap::new(),
            active: VecDeque::new(),
            answers: VecDeque::new(),
            events: VecDeque::new(),
            counters: Counters::default(),
            ledger: Ledger::new(config.budget, config.permit_life),
            timers: Timers::default(),
            out: Vec::with_capacity(config.datagram),
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

    /// From now on keys for connections are made of the seed.
    pub fn derive_keys(&mut self) {
        self.derives_keys = true;
    }

    /// The secret key with which a handshake begins, if it is not to be a random one.
    pub(super) fn ephemeral(&mut self) -> Option<[u8; 32]> {
        self.derives_keys.then(|| self.secret.ephemeral())
    }

    fn clock(&mut self, now: Instant) {
        if now < self.now {
            self.counters.clock_went_back += 1;
        }
        self.now = self.now.max(now);
    }

    /// Calls a peer, whose key has to be this if it is said; the one that is there if its address was called before. Blocks can be
    /// sent at once; they wait for its answer.
    pub fn connect(
        &mut self,
        now: Instant,
        address: SocketAddr,
        to: Option<PublicKey>,
    ) -> Result<Peer, ConnectError> {
        self.clock(now);
        let pinned = matches!(self.config.security, Security::Pinned { .. });
        if pinned && to.is_none() {
            return Err(ConnectError::NoKey);
        }
        let to = to.filter(|_| pinned);
        if let Some(&slot) = self.addresses.get(&address) {
            let same = self.slots[slot as usize].connection.as_ref().is_some_and(|known| known.key == to);
            return if same { Ok(self.peer(slot)) } else { Err(ConnectError::OtherKey) };
        }
        let slot = self.place(address).ok_or(ConnectError::TooManyPeers)?;
        self.addresses.insert(address, slot);
        let ephemeral = self.ephemeral();
        let (config, connection) = (&self.config, &mut self.slots[slot as usize].connection);
        let called = connection.as_mut().is_some_and(|connection| {
            let call = Call::new(&config.security, &connection.hello(config), to.as_ref(), ephemeral);
            call.map(|call| connection.calls(call, to)).is_ok()
        });
        if !called {
            self.remove(slot, None);
            return Err(ConnectError::NoRandomness);
        }
        self.activate(slot);
        Ok(self.peer(slot))
    }

    /// Whoever has this key may call from now on.
    pub fn pin(&mut self, key: PublicKey) -> bool {
        let Security::Pinned { peers, .. } = &mut self.config.security else { return false };
        peers.insert(key)
    }

    /// Whoever has this key may not call any more, and its connections are closed.
    pub fn unpin(&mut self, key: &PublicKey) -> bool {
        let Security::Pinned { peers, .. } = &mut self.config.security else { return false };
        let was = peers.remove(key);
        for slot in self.keys.get(key).cloned().unwrap_or_default() {
            self.close(self.peer(slot));
        }
        was
    }

    /// Goes on to new keys with a peer.
    pub fn update_key(&mut self, peer: Peer) {
        let Some(slot) = self.slot(peer) else { return };
        if let Some(connection) = &mut self.slots[slot as usize].connection {
            connection.update_key();
            self.activate(slot);
        }
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
        Some(self.slots[slot as usize].connection.as_ref()?.flow(&self.config, self.now))
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

    /// The next datagram to send now. Call it until there is none.
    pub fn poll_transmit(&mut self, now: Instant) -> Option<Transmit<'_>> {
        self.clock(now);
        if let Some((to, id, cookie)) = self.answers.pop_front() {
            packet::put_retry(&mut self.out, id, &cookie);
            self.counters.sent += 1;
            return Some(Transmit { to, bytes: &self.out, ecn: false });
        }
        self.expire();
        while let Some(slot) = self.active.pop_front() {
            self.slots[slot as usize].active = false;
            let Some((connection, (mut cx, out))) = self.context(slot) else { continue };
            let sends = connection.transmit(&mut cx, out);
            let closed = connection.stage == Stage::Closing;
            if closed {
                self.remove(slot, None);
            } else {
                self.renew(slot);
            }
            if let Some(to) = sends {
                if !closed {
                    // Peers take turns.
                    self.activate(slot);
                }
                self.counters.sent += 1;
                return Some(Transmit { to, bytes: &self.out, ecn: self.config.ecn });
            }
        }
        None
    }

    /// When [`poll_transmit`](Self::poll_transmit) is to be called next, if nothing else happens before.
    pub fn poll_timeout(&self) -> Option<Instant> {
        if !self.active.is_empty() || !self.answers.is_empty() {
            return Some(self.now);
        }
        self.timers.next()
    }

    /// Events that wait to be polled.
    pub fn events(&self) -> usize {
        self.events.len()
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
}
