//! What an endpoint tells its application.

use core::time::Duration;
use std::net::SocketAddr;

use crate::keys::PublicKey;

/// A peer of an endpoint, from `connect` or [`Event::Connected`] to [`Event::Closed`]. A later peer never has the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Peer {
    pub(crate) slot: u32,
    pub(crate) generation: u32,
}

impl Peer {
    /// As a number, for records.
    pub const fn number(self) -> u64 {
        (self.generation as u64) << 32 | self.slot as u64
    }

    /// The peer of a number. If that is none, it counts as closed.
    pub const fn of_number(number: u64) -> Self {
        Self { slot: number as u32, generation: (number >> 32) as u32 }
    }
}

/// How urgent a block is; 0 is the most urgent. Blocks of one priority arrive in order; an urgent one overtakes others.
pub type Priority = u8;

/// Priorities are below this.
pub const PRIORITIES: usize = 8;

/// Something the application has to know.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// Blocks can be exchanged with this peer, which called or answered.
    Connected {
        /// The peer.
        peer: Peer,
        /// Where it is.
        address: SocketAddr,
        /// Whom it has proven to be; none but with [`Security::Pinned`](crate::Security::Pinned).
        key: Option<PublicKey>,
    },
    /// The address of a peer has changed, because it moved or something between did. It has proven that it is there, and has whatever
    /// was on the way. Only with a key.
    Moved {
        /// The peer.
        peer: Peer,
        /// Where it is now.
        address: SocketAddr,
    },
    /// A block has arrived, whole. Its memory counts as used, and is not offered to the sender again, until this event is taken.
    Block {
        /// Who sent it.
        peer: Peer,
        /// As it was sent.
        priority: Priority,
        /// Its bytes.
        block: Vec<u8>,
    },
    /// After `Full`: there is room again in the queue of this peer.
    Writable {
        /// The peer.
        peer: Peer,
    },
    /// A block that was queued before the peer had answered is larger than the peer takes. It was not sent.
    Refused {
        /// The peer.
        peer: Peer,
        /// Length of the block in bytes.
        length: usize,
        /// Largest block the peer takes, in bytes.
        limit: usize,
    },
    /// The peer was restarted; it is the same entry of the address database. Only with the rules of the paper.
    Restarted {
        /// The peer.
        peer: Peer,
        /// Blocks to it that were not acknowledged in full and are given up.
        lost: usize,
    },
    /// The last event of a peer. Blocks that were not acknowledged may or may not have arrived.
    Closed {
        /// The peer.
        peer: Peer,
        /// Why.
        reason: Reason,
    },
}

/// Why a peer is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// `close` was called here.
    Here,
    /// `close` was called there.
    There,
    /// It has not answered for as long as `Config::give_up`.
    Silent,
    /// It was restarted, and has connected anew; or its key has more connections than `Config::per_key` allows, and this was the oldest.
    Restarted,
}

/// What flows to and from a peer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// Smoothed round trip time; none before the first answer.
    pub srtt: Option<Duration>,
    /// Bytes that may be on their way before an acknowledgement, by what the network and the receiver's memory bear.
    pub window: usize,
    /// Bytes on their way.
    pub in_flight: usize,
    /// Blocks that are not acknowledged in full: what `datagram_queue_length` of the paper returns (section 4.3).
    pub queued_blocks: usize,
    /// Bytes of the largest block that is taken now without [`SendError::Full`], as far as the queue goes; 0 if there is none.
    pub room: usize,
    /// Bytes that the receiver permits to be on their way now; none if no permit is in force.
    pub permit: Option<usize>,
    /// Share of packets that were lost, in millionths, smoothed.
    pub loss: u32,
    /// Largest datagram that is sent, in bytes: what the path has been found to carry. 0 with the rules of the paper.
    pub datagram: usize,
    /// How often the key that seals packets to the peer was replaced.
    pub key_generation: u64,
}

/// Why a block was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The queue of the peer is full.
    #[error("the queue of the peer is full; try again after Event::Writable, in about {writable_after:?}")]
    Full {
        /// When there is likely to be room, as things stand.
        writable_after: Duration,
    },
    /// It would never fit.
    #[error("a block of {length} bytes is more than the {limit} that the peer takes; send it in parts")]
    TooLarge {
        /// Length of the block in bytes.
        length: usize,
        /// Largest block that can be sent, in bytes.
        limit: usize,
    },
    /// A block has at least a byte.
    #[error("a block has at least one byte")]
    Empty,
    /// There is no such priority.
    #[error("priorities are 0 to 7, 0 only with the rules of the paper")]
    Priority,
    /// The peer is closed.
    #[error("the peer is closed")]
    Closed,
}

/// Why no peer was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConnectError {
    /// All places are taken.
    #[error("there are as many peers as Config::peers allows")]
    TooManyPeers,
    /// With the rules of the paper peers are those of the address database.
    #[error("the address is not in Config::database")]
    Unknown,
    /// With pinned keys it has to be said whom we call.
    #[error("with Security::Pinned call connect_to, which names the key of the peer")]
    NoKey,
    /// There is a connection to this address already, to somebody else.
    #[error("at this address is a peer with another key; close that first")]
    OtherKey,
    /// No key can be made.
    #[error("the operating system gives no random numbers")]
    NoRandomness,
}
