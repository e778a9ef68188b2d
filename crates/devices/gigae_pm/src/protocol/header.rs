//! The header of a message on the wire (paper section 4.4, decision 0028).
//!
//! The paper's MTU of 1,468 bytes leaves 32 bytes of an Ethernet payload for a header, whose layout is not
//! published. In NIC memory a frame begins with two padding bytes that are not sent, so that the message is
//! aligned to 4 bytes:
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
//! Empty fields are 0. The MAC address of a node is four common bytes and the node's number, high byte first.

use hdl::{Bundle, Item, Package};

/// Version of the layout.
pub const VERSION: u8 = 1;
/// Ethernet type of GigaE PM: a local experimental one (decision 0028).
pub const ETHER_TYPE: u16 = 0x88b5;
/// First four bytes of the MAC addresses, the lowest byte first: locally administered.
pub const MAC_PREFIX: u32 = 0x5047_0002;

hdl::bundle! {
    /// Identity of a card: its addresses and its Ethernet type.
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
        /// Bytes of the message, or of the whole frame with its two padding bytes.
        size: u16 : 11,
        /// A frame of another protocol, which contains its header.
        raw: bool,
        /// Kind of frame.
        kind: u8 : 3,
        /// Channel, 0 to 3.
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
    let message = frame.kind == crate::Kind::Message.code();
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

/// The header as sent, without the two padding bytes.
pub fn header_bytes(own: &Identity, frame: &Frame) -> Vec<u8> {
    (0..12).flat_map(|word| header_word(word, own, frame).to_le_bytes()).skip(2).collect()
}

/// Sender and header of a frame of GigaE PM; `None` if the frame is too short or has another
/// Ethernet type. `bytes` begins with the destination.
pub fn read_header(bytes: &[u8], ether_type: u16) -> Option<(u16, Frame)> {
    let low = |word: usize| Some(u16::from_le_bytes(bytes.get(4 * word - 2..4 * word)?.try_into().ok()?));
    let word =
        |word: usize| Some(u32::from_le_bytes(bytes.get(4 * word - 2..4 * word + 2)?.try_into().ok()?));
    if *bytes.get(12..14)? != ether_type.to_be_bytes() {
        return None;
    }
    let kind = low(4)? as u8 & 7;
    let number = word(if kind == crate::Kind::Message.code() { 7 } else { 8 })?;
    let sizes = word(9)?;
    let frame = Frame {
        address: 0,
        size: Frame::WIDTHS.size.wrap(sizes),
        raw: false,
        kind,
        channel: (low(4)? >> 8) as u8 & 3,
        node: Frame::WIDTHS.node.wrap(low(6)?),
        number,
        epoch: (sizes >> 16) as u16,
    };
    Some((Identity::WIDTHS.node.wrap(low(5)?), frame))
}

/// The last two bytes of a node's MAC address, as stored in a word.
#[inline]
pub fn node_bytes(node: u16) -> u32 {
    node.swap_bytes().into()
}

/// MAC address of a node, in wire order.
pub fn mac_address(prefix: u32, node: u16) -> [u8; 6] {
    let ([a, b, c, d], [high, low]) = (prefix.to_le_bytes(), node.to_be_bytes());
    [a, b, c, d, high, low]
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "gigae_pm/header_pkg",
    source: file!(),
    items: &[
        Item::Constant { name: "Version", width: 4, value: VERSION as u64, doc: "Version of the layout." },
        Item::Bundle(Identity::TABLE),
        Item::Bundle(Frame::TABLE),
    ],
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    const OWN: Identity = Identity { mac_prefix: 0x5047_0002, ether_type: 0x88b5, node: 3 };

    #[test]
    fn header_is_read_as_it_was_written() {
        for kind in [Kind::Message, Kind::Ack, Kind::Go] {
            let frame = Frame {
                size: 700,
                kind: kind.code(),
                channel: 2,
                node: 999,
                number: 0x1234_5678,
                epoch: 0xabcd,
                ..Frame::default()
            };
            let bytes = header_bytes(&OWN, &frame);
            assert_eq!(bytes.len(), 14 + 32);
            assert_eq!(read_header(&bytes, 0x88b5), Some((3, frame)));
            assert_eq!(read_header(&bytes, 0x0800), None);
            assert!((0..38).all(|length| read_header(&bytes[..length], 0x88b5).is_none()));
        }
    }
}
