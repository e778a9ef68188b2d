//! Endpoint with the rules of the paper: one socket, an address database, and state shared by all peers.

#[cfg(test)]
mod edges;
mod walk;

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;

use super::Repairs;
use super::grants::Grants;
use super::packet;
use super::peer::{Context, Peer};
use crate::config::Config;
use crate::counters::{Counters, Dropped};
use crate::event::{ConnectError, Event, Flow, Priority, SendError};
use crate::time::Instant;
use crate::transmit::Transmit;

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
        let grants = Grants::new(config.budget, config.permit_life * 10, peers.len());
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
