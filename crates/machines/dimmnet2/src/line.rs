//! Lines of 8 bytes on InfiniBand cables.

use cluster::{Destination, Unit};
use dimmnet2::line::{LAST, Line};

use crate::transport::frame::{is_answer, route};

/// A line of a frame on a cable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CableLine(pub Line);

/// Bytes of a frame that the serialiser does not send: the second half of the line that ends the BTH (decision 0010).
const NOT_SENT: std::ops::Range<usize> = 20..24;

/// The bytes of a frame as they are sent, from the LRH to the data.
pub(crate) fn packet_bytes(lines: &[CableLine]) -> Vec<u8> {
    let mut bytes: Vec<_> = lines.iter().flat_map(|line| line.0.data.to_le_bytes()).collect();
    // An answer has its AETH there.
    let is_sent_whole = lines.first().is_some_and(|first| is_answer(first.0));
    if !is_sent_whole && bytes.len() >= NOT_SENT.end {
        bytes.drain(NOT_SENT);
    }
    bytes
}

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
    fn packet_is_sent_without_the_rest_of_the_line_of_its_bth() {
        // LRH with a length of 8 words, BTH, 4 bytes that are not sent, 8 bytes of data.
        let headers = [0, 2, 0, 2, 0, 8, 0, 1, 0x24, 0, 0xff, 0xff, 0, 0, 0, 2, 0x80, 0, 0, 7];
        let data = [1, 2, 3, 4, 5, 6, 7, 8];
        let lines = |bytes: &[u8]| -> Vec<_> {
            let words = bytes.as_chunks().0.iter().map(|chunk| u64::from_le_bytes(*chunk));
            words.map(|data| CableLine(Line { data, id: 0 })).collect()
        };
        let packet = [&headers[..], &data].concat();
        assert_eq!(packet_bytes(&lines(&[&headers[..], &[9; 4], &data].concat())), packet);
        // An answer of 7 words has its AETH there.
        let mut answer = [&headers[..], &[0x1f, 0, 0, 0]].concat();
        answer[5] = 7;
        assert_eq!(packet_bytes(&lines(&answer)), answer);
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
