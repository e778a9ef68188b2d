//! Words of the library that travel with an entry: an envelope of MPI, and fields of MPI/DE itself.
//!
//! | Bytes | Field |
//! |---|---|
//! | 0 to 23 | envelope of MPI |
//! | 24 | kind: [`Letter`] |
//! | 25 | unit of the window |
//! | 26, 27 | 0 |
//! | 28 to 31 | total of the receiver's messages that the sender has taken |

use mpi::Envelope;

use crate::deen::Library;

/// Kind of an entry of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letter {
    /// A message of MPI below 128 bytes, or the RTS of a longer one (paper, section 5.1).
    Message,
    /// CTS, the answer; its data are numbers of units in the window, a byte each.
    Clear,
    /// DMA has written data of a message into this unit.
    Unit(u8),
    /// One more unit for a message.
    More(u8),
    /// A report of taken messages alone.
    Taken,
}

impl Letter {
    fn code(self) -> (u8, u8) {
        match self {
            Letter::Message => (1, 0),
            Letter::Clear => (2, 0),
            Letter::Unit(unit) => (3, unit),
            Letter::More(unit) => (4, unit),
            Letter::Taken => (5, 0),
        }
    }

    fn of((code, unit): (u8, u8)) -> Option<Letter> {
        Some(match code {
            1 => Letter::Message,
            2 => Letter::Clear,
            3 => Letter::Unit(unit),
            4 => Letter::More(unit),
            5 => Letter::Taken,
            _ => return None,
        })
    }
}

/// The words of an entry.
pub fn pack(envelope: &Envelope, letter: Letter, taken: u32) -> Library {
    let mut bytes = [0; 32];
    bytes[..Envelope::BYTES].copy_from_slice(&envelope.to_bytes());
    (bytes[24], bytes[25]) = letter.code();
    bytes[28..].copy_from_slice(&taken.to_le_bytes());
    let word = |n: usize| u64::from_le_bytes(*bytes[8 * n..].first_chunk().expect("there are four words"));
    [0, 1, 2, 3].map(word)
}

/// Parses the words of a header; `None` if the library has not written them.
pub fn open(library: &Library) -> Option<(Envelope, Letter, u32)> {
    let bytes: Vec<u8> = library.iter().flat_map(|word| word.to_le_bytes()).collect();
    let (envelope, _) = Envelope::split(&bytes[..Envelope::BYTES])?;
    let letter = Letter::of((bytes[24], bytes[25]))?;
    let taken = u32::from_le_bytes(*bytes[28..].first_chunk()?);
    Some((envelope, letter, taken))
}

#[cfg(test)]
mod tests {
    use mpi::PacketKind;

    use super::*;

    const ENVELOPE: Envelope =
        Envelope { context: 7, rank: 13, tag: 0x8000_0001, length: 9000, request: 5, kind: PacketKind::Ask };

    #[test]
    fn what_is_packed_comes_out_again() {
        let letters = [Letter::Message, Letter::Clear, Letter::Unit(31), Letter::More(2), Letter::Taken];
        for letter in letters {
            assert_eq!(open(&pack(&ENVELOPE, letter, 70_000)), Some((ENVELOPE, letter, 70_000)));
        }
    }

    #[test]
    fn words_of_no_letter_are_none_of_ours() {
        let mut words = pack(&ENVELOPE, Letter::Message, 0);
        words[3] = 9;
        assert_eq!(open(&words), None);
        assert_eq!(open(&[0; 4]), None);
    }
}
