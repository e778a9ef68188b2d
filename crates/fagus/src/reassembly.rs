//! Messages as packets and back: the header of section 3.2.1, a record for each message that is not whole.
//!
//! | Byte | Field | |
//! |---|---|---|
//! | 0 | `m_size` | bytes of the message, little-endian |
//! | 2 | `m_ID` | number of the message, counted by its sender |
//! | 4 | `Packet_no` | number of the packet within the message, from 0 |
//!
//! That there are six bytes is printed, their widths and order are ours. The paper marks packets in the receive ring as received; here each is copied out
//! when it comes, so no flags are needed, and a message that is never whole is forgotten: after a time, and before its number comes round.
//! [`ring`](crate::ring) is what is printed.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::comm;

/// Bytes of a packet at most: the MTU of the paper (section 3.2.1). Networks that carry less have shorter ones.
pub const PACKET: usize = 2048;
/// Bytes of its header.
pub const HEADER: usize = 6;
/// Bytes of a message in a packet of the paper at most.
pub const PAYLOAD: usize = PACKET - HEADER;
/// Bytes of a packet at least: a message of [`comm`] then has no more than 64 of them.
pub const LEAST: usize = HEADER + (comm::HEADER + comm::PIECE).div_ceil(64);
/// Bytes of a message at most, which `m_size` has room for.
pub const MESSAGE: usize = u16::MAX as usize;

/// How long a message may take to be whole.
const PATIENCE: Duration = Duration::from_secs(1);
/// Messages of a sender that are not whole, at most.
const RECORDS: usize = 64;

/// A packet that no sender makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a packet of {0} bytes that no sender makes")]
pub struct Malformed(pub usize);

/// What stands in front of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Header {
    /// Bytes of the message.
    pub size: u16,
    /// Number of the message.
    pub id: u16,
    /// Number of the packet within it.
    pub number: u16,
}

impl Header {
    /// Header and payload of a packet of so many bytes of a message at most.
    pub fn decode(packet: &[u8], payload: usize) -> Result<(Header, &[u8]), Malformed> {
        let malformed = Malformed(packet.len());
        let (header, bytes) = packet.split_at_checked(HEADER).ok_or(malformed)?;
        let field = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let header = Header { size: field(0), id: field(2), number: field(4) };
        let rest = usize::from(header.size).checked_sub(usize::from(header.number) * payload);
        let fits = rest.is_some_and(|rest| rest > 0 && bytes.len() == payload.min(rest));
        if fits { Ok((header, bytes)) } else { Err(malformed) }
    }

    /// Packets of its message.
    pub fn packets(&self, payload: usize) -> usize {
        usize::from(self.size).div_ceil(payload)
    }
}

/// Numbers of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ids {
    /// How many there are before the first one comes again: a power of two.
    pub count: u32,
    /// A message that is not whole is forgotten so many numbers later (H5); never, if there are none.
    pub forget: Option<u32>,
}

impl Ids {
    /// All of 16 bits; ours: a quarter of them later.
    pub const SHIPPED: Ids = Ids { count: 1 << 16, forget: Some(1 << 14) };

    /// How many numbers one is behind another.
    fn behind(self, id: u16, newest: u16) -> u32 {
        u32::from(newest.wrapping_sub(id)) % self.count
    }
}

/// Packets of a message, of so many bytes at most.
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
    /// Packets that have come, a bit each.
    have: u64,
    bytes: Vec<u8>,
    since: Duration,
}

/// Messages that are not whole.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reassembly {
    /// Bytes of a message in a packet at most.
    payload: usize,
    ids: Ids,
    records: BTreeMap<(u16, u16), Record>,
    /// The newest number of each sender.
    newest: BTreeMap<u16, u16>,
}

impl Reassembly {
    /// Of packets of so many bytes at most, [`LEAST`] or more.
    pub fn new(packet: usize) -> Reassembly {
        assert!(packet >= LEAST, "packets of {packet} bytes are too short");
        Reassembly::with_ids(packet, Ids::SHIPPED)
    }

    /// The same with other numbers; senders have no message of more than 64 packets.
    pub fn with_ids(packet: usize, ids: Ids) -> Reassembly {
        Reassembly { payload: packet - HEADER, ids, records: BTreeMap::new(), newest: BTreeMap::new() }
    }

    /// Takes a packet; the message, if it is whole by that.
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
        let fresh = || Record { size, have: 0, bytes: vec![0; size.into()], since: now };
        let record = self.records.entry(key).or_insert_with(fresh);
        record.have |= 1 << number;
        let start = usize::from(number) * self.payload;
        record.bytes[start..start + bytes.len()].copy_from_slice(bytes);
        let whole = record.have.count_ones() as usize == packets;
        Ok(whole.then(|| self.records.remove(&key).map(|record| record.bytes)).flatten())
    }

    /// Forgets what has waited too long, by time or by numbers, and the oldest of too many.
    fn forget(&mut self, now: Duration, from: u16, id: u16) {
        self.records.retain(|_, record| now.saturating_sub(record.since) < PATIENCE);
        let ids = self.ids;
        if let Some(forget) = ids.forget {
            // A packet that comes late does not make older ones new.
            let newest = self.newest.entry(from).or_insert(id);
            if ids.behind(id, *newest) >= forget {
                *newest = id;
            }
            let newest = *newest;
            self.records.retain(|(sender, id), _| *sender != from || ids.behind(*id, newest) < forget);
        }
        let of = || self.records.range((from, 0)..=(from, u16::MAX));
        if of().count() >= RECORDS
            && let Some((&key, _)) = of().min_by_key(|(_, record)| record.since)
        {
            self.records.remove(&key);
        }
    }
}
