//! Messages between the windows of two ranks: the kind is the tag, the body is little endian.
//!
//! | Bytes of an access | Field |
//! |---|---|
//! | 0 to 3 | number of the access at its origin, returned by the answer |
//! | 4 | operation, in the order of [`Predefined::ALL`] |
//! | 5 | kind of the elements, in the order of [`Kind::ALL`] |
//! | 6, 7 | 0 |
//! | 8 to 11 | number of pieces |
//! | 16 a piece | its begin and its length |
//! | the rest | data: operand of an accumulate, or compared and new value |

use super::locks::LockKind;
use super::rules::Signal;
use crate::carrier::Piece;
use crate::datatype::Kind;
use crate::error::Error;
use crate::predefined::Predefined;

/// Purpose of a message, its tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Purpose {
    /// Stores data.
    Put = 1,
    /// Combines data with that of the target.
    Accumulate = 2,
    /// Asks for data.
    Get = 3,
    /// Combines data and asks for that before.
    Fetch = 4,
    /// Stores a value if the present one is that expected, and asks for the present one.
    CompareAndSwap = 5,
    /// Data that was asked for.
    Answer = 6,
    /// Asks whether all accesses before it are done.
    Flush = 7,
    /// All accesses before the flush or unlock are done.
    Flushed = 8,
    /// An access has failed at its target.
    Failed = 9,
    /// The target exposes its memory to this origin.
    Post = 10,
    /// The origin has ended its access epoch.
    Complete = 11,
    /// Asks for a lock.
    Lock = 12,
    /// The lock is granted.
    Granted = 13,
    /// The lock is refused.
    Refused = 14,
    /// Ends a lock.
    Unlock = 15,
}

impl Purpose {
    const ALL: [Purpose; 15] = [
        Purpose::Put,
        Purpose::Accumulate,
        Purpose::Get,
        Purpose::Fetch,
        Purpose::CompareAndSwap,
        Purpose::Answer,
        Purpose::Flush,
        Purpose::Flushed,
        Purpose::Failed,
        Purpose::Post,
        Purpose::Complete,
        Purpose::Lock,
        Purpose::Granted,
        Purpose::Refused,
        Purpose::Unlock,
    ];

    /// Purpose of a message with this tag.
    pub fn of_tag(tag: u32) -> Option<Purpose> {
        Purpose::ALL.into_iter().find(|purpose| *purpose as u32 == tag)
    }
}

/// Head of an access to the memory of a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// Number of the access at its origin; an answer returns it.
    pub number: u32,
    /// Operation of an accumulate.
    pub operation: Predefined,
    /// Kind of the elements of an accumulate.
    pub kind: Kind,
    /// The target's memory, in the order of the data.
    pub pieces: Vec<Piece>,
}

/// Bytes of a head without pieces.
const HEAD: usize = 12;
/// Bytes of a piece.
const PIECE: usize = 16;

impl Access {
    /// Bytes of the target's memory.
    pub fn length(&self) -> Option<usize> {
        let sum = self.pieces.iter().try_fold(0u64, |sum, piece| sum.checked_add(piece.bytes));
        sum.and_then(|sum| usize::try_from(sum).ok())
    }

    /// Encodes the access with its data.
    pub fn pack(&self, data: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD + PIECE * self.pieces.len() + data.len());
        bytes.extend_from_slice(&self.number.to_le_bytes());
        let operation = Predefined::ALL.iter().position(|other| *other == self.operation);
        let kind = Kind::ALL.iter().position(|other| *other == self.kind);
        bytes.extend([operation, kind].map(|code| code.expect("all are listed") as u8));
        bytes.extend([0, 0]);
        bytes.extend_from_slice(&(self.pieces.len() as u32).to_le_bytes());
        for Piece { at, bytes: length } in &self.pieces {
            bytes.extend_from_slice(&at.to_le_bytes());
            bytes.extend_from_slice(&length.to_le_bytes());
        }
        bytes.extend_from_slice(data);
        bytes
    }

    /// Splits a message into access and data; `None` if it is malformed.
    pub fn split(bytes: &[u8]) -> Option<(Access, &[u8])> {
        let (head, rest) = bytes.split_first_chunk::<HEAD>()?;
        let word = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let (pieces, data) = rest.split_at_checked((word(8) as usize).checked_mul(PIECE)?)?;
        let pieces = pieces.as_chunks::<8>().0.as_chunks::<2>().0;
        let piece = |[at, bytes]: &[[u8; 8]; 2]| Piece {
            at: u64::from_le_bytes(*at),
            bytes: u64::from_le_bytes(*bytes),
        };
        let access = Access {
            number: word(0),
            operation: *Predefined::ALL.get(usize::from(head[4]))?,
            kind: *Kind::ALL.get(usize::from(head[5]))?,
            pieces: pieces.iter().map(piece).collect(),
        };
        Some((access, data))
    }
}

/// Body of an answer: the number of its access, and whether the data was read.
pub fn pack_answer(number: u32, data: Option<Vec<u8>>) -> Vec<u8> {
    let mut bytes = number.to_le_bytes().to_vec();
    bytes.push(data.is_some().into());
    bytes.extend(data.unwrap_or_default());
    bytes
}

/// Number and data of an answer; no data if the access has failed. `None` if the answer is malformed.
pub fn split_answer(bytes: &[u8]) -> Option<(u32, Option<&[u8]>)> {
    let (number, rest) = bytes.split_first_chunk::<4>()?;
    let (there, data) = rest.split_first()?;
    Some((u32::from_le_bytes(*number), (*there != 0).then_some(data)))
}

/// Purpose and body of a message of synchronization.
pub fn pack_signal(signal: Signal) -> (Purpose, Vec<u8>) {
    let purpose = match signal {
        Signal::Flush => Purpose::Flush,
        Signal::Flushed => Purpose::Flushed,
        Signal::Post => Purpose::Post,
        Signal::Complete => Purpose::Complete,
        Signal::Granted => Purpose::Granted,
        Signal::Refused => Purpose::Refused,
        Signal::Unlock => Purpose::Unlock,
        Signal::Lock(kind) => return (Purpose::Lock, vec![(kind == LockKind::Exclusive).into()]),
    };
    (purpose, Vec::new())
}

/// Message of synchronization; `None` if it is malformed or another message.
pub fn split_signal(purpose: Purpose, body: &[u8]) -> Option<Signal> {
    Some(match purpose {
        Purpose::Flush => Signal::Flush,
        Purpose::Flushed => Signal::Flushed,
        Purpose::Post => Signal::Post,
        Purpose::Complete => Signal::Complete,
        Purpose::Granted => Signal::Granted,
        Purpose::Refused => Signal::Refused,
        Purpose::Unlock => Signal::Unlock,
        Purpose::Lock => Signal::Lock(split_lock(body)?),
        _ => return None,
    })
}

/// Kind of the lock in a request; `None` if the request is malformed.
fn split_lock(bytes: &[u8]) -> Option<LockKind> {
    match bytes {
        [0] => Some(LockKind::Shared),
        [1] => Some(LockKind::Exclusive),
        _ => None,
    }
}

/// Body of a report of a failed access: the place that is not exposed, or 0 bytes for another reason.
pub fn pack_failure(error: Error) -> Vec<u8> {
    let (at, bytes) = if let Error::RmaRange { at, bytes } = error { (at, bytes) } else { (0, 0) };
    [at.to_le_bytes(), bytes.to_le_bytes()].concat()
}

/// Error of a report; `None` if the report is malformed.
pub fn split_failure(bytes: &[u8]) -> Option<Error> {
    let [at, bytes] = bytes.as_chunks::<8>().0 else { return None };
    Some(match (u64::from_le_bytes(*at), u64::from_le_bytes(*bytes)) {
        (_, 0) => Error::RmaMemory,
        (at, bytes) => Error::RmaRange { at, bytes },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn access_and_data_are_split_as_they_were_packed() {
        let pieces = vec![Piece { at: 8, bytes: 4 }, Piece { at: 1 << 40, bytes: 12 }];
        let access = Access { number: 7, operation: Predefined::Sum, kind: Kind::Int32, pieces };
        assert_eq!(access.length(), Some(16));
        let packed = access.pack(b"data");
        assert_eq!(packed.len(), 12 + 2 * 16 + 4);
        assert_eq!(Access::split(&packed), Some((access, &b"data"[..])));
    }

    #[test]
    fn malformed_messages_are_refused() {
        let packed = Access { number: 7, operation: Predefined::Sum, kind: Kind::Int32, pieces: Vec::new() };
        let packed = packed.pack(&[]);
        assert_eq!(Access::split(&packed[..11]), None);
        for (at, byte) in [(4, 14), (5, Kind::ALL.len() as u8), (8, 1), (11, 255)] {
            let mut other = packed.clone();
            other[at] = byte;
            assert_eq!(Access::split(&other), None, "byte {at} is {byte}");
        }
        assert_eq!((split_lock(&[2]), split_lock(&[])), (None, None));
        assert_eq!((split_failure(&[0; 15]), split_answer(&[0; 4])), (None, None));
        assert_eq!((Purpose::of_tag(0), Purpose::of_tag(16)), (None, None));
    }

    #[test]
    fn answers_and_failures_are_split_as_they_were_packed() {
        assert_eq!(split_answer(&pack_answer(3, Some(vec![1, 2]))), Some((3, Some(&[1, 2][..]))));
        assert_eq!(split_answer(&pack_answer(3, None)), Some((3, None)));
        for error in [Error::RmaRange { at: 5, bytes: 6 }, Error::RmaMemory] {
            assert_eq!(split_failure(&pack_failure(error)), Some(error));
        }
        for purpose in Purpose::ALL {
            assert_eq!(Purpose::of_tag(purpose as u32), Some(purpose));
        }
    }
}
