//! What libraries say to each other, what happens to them, and what they want done.

/// The words of an entry that travel with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Header {
    /// A message below [`crate::EAGER_LIMIT`] bytes, with its data.
    Eager {
        /// The sender's name for it.
        request: u16,
        /// Bytes.
        length: u32,
    },
    /// A longer one wants to come.
    Rts {
        /// The sender's name for it.
        request: u16,
        /// Bytes.
        length: u32,
    },
    /// One unit of it may come.
    Cts {
        /// The sender's name for it.
        request: u16,
        /// Which unit.
        unit: u32,
        /// Slot in the receiver's MPI buffer.
        slot: u8,
    },
    /// The header of a DMA: a unit has come (DONE).
    Data {
        /// The sender's name for the message.
        request: u16,
        /// Which unit.
        unit: u32,
        /// Slot in the receiver's MPI buffer.
        slot: u8,
    },
    /// Messages that were taken out of the ring, in all.
    Credits {
        /// The total.
        taken: u32,
    },
}

impl Header {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Eager { .. } => "eager",
            Self::Rts { .. } => "RTS",
            Self::Cts { .. } => "CTS",
            Self::Data { .. } => "DATA",
            Self::Credits { .. } => "credits",
        }
    }

    /// Whether it takes a place that credits promise.
    pub fn is_counted(self) -> bool {
        matches!(self, Self::Eager { .. } | Self::Rts { .. } | Self::Cts { .. })
    }
}

/// What happens to a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// The user sends: so many bytes to a PE. `request` names it, and is free again with [`Action::Complete`].
    Send {
        /// To which PE.
        to: u8,
        /// Name of the send.
        request: u16,
        /// Bytes.
        length: u32,
    },
    /// The receiver has matched a message that was offered.
    Accept {
        /// From which PE.
        from: u8,
        /// The sender's name for it.
        request: u16,
    },
    /// A header was read out of a ring.
    Arrived {
        /// From which PE.
        from: u8,
        /// What it says.
        header: Header,
    },
    /// The queue's next-read position has passed the entry that reads a send slot.
    Sent {
        /// The slot.
        slot: u8,
    },
}

/// What a library wants done, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Write an entry into the send queue; [`Header::Data`] goes as a DMA, all else as a message.
    Post {
        /// To which PE.
        to: u8,
        /// What it says.
        header: Header,
        /// The send slot whose unit a DMA reads.
        source: Option<u8>,
    },
    /// Replace the cache lines of a slot: read it all, one word a line, 1 MB further on (s6.3).
    ReplaceLines {
        /// The slot.
        slot: u8,
    },
    /// Copy a unit of the user's buffer into a send slot.
    CopyIn {
        /// Of which send.
        request: u16,
        /// Which unit.
        unit: u32,
        /// The slot.
        slot: u8,
    },
    /// Copy a unit out of a receive slot into the user's buffer.
    CopyOut {
        /// From which PE.
        from: u8,
        /// The sender's name for the message.
        request: u16,
        /// Which unit.
        unit: u32,
        /// The slot.
        slot: u8,
    },
    /// A short message is there, with its data: match it, or keep it.
    Deliver {
        /// From which PE.
        from: u8,
        /// The sender's name for it.
        request: u16,
        /// Bytes.
        length: u32,
    },
    /// A long one is offered: answer by [`Event::Accept`] when it is matched.
    Offer {
        /// From which PE.
        from: u8,
        /// The sender's name for it.
        request: u16,
        /// Bytes.
        length: u32,
    },
    /// The user's buffer of a send may be used again.
    Complete {
        /// Name of the send.
        request: u16,
    },
    /// A long message is whole in the user's buffer.
    Received {
        /// From which PE.
        from: u8,
        /// The sender's name for it.
        request: u16,
    },
    /// A header came that no rule allows; nothing was changed by it.
    Refuse {
        /// From which PE.
        from: u8,
        /// The header.
        header: Header,
    },
}
