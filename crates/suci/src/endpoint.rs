//! An endpoint: all peers of one socket, without the socket.

use std::net::SocketAddr;

use crate::config::{Config, ConfigError, Rules};
use crate::counters::Counters;
use crate::event::{ConnectError, Event, Flow, PRIORITIES, Peer, Priority, SendError};
use crate::permit::Policy;
use crate::time::Instant;
use crate::{modern, paper};

/// A datagram to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transmit<'a> {
    /// Where to.
    pub to: SocketAddr,
    /// All of it.
    pub bytes: &'a [u8],
}

/// All peers of one socket, as a state machine: datagrams, blocks and times go in, datagrams, blocks and times come out.
///
/// After [`input`](Self::input), [`send`](Self::send) and whenever [`poll_timeout`](Self::poll_timeout) has passed, call
/// [`poll_transmit`](Self::poll_transmit) until there is nothing, then [`poll_event`](Self::poll_event) until there is nothing.
pub struct Endpoint(Inner);

enum Inner {
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
        Ok(Self(match config.rules {
            Rules::Modern => Inner::Modern(Box::new(modern::Endpoint::new(config, seed))),
            Rules::Paper(repairs) => Inner::Paper(Box::new(paper::Endpoint::new(config, repairs, seed))),
        }))
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
        both!(&mut self.0, endpoint => endpoint.connect(now, address))
    }

    /// Queues a block for a peer. It is copied, and kept until the peer has acknowledged it.
    pub fn send(&mut self, peer: Peer, priority: Priority, block: &[u8]) -> Result<(), SendError> {
        if usize::from(priority) >= PRIORITIES {
            return Err(SendError::Priority);
        }
        if block.is_empty() {
            return Err(SendError::Empty);
        }
        both!(&mut self.0, endpoint => endpoint.send(peer, priority, block))
    }

    /// Ends a connection. Blocks that are not acknowledged are given up: see `queued_blocks` of [`flow`](Self::flow) first.
    /// With the rules of the paper there are no connections, and nothing happens.
    pub fn close(&mut self, peer: Peer) {
        if let Inner::Modern(endpoint) = &mut self.0 {
            endpoint.close(peer);
        }
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
    }

    /// How the budget is divided among those that send to here, from the next permits on. The paper's receivers grant what is
    /// asked for as far as the budget goes, whatever this says.
    pub fn permits(&mut self, policy: Policy) {
        if let Inner::Modern(endpoint) = &mut self.0 {
            endpoint.permits(policy);
        }
    }

    /// The weight of a peer for [`Policy::Weighted`]; 1 unless it is set.
    pub fn weigh(&mut self, peer: Peer, weight: u32) {
        if let Inner::Modern(endpoint) = &mut self.0 {
            endpoint.weigh(peer, weight);
        }
    }

    /// What a peer may have on the way to here, in bytes, for [`Policy::Manual`]. Returns how much of it the budget allows.
    pub fn grant(&mut self, peer: Peer, bytes: usize) -> usize {
        match &mut self.0 {
            Inner::Modern(endpoint) => endpoint.grant(peer, bytes),
            Inner::Paper(_) => 0,
        }
    }

    /// What permits that are in force allow all peers together to have on the way to here, in bytes.
    pub fn permitted(&self) -> usize {
        both!(&self.0, endpoint => endpoint.permitted())
    }

    /// Takes a datagram. Whatever it holds, it cannot fail; what is of no use is counted.
    pub fn input(&mut self, now: Instant, from: SocketAddr, datagram: &[u8]) {
        both!(&mut self.0, endpoint => endpoint.input(now, from, datagram));
    }

    /// The next datagram to send now. Call it until there is none.
    pub fn poll_transmit(&mut self, now: Instant) -> Option<Transmit<'_>> {
        both!(&mut self.0, endpoint => endpoint.poll_transmit(now))
    }

    /// When [`poll_transmit`](Self::poll_transmit) is to be called next, if nothing else happens before.
    pub fn poll_timeout(&self) -> Option<Instant> {
        both!(&self.0, endpoint => endpoint.poll_timeout())
    }

    /// The next event.
    pub fn poll_event(&mut self) -> Option<Event> {
        both!(&mut self.0, endpoint => endpoint.poll_event())
    }
}
