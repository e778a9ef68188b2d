//! What is in front of a message on the wire (paper section 4.4, decision 0028).
//!
//! The paper's MTU of 1,468 bytes leaves 32 bytes of an Ethernet payload for a header, and prints no layout.
//! In NIC memory a frame begins with two bytes that are not sent, so that the message lies at a multiple of
//! 4:
//!
//! | Word | Bits 31:24 | 23:16 | 15:8 | 7:0 |
//! |---|---|---|---|---|
//! | 0 | destination 1 | destination 0 | | |
//! | 1 | destination 5 | destination 4 | destination 3 | destination 2 |
//! | 2 | source 3 | source 2 | source 1 | source 0 |
//! | 3 | type 7:0 | type 15:8 | source 5 | source 4 |
//! | 4 | | | channel | version, kind |
//! | 5 | | | source node 15:8 | 7:0 |
//! | 6 | | | destination node 15:8 | 7:0 |
//! | 7 | message number | | | |
//! | 8 | number of a control frame | | | |
//! | 9 | epoch 15:8 | 7:0 | message size 15:8 | 7:0 |
//! | 10, 11 | | | | |
//!
//! Empty places are 0. Nodes have MAC addresses of four common bytes and their number, high byte first.

use hdl::{Bundle, Item, Package};

/// Version of the layout.
pub const VERSION: u8 = 1;

hdl::bundle! {
    /// Who a card is and which frames are its own.
    pub struct Identity in header_pkg {
        /// First four bytes of all MAC addresses; the lowest byte goes first.
        mac_prefix: u32,
        /// Ethernet type of GigaE PM.
        ether_type: u16,
        /// Number of the node.
        node: u16 : 10,
    }
}

hdl::bundle! {
    /// A frame to be sent.
    pub struct Frame in header_pkg {
        /// First word of the message, or of the whole frame, in NIC memory.
        address: u32 : 18,
        /// Bytes of the message, or of the whole frame with the two in front of it.
        size: u16 : 11,
        /// A frame of another protocol: it has its header already.
        raw: bool,
        /// Kind of frame.
        kind: u8 : 3,
        /// Channel.
        channel: u8 : 2,
        /// Destination.
        node: u16 : 10,
        /// Message number, or that of a control frame.
        number: u32,
        /// Session.
        epoch: u16,
    }
}

/// Word of the header of a frame; 0 to 11.
#[inline]
pub fn header_word(word: u8, own: &Identity, frame: &Frame) -> u32 {
    let message = frame.kind == crate::protocol::Kind::Message.code();
    match word {
        0 => own.mac_prefix << 16,
        1 => node_bytes(frame.node) << 16 | own.mac_prefix >> 16,
        2 => own.mac_prefix,
        3 => u32::from(own.ether_type.swap_bytes()) << 16 | node_bytes(own.node),
        4 => u32::from(frame.channel) << 8 | u32::from(VERSION) << 4 | u32::from(frame.kind),
        5 => own.node.into(),
        6 => frame.node.into(),
        7 if message => frame.number,
        8 if !message => frame.number,
        9 => u32::from(frame.epoch) << 16 | u32::from(frame.size),
        _ => 0,
    }
}

/// The last two bytes of a node's MAC address, as they lie in a word.
#[inline]
pub fn node_bytes(node: u16) -> u32 {
    node.swap_bytes().into()
}

/// MAC address of a node, in the order of the wire.
pub fn mac_address(prefix: u32, node: u16) -> [u8; 6] {
    let ([a, b, c, d], [high, low]) = (prefix.to_le_bytes(), node.to_be_bytes());
    [a, b, c, d, high, low]
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "gigae_pm/header_pkg",
    source: "crates/gigae_pm/src/header.rs",
    items: &[
        Item::Constant { name: "Version", width: 4, value: VERSION as u64, doc: "Version of the layout." },
        Item::Bundle(Identity::TABLE),
        Item::Bundle(Frame::TABLE),
    ],
};
