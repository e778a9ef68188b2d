//! InfiniBand headers of a DIMMnet-2 packet: LRH and BTH (InfiniBand Architecture Specification volume 1,
//! sections 7.7 and 9.2; decision 0010).
//!
//! InfiniBand sends the high byte first; a line sends byte 0, in bits 7:0, first. Header words are therefore
//! laid out here as the specification draws them, and their bytes are swapped when they become lines.

use hdl::{Item, Package};

/// LRH: the base transport header follows.
pub const LOCAL: u8 = 2;

/// BTH: single-packet send of an unreliable connection.
pub const SEND_ONLY: u8 = 0x24;

/// BTH: default partition, full membership.
pub const PARTITION: u16 = 0xffff;

/// BTH: queue pair of DIMMnet-2 traffic, the first one not reserved for management (chosen for this model).
pub const QUEUE_PAIR: u32 = 2;

/// 4-byte words of a frame in addition to the packet: LRH 2, BTH 3, invariant CRC 1.
pub const HEADER_WORDS: u16 = 6;

hdl::fields! {
    /// Local route header, 8 bytes.
    pub struct LocalRouteHeader in infiniband_pkg {
        /// LID of the sending port.
        [15:0] slid: u16,
        /// Length in words of 4 bytes, from the first byte of this header to the end of the invariant CRC.
        [26:16] packet_length: u16,
        /// LID of the receiving port.
        [47:32] dlid: u16,
        /// Next header: 2 is the base transport header.
        [49:48] next_header: u8,
        /// Service level, 0 here.
        [55:52] service_level: u8,
        /// Version of the link protocol, 0.
        [59:56] version: u8,
        /// Virtual lane, 0 here.
        [63:60] virtual_lane: u8,
    }
}

hdl::fields! {
    /// Base transport header, the first 8 of its 12 bytes.
    pub struct TransportHeader0 in infiniband_pkg {
        /// Queue pair of the receiver.
        [23:0] queue_pair: u32,
        /// Partition key.
        [47:32] partition: u16,
        /// Version of the transport header, 0.
        [51:48] version: u8,
        /// Bytes that pad the packet to words of 4 bytes.
        [53:52] pad_count: u8,
        /// Migration state of the connection.
        [54] migrated: bool,
        /// Solicited event: requests an event at the receiver.
        [55] solicited: bool,
        /// Operation code.
        [63:56] opcode: u8,
    }
}

hdl::fields! {
    /// Base transport header, its last 4 bytes; the rest of the line is not sent.
    pub struct TransportHeader1 in infiniband_pkg {
        /// Packet sequence number.
        [55:32] sequence_number: u32,
        /// Requests an acknowledgement from the receiver.
        [63] acknowledge: bool,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/swif/infiniband_pkg",
    source: file!(),
    items: &[
        Item::Constant {
            name: "Local",
            width: 2,
            value: LOCAL as u64,
            doc: "LRH: the base transport header follows.",
        },
        Item::Constant {
            name: "SendOnly",
            width: 8,
            value: SEND_ONLY as u64,
            doc: "BTH: single-packet send of an unreliable connection.",
        },
        Item::Constant {
            name: "Partition",
            width: 16,
            value: PARTITION as u64,
            doc: "BTH: default partition, full membership.",
        },
        Item::Constant {
            name: "QueuePair",
            width: 24,
            value: QUEUE_PAIR as u64,
            doc: "BTH: queue pair of DIMMnet-2 traffic.",
        },
        Item::Constant {
            name: "HeaderWords",
            width: 11,
            value: HEADER_WORDS as u64,
            doc: "4-byte words of a frame in addition to the packet: LRH 2, BTH 3, invariant CRC 1.",
        },
        Item::Fields(LocalRouteHeader::TABLE),
        Item::Fields(TransportHeader0::TABLE),
        Item::Fields(TransportHeader1::TABLE),
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_route_header_has_the_bytes_of_the_specification() {
        let header = LocalRouteHeader {
            slid: 0x1234,
            packet_length: 0x407,
            dlid: 0x5678,
            next_header: LOCAL,
            service_level: 3,
            version: 0,
            virtual_lane: 1,
        };
        let line = header.bits().swap_bytes();
        assert_eq!(line.to_le_bytes(), [0x10, 0x32, 0x56, 0x78, 0x04, 0x07, 0x12, 0x34]);
        assert_eq!(LocalRouteHeader::from_bits(line.swap_bytes()), header);
    }

    #[test]
    fn transport_header_has_the_bytes_of_the_specification() {
        let header = TransportHeader0 {
            queue_pair: 0x010203,
            partition: 0x8001,
            version: 0,
            pad_count: 2,
            migrated: true,
            solicited: false,
            opcode: SEND_ONLY,
        };
        let bytes = header.bits().swap_bytes().to_le_bytes();
        assert_eq!(bytes, [0x24, 0x60, 0x80, 0x01, 0, 0x01, 0x02, 0x03]);
        let header = TransportHeader1 { sequence_number: 0x0a0b0c, acknowledge: true };
        let bytes = header.bits().swap_bytes().to_le_bytes();
        assert_eq!(bytes, [0x80, 0x0a, 0x0b, 0x0c, 0, 0, 0, 0]);
    }
}
