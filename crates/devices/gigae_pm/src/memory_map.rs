//! Layout of NIC memory, 1 MB of 32-bit words (paper, table 2; decision 0028).
//!
//! Rings 0 to 3 belong to the channels, ring 4 to the frames of all other protocols.
//!
//! | Word | Content | Size |
//! |---|---|---|
//! | 0x00000 | receive descriptors of rings 0 to 3, which users may read, then of ring 4 | 16 x 4 words a ring |
//! | 0x00200 | send descriptors | 16 x 4 words a ring |
//! | 0x00400 | records of the send buffers | 16 x 2 words a ring |
//! | 0x00480 | host addresses of the pinned send and receive areas | 2 words a ring |
//! | 0x02000 | received frames, as network DMA stores them | 16 x 512 words |
//! | 0x08000 | send buffers: messages until they are acknowledged | 16 x 512 words a ring |
//! | 0x20000 | control structures, one table a channel | 6 words a node |
//!
//! A descriptor has four words: address, size, peer (paper section 4.3) and flag.

use hdl::{Item, Package};

/// Words of NIC memory.
pub const WORDS: usize = 0x4_0000;
/// Rings: four channels, and other protocols.
pub const RINGS: u8 = 5;
/// The ring of other protocols.
pub const OTHER: u8 = 4;
/// Slots of a ring.
pub const SLOTS: u8 = 16;
/// Nodes whose control structures fit.
pub const NODES: u16 = 1024;
/// First receive descriptor.
pub const RECEIVE_DESCRIPTORS: u32 = 0x0_0000;
/// Words that users may read: the receive descriptors of the four channels.
pub const WINDOW_WORDS: u32 = 0x100;
/// First send descriptor.
pub const SEND_DESCRIPTORS: u32 = 0x0_0200;
/// First record of a send buffer.
pub const SEND_RECORDS: u32 = 0x0_0400;
/// Pinned areas: for each ring the send area and the receive area.
pub const AREAS: u32 = 0x0_0480;
/// First received frame.
pub const FRAMES: u32 = 0x0_2000;
/// First send buffer.
pub const SEND_BUFFERS: u32 = 0x0_8000;
/// First control structure.
pub const CONTROL_STRUCTURES: u32 = 0x2_0000;
/// Words of a buffer for one frame: 2 KB.
pub const BUFFER_WORDS: u32 = 512;
/// Word of a received frame's buffer that holds its length.
pub const LENGTH_WORD: u32 = 511;
/// Words before a message in its frame: two padding bytes, Ethernet header, wire header.
pub const HEADER_WORDS: u32 = 12;
/// Most bytes of a message (paper section 4.4).
pub const MTU: u16 = 1468;
/// Most bytes of a frame of another protocol, with its two padding bytes, without check sequence.
pub const OTHER_MTU: u16 = 1516;
/// Bytes of the pinned send area of a ring: a quarter of 120 KB (paper, table 3).
pub const SEND_AREA_BYTES: u32 = 30 * 1024;
/// Bytes of the pinned receive area of a ring: a quarter of 128 KB (paper, table 3).
pub const RECEIVE_AREA_BYTES: u32 = 32 * 1024;
/// Bytes of a slot of the receive area.
pub const RECEIVE_SLOT_BYTES: u32 = 2048;

hdl::codes! {
    /// Flag of a descriptor: owner of its slot, and result.
    pub enum Flag in memory_map_pkg, width 2 {
        /// The slot is free: of a send descriptor for the host, of a receive descriptor for the card.
        Free = 0,
        /// The descriptor is posted: a message to be sent, or one that has arrived.
        Full = 1,
        /// The message is in its send buffer.
        Kept = 2,
        /// The send descriptor was refused: address, size or peer is invalid. The slot is free.
        Refused = 3,
    }
}

/// First word of the receive descriptor of a slot.
pub const fn receive_descriptor(ring: u8, slot: u8) -> u32 {
    RECEIVE_DESCRIPTORS + 64 * ring as u32 + 4 * slot as u32
}

/// First word of the send descriptor of a slot.
pub const fn send_descriptor(ring: u8, slot: u8) -> u32 {
    SEND_DESCRIPTORS + 64 * ring as u32 + 4 * slot as u32
}

/// First word of a control structure.
pub const fn control_structure(channel: u8, node: u16) -> u32 {
    CONTROL_STRUCTURES + 0x2000 * channel as u32 + 6 * node as u32
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "gigae_pm/memory_map_pkg",
    source: file!(),
    items: &[
        Item::Constant { name: "Other", width: 3, value: OTHER as u64, doc: "The ring of other protocols." },
        Item::Constant {
            name: "WindowWords",
            width: 18,
            value: WINDOW_WORDS as u64,
            doc: "Words that users may read.",
        },
        Item::Constant {
            name: "ReceiveDescriptors",
            width: 18,
            value: RECEIVE_DESCRIPTORS as u64,
            doc: "First receive descriptor.",
        },
        Item::Constant {
            name: "SendDescriptors",
            width: 18,
            value: SEND_DESCRIPTORS as u64,
            doc: "First send descriptor.",
        },
        Item::Constant {
            name: "SendRecords",
            width: 18,
            value: SEND_RECORDS as u64,
            doc: "First record of a send buffer.",
        },
        Item::Constant {
            name: "Areas",
            width: 18,
            value: AREAS as u64,
            doc: "Pinned areas: for each ring the send area and the receive area.",
        },
        Item::Constant { name: "Frames", width: 18, value: FRAMES as u64, doc: "First received frame." },
        Item::Constant {
            name: "SendBuffers",
            width: 18,
            value: SEND_BUFFERS as u64,
            doc: "First send buffer.",
        },
        Item::Constant {
            name: "ControlStructures",
            width: 18,
            value: CONTROL_STRUCTURES as u64,
            doc: "First control structure.",
        },
        Item::Constant {
            name: "LengthWord",
            width: 9,
            value: LENGTH_WORD as u64,
            doc: "Word of a received frame's buffer that holds its length.",
        },
        Item::Constant {
            name: "HeaderWords",
            width: 9,
            value: HEADER_WORDS as u64,
            doc: "Words in front of a message in its frame.",
        },
        Item::Constant { name: "Mtu", width: 11, value: MTU as u64, doc: "Most bytes of a message." },
        Item::Constant {
            name: "OtherMtu",
            width: 11,
            value: OTHER_MTU as u64,
            doc: "Most bytes of a frame of another protocol, its two bytes in front included.",
        },
        Item::Constant {
            name: "SendAreaBytes",
            width: 32,
            value: SEND_AREA_BYTES as u64,
            doc: "Bytes of the pinned send area of a ring.",
        },
        Item::Constant {
            name: "ReceiveAreaBytes",
            width: 32,
            value: RECEIVE_AREA_BYTES as u64,
            doc: "Bytes of the pinned receive area of a ring.",
        },
        Item::Codes(Flag::TABLE),
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_follow_each_other_and_end_inside_the_memory() {
        let (rings, channels, slots) = (u32::from(RINGS), u32::from(OTHER), u32::from(SLOTS));
        let areas = [
            (RECEIVE_DESCRIPTORS, 4 * slots * rings),
            (SEND_DESCRIPTORS, 4 * slots * rings),
            (SEND_RECORDS, 2 * slots * channels),
            (AREAS, 2 * rings),
            (FRAMES, BUFFER_WORDS * slots),
            (SEND_BUFFERS, BUFFER_WORDS * slots * rings),
            (CONTROL_STRUCTURES, 0x2000 * channels),
        ];
        assert!(areas.windows(2).all(|pair| pair[0].0 + pair[0].1 <= pair[1].0));
        assert!(areas.iter().all(|(begin, words)| (begin + words) as usize <= WORDS));
        assert_eq!(WINDOW_WORDS, 4 * slots * channels, "users see the four channels and no more");
        // 24 bytes per node and channel: the 23 KB of table 3 for 1,000 nodes.
        assert!(
            (0..OTHER).all(|channel| control_structure(channel, NODES) <= control_structure(channel + 1, 0))
        );
        assert!(LENGTH_WORD < BUFFER_WORDS && HEADER_WORDS + u32::from(MTU).div_ceil(4) < LENGTH_WORD);
    }
}
