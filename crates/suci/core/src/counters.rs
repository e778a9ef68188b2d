//! Counters of an endpoint. Input from the network never causes an error; unusable input is counted.

/// Reason why a datagram or part of it was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(usize)]
pub enum Dropped {
    /// Shorter than its header, or longer than permitted.
    Length,
    /// Unknown version, kind or flags.
    Kind,
    /// A field has an invalid value.
    Malformed,
    /// From an address without a peer.
    Stranger,
    /// For another endpoint, or from an address other than that of the peer.
    Misdirected,
    /// For an unknown or closed connection, or of an earlier incarnation.
    Stale,
    /// Without a valid cookie, which proves the sender's address.
    Unproven,
    /// Not sealed with the right key, acknowledges an unsent packet, or echoes a wrong time.
    Forged,
    /// Duplicate of an earlier packet.
    Repeated,
    /// Out of order, with rules that accept packets in order only.
    OutOfOrder,
    /// No memory for it, or beyond the sender's limit.
    NoRoom,
    /// No further peer is accepted.
    TooManyPeers,
    /// Call with a public key that is not pinned.
    NotPinned,
}

const REASONS: usize = Dropped::NotPinned as usize + 1;

/// Counters of an endpoint since its creation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Datagrams passed to [`input`](crate::Endpoint::input).
    pub received: u64,
    /// Datagrams returned by [`poll_transmit`](crate::Endpoint::poll_transmit).
    pub sent: u64,
    /// Packets declared lost, whose contents were retransmitted.
    pub lost: u64,
    /// Packets declared lost that arrived late (spurious losses).
    pub spurious: u64,
    /// Expired probe timeouts.
    pub timeouts: u64,
    /// Calls with a time before that of an earlier call; the earlier time was used.
    pub clock_went_back: u64,
    /// Key updates within connections.
    pub rekeyed: u64,
    /// Packets received with a congestion mark (ECN CE).
    pub marked: u64,
    /// Peers whose address changed and was validated.
    pub moved: u64,
    drops: [u64; REASONS],
}

impl Counters {
    /// Datagrams, or parts of them, dropped for this reason.
    pub fn dropped(&self, why: Dropped) -> u64 {
        self.drops[why as usize]
    }

    /// Dropped datagrams and parts for all reasons.
    pub fn all_dropped(&self) -> u64 {
        self.drops.iter().sum()
    }

    pub(crate) fn drop(&mut self, why: Dropped) {
        self.drops[why as usize] += 1;
    }
}
