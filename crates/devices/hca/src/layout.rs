//! Layout of host memory and of packets: work queue elements, completion queue elements, operation codes
//! (decision 0060).
//!
//! Words of host memory have 64 bits; byte 0 is bits 7:0. A **send WQE** takes 64 bytes of its ring:
//!
//! | Word | Bits 63:32 | 31:0 |
//! |---|---|---|
//! | 0 | immediate data | 7:0 operation, 8 signalled, 9 solicited event |
//! | 1 | length of the message in bytes | its address |
//! | 2 | r_key | l_key |
//! | 3 | remote address 63:32, 0 | 31:0 |
//! | 4 | 47:32 destination LID, 51:48 service level | destination QPN |
//! | 5 | | Q_Key |
//!
//! Words 4 and 5 are so for datagrams; the attributes of a connected QP hold its destination. An atomic operation
//! has the value to swap in or to add in word 4, and the value to compare in word 5. A **receive WQE** takes 16 bytes:
//! word 0 has the l_key in bits 31:0, word 1 address and length like word 1 above. A **CQE** takes 32 bytes:
//!
//! | Word | Bits 63:32 | 31:0 |
//! |---|---|---|
//! | 0 | 55:32 QPN of the sender of a datagram | 15:0 place of the WQE in its ring's count, 23:16 QPN, 31:24 operation |
//! | 1 | immediate data | bytes received |
//! | 2 | | 15:0 LID of the sender, 23:16 status |
//! | 3 | | bit 0: lap. 1 on the first way through the ring, 0 on the second, and so on |
//!
//! Word 3 is written last, so a program that polls its bit 0 finds the CQE complete. The operation of a CQE
//! has bit 7 set for a receive, bit 0 for immediate data, and bit 1 if an RDMA WRITE brought them. The CQE of
//! an RDMA READ or of an atomic operation holds the bytes read.

use hdl::{Item, Package};

hdl::codes! {
    /// Operation of a send WQE. The codes are those of Mellanox's first adapters (Linux, `mthca_wqe.h`).
    pub enum Operation in layout_pkg, width 8 {
        /// RDMA WRITE without immediate data.
        RdmaWrite = 0x08,
        /// RDMA WRITE with immediate data.
        RdmaWriteImmediate = 0x09,
        /// SEND without immediate data.
        Send = 0x0a,
        /// SEND with immediate data.
        SendImmediate = 0x0b,
        /// RDMA READ; the data come into the local buffer.
        RdmaRead = 0x10,
        /// Compare-and-swap of 8 bytes; the original value comes into the local buffer.
        CompareSwap = 0x11,
        /// Fetch-and-add of 8 bytes; the original value comes into the local buffer.
        FetchAdd = 0x12,
    }
}

/// Fields of a WQE in a send queue, 64 bytes in host memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SendWqe {
    /// A code of [`Operation`]; any other fails the request.
    pub operation: u8,
    /// The request gets a CQE even if it succeeds.
    pub signalled: bool,
    /// The receiver's completion raises an event if its queue is armed for solicited ones.
    pub solicited: bool,
    /// Immediate data.
    pub immediate: u32,
    /// Address of the data.
    pub address: u32,
    /// Length of the data in bytes.
    pub length: u32,
    /// Key of the area that holds the data.
    pub l_key: u32,
    /// Key of the peer's area, for RDMA and atomic operations.
    pub r_key: u32,
    /// Address in the peer's area, for RDMA and atomic operations.
    pub remote: u64,
    /// QPN of a datagram's destination; 24 bits.
    pub destination: u32,
    /// LID of a datagram's destination.
    pub lid: u16,
    /// Q_Key of a datagram.
    pub q_key: u32,
    /// Value that an atomic operation swaps in or adds.
    pub swap: u64,
    /// Value with which a compare-and-swap compares.
    pub compare: u64,
}

impl SendWqe {
    /// The words that the adapter reads; the last two of the eight are unused.
    pub const fn words(&self) -> [u64; 6] {
        let flags = (self.signalled as u64) << 8 | (self.solicited as u64) << 9;
        let datagram = [(self.lid as u64) << 32 | self.destination as u64, self.q_key as u64];
        let [fourth, fifth] = if is_atomic(self.operation) { [self.swap, self.compare] } else { datagram };
        [
            (self.immediate as u64) << 32 | flags | self.operation as u64,
            (self.length as u64) << 32 | self.address as u64,
            (self.r_key as u64) << 32 | self.l_key as u64,
            self.remote,
            fourth,
            fifth,
        ]
    }

    /// These words as bytes of host memory.
    pub fn bytes(&self) -> Vec<u8> {
        self.words().map(u64::to_le_bytes).concat()
    }
}

/// Fields of a WQE in a receive queue, 16 bytes in host memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReceiveWqe {
    /// Key of the area that holds the buffer. It is in the first word, so that the adapter can read its row a cycle
    /// ahead (decision 0101).
    pub l_key: u32,
    /// Address of the buffer.
    pub address: u32,
    /// Length of the buffer in bytes.
    pub length: u32,
}

impl ReceiveWqe {
    /// The two words.
    pub const fn words(&self) -> [u64; 2] {
        [self.l_key as u64, (self.length as u64) << 32 | self.address as u64]
    }

    /// These words as bytes of host memory.
    pub fn bytes(&self) -> Vec<u8> {
        self.words().map(u64::to_le_bytes).concat()
    }
}

hdl::codes! {
    /// Status of a request that is done. The codes are those of verbs (`ibv_wc_status`).
    pub enum Status in layout_pkg, width 8 {
        /// The request succeeded.
        Success = 0,
        /// The message is longer than allowed, or than its buffer.
        LengthError = 1,
        /// The QP does not support the operation.
        OperationError = 2,
        /// The l_key does not allow the access.
        ProtectionError = 4,
        /// The QP had failed before: the WQE was flushed.
        Flushed = 5,
        /// The data of an RDMA READ differ in length or order from the request, or answer another operation.
        BadResponse = 7,
        /// The peer refused the request as invalid, or as too long for its buffer.
        RemoteInvalidRequest = 9,
        /// The r_key does not allow the access.
        RemoteAccess = 10,
        /// The peer could not complete the request.
        RemoteOperation = 11,
        /// The peer did not answer; the retry count is exhausted.
        RetryExceeded = 12,
        /// The peer had no receive WQE; the RNR retry count is exhausted.
        RnrRetryExceeded = 13,
    }
}

hdl::codes! {
    /// Operation code of a packet (IBA volume 1, section 9.2.1, table 38). Unreliable connections have the codes up to
    /// `WriteOnlyImmediate`, with the bit `UNRELIABLE` set.
    pub enum PacketKind in layout_pkg, width 8 {
        /// RC: first packet of a SEND.
        SendFirst = 0x00,
        /// RC: middle packet.
        SendMiddle = 0x01,
        /// RC: last packet of a SEND.
        SendLast = 0x02,
        /// RC: as before, with immediate data.
        SendLastImmediate = 0x03,
        /// RC: only packet of a SEND.
        SendOnly = 0x04,
        /// RC: as before, with immediate data.
        SendOnlyImmediate = 0x05,
        /// RC: first packet of an RDMA WRITE.
        WriteFirst = 0x06,
        /// RC: middle packet.
        WriteMiddle = 0x07,
        /// RC: last packet of an RDMA WRITE.
        WriteLast = 0x08,
        /// RC: as before, with immediate data.
        WriteLastImmediate = 0x09,
        /// RC: only packet of an RDMA WRITE.
        WriteOnly = 0x0a,
        /// RC: as before, with immediate data.
        WriteOnlyImmediate = 0x0b,
        /// RC: RDMA READ request.
        ReadRequest = 0x0c,
        /// RC: first packet of RDMA READ data.
        ReadFirst = 0x0d,
        /// RC: middle packet.
        ReadMiddle = 0x0e,
        /// RC: last packet of RDMA READ data.
        ReadLast = 0x0f,
        /// RC: only packet of RDMA READ data.
        ReadOnly = 0x10,
        /// RC: acknowledgement.
        Acknowledge = 0x11,
        /// RC: acknowledgement of an atomic operation, with the original value.
        AtomicAcknowledge = 0x12,
        /// RC: compare-and-swap request.
        CompareSwapRequest = 0x13,
        /// RC: fetch-and-add request.
        FetchAddRequest = 0x14,
        /// UD: a SEND.
        DatagramSend = 0x64,
        /// UD: a SEND with immediate data.
        DatagramSendImmediate = 0x65,
    }
}

/// Whether an operation is atomic; an unknown one is not.
#[inline]
pub const fn is_atomic(operation: u8) -> bool {
    operation == Operation::CompareSwap.code() || operation == Operation::FetchAdd.code()
}

/// Whether data answer an operation in place of an ACK: an RDMA READ or an atomic one.
#[inline]
pub const fn is_answered_by_data(operation: u8) -> bool {
    operation == Operation::RdmaRead.code() || is_atomic(operation)
}

/// Operation code without the bit `UNRELIABLE`, and whether it was set. Only SENDs and RDMA WRITEs have it.
#[inline]
pub const fn reliable_kind(code: u8) -> (u8, bool) {
    let plain = code ^ UNRELIABLE;
    if plain <= PacketKind::WriteOnlyImmediate.code() { (plain, true) } else { (code, false) }
}

hdl::fields! {
    /// LRH: local route header (IBA volume 1, section 7.7). The highest byte is first on the wire.
    pub struct RouteHeader in layout_pkg {
        /// Source LID.
        [15:0] source_lid: u16,
        /// Units of 4 bytes of the packet, ICRC included.
        [26:16] units: u16,
        /// Destination LID.
        [47:32] destination_lid: u16,
        /// Next header (LNH): 2 for a BTH.
        [49:48] next_header: u8,
        /// Service level.
        [55:52] level: u8,
        /// Link version; 0.
        [59:56] version: u8,
    }
}

hdl::fields! {
    /// First two units of the BTH, the base transport header (IBA volume 1, section 9.2). The highest byte is first on
    /// the wire.
    pub struct TransportHeader in layout_pkg {
        /// Destination QPN.
        [23:0] destination: u32,
        /// Partition key.
        [47:32] partition_key: u16,
        /// Transport version; 0.
        [51:48] version: u8,
        /// Pad bytes after the data; 0 to 3.
        [53:52] pad: u8,
        /// Solicited event.
        [55] solicited: bool,
        /// Operation code, a `PacketKind`.
        [63:56] kind: u8,
    }
}

hdl::fields! {
    /// Third unit of the BTH, and the unit after it (IBA volume 1, sections 9.2, 9.3). The highest byte is first on the
    /// wire.
    pub struct SequenceHeader in layout_pkg {
        /// Q_Key, AETH, upper half of the RETH's address, or immediate data of a connection.
        [31:0] extension: u32,
        /// PSN.
        [55:32] psn: u32,
        /// Acknowledgement request.
        [63] asks: bool,
    }
}

/// Next header (LNH) of packets with a BTH and no global route header (IBA volume 1, section 7.7.5).
pub const NEXT_HEADER: u8 = 2;
/// Bytes from one send WQE to the next in its ring.
pub const SEND_WQE_BYTES: u32 = 64;
/// Bytes of a send WQE that the adapter reads.
pub const SEND_WQE_USED: u16 = 48;
/// Bytes of a receive WQE.
pub const RECEIVE_WQE_BYTES: u16 = 16;
/// Bytes of a CQE.
pub const CQE_BYTES: u16 = 32;
/// Bytes before the data of a datagram, the place of a global route header (IBA volume 1, section 11.4.1.2).
pub const GRH_BYTES: u32 = 40;
/// Destination of a datagram for a multicast group, in place of a queue pair (IBA volume 1, section 9.6.1.2).
pub const MULTICAST_PAIR: u32 = 0xff_ffff;
/// LID of the first multicast group; the number of a group is in bits 3:0 (IBA volume 1, section 4.1.3).
pub const MULTICAST_LIDS: u16 = 0xc000;
/// Partition key of all packets: the default one, full member (IBA volume 1, section 10.9.1.2).
pub const PARTITION_KEY: u16 = 0xffff;
/// Units of 4 bytes of the longest valid packet: 2,048 bytes of data, headers, ICRC.
pub const MAX_UNITS: u16 = 528;
/// Units of 4 bytes of the shortest valid packet: LRH, BTH, ICRC.
pub const MIN_UNITS: u16 = 6;
/// Bit of the operation code of a packet: a SEND or an RDMA WRITE of an unreliable connection (UC).
pub const UNRELIABLE: u8 = 0x20;
/// Bit of the operation in a CQE: a receive.
pub const RECEIVED: u8 = 0x80;
/// Bit of the operation of a receive: an RDMA WRITE with immediate data.
pub const WRITTEN: u8 = 0x02;
/// Bytes on which an atomic operation works (IBA volume 1, section 9.4.5).
pub const ATOMIC_BYTES: u32 = 8;
/// Bytes of the longest message of a connection: 2^30, so that its packets take fewer than half of all PSNs.
/// No source prints it; IBA volume 1 allows 2^31.
pub const MAX_MESSAGE: u32 = 1 << 30;

/// Logarithm of the bytes of an MTU code; 8 to 11 for codes 1 to 4.
#[inline(always)]
pub const fn mtu_log(code: u8) -> u32 {
    8 + (code.wrapping_sub(1) & 3) as u32
}

/// Bytes of data in a packet for an MTU code (IBA volume 1, section 9.4.2); 0 for an invalid code.
pub const fn mtu_bytes(code: u8) -> u16 {
    match code {
        1..=4 => 128 << code,
        _ => 0,
    }
}

/// Ticks of 1.024 us of a time-out code (IBA volume 1, section 11.2.4.2: 4.096 us times 2 to the code). Codes
/// above 28 count as 28, so that a deadline in the future differs from one that has passed.
#[inline]
pub const fn timeout_ticks(code: u8) -> u32 {
    4 << if code > 28 { 28 } else { code }
}

/// Ticks of 1.024 us of an RNR timer code (IBA volume 1, table 45: from 0.01 ms on, every second code
/// doubles; code 0 is the longest, after 31).
#[inline]
pub const fn rnr_ticks(code: u8) -> u32 {
    match code {
        0 => 10 << 16,
        1 => 10,
        _ => (if code & 1 == 1 { 15 } else { 10 }) << (code >> 1),
    }
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "hca/layout_pkg",
    source: file!(),
    items: &[
        Item::Codes(Operation::TABLE),
        Item::Codes(Status::TABLE),
        Item::Codes(PacketKind::TABLE),
        Item::Fields(RouteHeader::TABLE),
        Item::Fields(TransportHeader::TABLE),
        Item::Fields(SequenceHeader::TABLE),
        Item::Constant {
            name: "NextHeader",
            width: 2,
            value: NEXT_HEADER as u64,
            doc: "Next header (LNH) of packets with a BTH and no global route header.",
        },
        Item::Constant {
            name: "Unreliable",
            width: 8,
            value: UNRELIABLE as u64,
            doc: "Bit of the operation code of a packet: unreliable connection.",
        },
        Item::Constant {
            name: "SendWqeUsed",
            width: 12,
            value: SEND_WQE_USED as u64,
            doc: "Bytes of a send WQE that are read.",
        },
        Item::Constant {
            name: "ReceiveWqeBytes",
            width: 12,
            value: RECEIVE_WQE_BYTES as u64,
            doc: "Bytes of a receive WQE.",
        },
        Item::Constant { name: "CqeBytes", width: 12, value: CQE_BYTES as u64, doc: "Bytes of a CQE." },
        Item::Constant {
            name: "GrhBytes",
            width: 32,
            value: GRH_BYTES as u64,
            doc: "Bytes in front of the data of a datagram.",
        },
        Item::Constant {
            name: "MulticastPair",
            width: 24,
            value: MULTICAST_PAIR as u64,
            doc: "Destination of a datagram for a multicast group.",
        },
        Item::Constant {
            name: "MulticastLids",
            width: 16,
            value: MULTICAST_LIDS as u64,
            doc: "LID of the first multicast group.",
        },
        Item::Constant {
            name: "PartitionKey",
            width: 16,
            value: PARTITION_KEY as u64,
            doc: "Partition key of all packets.",
        },
        Item::Constant {
            name: "MaxUnits",
            width: 11,
            value: MAX_UNITS as u64,
            doc: "Units of 4 bytes of the longest packet that is taken.",
        },
        Item::Constant {
            name: "MinUnits",
            width: 11,
            value: MIN_UNITS as u64,
            doc: "Units of the shortest one.",
        },
        Item::Constant {
            name: "ReceivedOperation",
            width: 8,
            value: RECEIVED as u64,
            doc: "Bits of an operation in a CQE: something was received.",
        },
        Item::Constant {
            name: "WrittenOperation",
            width: 8,
            value: WRITTEN as u64,
            doc: "Bit of such an operation: it was an RDMA WRITE with immediate data.",
        },
        Item::Constant {
            name: "AtomicBytes",
            width: 12,
            value: ATOMIC_BYTES as u64,
            doc: "Bytes on which an atomic operation works.",
        },
        Item::Constant {
            name: "MaxMessage",
            width: 32,
            value: MAX_MESSAGE as u64,
            doc: "Bytes of the longest message of a connection.",
        },
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes on the wire, written down bit by bit from the figures of IBA volume 1.
    #[test]
    fn headers_have_the_bytes_of_the_specification() {
        let route = RouteHeader {
            source_lid: 0x1234,
            units: 0x5a5,
            destination_lid: 0x6789,
            next_header: 2,
            level: 0xb,
            version: 0,
        };
        // VL and LVer; SL, reserved, LNH; DLID; five reserved bits and PktLen; SLID (section 7.7).
        assert_eq!(route.bits().to_be_bytes(), [0x00, 0xb2, 0x67, 0x89, 0x05, 0xa5, 0x12, 0x34]);
        let transport = TransportHeader {
            destination: 0x12_3456,
            partition_key: 0xffff,
            version: 0,
            pad: 3,
            solicited: true,
            kind: 0x64,
        };
        // OpCode; SE, M, PadCnt, TVer; P_Key; reserved; DestQP (section 9.2).
        assert_eq!(transport.bits().to_be_bytes(), [0x64, 0xb0, 0xff, 0xff, 0x00, 0x12, 0x34, 0x56]);
        let sequence = SequenceHeader { extension: 0x8765_4321, psn: 0xab_cdef, asks: true };
        // A and seven reserved bits; PSN; the first word of the next header.
        assert_eq!(sequence.bits().to_be_bytes(), [0x80, 0xab, 0xcd, 0xef, 0x87, 0x65, 0x43, 0x21]);
    }
}
