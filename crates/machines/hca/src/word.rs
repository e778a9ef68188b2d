//! Words of 8 bytes on InfiniBand cables.

use cluster::{Destination, Unit};
use hca::layout::{MIN_UNITS, MULTICAST_LIDS, RouteHeader};

/// A word of a packet on a cable; byte 0 is bits 7:0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// 8 bytes.
    pub data: u64,
    /// Set on the last word of a packet.
    pub last: bool,
}

/// The destination LID of a packet, in its first word: bytes 2 and 3 of the local route header, the high byte first
/// (IBA volume 1, section 7.7).
pub(crate) fn destination(first: u64) -> u16 {
    ((first >> 16) as u16).swap_bytes()
}

/// The bytes of a packet, without what fills its last word.
pub(crate) fn packet_bytes(words: &[Word]) -> Vec<u8> {
    let mut bytes: Vec<_> = words.iter().flat_map(|word| word.data.to_le_bytes()).collect();
    let units = words.first().map_or(0, |first| RouteHeader::from_bits(first.data.swap_bytes()).units);
    bytes.truncate((usize::from(units) * 4).max(bytes.len().saturating_sub(4)));
    bytes
}

impl Unit for Word {
    const BITS: u32 = 64;
    /// Units of the shortest packet; the ICRC covers all of them.
    const DAMAGED: std::ops::Range<u32> = 0..MIN_UNITS as u32 / 2;
    const END: Self = Word { data: 0, last: true };

    fn ends(self) -> bool {
        self.last
    }

    fn damaged(self, bit: u32) -> Self {
        Word { data: self.data ^ 1 << bit, ..self }
    }

    fn destination(frame: &[Self]) -> Option<Destination> {
        let lid = destination(frame.first()?.data);
        Some(if lid < MULTICAST_LIDS {
            Destination::Address(lid)
        } else {
            Destination::Group { with_sender: true }
        })
    }

    fn to_word(self) -> (u64, u8) {
        (self.data, self.last.into())
    }

    fn from_word((data, last): (u64, u8)) -> Self {
        Word { data, last: last != 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packet_goes_to_the_lid_in_bytes_2_and_3() {
        let first = Word { data: 0x0100_0b00_3412_0200, last: false };
        assert_eq!(Word::destination(&[first]), Some(Destination::Address(0x1234)));
        assert_eq!(Word::destination(&[]), None);
        let group = Word { data: 0x0100_0b00_0fc0_0200, last: false };
        assert_eq!(Word::destination(&[group]), Some(Destination::Group { with_sender: true }));
    }

    #[test]
    fn packet_has_as_many_bytes_as_its_header_says() {
        let words = |units: u64| {
            let first = Word { data: u64::from_le_bytes([0, 2, 0, 2, 0, units as u8, 0, 1]), last: false };
            packet_bytes(&[first, Word { data: 0, last: false }, Word { data: 0, last: true }]).len()
        };
        assert_eq!([5, 6].map(words), [20, 24]);
        assert_eq!([0, 3, 255].map(words), [20, 20, 24], "a wrong header does not hide words");
        assert!(packet_bytes(&[]).is_empty());
    }

    #[test]
    fn every_word_comes_back_from_its_pair() {
        for last in [false, true] {
            let word = Word { data: 0xfedc_ba98_7654_3210, last };
            assert_eq!(Word::from_word(word.to_word()), word);
            assert_eq!(word.damaged(0).data & 1, 1);
        }
    }
}
