//! A packet that a test puts on the cable, with any value in any field.

use crate::layout::{PARTITION_KEY, PacketKind, RouteHeader, SequenceHeader, TransportHeader};
use crate::protocol::responder::ACK;

/// Fields of a packet; its length and its pad count follow from the data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// LID of the sender.
    pub source_lid: u16,
    /// LID of the receiver.
    pub lid: u16,
    /// Link version, next header (LNH) and transport version.
    pub versions: (u8, u8, u8),
    /// Operation code, a `PacketKind` if it is known.
    pub kind: u8,
    /// Queue pair of the receiver; 24 bits.
    pub pair: u32,
    /// PSN; 24 bits.
    pub psn: u32,
    /// The packet requests an acknowledgement.
    pub asks: bool,
    /// Units of 4 bytes between BTH and immediate data: AETH, DETH, RETH or AtomicETH.
    pub extension: Vec<u32>,
    /// Immediate data.
    pub immediate: Option<u32>,
    /// Data of the packet.
    pub data: Vec<u8>,
}

impl Packet {
    /// A packet with the usual versions, without extension and data, that asks for an acknowledgement if it ends
    /// a SEND or WRITE.
    pub fn new(kind: PacketKind, (source_lid, lid): (u16, u16), pair: u32, psn: u32) -> Self {
        use PacketKind::*;
        let asks = matches!(
            kind,
            SendLast
                | SendLastImmediate
                | SendOnly
                | SendOnlyImmediate
                | WriteLast
                | WriteLastImmediate
                | WriteOnly
                | WriteOnlyImmediate
        );
        Self {
            source_lid,
            lid,
            versions: (0, 2, 0),
            kind: kind.code(),
            pair,
            psn,
            asks,
            extension: Vec::new(),
            immediate: None,
            data: Vec::new(),
        }
    }

    /// With an AETH.
    pub fn answer(self, syndrome: u8, messages: u32) -> Self {
        Self { extension: vec![u32::from(syndrome) << 24 | messages & 0xff_ffff], ..self }
    }

    /// With a RETH.
    pub fn remote(self, address: u64, key: u32, length: u32) -> Self {
        Self { extension: vec![(address >> 32) as u32, address as u32, key, length], ..self }
    }

    /// With an AtomicETH.
    pub fn atomic(self, address: u64, key: u32, [swap, compare]: [u64; 2]) -> Self {
        let units = |word: u64| [(word >> 32) as u32, word as u32];
        let extension = [&units(address)[..], &[key], &units(swap), &units(compare)].concat();
        Self { extension, ..self }
    }

    /// With an AETH and an AtomicAckETH.
    pub fn original(self, messages: u32, value: u64) -> Self {
        let aeth = u32::from(ACK) << 24 | messages & 0xff_ffff;
        Self { extension: vec![aeth, (value >> 32) as u32, value as u32], ..self }
    }

    /// With a DETH.
    pub fn datagram(self, q_key: u32, source: u32) -> Self {
        Self { extension: vec![q_key, source], ..self }
    }

    /// With data of 0 to 2,112 bytes; pad bytes follow.
    pub fn data(self, data: &[u8]) -> Self {
        Self { data: data.to_vec(), ..self }
    }

    /// Bytes on the wire, without ICRC.
    pub fn bytes(&self) -> Vec<u8> {
        let (link, next_header, version) = self.versions;
        let pad = self.data.len().wrapping_neg() & 3;
        let rest = 4 * (self.extension.len() + usize::from(self.immediate.is_some())) + self.data.len() + pad;
        let route = RouteHeader {
            source_lid: self.source_lid,
            units: ((20 + rest) / 4 + 1) as u16,
            destination_lid: self.lid,
            next_header,
            level: 0,
            version: link,
        };
        let transport = TransportHeader {
            destination: self.pair,
            partition_key: PARTITION_KEY,
            version,
            pad: pad as u8,
            solicited: false,
            kind: self.kind,
        };
        let sequence = SequenceHeader { extension: 0, psn: self.psn, asks: self.asks };
        let mut bytes = [route.bits().to_be_bytes(), transport.bits().to_be_bytes()].concat();
        bytes.extend(&sequence.bits().to_be_bytes()[..4]);
        bytes.extend(self.extension.iter().chain(&self.immediate).flat_map(|unit| unit.to_be_bytes()));
        bytes.extend(&self.data);
        bytes.extend(vec![0; pad]);
        bytes
    }
}
