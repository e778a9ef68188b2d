//! Words of 8 bytes on the cables of the network.

use cenju3::memory_map::Header;
use cenju3::pins::LinkWord;
use cluster::{Destination, Unit};

/// A word of a packet on a cable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word(pub LinkWord);

impl Unit for Word {
    const BITS: u32 = 64;
    /// The header, with destination and length; the network has no check of its own.
    const DAMAGED: std::ops::Range<u32> = 0..1;
    const END: Self = Word(LinkWord { data: 0, last: true });

    fn ends(self) -> bool {
        self.0.last
    }

    fn damaged(self, bit: u32) -> Self {
        Word(LinkWord { data: self.0.data ^ 1 << bit, ..self.0 })
    }

    fn destination(frame: &[Self]) -> Option<Destination> {
        frame.first().map(|first| Destination::Address(Header::from_bits(first.0.data).pe.into()))
    }

    fn to_word(self) -> (u64, u8) {
        (self.0.data, self.0.last.into())
    }

    fn from_word((data, last): (u64, u8)) -> Self {
        Word(LinkWord { data, last: last != 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packet_goes_to_the_pe_in_its_header() {
        let header = Header { pe: 13, source: 2, ..Header::default() };
        let first = Word(LinkWord { data: header.bits(), last: false });
        assert_eq!(Word::destination(&[first]), Some(Destination::Address(13)));
        assert_eq!(Word::destination(&[]), None);
    }

    #[test]
    fn every_word_comes_back_from_its_pair() {
        for last in [false, true] {
            let word = Word(LinkWord { data: 0xfedc_ba98_7654_3210, last });
            assert_eq!(Word::from_word(word.to_word()), word);
            assert_eq!(word.damaged(0).0.data & 1, 1);
        }
    }
}
