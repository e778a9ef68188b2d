//! Packets of the paper (section 4.1, figure 5).
//!
//! The paper prints the fields sequence number, block head, destination ID, from ID and flag; that the flag
//! contains Ack; and that each Ack carries the free window. Widths, order, the other flags, length and epochs
//! are choices of this project.
//!
//! | Byte | Field | Printed |
//! |---|---|---|
//! | 0 | sequence number; in an Ack the acknowledged number | yes, without a width |
//! | 4 | block head: number of the first packet of the block; in a request the time in microseconds that the sender waits, a choice of this project | yes, without a width |
//! | 8 | destination ID | yes, without a width |
//! | 10 | from ID | yes, without a width |
//! | 12 | flags: 1 Ack, 2 Nack, 4 last of its block, 8 probe, 16 request, 32 permit | Ack |
//! | 13 | reserved, zero | no |
//! | 14 | length of the data | no |
//! | 16 | window: free bytes; in a request or permit the requested or granted bytes | yes, without a place |
//! | 20 | epoch of the sender; 0 without the repair | no |
//! | 22 | epoch of the receiver as known to the sender; 0 if unknown | no |

use crate::counters::Dropped;

/// Length of the header in bytes.
pub const HEADER: usize = 24;

/// Kind of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    /// Part of a block.
    Data = 0,
    /// Acknowledges a packet (R1, R3).
    Ack = 1,
    /// Requests retransmission of a packet (R2, R4).
    Nack = 2,
    /// Last part of a block.
    Last = 4,
    /// Requests an Ack to learn the window.
    Probe = 8,
    /// Requests permission to retransmit (section 3.2).
    Request = 16,
    /// Grants a request.
    Permit = 32,
}

/// Header of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Header {
    /// Sequence number, or the acknowledged number.
    pub number: u32,
    /// Number of the first packet of the block.
    pub head: u32,
    /// ID of the receiver in the address database.
    pub to: u16,
    /// ID of the sender in the address database.
    pub from: u16,
    /// Data, acknowledgement or request.
    pub kind: Kind,
    /// Free bytes, or the bytes of a request or permit.
    pub window: u32,
    /// Epoch of the sender; 0 without the repair.
    pub epoch: u16,
    /// Epoch of the receiver; 0 if unknown.
    pub peer_epoch: u16,
}

/// Parses a datagram into header and data.
pub fn parse(datagram: &[u8]) -> Result<(Header, &[u8]), Dropped> {
    let (header, data) = datagram.split_first_chunk::<HEADER>().ok_or(Dropped::Length)?;
    let short = |at: usize| u16::from_be_bytes([header[at], header[at + 1]]);
    let long = |at: usize| u32::from(short(at)) << 16 | u32::from(short(at + 2));
    let kind = match header[12] {
        0 => Kind::Data,
        1 => Kind::Ack,
        2 => Kind::Nack,
        4 => Kind::Last,
        8 => Kind::Probe,
        16 => Kind::Request,
        32 => Kind::Permit,
        _ => return Err(Dropped::Kind),
    };
    if header[13] != 0 {
        return Err(Dropped::Kind);
    }
    let carries = matches!(kind, Kind::Data | Kind::Last);
    if usize::from(short(14)) != data.len() || carries == data.is_empty() {
        return Err(Dropped::Length);
    }
    let header = Header {
        number: long(0),
        head: long(4),
        to: short(8),
        from: short(10),
        kind,
        window: long(16),
        epoch: short(20),
        peer_epoch: short(22),
    };
    Ok((header, data))
}

/// Writes a datagram.
pub fn put(out: &mut Vec<u8>, header: &Header, data: &[u8]) {
    out.clear();
    out.extend(header.number.to_be_bytes());
    out.extend(header.head.to_be_bytes());
    out.extend(header.to.to_be_bytes());
    out.extend(header.from.to_be_bytes());
    out.extend([header.kind as u8, 0]);
    out.extend((data.len() as u16).to_be_bytes());
    out.extend(header.window.to_be_bytes());
    out.extend(header.epoch.to_be_bytes());
    out.extend(header.peer_epoch.to_be_bytes());
    out.extend(data);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn parsed_packets_round_trip(bytes in prop::collection::vec(any::<u8>(), 0..60), kind in 0u8..8) {
            let mut bytes = bytes;
            if bytes.len() >= HEADER {
                // Random bytes are rarely a packet; these are close to one.
                (bytes[12], bytes[13], bytes[14], bytes[15]) = (1 << kind >> 1, 0, 0, (bytes.len() - HEADER) as u8);
            }
            if let Ok((header, data)) = parse(&bytes) {
                let mut out = Vec::new();
                put(&mut out, &header, data);
                prop_assert_eq!(out, bytes);
            }
        }
    }

    #[test]
    fn ack_has_no_data_and_a_part_has_some() {
        let mut header = Header {
            number: 1,
            head: 2,
            to: 3,
            from: 4,
            kind: Kind::Ack,
            window: 5,
            epoch: 6,
            peer_epoch: 7,
        };
        let mut out = Vec::new();
        put(&mut out, &header, b"");
        assert_eq!(out, [0, 0, 0, 1, 0, 0, 0, 2, 0, 3, 0, 4, 1, 0, 0, 0, 0, 0, 0, 5, 0, 6, 0, 7]);
        put(&mut out, &header, b"x");
        assert_eq!(parse(&out), Err(Dropped::Length));
        header.kind = Kind::Last;
        put(&mut out, &header, b"");
        assert_eq!(parse(&out), Err(Dropped::Length));
    }
}
