//! Envelope at the beginning of each packet.

/// Purpose of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    /// First packet of an eager message: envelope and first data.
    Eager = 1,
    /// Request to send of a rendezvous message: envelope only.
    Ask = 2,
    /// Clear to send: the receiver has a buffer for the message.
    Clear = 3,
    /// Following data of a message.
    Data = 4,
}

impl Kind {
    fn from_code(code: u8) -> Option<Kind> {
        [Kind::Eager, Kind::Ask, Kind::Clear, Kind::Data].into_iter().find(|kind| *kind as u8 == code)
    }
}

/// The envelope of a packet, little endian.
///
/// | Bytes | Field |
/// |---|---|
/// | 0, 1 | context |
/// | 2, 3 | rank |
/// | 4 to 7 | tag |
/// | 8 to 11 | length |
/// | 12 to 15 | request |
/// | 16 | kind |
/// | 17 to 23 | 0 |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// Context of the communicator: point-to-point or collective.
    pub context: u16,
    /// Rank of the sender in the communicator.
    pub rank: u16,
    /// Tag of the message, 0 to 2^31 - 1; in collective contexts the number of the call.
    pub tag: u32,
    /// Bytes of the whole message.
    pub length: u32,
    /// Number of the message at its sender; a `Clear` packet returns it.
    pub request: u32,
    /// First packet, request, clearance or further data.
    pub kind: Kind,
}

impl Envelope {
    /// Length of an envelope in bytes.
    pub const BYTES: usize = 24;

    /// Encodes the envelope, little endian.
    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[0..2].copy_from_slice(&self.context.to_le_bytes());
        bytes[2..4].copy_from_slice(&self.rank.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.tag.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.length.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.request.to_le_bytes());
        bytes[16] = self.kind as u8;
        bytes
    }

    /// Splits a packet into envelope and data; `None` if it is not a packet of this library.
    pub fn split(packet: &[u8]) -> Option<(Envelope, &[u8])> {
        let (head, data) = packet.split_first_chunk::<{ Self::BYTES }>()?;
        let half = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]);
        let word = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let envelope = Envelope {
            context: half(0),
            rank: half(2),
            tag: word(4),
            length: word(8),
            request: word(12),
            kind: Kind::from_code(head[16])?,
        };
        head[17..].iter().all(|byte| *byte == 0).then_some((envelope, data))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENVELOPE: Envelope = Envelope {
        context: 0x0102,
        rank: 0x0304,
        tag: 0x0506_0708,
        length: 0x090a_0b0c,
        request: 0x0d0e_0f10,
        kind: Kind::Clear,
    };

    #[test]
    fn envelope_is_24_bytes_little_endian() {
        let bytes = [2, 1, 4, 3, 8, 7, 6, 5, 12, 11, 10, 9, 16, 15, 14, 13, 3, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(ENVELOPE.to_bytes(), bytes);
        assert_eq!(Envelope::split(&bytes), Some((ENVELOPE, &[][..])));
    }

    #[test]
    fn malformed_packets_are_rejected() {
        let bytes = ENVELOPE.to_bytes();
        assert_eq!(Envelope::split(&bytes[..23]), None);
        for (at, byte) in [(16, 0), (16, 5), (17, 1), (23, 1)] {
            let mut other = bytes;
            other[at] = byte;
            assert_eq!(Envelope::split(&other), None, "byte {at} is {byte}");
        }
    }
}
