//! Lines of 8 bytes on InfiniBand cables.

use cluster::{Destination, Unit};
use dimmnet2::line::{LAST, Line};

use crate::transport::frame::{is_answer, route};

/// A line of a frame on a cable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CableLine(pub Line);

impl Unit for CableLine {
    const BITS: u32 = 64;
    const DAMAGED: std::ops::Range<u32> = 0..16;
    const END: Self = CableLine(Line { data: 0, id: LAST });

    fn ends(self) -> bool {
        self.0.id == LAST
    }

    fn damaged(self, bit: u32) -> Self {
        CableLine(Line { data: self.0.data ^ 1 << bit, ..self.0 })
    }

    fn destination(frame: &[Self]) -> Option<Destination> {
        frame.first().map(|first| Destination::Address(route(first.0).dlid))
    }

    /// Answers of the transport, which boards do not see.
    fn is_hidden(self) -> bool {
        is_answer(self.0)
    }

    fn to_word(self) -> (u64, u8) {
        (self.0.data, self.0.id)
    }

    fn from_word((data, id): (u64, u8)) -> Self {
        CableLine(Line { data, id })
    }
}

#[cfg(test)]
mod tests {
    use dimmnet2::line::FIRST;

    use super::*;

    #[test]
    fn dlid_lies_in_bytes_2_and_3_high_byte_first() {
        let first = CableLine(Line { data: 0x0000_0000_3412_0000, id: FIRST });
        assert_eq!(CableLine::destination(&[first]), Some(Destination::Address(0x1234)));
    }

    #[test]
    fn every_line_comes_back_from_its_word() {
        for id in 0..4 {
            let line = CableLine(Line { data: 0xfedc_ba98_7654_3210, id });
            assert_eq!(CableLine::from_word(line.to_word()), line);
        }
    }

    #[test]
    fn damage_inverts_a_data_bit_and_keeps_the_length() {
        let line = CableLine(Line { data: 1, id: LAST });
        assert_eq!(line.damaged(63), CableLine(Line { data: 1 << 63 | 1, id: LAST }));
    }
}
