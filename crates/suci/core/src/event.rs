//! Events of an endpoint, and the values of its calls.

use core::time::Duration;
use std::net::SocketAddr;

use crate::keys::PublicKey;

/// A peer, from `connect` or [`Event::Connected`] until [`Event::Closed`]. Values are never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Peer {
    pub(crate) slot: u32,
    pub(crate) generation: u32,
}

impl Peer {
    /// Encodes the peer as a number, for records.
    pub const fn number(self) -> u64 {
        (self.generation as u64) << 32 | self.slot as u64
    }

    /// Decodes a number. An invalid number is a closed peer.
    pub const fn of_number(number: u64) -> Self {
        Self { slot: number as u32, generation: (number >> 32) as u32 }
    }
}

/// Priority of a block; 0 is the most urgent. Blocks of one priority arrive in order; urgent blocks overtake
/// others.
pub type Priority = u8;

/// Number of priorities.
pub const PRIORITIES: usize = 8;

/// An event for the application.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// A connection with a peer is open; either side may have called.
    Connected {
        /// The connected peer.
        peer: Peer,
        /// Current address of the peer.
        address: SocketAddr,
        /// Authenticated public key; only with [`Security::Pinned`](crate::Security::Pinned).
        key: Option<PublicKey>,
    },
    /// The address of a peer has changed and was validated. Packets in flight are retransmitted to it. Only
    /// with protection.
    Moved {
        /// The peer, unchanged.
        peer: Peer,
        /// New address of the peer.
        address: SocketAddr,
    },
    /// A complete block has arrived. Its memory counts as used and is not advertised to the sender until this
    /// event is taken.
    Block {
        /// Sender of the block.
        peer: Peer,
        /// Priority chosen by the sender.
        priority: Priority,
        /// Contents of the block.
        block: Vec<u8>,
    },
    /// The send queue has room again after [`SendError::Full`].
    Writable {
        /// Peer with the send queue.
        peer: Peer,
    },
    /// A block queued before the peer had answered exceeds its limit and was not sent.
    Refused {
        /// Peer that refuses the block.
        peer: Peer,
        /// Length of the block in bytes.
        length: usize,
        /// Largest block the peer takes, in bytes.
        limit: usize,
    },
    /// The peer was restarted; its entry of the address database is unchanged. Only with the rules of the
    /// paper.
    Restarted {
        /// The restarted peer.
        peer: Peer,
        /// Blocks to the peer that were not completely acknowledged and are abandoned.
        lost: usize,
    },
    /// Last event of a peer. Unacknowledged blocks may or may not have arrived.
    Closed {
        /// The closed peer.
        peer: Peer,
        /// Cause of the closure.
        reason: Reason,
    },
}

/// Reason why a peer is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// Closed by this side.
    Here,
    /// Closed by the peer.
    There,
    /// The peer has not answered for `Config::give_up`.
    Silent,
    /// The peer was restarted and has connected again, or this was the oldest connection of a key beyond
    /// `Config::per_key`.
    Restarted,
}

/// State of the flow to a peer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// Smoothed round trip time; `None` before the first sample.
    pub srtt: Option<Duration>,
    /// Bytes that may be in flight, limited by congestion control and the receiver.
    pub window: usize,
    /// Bytes in flight.
    pub in_flight: usize,
    /// Blocks not completely acknowledged, as `datagram_queue_length` of the paper returns (section 4.3).
    pub queued_blocks: usize,
    /// Largest block in bytes that the queue accepts now; 0 if it is full.
    pub room: usize,
    /// Bytes that the receiver permits in flight; `None` without a valid permit.
    pub permit: Option<usize>,
    /// Smoothed packet loss rate in millionths.
    pub loss: u32,
    /// Largest datagram in bytes that the path is known to carry; 0 with the rules of the paper.
    pub datagram: usize,
    /// Key updates so far in the sending direction.
    pub key_generation: u64,
}

/// Reason why a block was not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The send queue is full.
    #[error("the queue of the peer is full; try again after Event::Writable, in about {writable_after:?}")]
    Full {
        /// Estimated time until there is room.
        writable_after: Duration,
    },
    /// The block exceeds the peer's limit.
    #[error("a block of {length} bytes is more than the {limit} that the peer takes; send it in parts")]
    TooLarge {
        /// Length of the block in bytes.
        length: usize,
        /// Largest block that can be sent, in bytes.
        limit: usize,
    },
    /// Empty blocks are not supported.
    #[error("a block has at least one byte")]
    Empty,
    /// The priority is out of range.
    #[error("priorities are 0 to 7, 0 only with the rules of the paper")]
    Priority,
    /// The peer is closed.
    #[error("the peer is closed")]
    Closed,
}

/// Reason why a call failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConnectError {
    /// `Config::peers` is reached.
    #[error("there are as many peers as Config::peers allows")]
    TooManyPeers,
    /// The address is not in the address database, with the rules of the paper.
    #[error("the address is not in Config::database")]
    Unknown,
    /// Pinned keys require the key of the called peer.
    #[error("with Security::Pinned call connect_to, which names the key of the peer")]
    NoKey,
    /// A peer with another key is connected at this address.
    #[error("at this address is a peer with another key; close that first")]
    OtherKey,
    /// The operating system provides no random numbers.
    #[error("the operating system gives no random numbers")]
    NoRandomness,
}
