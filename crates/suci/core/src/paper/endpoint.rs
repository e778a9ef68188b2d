//! Endpoint with the rules of the paper: one socket, an address database, and state shared by all peers.

mod walk;

use core::time::Duration;
use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;

use super::Repairs;
use super::packet;
use super::peer::{Context, MOST_TIMEOUT, Peer};
use crate::config::Config;
use crate::counters::{Counters, Dropped};
use crate::endpoint::Transmit;
use crate::event::{ConnectError, Event, Flow, Priority, SendError};
use crate::time::Instant;

/// Permit of one sender (section 3.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Grant {
    number: u32,
    bytes: usize,
    until: Instant,
}

/// Permits of all senders.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Grants {
    budget: usize,
    life: Duration,
    grants: Vec<Grant>,
}

impl Grants {
    /// Answers a request for `asked` bytes; 0 is a refusal. The sender uses the answer only within its
    /// patience. The permit lives twice as long, so its data has arrived when it expires here.
    pub fn grant(
        &mut self,
        now: Instant,
        peer: usize,
        number: u32,
        asked: usize,
        patience: Option<Duration>,
    ) -> usize {
        let life = self.life.max(patience.unwrap_or_default().min(MOST_TIMEOUT) * 2);
        if patience.is_some() {
            // A lost permit expires instead of reducing the budget forever (H19).
            self.grants.iter_mut().filter(|grant| grant.until <= now).for_each(|grant| grant.bytes = 0);
            let before = &mut self.grants[peer];
            if before.number == number && before.bytes > 0 {
                before.until = now + life;
                return before.bytes;
            }
            before.bytes = 0;
        }
        let charged: usize = self.grants.iter().map(|grant| grant.bytes).sum();
        let bytes = asked.min(self.budget.saturating_sub(charged));
        let grant = &mut self.grants[peer];
        *grant = Grant { number, bytes: grant.bytes + bytes, until: now + life };
        bytes
    }

    /// Shortest time that a sender waits for its permit.
    pub fn least_patience(&self) -> Duration {
        self.life / 2
    }

    /// Records received bytes.
    pub fn used(&mut self, peer: usize, bytes: usize) {
        let grant = &mut self.grants[peer];
        grant.bytes = grant.bytes.saturating_sub(bytes);
    }

    /// Forgets the permit of a restarted peer.
    pub fn forget(&mut self, peer: usize) {
        self.grants[peer] = Grant::default();
    }

    fn charged(&self) -> usize {
        self.grants.iter().map(|grant| grant.bytes).sum()
    }
}

#[derive(Clone)]
pub(crate) struct Endpoint {
    config: Config,
    repairs: Repairs,
    epoch: u16,
    now: Instant,
    peers: Vec<Peer>,
    addresses: BTreeMap<SocketAddr, usize>,
    events: VecDeque<Event>,
    counters: Counters,
    grants: Grants,
    /// Peer at which the next round robin begins.
    turn: usize,
    /// Whether a peer may have something to send.
    active: bool,
    out: Vec<u8>,
}

impl Endpoint {
    pub fn new(config: Config, repairs: Repairs, seed: [u8; 32]) -> Self {
        let peers: Vec<_> =
            config.database.iter().map(|(address, id)| Peer::new(&config, *address, *id)).collect();
        let addresses = peers.iter().enumerate().map(|(at, peer)| (peer.address, at)).collect();
        let grants = vec![Grant::default(); peers.len()];
        let grants = Grants { budget: config.budget, life: config.permit_life * 10, grants };
        let epoch = if repairs.epochs { u16::from_be_bytes([seed[0], seed[1]]).max(1) } else { 0 };
        Self {
            repairs,
            epoch,
            now: Instant::ZERO,
            peers,
            addresses,
            events: VecDeque::new(),
            counters: Counters::default(),
            grants,
            turn: 0,
            active: false,
            out: Vec::with_capacity(config.datagram),
            config,
        }
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    fn clock(&mut self, now: Instant) {
        if now < self.now {
            self.counters.clock_went_back += 1;
        }
        self.now = self.now.max(now);
    }

    fn context(&mut self, at: usize) -> (&mut Peer, Context<'_>, &mut Vec<u8>) {
        let context = Context {
            now: self.now,
            peer: crate::Peer { slot: at as u32, generation: 0 },
            config: &self.config,
            repairs: &self.repairs,
            epoch: self.epoch,
            counters: &mut self.counters,
            events: &mut self.events,
            grants: &mut self.grants,
        };
        (&mut self.peers[at], context, &mut self.out)
    }

    pub fn connect(&mut self, now: Instant, address: SocketAddr) -> Result<crate::Peer, ConnectError> {
        self.clock(now);
        let at = self.addresses.get(&address).ok_or(ConnectError::Unknown)?;
        Ok(crate::Peer { slot: *at as u32, generation: 0 })
    }

    pub fn send(&mut self, peer: crate::Peer, priority: Priority, block: &[u8]) -> Result<(), SendError> {
        if priority != 0 {
            return Err(SendError::Priority);
        }
        let to = self.peers.get_mut(peer.slot as usize).ok_or(SendError::Closed)?;
        self.active = true;
        to.send(&self.config, &self.repairs, block)
    }

    pub fn flow(&self, peer: crate::Peer) -> Option<Flow> {
        self.peers.get(peer.slot as usize).map(|peer| peer.flow(&self.config, &self.repairs))
    }

    pub fn retransmit(&mut self, peer: crate::Peer) {
        if (peer.slot as usize) < self.peers.len() {
            let (peer, mut cx, _) = self.context(peer.slot as usize);
            peer.retransmit(&mut cx);
            self.active = true;
        }
    }

    pub fn permitted(&self) -> usize {
        self.grants.charged()
    }

    pub fn input(&mut self, now: Instant, from: SocketAddr, datagram: &[u8]) {
        self.clock(now);
        self.counters.received += 1;
        if datagram.len() > self.config.datagram {
            return self.counters.drop(Dropped::Length);
        }
        let (header, data) = match packet::parse(datagram) {
            Ok(parsed) => parsed,
            Err(why) => return self.counters.drop(why),
        };
        let Some(&at) = self.addresses.get(&from) else { return self.counters.drop(Dropped::Stranger) };
        if header.to != self.config.id || header.from != self.peers[at].id {
            return self.counters.drop(Dropped::Misdirected);
        }
        let (peer, mut cx, _) = self.context(at);
        peer.input(&mut cx, &header, data);
        self.active = true;
    }

    pub fn poll_transmit(&mut self, now: Instant) -> Option<Transmit<'_>> {
        self.clock(now);
        for at in 0..self.peers.len() {
            if self.peers[at].timer.is_some_and(|timer| timer <= self.now) {
                let (peer, mut cx, _) = self.context(at);
                peer.expire(&mut cx);
            }
        }
        let count = self.peers.len();
        for at in (self.turn..count).chain(0..self.turn.min(count)) {
            let (peer, mut cx, out) = self.context(at);
            if peer.transmit(&mut cx, out) {
                let to = peer.address;
                self.turn = at + 1;
                self.counters.sent += 1;
                return Some(Transmit { to, bytes: &self.out, ecn: false });
            }
        }
        self.active = false;
        None
    }

    pub fn poll_timeout(&self) -> Option<Instant> {
        if self.active { Some(self.now) } else { self.peers.iter().filter_map(|peer| peer.timer).min() }
    }

    /// Number of events to poll.
    pub fn events(&self) -> usize {
        self.events.len()
    }

    pub fn poll_event(&mut self) -> Option<Event> {
        let event = self.events.pop_front()?;
        if let Event::Block { peer, block, .. } = &event {
            let (peer, mut cx, _) = self.context(peer.slot as usize);
            peer.taken(&mut cx, block.len());
            self.active = true;
        }
        Some(event)
    }
}
