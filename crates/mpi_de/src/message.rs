//! Headers between the PEs, and the events and actions of the library.

/// Header of a message, in the library's words of a queue entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Header {
    /// Message below [`crate::EAGER_LIMIT`] bytes, with its data.
    Eager {
        /// Number of the message at its sender.
        request: u16,
        /// Length of the message in bytes.
        length: u32,
    },
    /// Request to send a longer message.
    Rts {
        /// Number of the message at its sender.
        request: u16,
        /// Length of the message in bytes.
        length: u32,
    },
    /// Clear to send one unit.
    Cts {
        /// Number of the message at its sender.
        request: u16,
        /// Number of the unit, from 0.
        unit: u32,
        /// Slot in the receiver's MPI buffer.
        slot: u8,
    },
    /// Header of a DMA, which reports a complete unit (DONE).
    Data {
        /// Number of the message at its sender.
        request: u16,
        /// Number of the unit, from 0.
        unit: u32,
        /// Slot in the receiver's MPI buffer.
        slot: u8,
    },
    /// Returns credits.
    Credits {
        /// Total of messages removed from the ring, modulo 2^32.
        taken: u32,
    },
}

impl Header {
    /// Name in traces, such as `RTS`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Eager { .. } => "eager",
            Self::Rts { .. } => "RTS",
            Self::Cts { .. } => "CTS",
            Self::Data { .. } => "DATA",
            Self::Credits { .. } => "credits",
        }
    }

    /// Whether the message needs a credit.
    pub fn is_counted(self) -> bool {
        matches!(self, Self::Eager { .. } | Self::Rts { .. } | Self::Cts { .. })
    }
}

/// Input of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// The user sends `length` bytes. The number `request` may be reused after [`Action::Complete`].
    Send {
        /// Destination PE.
        to: u8,
        /// Number of the send.
        request: u16,
        /// Length of the message in bytes.
        length: u32,
    },
    /// The receiver has matched an offered message.
    Accept {
        /// Source PE.
        from: u8,
        /// Number of the message at its sender.
        request: u16,
    },
    /// A header was read from the message ring.
    Arrived {
        /// Source PE.
        from: u8,
        /// The header, from an unchecked entry.
        header: Header,
    },
    /// The next-read position of the send queue has passed the entry of a send slot.
    Sent {
        /// The slot, which the NIF no longer reads.
        slot: u8,
    },
}

/// Output of the library, to be carried out in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Write an entry into the send queue: [`Header::Data`] as a DMA, other headers as messages.
    Post {
        /// Destination PE.
        to: u8,
        /// Header of the entry.
        header: Header,
        /// Send slot that the DMA reads.
        source: Option<u8>,
    },
    /// Replace the cache lines of a slot by reading one word a line from addresses 1 MB further on (s6.3).
    ReplaceLines {
        /// Slot in the MPI buffer.
        slot: u8,
    },
    /// Copy a unit from the user's buffer into a send slot.
    CopyIn {
        /// Number of the send.
        request: u16,
        /// Number of the unit, from 0.
        unit: u32,
        /// Destination slot.
        slot: u8,
    },
    /// Copy a unit from a receive slot into the user's buffer.
    CopyOut {
        /// Source PE.
        from: u8,
        /// Number of the message at its sender.
        request: u16,
        /// Number of the unit, from 0.
        unit: u32,
        /// Source slot.
        slot: u8,
    },
    /// An eager message has arrived with its data and is to be matched or buffered.
    Deliver {
        /// Source PE.
        from: u8,
        /// Number of the message at its sender.
        request: u16,
        /// Length of the message in bytes.
        length: u32,
    },
    /// A longer message is announced; the answer is [`Event::Accept`] when it is matched.
    Offer {
        /// Source PE.
        from: u8,
        /// Number of the message at its sender.
        request: u16,
        /// Length of the message in bytes.
        length: u32,
    },
    /// The user's buffer of a send may be reused.
    Complete {
        /// Number of the send.
        request: u16,
    },
    /// A long message is complete in the user's buffer.
    Received {
        /// Source PE.
        from: u8,
        /// Number of the message at its sender.
        request: u16,
    },
    /// A header that violates the protocol has arrived; the state is unchanged.
    Refuse {
        /// Source PE.
        from: u8,
        /// The refused header.
        header: Header,
    },
}
