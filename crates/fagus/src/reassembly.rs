//! Division of messages into packets and reassembly, with the header of section 3.2.1.
//!
//! | Byte | Field | |
//! |---|---|---|
//! | 0 | `m_size` | length of the message in bytes, little-endian |
//! | 2 | `m_ID` | number of the message, counted by its sender |
//! | 4 | `Packet_no` | number of the packet within the message, from 0 |
//!
//! The length of six bytes is printed; widths and order of the fields are choices of this project. The paper
//! marks packets in the receive ring as received; here each packet is copied on arrival, so no flags are
//! needed. An incomplete message is discarded after a timeout, and before its number is reused.
//! [`ring`](crate::ring) implements the printed algorithm.

use std::collections::BTreeMap;
use std::time::Duration;

/// Largest packet in bytes: the MTU of the paper (section 3.2.1). Networks with a smaller MTU have shorter
/// packets.
pub const PACKET: usize = 2048;
/// Length of the header in bytes.
pub const HEADER: usize = 6;
/// Largest payload of a packet of the paper in bytes.
pub const PAYLOAD: usize = PACKET - HEADER;
/// Longest message of [`comm`](crate::comm) in bytes, eight packets of the paper.
pub const SEGMENT: usize = 8 * PAYLOAD;
/// Smallest permitted packet size in bytes: a segment then has at most 64 packets.
pub const LEAST: usize = HEADER + SEGMENT.div_ceil(64);
/// Longest message in bytes, the range of `m_size`.
pub const MESSAGE: usize = u16::MAX as usize;

/// Time after which an incomplete message is discarded.
const PATIENCE: Duration = Duration::from_secs(1);
/// Incomplete messages kept for each sender.
const RECORDS: usize = 64;

/// A malformed packet, with its length in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a packet of {0} bytes that no sender makes")]
pub struct Malformed(pub usize);

/// Header of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Header {
    /// Length of the message in bytes.
    pub size: u16,
    /// Number of the message at its sender.
    pub id: u16,
    /// Number of the packet within the message, from 0.
    pub number: u16,
}

impl Header {
    /// Splits a packet into header and payload and checks their consistency. `payload` is the length of a
    /// full payload.
    pub fn decode(packet: &[u8], payload: usize) -> Result<(Header, &[u8]), Malformed> {
        let malformed = Malformed(packet.len());
        let (header, bytes) = packet.split_at_checked(HEADER).ok_or(malformed)?;
        let field = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let header = Header { size: field(0), id: field(2), number: field(4) };
        let rest = usize::from(header.size).checked_sub(usize::from(header.number) * payload);
        let fits = rest.is_some_and(|rest| rest > 0 && bytes.len() == payload.min(rest));
        if fits { Ok((header, bytes)) } else { Err(malformed) }
    }

    /// Number of packets of the message.
    pub fn packets(&self, payload: usize) -> usize {
        usize::from(self.size).div_ceil(payload)
    }
}

/// Range of message numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ids {
    /// Number of message numbers, a power of two.
    pub count: u32,
    /// Distance in numbers after which an incomplete message is discarded (H5); `None` disables this.
    pub forget: Option<u32>,
}

impl Ids {
    /// All numbers of 16 bits; the distance of a quarter is a choice of this project.
    pub const SHIPPED: Ids = Ids { count: 1 << 16, forget: Some(1 << 14) };

    /// Distance from a number to a newer one.
    fn behind(self, id: u16, newest: u16) -> u32 {
        u32::from(newest.wrapping_sub(id)) % self.count
    }
}

/// Packets of a message, of at most `packet` bytes each.
pub fn split(id: u16, message: &[u8], packet: usize) -> impl Iterator<Item = Vec<u8>> {
    assert!((1..=MESSAGE).contains(&message.len()), "a message has 1 to {MESSAGE} bytes");
    let size = message.len() as u16;
    message.chunks(packet - HEADER).enumerate().map(move |(number, payload)| {
        let header = [size, id, number as u16].map(u16::to_le_bytes);
        [header.as_flattened(), payload].concat()
    })
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Record {
    size: u16,
    /// Bit mask of the packets received.
    have: u64,
    bytes: Vec<u8>,
    since: Duration,
}

/// Incomplete messages.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reassembly {
    /// Length of a full payload in bytes.
    payload: usize,
    ids: Ids,
    records: BTreeMap<(u16, u16), Record>,
    /// Newest message number of each sender.
    newest: BTreeMap<u16, u16>,
}

impl Reassembly {
    /// Reassembly of packets of at most `packet` bytes, which is [`LEAST`] or more.
    pub fn new(packet: usize) -> Reassembly {
        assert!(packet >= LEAST, "packets of {packet} bytes are too short");
        Reassembly::with_ids(packet, Ids::SHIPPED)
    }

    /// Reassembly with another range of numbers. Messages have at most 64 packets.
    pub fn with_ids(packet: usize, ids: Ids) -> Reassembly {
        Reassembly { payload: packet - HEADER, ids, records: BTreeMap::new(), newest: BTreeMap::new() }
    }

    /// Handles a packet. Returns the message if it is complete.
    pub fn hear(&mut self, now: Duration, from: u16, packet: &[u8]) -> Result<Option<Vec<u8>>, Malformed> {
        let (header, bytes) = Header::decode(packet, self.payload)?;
        let Header { size, id, number } = header;
        let packets = header.packets(self.payload);
        if packets > 64 {
            return Err(Malformed(packet.len()));
        }
        self.forget(now, from, id);
        if packets == 1 {
            return Ok(Some(bytes.to_vec()));
        }
        let key = (from, id);
        if self.records.get(&key).is_some_and(|record| record.size != size) {
            self.records.remove(&key);
        }
        if !self.records.contains_key(&key) {
            self.make_room(from);
        }
        let fresh = || Record { size, have: 0, bytes: vec![0; size.into()], since: now };
        let record = self.records.entry(key).or_insert_with(fresh);
        record.have |= 1 << number;
        let start = usize::from(number) * self.payload;
        record.bytes[start..start + bytes.len()].copy_from_slice(bytes);
        let whole = record.have.count_ones() as usize == packets;
        Ok(whole.then(|| self.records.remove(&key).map(|record| record.bytes)).flatten())
    }

    /// Discards messages that are too old by time or number.
    fn forget(&mut self, now: Duration, from: u16, id: u16) {
        self.records.retain(|_, record| now.saturating_sub(record.since) < PATIENCE);
        let ids = self.ids;
        if let Some(forget) = ids.forget {
            // A late packet does not move the newest number back.
            let newest = self.newest.entry(from).or_insert(id);
            if ids.behind(id, *newest) >= forget {
                *newest = id;
            }
            let newest = *newest;
            self.records.retain(|(sender, id), _| *sender != from || ids.behind(*id, newest) < forget);
        }
    }

    /// Discards the oldest message of a sender that has as many as are kept.
    fn make_room(&mut self, from: u16) {
        let of = || self.records.range((from, 0)..=(from, u16::MAX));
        if of().count() >= RECORDS
            && let Some((&key, _)) = of().min_by_key(|(_, record)| record.since)
        {
            self.records.remove(&key);
        }
    }
}
