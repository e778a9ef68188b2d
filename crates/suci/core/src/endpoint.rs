//! An endpoint: the peers of one socket, without the socket.

use std::net::SocketAddr;

use crate::config::{Config, ConfigError, Rules};
use crate::counters::Counters;
use crate::event::{ConnectError, Event, Flow, PRIORITIES, Peer, Priority, SendError};
use crate::keys::PublicKey;
use crate::permit::Policy;
use crate::record::{Call, Recorder, Recording};
use crate::time::Instant;
use crate::transmit::Transmit;
use crate::{modern, paper};

/// The peers of one socket as a state machine: datagrams, blocks and times go in; datagrams, events and
/// timeouts come out.
///
/// After [`input`](Self::input), after [`send`](Self::send) and at the time of
/// [`poll_timeout`](Self::poll_timeout), call [`poll_transmit`](Self::poll_transmit) until it returns `None`,
/// then [`poll_event`](Self::poll_event) until it returns `None`.
pub struct Endpoint(pub(crate) Inner, Recording);

#[derive(Clone)]
pub(crate) enum Inner {
    Modern(Box<modern::Endpoint>),
    Paper(Box<paper::Endpoint>),
}

/// Evaluates the same expression for either protocol.
macro_rules! both {
    ($self:expr, $endpoint:ident => $what:expr) => {
        match $self {
            Inner::Modern($endpoint) => $what,
            Inner::Paper($endpoint) => $what,
        }
    };
}

impl Endpoint {
    /// Creates an endpoint. `seed` must be random and unique: connection IDs, cookies and epochs are derived
    /// from it.
    pub fn new(config: Config, seed: [u8; 32]) -> Result<Self, ConfigError> {
        config.check()?;
        Ok(Self::from(match config.rules {
            Rules::Modern => Inner::Modern(Box::new(modern::Endpoint::new(config, seed))),
            Rules::Paper(repairs) => Inner::Paper(Box::new(paper::Endpoint::new(config, repairs, seed))),
        }))
    }

    /// Creates an endpoint that reports all calls and results to a recorder. Connection keys are derived from
    /// `seed` too, so that another endpoint can replay the calls. Anyone with seed and key can therefore read
    /// the recorded traffic.
    pub fn recorded(
        config: Config,
        seed: [u8; 32],
        mut recorder: Box<dyn Recorder>,
    ) -> Result<Self, ConfigError> {
        let mut endpoint = Self::new(config, seed)?;
        if let Inner::Modern(endpoint) = &mut endpoint.0 {
            endpoint.derive_keys();
        }
        recorder.keep(Call::Made { config: endpoint.config(), seed: &seed });
        Ok(Self(endpoint.0, Recording::to(recorder)))
    }

    /// Configuration, including pinned keys.
    pub fn config(&self) -> &Config {
        both!(&self.0, endpoint => endpoint.config())
    }

    /// Counters since the creation.
    pub fn counters(&self) -> &Counters {
        both!(&self.0, endpoint => endpoint.counters())
    }

    /// Calls a peer; returns the existing peer of an address that was called before. Blocks may be sent at
    /// once and wait for the answer. With the rules of the paper the peer is only looked up in the address
    /// database.
    pub fn connect(&mut self, now: Instant, address: SocketAddr) -> Result<Peer, ConnectError> {
        self.call(now, address, None)
    }

    /// Calls a peer that must have this key, as [`Security::Pinned`](crate::Security::Pinned) requires. With
    /// other security the key is ignored.
    pub fn connect_to(
        &mut self,
        now: Instant,
        address: SocketAddr,
        key: PublicKey,
    ) -> Result<Peer, ConnectError> {
        self.call(now, address, Some(key))
    }

    fn call(
        &mut self,
        now: Instant,
        address: SocketAddr,
        key: Option<PublicKey>,
    ) -> Result<Peer, ConnectError> {
        let peer = match &mut self.0 {
            Inner::Modern(endpoint) => endpoint.connect(now, address, key),
            Inner::Paper(endpoint) => endpoint.connect(now, address),
        };
        self.1.keep(|| Call::Connect { now, address, key, peer });
        peer
    }

    /// Adds a key to those that may call, with [`Security::Pinned`](crate::Security::Pinned). Returns false
    /// if it was pinned before.
    pub fn pin(&mut self, key: PublicKey) -> bool {
        let pinned = if let Inner::Modern(endpoint) = &mut self.0 { endpoint.pin(key) } else { false };
        self.1.keep(|| Call::Pin { key, pinned });
        pinned
    }

    /// Removes a key from those that may call, and closes its connections. Returns false if it was not
    /// pinned.
    pub fn unpin(&mut self, key: &PublicKey) -> bool {
        let was = if let Inner::Modern(endpoint) = &mut self.0 { endpoint.unpin(key) } else { false };
        self.1.keep(|| Call::Unpin { key: *key, was });
        was
    }

    /// Updates the keys of a connection in both directions as soon as the peer is ready; happens
    /// automatically after `Config::rekey_after` packets. A new key does not reveal earlier ones. No effect
    /// without protection.
    pub fn update_key(&mut self, peer: Peer) {
        if let Inner::Modern(endpoint) = &mut self.0 {
            endpoint.update_key(peer);
        }
        self.1.keep(|| Call::UpdateKey(peer));
    }

    /// Queues a copy of a block until the peer has acknowledged it.
    pub fn send(&mut self, peer: Peer, priority: Priority, block: &[u8]) -> Result<(), SendError> {
        let sent = if usize::from(priority) >= PRIORITIES {
            Err(SendError::Priority)
        } else if block.is_empty() {
            Err(SendError::Empty)
        } else {
            both!(&mut self.0, endpoint => endpoint.send(peer, priority, block))
        };
        self.1.keep(|| Call::Send { peer, priority, block, sent });
        sent
    }

    /// Closes a connection and abandons unacknowledged blocks; `queued_blocks` of [`flow`](Self::flow) counts
    /// them. No effect with the rules of the paper, which have no connections.
    pub fn close(&mut self, peer: Peer) {
        if let Inner::Modern(endpoint) = &mut self.0 {
            endpoint.close(peer);
        }
        self.1.keep(|| Call::Close(peer));
    }

    /// Flow to a peer; `None` if it is closed.
    pub fn flow(&self, peer: Peer) -> Option<Flow> {
        both!(&self.0, endpoint => endpoint.flow(peer))
    }

    /// Retransmits unacknowledged packets: `datagram_retransmission` of the paper (section 4.3). With the
    /// printed rules only this call retransmits. The protocol of this library retransmits on its own and
    /// ignores the call.
    pub fn retransmit(&mut self, peer: Peer) {
        if let Inner::Paper(endpoint) = &mut self.0 {
            endpoint.retransmit(peer);
        }
        self.1.keep(|| Call::Retransmit(peer));
    }

    /// Sets the policy by which the budget is divided among senders, from the next permits on. Receivers of
    /// the paper always grant requests as far as the budget allows.
    pub fn permits(&mut self, policy: Policy) {
        if let Inner::Modern(endpoint) = &mut self.0 {
            endpoint.permits(policy);
        }
        self.1.keep(|| Call::Permits(policy));
    }

    /// Sets the weight of a peer for [`Policy::Weighted`]; the default is 1.
    pub fn weigh(&mut self, peer: Peer, weight: u32) {
        if let Inner::Modern(endpoint) = &mut self.0 {
            endpoint.weigh(peer, weight);
        }
        self.1.keep(|| Call::Weigh(peer, weight));
    }

    /// Sets the bytes that a peer may have in flight, for [`Policy::Manual`]. Returns the amount that the
    /// budget allows.
    pub fn grant(&mut self, peer: Peer, bytes: usize) -> usize {
        let granted = match &mut self.0 {
            Inner::Modern(endpoint) => endpoint.grant(peer, bytes),
            Inner::Paper(_) => 0,
        };
        self.1.keep(|| Call::Grant { peer, bytes, granted });
        granted
    }

    /// Bytes in flight that valid permits allow all peers together.
    pub fn permitted(&self) -> usize {
        both!(&self.0, endpoint => endpoint.permitted())
    }

    /// Processes a received datagram. Any content is safe; unusable datagrams are counted.
    pub fn input(&mut self, now: Instant, from: SocketAddr, datagram: &[u8]) {
        self.input_marked(now, from, datagram, false);
    }

    /// Processes a received datagram that may carry a congestion mark (ECN CE, RFC 3168), which is reported
    /// to the sender.
    pub fn input_marked(&mut self, now: Instant, from: SocketAddr, datagram: &[u8], marked: bool) {
        let due = if self.1.is_on() { self.poll_timeout() } else { None };
        match &mut self.0 {
            Inner::Modern(endpoint) => endpoint.input(now, from, datagram, marked),
            Inner::Paper(endpoint) => endpoint.input(now, from, datagram),
        }
        self.1.keep(|| Call::Input { now, from, datagram, marked, due });
    }

    /// Next datagram to send now. Call it until it returns `None`.
    pub fn poll_transmit(&mut self, now: Instant) -> Option<Transmit<'_>> {
        let transmit = both!(&mut self.0, endpoint => endpoint.poll_transmit(now));
        self.1.keep(|| Call::Transmit { now, transmit });
        transmit
    }

    /// Time at which [`poll_transmit`](Self::poll_transmit) must be called without other input.
    pub fn poll_timeout(&self) -> Option<Instant> {
        both!(&self.0, endpoint => endpoint.poll_timeout())
    }

    /// Number of events to poll. [`poll_transmit`](Self::poll_transmit) can cause events too, such as a peer
    /// that timed out, so check this after it before waiting for the network.
    pub fn events(&self) -> usize {
        both!(&self.0, endpoint => endpoint.events())
    }

    /// Takes the oldest event.
    pub fn poll_event(&mut self) -> Option<Event> {
        let event = both!(&mut self.0, endpoint => endpoint.poll_event());
        if let Some(event) = &event {
            self.1.keep(|| Call::Event(event));
        }
        event
    }
}

impl From<Inner> for Endpoint {
    fn from(inner: Inner) -> Self {
        Self(inner, Recording::default())
    }
}
