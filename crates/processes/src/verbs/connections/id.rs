//! Ids of the connection manager: each is a listener, or one side of a connection.

use std::net::SocketAddr;

use cluster::Time;

use super::addresses::unspecified;
use super::call::{Parameters, Service};
use super::mad::Message;

/// State of an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Idle,
    /// It has an address of this host.
    Bound,
    /// The peer's address is sought.
    ResolvingAddress,
    AddressResolved,
    RouteResolved,
    Listening,
    /// The request is sent.
    Connecting,
    /// The request is accepted; the program has to complete the handshake.
    Answered,
    /// A request has arrived.
    Requested,
    /// The acceptance is sent.
    Accepted,
    Connected,
    /// The end is announced to the peer.
    Disconnecting,
    Ended,
}

/// A message that is sent again until it is answered.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub lid: u16,
    pub message: Message,
    pub due: Time,
    /// Number of times that it may be sent again.
    pub retries: u8,
}

/// One id of the program, and the connection that it stands for.
#[derive(Clone, Debug)]
pub(super) struct Id {
    pub channel: u32,
    pub service: Service,
    pub state: State,
    /// Other ids may use its port.
    pub reuses_port: bool,
    pub source: SocketAddr,
    pub destination: Option<SocketAddr>,
    /// It has an address of this host, and so its adapter.
    pub is_on_host: bool,
    pub peer_lid: Option<u16>,
    /// Requests that wait at most.
    pub backlog: u32,
    /// The listener whose request made it.
    pub listener: Option<u32>,
    /// Number of the connection at the peer.
    pub peer: u32,
    pub psn: u32,
    pub peer_psn: u32,
    /// MTU as a code.
    pub mtu: u8,
    pub own: Parameters,
    pub remote: Parameters,
    /// The attempt to resolve the peer's address ends.
    pub deadline: Option<Time>,
    pub pending: Option<Pending>,
    /// The answer to a request that may come again.
    pub answer: Option<Message>,
}

impl Id {
    pub fn new(channel: u32, service: Service) -> Self {
        Id {
            channel,
            service,
            state: State::Idle,
            reuses_port: false,
            source: unspecified(),
            destination: None,
            is_on_host: false,
            peer_lid: None,
            backlog: 0,
            listener: None,
            peer: 0,
            psn: 0,
            peer_psn: 0,
            mtu: MTU,
            own: Parameters::default(),
            remote: Parameters::default(),
            deadline: None,
            pending: None,
            answer: None,
        }
    }

    /// RDMA READs of this side under way at most: what both sides allow.
    pub fn reads(&self) -> u8 {
        self.own.initiator_depth.min(self.remote.responder_resources)
    }

    /// RDMA READs of the peer under way at most.
    pub fn peer_reads(&self) -> u8 {
        match self.state {
            // The program of the passive side has not answered yet.
            State::Requested => self.remote.initiator_depth,
            _ => self.own.responder_resources.min(self.remote.initiator_depth),
        }
    }
}

/// Code of the path MTU, 2,048 bytes.
const MTU: u8 = 4;
