//! Queues, rings and entries in local memory, and packets on a link (paper, section 3; the layouts are not
//! printed, decision 0057).
//!
//! A word is 8 bytes. Queues and rings have 64 entries of 64 bytes, of which one stays free, so that full
//! differs from empty.
//!
//! | Word | Entry of a send queue | Header in a receive ring |
//! |---|---|---|
//! | 0 | kind, destination, length: [`Control`] | kind, source, length: [`Control`] |
//! | 1 | addresses: [`Addresses`] | address of the data, in `source` of [`Addresses`] |
//! | 2 to 5 | eight words of 4 bytes of the library | the same |
//! | 6, 7 | not read | not written |
//!
//! A packet is one segment: a [`Header`], data, and after the data of the last segment the six words of its
//! header in the receive ring. This order makes the receiver write the data before the header.

use hdl::{Item, Package};

/// Most bytes of local memory: 64 MB (paper, section 3).
pub const MEMORY_BYTES: u32 = 1 << 26;
/// Entries of a queue or ring; not printed.
pub const ENTRIES: u8 = 64;
/// Bytes of an entry or header: 16 words of 4 bytes; not printed.
pub const ENTRY_BYTES: u32 = 64;
/// Words of an entry that are used, and of a header that are written.
pub const ENTRY_WORDS: u8 = 6;
/// Words of the library in an entry, of 8 bytes each.
pub const LIBRARY_WORDS: u8 = 4;
/// Bytes of a slot in the data part of a receive message buffer, and most bytes of a message: messages of the
/// library are shorter than 128 bytes (paper, section 5.1).
pub const SLOT_BYTES: u32 = 128;
/// Most bytes of data in a segment; not printed.
pub const SEGMENT_BYTES: u32 = 256;
/// Most words of a packet: header, data, record.
pub const PACKET_WORDS: u8 = 1 + 32 + ENTRY_WORDS;
/// Bits of a DMA address that the user chooses with the new ROM: a window of 256 KB (paper, section 6.4).
pub const WINDOW_BITS: u32 = 18;
/// Cycles from one word on a link to the next: 8 bytes in 15 cycles of 13,333 ps are the 40 MB/s of a port
/// (paper, section 3).
pub const WORD_CYCLES: u8 = 15;

hdl::codes! {
    /// Kinds of transfer.
    pub enum Kind in memory_map_pkg, width 2 {
        /// A message to receive message buffer 0.
        Message0 = 0,
        /// A message to receive message buffer 1.
        Message1 = 1,
        /// A DMA transfer to the physical address in the entry.
        Dma = 2,
    }
}

hdl::codes! {
    /// Reasons for which an entry is refused.
    pub enum Refusal in memory_map_pkg, width 3 {
        /// Not refused.
        Nothing = 0,
        /// The kind is unknown.
        NoKind = 1,
        /// The length is 0, or a message has more than 128 bytes.
        Length = 2,
        /// The source is not wholly in memory, or its address is not a multiple of 8.
        Source = 3,
        /// The destination is not wholly in memory, or its address is not a multiple of 8.
        Destination = 4,
        /// The destination crosses the end of the user's window.
        Window = 5,
    }
}

hdl::fields! {
    /// Word 0 of entries and headers.
    pub struct Control in memory_map_pkg {
        /// Kind of transfer.
        [1:0] kind: u8,
        /// Processor element: destination of an entry, source of a header.
        [15:8] pe: u8,
        /// Bytes of data.
        [63:32] length: u32,
    }
}

hdl::fields! {
    /// Word 1 of entries and headers.
    pub struct Addresses in memory_map_pkg {
        /// Byte address of the data, a multiple of 8: the source of an entry, the place of received data in a
        /// header.
        [31:0] source: u32,
        /// DMA write address of an entry, a multiple of 8.
        [63:32] destination: u32,
    }
}

hdl::fields! {
    /// First word of a packet.
    pub struct Header in memory_map_pkg {
        /// Kind of transfer.
        [1:0] kind: u8,
        /// Last segment of its transfer: six words follow the data.
        [2] last: bool,
        /// Destination.
        [15:8] pe: u8,
        /// Source processor element.
        [23:16] source: u8,
        /// Bytes of data, minus 1.
        [31:24] bytes: u8,
        /// Byte address of this data, for DMA; 0 for a message.
        [63:32] address: u32,
    }
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "cenju3/memory_map_pkg",
    source: file!(),
    items: &[
        Item::Constant {
            name: "SlotBytes",
            width: 27,
            value: SLOT_BYTES as u64,
            doc: "Bytes of a message at most.",
        },
        Item::Constant {
            name: "SegmentBytes",
            width: 27,
            value: SEGMENT_BYTES as u64,
            doc: "Bytes of a segment at most.",
        },
        Item::Constant {
            name: "PacketWords",
            width: 7,
            value: PACKET_WORDS as u64,
            doc: "Words of a packet at most.",
        },
        Item::Constant {
            name: "WordCycles",
            width: 4,
            value: WORD_CYCLES as u64,
            doc: "Cycles from one word on a link to the next.",
        },
        Item::Codes(Kind::TABLE),
        Item::Codes(Refusal::TABLE),
        Item::Fields(Control::TABLE),
        Item::Fields(Addresses::TABLE),
        Item::Fields(Header::TABLE),
    ],
};
