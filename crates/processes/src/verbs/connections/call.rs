//! Calls of the connection manager and their answers, named as in `rdma/rdma_user_cm.h`.

use std::net::SocketAddr;

use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

/// A call of the connection manager.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ConnectionCall {
    /// `rdma_create_event_channel`: `Number`, the channel.
    OpenChannel,
    /// The channel is closed, which destroys its ids.
    CloseChannel(u32),
    /// `rdma_create_id`: `Number`, the id.
    Create {
        /// Channel of its events.
        channel: u32,
        /// Service of its connections.
        service: Service,
    },
    /// `rdma_destroy_id`.
    Destroy(u32),
    /// `rdma_bind_addr`.
    Bind {
        /// Number of the id.
        id: u32,
        /// Address of this host, or the unspecified one; port 0 for any.
        address: SocketAddr,
    },
    /// `rdma_resolve_addr`.
    ResolveAddress {
        /// Number of the id.
        id: u32,
        /// Address of this host.
        source: Option<SocketAddr>,
        /// Address of the peer.
        destination: SocketAddr,
        /// Milliseconds after which the attempt ends.
        timeout_ms: u32,
    },
    /// `rdma_resolve_route`.
    ResolveRoute(u32),
    /// The addresses of an id: [`ConnectionAnswer::Route`].
    QueryRoute(u32),
    /// `rdma_connect`.
    Connect {
        /// Number of the id.
        id: u32,
        /// Of this side.
        parameters: Parameters,
    },
    /// `rdma_listen`.
    Listen {
        /// Number of the id.
        id: u32,
        /// Requests that wait at most; 0 for 1,024.
        backlog: u32,
    },
    /// `rdma_accept`; without parameters the active side ends the handshake.
    Accept {
        /// Number of the id.
        id: u32,
        /// Of this side.
        parameters: Option<Parameters>,
    },
    /// `rdma_reject`.
    Reject {
        /// Number of the id.
        id: u32,
        /// Reason (IBA volume 1, section 12.6.7.2); 0 for the consumer's.
        reason: u8,
        /// Private data.
        data: ByteBuf,
    },
    /// `rdma_disconnect`.
    Disconnect(u32),
    /// `rdma_init_qp_attr`: [`ConnectionAnswer::Attributes`].
    QueuePairAttributes {
        /// Number of the id.
        id: u32,
        /// `ibv_qp_state`.
        state: u32,
    },
    /// `rdma_get_cm_event`: [`ConnectionAnswer::Event`], or `EAGAIN`.
    TakeEvent(u32),
    /// Other ids may use the port of this one (`RDMA_OPTION_ID_REUSEADDR`).
    ReusePort {
        /// Number of the id.
        id: u32,
        /// Whether they may.
        allowed: bool,
    },
    /// `rdma_join_multicast`: `Number`, the membership, of which an event tells.
    JoinGroup {
        /// Number of the id.
        id: u32,
        /// Address of the group.
        address: SocketAddr,
    },
    /// `rdma_leave_multicast`, by membership.
    LeaveGroup(u32),
    /// `rdma_notify` of `IBV_EVENT_COMM_EST`: data have arrived before the end of the handshake.
    NotifyEstablished(u32),
    /// `rdma_migrate_id`.
    Migrate {
        /// Number of the id.
        id: u32,
        /// Channel of its events from now on.
        channel: u32,
    },
}

/// Service of an id (`rdma_port_space`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Service {
    /// Reliable connections, `RDMA_PS_TCP`.
    Connection,
    /// Datagrams, `RDMA_PS_UDP`.
    Datagram,
}

impl Service {
    /// Code of the service as a port space (`rdma_port_space`, IBA annex A11).
    pub fn port_space(self) -> u16 {
        match self {
            Service::Connection => 0x0106,
            Service::Datagram => 0x0111,
        }
    }

    /// The service of a port space.
    pub fn of_port_space(space: u16) -> Option<Self> {
        [Service::Connection, Service::Datagram].into_iter().find(|service| service.port_space() == space)
    }
}

/// Parameters of one side of a connection (`rdma_conn_param`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameters {
    /// Number of the queue pair.
    pub pair: u32,
    /// Q_Key of a datagram queue pair; 0 for that of the service.
    pub q_key: u32,
    /// Private data.
    pub data: ByteBuf,
    /// The queue pair has a shared receive queue.
    pub shares_receives: bool,
    /// RDMA READs of the peer under way at most.
    pub responder_resources: u8,
    /// RDMA READs of this side under way at most.
    pub initiator_depth: u8,
    /// End-to-end flow control.
    pub flow_control: bool,
    /// Retries after a time-out, 0 to 7.
    pub retries: u8,
    /// Retries after an RNR NAK, 0 to 7.
    pub rnr_retries: u8,
}

/// Addresses of an id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Route {
    /// Address of this side.
    pub source: SocketAddr,
    /// Address of the peer.
    pub destination: Option<SocketAddr>,
    /// LID of this host, once the id has an address of it.
    pub lid: Option<u16>,
    /// LID of the peer, once its address is resolved.
    pub peer_lid: Option<u16>,
    /// The path is resolved.
    pub has_path: bool,
}

/// Attributes for `ibv_modify_qp` (`ibv_qp_attr`), those that the mask names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairAttributes {
    /// `ibv_qp_attr_mask`.
    pub mask: u32,
    /// `ibv_qp_state`.
    pub state: u32,
    /// `ibv_access_flags` of peers.
    pub access: u32,
    /// Q_Key, 32 bits.
    pub q_key: u32,
    /// LID of the remote port.
    pub peer_lid: u16,
    /// Code of the path MTU: 4 is 2,048.
    pub mtu: u32,
    /// Number of the remote queue pair, 24 bits.
    pub peer: u32,
    /// PSN of the first packet received, 24 bits.
    pub receive_psn: u32,
    /// PSN of the first packet sent, 24 bits.
    pub send_psn: u32,
    /// Outstanding RDMA READs of the peer.
    pub peer_reads: u8,
    /// Outstanding RDMA READs of this side.
    pub reads: u8,
    /// Code of the RNR NAK timer, 5 bits.
    pub rnr_timer: u8,
    /// Code of the acknowledgement time-out, 5 bits.
    pub timeout: u8,
    /// Retries after a time-out, 0 to 7.
    pub retries: u8,
    /// Retries after an RNR NAK, 0 to 7.
    pub rnr_retries: u8,
}

/// Kind of an event, with its code (`rdma_cm_event_type`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u32)]
pub enum EventKind {
    /// The address of the peer is known.
    AddressResolved = 0,
    /// It is not.
    AddressError = 1,
    /// The path to the peer is known.
    RouteResolved = 2,
    /// A peer wants a connection.
    ConnectRequest = 4,
    /// The peer has accepted; this side completes the handshake.
    ConnectResponse = 5,
    /// The peer does not answer.
    Unreachable = 7,
    /// The peer refuses.
    Rejected = 8,
    /// The connection is made.
    Established = 9,
    /// The connection is ended.
    Disconnected = 10,
    /// The host is a member of a multicast group.
    GroupJoined = 12,
    /// It is not.
    GroupError = 13,
}

/// An event of an id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConnectionEvent {
    /// The id that the event is about; for a request the new one, for a multicast group the membership.
    pub id: u32,
    /// The listening id of a request.
    pub listener: Option<u32>,
    /// Service of the id.
    pub service: Service,
    /// Code of `rdma_cm_event_type`.
    pub kind: EventKind,
    /// 0, a reason of a rejection, or minus an error number.
    pub status: i32,
    /// LID of the peer, or of the multicast group.
    pub lid: u16,
    /// GID of the multicast group, in network order.
    pub gid: Option<[u8; 16]>,
    /// Parameters of the peer.
    pub parameters: Parameters,
}

/// Answer to a call of the connection manager.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ConnectionAnswer {
    /// The call has succeeded and returns nothing.
    Done,
    /// A channel or an id.
    Number(u32),
    /// Addresses of an id.
    Route(Route),
    /// For `ibv_modify_qp`.
    Attributes(PairAttributes),
    /// The oldest event of a channel.
    Event(ConnectionEvent),
}
