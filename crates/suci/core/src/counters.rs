//! What an endpoint counts. Nothing that comes from a network makes it fail; what it cannot use it counts.

/// Why a datagram, or a part of it, was not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(usize)]
pub enum Dropped {
    /// Shorter than its header, or longer than a datagram may be.
    Length,
    /// Not of this version, or of a kind or with flags that do not exist.
    Kind,
    /// A field has a value that it cannot have.
    Malformed,
    /// From an address that no peer has.
    Stranger,
    /// For another endpoint, or another address than the one it came from.
    Misdirected,
    /// For a connection that is not, or no longer, there; or of an incarnation that has ended.
    Stale,
    /// Does not carry the proof that its sender reads mail at its address.
    Unproven,
    /// Is not sealed with the right key; or acknowledges what was never sent, or echoes a time at which nothing was sent.
    Forged,
    /// Came before.
    Repeated,
    /// Came out of order, where the rules keep only what is in order.
    OutOfOrder,
    /// There was no room for it, or it is beyond what its sender was allowed to send.
    NoRoom,
    /// No further peer is taken.
    TooManyPeers,
    /// A call of somebody whose public key is not in the list.
    NotPinned,
}

const REASONS: usize = Dropped::NotPinned as usize + 1;

/// Counters of an endpoint, since it was made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Datagrams given to [`input`](crate::Endpoint::input).
    pub received: u64,
    /// Datagrams that [`poll_transmit`](crate::Endpoint::poll_transmit) gave out.
    pub sent: u64,
    /// Packets that were taken for lost and whose contents were sent again.
    pub lost: u64,
    /// Packets that were taken for lost although they only came late.
    pub spurious: u64,
    /// Time-outs after which something was sent again, or an answer asked for.
    pub timeouts: u64,
    /// Calls with a time before that of an earlier call, which was used in its place.
    pub clock_went_back: u64,
    /// Times that packets were sealed with a new key from then on, within a connection.
    pub rekeyed: u64,
    /// Packets that came with a mark of congestion (ECN).
    pub marked: u64,
    /// Peers whose address has changed, and was proven.
    pub moved: u64,
    drops: [u64; REASONS],
}

impl Counters {
    /// Datagrams, or parts of them, that were dropped for this reason.
    pub fn dropped(&self, why: Dropped) -> u64 {
        self.drops[why as usize]
    }

    /// All that were dropped.
    pub fn all_dropped(&self) -> u64 {
        self.drops.iter().sum()
    }

    pub(crate) fn drop(&mut self, why: Dropped) {
        self.drops[why as usize] += 1;
    }
}
