//! Fields of the board's envelope (thesis figure 7.6), and the bytes behind it.
//!
//! | Field | Bits of it | Here |
//! |---|---|---|
//! | Context | 15:12 | kind of the message |
//! | | 11:0 | context of MPI |
//! | Rank | 13:7 | rank of the sender in the communicator |
//! | | 6:0 | sending rank |
//! | Tag | 31:0 | tag of MPI, or the number of the message at its sender |
//!
//! The board itself gives the length of a message. Further fields are words of 4 bytes behind the envelope, in front of the data.

use mpi::PacketKind;

use crate::programs::messages::{self, Head};

/// Bytes of an envelope.
pub const BYTES: usize = 8;

/// Kinds of messages of the board, with their words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letter {
    /// A message of MPI that fits this packet and is sent at once.
    Whole,
    /// A message of MPI that continues in the ring: its bytes.
    Long(u32),
    /// A request to send a message of MPI: its bytes, and its number.
    Ask(u32, u32),
    /// The answer: offset of the data's place in SO-DIMM.
    Clear(u32),
    /// Bytes of data that were written to the place, behind those before.
    Written(u32),
    /// An answer for data through the Prefetch Windows, with this chunk first ([windows](super::windows)).
    Windows(u64),
}

impl Letter {
    fn code(self) -> u16 {
        match self {
            Letter::Whole => 0,
            Letter::Long(_) => 1,
            Letter::Ask(..) => 2,
            Letter::Clear(_) => 3,
            Letter::Written(_) => 4,
            Letter::Windows(_) => 5,
        }
    }

    /// The message of a code and the bytes behind its envelope, with its data; `None` if the code is unknown or words
    /// are missing.
    fn from_code(code: u16, body: &[u8]) -> Option<(Letter, &[u8])> {
        let word = |at: usize| Some(u32::from_le_bytes(*body.get(at..)?.first_chunk()?));
        let (letter, words) = match code {
            0 => (Letter::Whole, 0),
            1 => (Letter::Long(word(0)?), 2),
            2 => (Letter::Ask(word(0)?, word(4)?), 2),
            3 => (Letter::Clear(word(0)?), 1),
            4 => (Letter::Written(word(0)?), 1),
            5 => (Letter::Windows(u64::from(word(0)?) | u64::from(word(4)?) << 32), 2),
            _ => return None,
        };
        Some((letter, body.get(4 * words..)?))
    }
}

/// The bytes of a message of the board; `own` is the rank that sends.
pub fn pack(own: usize, letter: Letter, envelope: &mpi::Envelope, data: &[u8]) -> Vec<u8> {
    let tag = match envelope.kind {
        PacketKind::Eager | PacketKind::Ask => envelope.tag,
        PacketKind::Clear | PacketKind::Data => envelope.request,
    };
    let context = letter.code() << 12 | envelope.context;
    let rank = envelope.rank << 7 | own as u16;
    let mut message = messages::Envelope { context, rank, tag }.bits().to_le_bytes().to_vec();
    let words = match letter {
        Letter::Whole => vec![],
        // Two words, so that data is aligned to lines.
        Letter::Long(bytes) => vec![bytes, 0],
        Letter::Ask(bytes, number) => vec![bytes, number],
        Letter::Clear(word) | Letter::Written(word) => vec![word],
        Letter::Windows(first) => vec![first as u32, (first >> 32) as u32],
    };
    message.extend(words.into_iter().flat_map(u32::to_le_bytes));
    message.extend_from_slice(data);
    message
}

/// A message of the board that has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opened<'a> {
    /// Sending rank.
    pub from: usize,
    /// Its kind.
    pub letter: Letter,
    /// Context, rank and tag of MPI; an answer or data has the number alone.
    pub envelope: mpi::Envelope,
    /// The data in this packet.
    pub data: &'a [u8],
}

/// Parses a message; `None` if it is not of MPI.
pub fn open(head: &Head) -> Option<Opened<'_>> {
    let messages::Envelope { context, rank, tag } = head.envelope;
    let (letter, data) = Letter::from_code(context >> 12, &head.data)?;
    let (kind, length, tag, request) = match letter {
        Letter::Whole => (PacketKind::Eager, head.size, tag, 0),
        Letter::Long(length) => (PacketKind::Eager, length, tag, 0),
        Letter::Ask(length, number) => (PacketKind::Ask, length, tag, number),
        Letter::Clear(_) | Letter::Windows(_) => (PacketKind::Clear, 0, 0, tag),
        Letter::Written(_) => (PacketKind::Data, 0, 0, tag),
    };
    let envelope = mpi::Envelope { context: context & 0xfff, rank: rank >> 7, tag, length, request, kind };
    Some(Opened { from: usize::from(rank & 0x7f), letter, envelope, data })
}

#[cfg(test)]
mod tests {
    use super::*;

    const EAGER: mpi::Envelope = mpi::Envelope {
        context: 0xabc,
        rank: 63,
        tag: 0x8000_0001,
        length: 3,
        request: 0,
        kind: PacketKind::Eager,
    };

    /// A message as the board presents it.
    fn head(message: &[u8]) -> Head {
        let (envelope, data) = message.split_first_chunk().unwrap();
        let envelope = messages::Envelope::from_bits(u64::from_le_bytes(*envelope));
        Head { envelope, size: data.len() as u32, pointer: 0, data: data.to_vec() }
    }

    #[test]
    fn short_message_is_an_envelope_of_figure_7_6_and_its_data() {
        let message = pack(5, Letter::Whole, &EAGER, b"abc");
        assert_eq!(message[..8], 0x0abc_1f85_8000_0001u64.to_le_bytes());
        assert_eq!(message[8..], *b"abc");
    }

    #[test]
    fn what_is_packed_comes_out_again() {
        let asks = mpi::Envelope { kind: PacketKind::Ask, length: 1 << 20, request: 7, ..EAGER };
        let answers =
            mpi::Envelope { context: 0, rank: 0, tag: 0, length: 0, request: 9, kind: PacketKind::Clear };
        let data = mpi::Envelope { kind: PacketKind::Data, ..answers };
        for (letter, envelope, bytes) in [
            (Letter::Whole, EAGER, &b"abc"[..]),
            (Letter::Long(3), EAGER, b"abc"),
            (Letter::Ask(1 << 20, 7), asks, b""),
            (Letter::Clear(0x100_0000), answers, b""),
            (Letter::Written(16 << 10), data, b""),
            (Letter::Windows(1 << 40 | 3), answers, b""),
        ] {
            let head = head(&pack(63, letter, &envelope, bytes));
            assert_eq!(open(&head), Some(Opened { from: 63, letter, envelope, data: bytes }));
        }
    }

    #[test]
    fn messages_of_no_kind_or_without_their_words_are_none_of_ours() {
        let none = |code: u64, bytes: usize| {
            let message = [&(code << 60).to_le_bytes()[..], &vec![0; bytes]].concat();
            assert_eq!(open(&head(&message)), None, "{code}");
        };
        none(6, 8);
        (1..6).for_each(|code| none(code, 3));
    }
}
