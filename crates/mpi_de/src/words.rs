//! Encoding of a header in the library's words of a queue entry (not printed; a choice of this project,
//! decision 0059).
//!
//! | Word | Bits | Field |
//! |---|---|---|
//! | 0 | 7:0 | type of the header, 1 to 5 |
//! | 0 | 23:8 | number of the message at its sender |
//! | 0 | 31:24 | slot |
//! | 0 | 63:32 | length in bytes, unit, or total of messages |
//! | 1 to 3 | all | 0 |

use crate::Header;

/// Words of 8 bytes in a queue entry that belong to the library.
pub const WORDS: usize = 4;

impl Header {
    /// Encodes the header.
    pub fn words(self) -> [u64; WORDS] {
        let (kind, request, slot, number) = match self {
            Self::Eager { request, length } => (1, request, 0, length),
            Self::Rts { request, length } => (2, request, 0, length),
            Self::Cts { request, unit, slot } => (3, request, slot, unit),
            Self::Data { request, unit, slot } => (4, request, slot, unit),
            Self::Credits { taken } => (5, 0, 0, taken),
        };
        let word: u64 = kind | u64::from(request) << 8 | u64::from(slot) << 24 | u64::from(number) << 32;
        [word, 0, 0, 0]
    }

    /// Decodes a header; `None` if the words are invalid.
    pub fn from_words(words: [u64; WORDS]) -> Option<Self> {
        let (word, number) = (words[0], (words[0] >> 32) as u32);
        let (request, slot) = ((word >> 8) as u16, (word >> 24) as u8);
        let header = match word & 0xff {
            1 => Self::Eager { request, length: number },
            2 => Self::Rts { request, length: number },
            3 => Self::Cts { request, unit: number, slot },
            4 => Self::Data { request, unit: number, slot },
            5 => Self::Credits { taken: number },
            _ => return None,
        };
        // All other bits must be 0.
        (header.words() == words).then_some(header)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_round_trip_and_other_words_are_rejected() {
        let headers = [
            Header::Eager { request: 0xabcd, length: 127 },
            Header::Rts { request: 0, length: u32::MAX },
            Header::Cts { request: 7, unit: 3, slot: 31 },
            Header::Data { request: u16::MAX, unit: u32::MAX, slot: 255 },
            Header::Credits { taken: u32::MAX },
        ];
        for header in headers {
            let words = header.words();
            assert_eq!(Header::from_words(words), Some(header));
            for bit in (0..8).chain(64..256) {
                let mut other = words;
                other[bit / 64] ^= 1 << (bit % 64);
                assert_ne!(Header::from_words(other), Some(header), "bit {bit}");
            }
        }
        assert_eq!(Header::from_words([0; WORDS]), None);
        assert_eq!(Header::from_words([0xff00_0001, 0, 0, 0]), None, "an eager message has no slot");
    }
}
