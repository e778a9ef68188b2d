//! An endpoint: all peers of one socket, without the socket.

use std::net::SocketAddr;

use crate::config::{Config, ConfigError, Rules};
use crate::counters::Counters;
use crate::event::{ConnectError, Event, Flow, PRIORITIES, Peer, Priority, SendError};
use crate::keys::PublicKey;
use crate::permit::Policy;
use crate::record::{Call, Recorder, Recording};
use crate::time::Instant;
use crate::{modern, paper};

/// A datagram to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transmit<'a> {
    /// Where to.
    pub to: SocketAddr,
    /// All of it.
    pub bytes: &'a [u8],
    /// Routers may mark it instead of losing it: it is to be sent as ECT(0) of ECN (RFC 3168), where the socket can.
    pub ecn: bool,
}

/// All peers of one socket, as a state machine: datagrams, blocks and times go in, datagrams, blocks and times come out.
///
/// After [`input`](Self::input), [`send`](Self::send) and whenever [`poll_timeout`](Self::poll_timeout) has passed, call
/// [`poll_transmit`](Self::poll_transmit) until there is nothing, then [`poll_event`](Self::poll_event) until there is nothing.
pub struct Endpoint(pub(crate) Inner, Recording);

#[derive(Clone)]
pub(crate) enum Inner {
    Modern(Box<modern::Endpoint>),
    Paper(Box<paper::Endpoint>),
}

/// The same for both.
macro_rules! both {
    ($self:expr, $endpoint:ident => $what:expr) => {
        match $self {
            Inner::Modern($endpoint) => $what,
            Inner::Paper($endpoint) => $what,
        }
    };
}

impl Endpoint {
    /// An endpoint. `seed` has to be of good randomness, and used once: connection ids, cookies and epochs come of it.
    pub fn new(config: Config, seed: [u8; 32]) -> Result<Self, ConfigError> {
        config.check()?;
        Ok(Self::from(match config.rules {
            Rules::Modern => Inner::Modern(Box::new(modern::Endpoint::new(config, seed))),
            Rules::Paper(repairs) => Inner::Paper(Box::new(paper::Endpoint::new(config, repairs, seed))),
        }))
    }

    /// The same, and tells a recorder all that is done with it and what comes of it. Keys for its connections are made of `seed` too, so
    /// that another endpoint of it does the same: whoever learns seed and key reads what was recorded.
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

    /// What it was made with.
    pub fn config(&self) -> &Config {
        both!(&self.0, endpoint => endpoint.config())
    }

    /// What it has counted.
    pub fn counters(&self) -> &Counters {
        both!(&self.0, endpoint => endpoint.counters())
    }

    /// Calls a peer; the one that is there if its address was called before. Blocks can be sent at once; they wait for its
    /// answer. With the rules of the paper nobody is called: the peer is looked up in the address database.
    pub fn connect(&mut self, now: Instant, address: SocketAddr) -> Result<Peer, ConnectError> {
        self.call(now, address, None)
    }

    /// Calls a peer that has to have this key: with [`Security::Pinned`](crate::Security::Pinned), which needs it. Else the key is of
    /// no account.
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

    /// Adds a key to those that may call, with [`Security::Pinned`](crate::Security::Pinned). True if it was not there.
    pub fn pin(&mut self, key: PublicKey) -> bool {
        let pinned = if let Inner::Modern(endpoint) = &mut self.0 { endpoint.pin(key) } else { false };
        self.1.keep(|| Call::Pin { key, pinned });
        pinned
    }

    /// Takes a key from those that may call, and closes the connections of whoever has it. True if it was there.
    pub fn unpin(&mut self, key: &PublicKey) -> bool {
        let was = if let Inner::Modern(endpoint) = &mut self.0 { endpoint.unpin(key) } else { false };
        self.1.keep(|| Call::Unpin { key: *key, was });
        was
    }

    /// Replaces the keys of a connection on both sides, as soon as the peer is ready, and by itself after `Config::rekey_after`
    /// packets. Who learns a key finds none of those before. Without a key nothing happens.
    pub fn update_key(&mut self, peer: Peer) {
        if let Inner::Modern(endpoint) = &mut self.0 {
            endpoint.update_key(peer);
        }
        self.1.keep(|| Call::UpdateKey(peer));
    }

    /// Queues a block for a peer. It is copied, and kept until the peer has acknowledged it.
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

    /// Ends a connection. Blocks that are not acknowledged are given up: see `queued_blocks` of [`flow`](Self::flow) first.
    /// With the rules of the paper there are no connections, and nothing happens.
    pub fn close(&mut self, peer: Peer) {
        if let Inner::Modern(endpoint) = &mut self.0 {
            endpoint.close(peer);
        }
        self.1.keep(|| Call::Close(peer));
    }

    /// What flows to a peer; none if it is closed.
    pub fn flow(&self, peer: Peer) -> Option<Flow> {
        both!(&self.0, endpoint => endpoint.flow(peer))
    }

    /// Sends again what is not acknowledged: `datagram_retransmission` of the paper (section 4.3), and with the printed rules the
    /// only thing that does. Our own rules do so by themselves, and ignore this.
    pub fn retransmit(&mut self, peer: Peer) {
        if let Inner::Paper(endpoint) = &mut self.0 {
            endpoint.retransmit(peer);
        }
        self.1.keep(|| Call::Retransmit(peer));
    }

    /// How the budget is divided among those that send to here, from the next permits on. The paper's receivers grant what is
    /// asked for as far as the budget goes, whatever this says.
    pub fn permits(&mut self, policy: Policy) {
        if let Inner::Modern(endpoint) = &mut self.0 {
            endpoint.permits(policy);
        }
        self.1.keep(|| Call::Permits(policy));
    }

    /// The weight of a peer for [`Policy::Weighted`]; 1 unless it is set.
    pub fn weigh(&mut self, peer: Peer, weight: u32) {
        if let Inner::Modern(endpoint) = &mut self.0 {
            endpoint.weigh(peer, weight);
        }
        self.1.keep(|| Call::Weigh(peer, weight));
    }

    /// What a peer may have on the way to here, in bytes, for [`Policy::Manual`]. Returns how much of it the budget allows.
    pub fn grant(&mut self, peer: Peer, bytes: usize) -> usize {
        let granted = match &mut self.0 {
            Inner::Modern(endpoint) => endpoint.grant(peer, bytes),
            Inner::Paper(_) => 0,
        };
        self.1.keep(|| Call::Grant { peer, bytes, granted });
        granted
    }

    /// What permits that are in force allow all peers together to have on the way to here, in bytes.
    pub fn permitted(&self) -> usize {
        both!(&self.0, endpoint => endpoint.permitted())
    }

    /// Takes a datagram. Whatever it holds, it cannot fail; what is of no use is counted.
    pub fn input(&mut self, now: Instant, from: SocketAddr, datagram: &[u8]) {
        self.input_marked(now, from, datagram, false);
    }

    /// The same for a datagram that may have been marked on its way, with CE of ECN (RFC 3168): its sender is told, and slows down.
    pub fn input_marked(&mut self, now: Instant, from: SocketAddr, datagram: &[u8], marked: bool) {
        let due = if self.1.is_on() { self.poll_timeout() } else { None };
        match &mut self.0 {
            Inner::Modern(endpoint) => endpoint.input(now, from, datagram, marked),
            Inner::Paper(endpoint) => endpoint.input(now, from, datagram),
        }
        self.1.keep(|| Call::Input { now, from, datagram, marked, due });
    }

    /// The next datagram to send now. Call it until there is none.
    pub fn poll_transmit(&mut self, now: Instant) -> Option<Transmit<'_>> {
        let transmit = both!(&mut self.0, endpoint => endpoint.poll_transmit(now));
        self.1.keep(|| Call::Transmit { now, transmit });
        transmit
    }

    /// When [`poll_transmit`](Self::poll_transmit) is to be called next, if nothing else happens before.
    pub fn poll_timeout(&self) -> Option<Instant> {
        both!(&self.0, endpoint => endpoint.poll_timeout())
    }

    /// Events that wait to be polled. One can come of [`poll_transmit`](Self::poll_transmit), too: a peer is silent for too long, say. Who waits for
    /// the network only when it has nothing to tell looks here behind it.
    pub fn events(&self) -> usize {
        both!(&self.0, endpoint => endpoint.events())
    }

    /// The next event.
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
