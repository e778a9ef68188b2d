//! Endpoint with the protocol of this library.

#[cfg(test)]
mod edges;
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
use crate::event::{ConnectError, Event, Flow, Peer, Priority, Reason, SendError};
use crate::keys::PublicKey;
use crate::permit::{Ledger, Policy};
use crate::time::Instant;
use crate::transmit::Transmit;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Slot {
    generation: u32,
    connection: Option<Box<Connection>>,
    /// Whether the slot is in the queue of connections with something to send.
    active: bool,
}

#[derive(Clone)]
pub(crate) struct Endpoint {
    config: Config,
    secret: Secret,
    /// Connection keys are derived from the secret instead of the operating system's random numbers.
    derives_keys: bool,
    now: Instant,
    slots: Vec<Slot>,
    free: Vec<u32>,
    /// Connections by address: open ones and outgoing calls.
    addresses: BTreeMap<SocketAddr, u32>,
    /// Incoming calls that wait for the first Data of their caller.
    half_open: BTreeMap<SocketAddr, u32>,
    /// The same in the order of the calls; some have opened or ended since.
    half_open_order: VecDeque<Peer>,
    /// Open connections by the key of the peer, oldest first.
    keys: BTreeMap<PublicKey, Vec<u32>>,
    /// Connections by their ID in received packets.
    ids: BTreeMap<u64, u32>,
    active: VecDeque<u32>,
    answers: VecDeque<(SocketAddr, u64, Cookie)>,
    events: VecDeque<Event>,
    counters: Counters,
    ledger: Ledger,
    timers: Timers,
    out: Vec<u8>,
    /// Buffer for opened packets.
    opened: Vec<u8>,
}

/// Largest number of queued Retry packets; further calls get no answer.
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

    /// Configuration, including pinned keys.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Counters since the creation.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Derives connection keys from the seed from now on.
    pub fn derive_keys(&mut self) {
        self.derives_keys = true;
    }

    /// Ephemeral key of a handshake; `None` for a random one.
    pub(super) fn ephemeral(&mut self) -> Option<[u8; 32]> {
        self.derives_keys.then(|| self.secret.ephemeral())
    }

    fn clock(&mut self, now: Instant) {
        if now < self.now {
            self.counters.clock_went_back += 1;
        }
        self.now = self.now.max(now);
    }

    /// Calls a peer, which must have the key if one is given; returns the existing peer of an address that
    /// was called before. Blocks may be sent at once and wait for the answer.
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

    /// Allows calls with this key.
    pub fn pin(&mut self, key: PublicKey) -> bool {
        let Security::Pinned { peers, .. } = &mut self.config.security else { return false };
        peers.insert(key)
    }

    /// Refuses calls with this key and closes its connections.
    pub fn unpin(&mut self, key: &PublicKey) -> bool {
        let Security::Pinned { peers, .. } = &mut self.config.security else { return false };
        let was = peers.remove(key);
        for slot in self.keys.get(key).cloned().unwrap_or_default() {
            self.close(self.peer(slot));
        }
        was
    }

    /// Updates the keys of a connection.
    pub fn update_key(&mut self, peer: Peer) {
        let Some(slot) = self.slot(peer) else { return };
        if let Some(connection) = &mut self.slots[slot as usize].connection {
            connection.update_key();
            self.activate(slot);
        }
    }

    /// Queues a copy of a block until the peer has acknowledged it.
    pub fn send(&mut self, peer: Peer, priority: Priority, block: &[u8]) -> Result<(), SendError> {
        let Some(slot) = self.slot(peer) else { return Err(SendError::Closed) };
        let connection = self.slots[slot as usize].connection.as_mut();
        let connection = connection.filter(|connection| connection.stage != Stage::Closing);
        connection.ok_or(SendError::Closed)?.send(&self.config, priority, block)?;
        self.activate(slot);
        Ok(())
    }

    /// Closes a connection and abandons unacknowledged blocks; `queued_blocks` of [`flow`](Self::flow) counts
    /// them.
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

    /// Flow to a peer; `None` if it is closed.
    pub fn flow(&self, peer: Peer) -> Option<Flow> {
        let slot = self.slot(peer)?;
        Some(self.slots[slot as usize].connection.as_ref()?.flow(&self.config, self.now))
    }

    /// Sets the policy by which the budget is divided among senders, from the next permits on.
    pub fn permits(&mut self, policy: Policy) {
        self.ledger.policy = policy;
    }

    /// Sets the weight of a peer for [`Policy::Weighted`]; the default is 1.
    pub fn weigh(&mut self, peer: Peer, weight: u32) {
        if let Some(slot) = self.slot(peer) {
            self.ledger.weigh(slot, weight);
        }
    }

    /// Sets the bytes that a peer may have in flight, for [`Policy::Manual`]. Returns the amount that the
    /// budget allows.
    pub fn grant(&mut self, peer: Peer, bytes: usize) -> usize {
        let slot = self.slot(peer);
        slot.map_or(0, |slot| self.ledger.grant(self.now, slot, bytes))
    }

    /// Bytes in flight that valid permits allow all peers together.
    pub fn permitted(&self) -> usize {
        self.ledger.charged(self.now)
    }

    /// Next datagram to send now. Call it until it returns `None`.
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
                    // Round robin between peers.
                    self.activate(slot);
                }
                self.counters.sent += 1;
                return Some(Transmit { to, bytes: &self.out, ecn: self.config.ecn });
            }
        }
        None
    }

    /// Time at which [`poll_transmit`](Self::poll_transmit) must be called without other input.
    pub fn poll_timeout(&self) -> Option<Instant> {
        if !self.active.is_empty() || !self.answers.is_empty() {
            return Some(self.now);
        }
        self.timers.next()
    }

    /// Number of events to poll.
    pub fn events(&self) -> usize {
        self.events.len()
    }

    /// Takes the oldest event.
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
