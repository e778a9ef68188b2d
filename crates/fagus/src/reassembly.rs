//! Messages as packets and back: the header of section 3.2.1, a record for each message that is not whole.
//!
//! | Byte | Field | |
//! |---|---|---|
//! | 0 | `m_size` | bytes of the message, little-endian |
//! | 2 | `m_ID` | number of the message, counted by its sender |
//! | 4 | `Packet_no` | number of the packet within the message, from 0 |
//!
//! That there are six bytes is printed, their widths and order are ours. The paper marks packets in the receive ring as received; here each is copied out
//! when it comes, so no flags are needed, and a message that is never whole is forgotten.

use std::collections::BTreeMap;
use std::time::Duration;

/// Bytes of a packet at most: the MTU of the paper (section 3.2.1). Networks that carry less have shorter ones.
pub const PACKET: usize = 2048;
/// Bytes of its header.
pub const HEADER: usize = 6;
/// Bytes of a message in a packet of the paper at most.
pub const PAYLOAD: usize = PACKET - HEADER;
/// Bytes of a message at most, which `m_size` has room for.
pub const MESSAGE: usize = u16::MAX as usize;

/// How long a message may take to be whole; far below the time in which `m_ID` comes round.
const PATIENCE: Duration = Duration::from_secs(1);
/// Messages of a sender that are not whole, at most.
const RECORDS: usize = 64;

/// A packet that no sender makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a packet of {0} bytes that no sender makes")]
pub struct Malformed(pub usize);

/// Packets of a message, of so many bytes at most.
pub fn split(id: u16, message: &[u8], packet: usize) -> impl Iterator<Item = Vec<u8>> {
    assert!((1..=MESSAGE).contains(&message.len()), "a message has 1 to {MESSAGE} bytes");
    let size = message.len() as u16;
    message.chunks(packet - HEADER).enumerate().map(move |(number, payload)| {
        let header = [size, id, number as u16].map(u16::to_le_bytes);
        [header.as_flattened(), payload].concat()
    })
}

struct Record {
    size: usize,
    /// Packets that have come, a bit each.
    have: u64,
    bytes: Vec<u8>,
    since: Duration,
}

/// Messages that are not whole.
pub struct Reassembly {
    /// Bytes of a message in a packet at most.
    payload: usize,
    records: BTreeMap<(u16, u16), Record>,
}

impl Reassembly {
    /// Of packets of so many bytes at most: 1,030 or more, so that a message has no more than 64 of them.
    pub fn new(packet: usize) -> Reassembly {
        assert!(MESSAGE.div_ceil(packet - HEADER) <= 64, "packets of {packet} bytes are too short");
        Reassembly { payload: packet - HEADER, records: BTreeMap::new() }
    }

    /// Takes a packet; the message, if it is whole by that.
    pub fn hear(&mut self, now: Duration, from: u16, packet: &[u8]) -> Result<Option<Vec<u8>>, Malformed> {
        let malformed = Malformed(packet.len());
        let (header, payload) = packet.split_at_checked(HEADER).ok_or(malformed)?;
        let field = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let (size, id, number) = (usize::from(field(0)), field(2), usize::from(field(4)));
        let start = number * self.payload;
        if start >= size || payload.len() != self.payload.min(size - start) {
            return Err(malformed);
        }
        if size <= self.payload {
            return Ok(Some(payload.to_vec()));
        }
        self.forget(now, from);
        let key = (from, id);
        if self.records.get(&key).is_some_and(|record| record.size != size) {
            self.records.remove(&key);
        }
        let fresh = || Record { size, have: 0, bytes: vec![0; size], since: now };
        let record = self.records.entry(key).or_insert_with(fresh);
        record.have |= 1 << number;
        record.bytes[start..start + payload.len()].copy_from_slice(payload);
        let whole = record.have.count_ones() as usize == size.div_ceil(self.payload);
        Ok(whole.then(|| self.records.remove(&key).map(|record| record.bytes)).flatten())
    }

    /// Forgets what has waited too long, and the oldest of too many.
    fn forget(&mut self, now: Duration, from: u16) {
        self.records.retain(|_, record| now.saturating_sub(record.since) < PATIENCE);
        let of = || self.records.range((from, 0)..=(from, u16::MAX));
        if of().count() >= RECORDS
            && let Some((&key, _)) = of().min_by_key(|(_, record)| record.since)
        {
            self.records.remove(&key);
        }
    }
}
