//! The fields that the transport reads and writes in the headers of a frame (InfiniBand Architecture volume 1, sections
//! 7.7, 9.2 and 9.3.5; decision 0031).

use dimmnet2::line::{FIRST, LAST, Line, MIDDLE};
use dimmnet2::swif::infiniband::{
    LOCAL, LocalRouteHeader, PARTITION, QUEUE_PAIR, TransportHeader0, TransportHeader1,
};

/// Line of a frame that holds its number.
pub const NUMBER_LINE: usize = 2;

/// Numbers have 24 bits and wrap around.
const NUMBERS: u32 = 1 << 24;

/// BTH: acknowledge of a reliable connection.
const ACKNOWLEDGE: u8 = 0x11;

/// AETH: all frames up to this number have arrived; the credit count is not used.
const SYNDROME_ACKNOWLEDGE: u64 = 0x1f;

/// AETH: a number is missing.
const SYNDROME_SEQUENCE_ERROR: u64 = 0x60;

/// Words of an answer: LRH 2, BTH 3, AETH 1, invariant CRC 1.
const ANSWER_WORDS: u16 = 7;

/// Reads the local route header, the first line of a frame.
///
/// Byte 0 of the header is bits 7:0: VL and LVer, SL and LNH, DLID, PktLen, SLID. Fields of two bytes, from DLID on,
/// have the high byte first (InfiniBand Architecture volume 1, section 7.7; decision 0010).
pub(crate) fn route(first: Line) -> LocalRouteHeader {
    LocalRouteHeader::from_bits(first.data.swap_bytes())
}

/// The number after this one.
pub fn following(number: u32) -> u32 {
    number.wrapping_add(1) % NUMBERS
}

/// Distance from `from` to `to`; negative if `to` lies before.
pub fn distance(from: u32, to: u32) -> i32 {
    (to.wrapping_sub(from) << 8) as i32 >> 8
}

/// Whether a frame is an answer, by its first line; packets are longer.
pub fn is_answer(first: Line) -> bool {
    route(first).packet_length == ANSWER_WORDS
}

/// The number of a frame, if it has one. A numbered frame requests an acknowledgement.
pub fn number(line: Line) -> Option<u32> {
    let header = TransportHeader1::from_bits(line.data.swap_bytes());
    header.acknowledge.then_some(header.sequence_number)
}

/// The line with a number, which requests an acknowledgement.
pub fn numbered(line: Line, number: u32) -> Line {
    let header = TransportHeader1 { sequence_number: number, acknowledge: true };
    let rest = line.data.swap_bytes() & u64::from(u32::MAX);
    Line { data: (header.bits() | rest).swap_bytes(), ..line }
}

/// An answer of a receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// All frames before this number have arrived.
    Received(u32),
    /// All frames before this number have arrived, and a later one came in place of this one.
    Missing(u32),
}

impl Answer {
    /// The frame of an answer.
    pub fn frame(self, from: u16, to: u16) -> [Line; 3] {
        let route = LocalRouteHeader {
            slid: from,
            packet_length: ANSWER_WORDS,
            dlid: to,
            next_header: LOCAL,
            ..Default::default()
        };
        let transport = TransportHeader0 {
            queue_pair: QUEUE_PAIR,
            partition: PARTITION,
            opcode: ACKNOWLEDGE,
            ..Default::default()
        };
        let (syndrome, expected, sequence_number) = match self {
            Answer::Received(expected) => {
                (SYNDROME_ACKNOWLEDGE, expected, expected.wrapping_sub(1) % NUMBERS)
            }
            Answer::Missing(expected) => (SYNDROME_SEQUENCE_ERROR, expected, expected),
        };
        let number = TransportHeader1 { sequence_number, acknowledge: false }.bits();
        // The second half of the line, which other frames do not send, is the extended header: syndrome and number of
        // messages.
        let extended = syndrome << 24 | u64::from(expected);
        let line = |id, bits: u64| Line { id, data: bits.swap_bytes() };
        [line(FIRST, route.bits()), line(MIDDLE, transport.bits()), line(LAST, number | extended)]
    }

    /// The answer in a frame, if the frame is one.
    pub fn of(second: Line, third: Line) -> Option<Answer> {
        let opcode = TransportHeader0::from_bits(second.data.swap_bytes()).opcode;
        let bits = third.data.swap_bytes();
        let expected = bits as u32 % NUMBERS;
        match bits >> 24 & 0xff {
            _ if opcode != ACKNOWLEDGE => None,
            SYNDROME_SEQUENCE_ERROR => Some(Answer::Missing(expected)),
            _ => Some(Answer::Received(expected)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_run_around() {
        assert_eq!(following(NUMBERS - 1), 0);
        assert_eq!((distance(NUMBERS - 1, 1), distance(1, NUMBERS - 1), distance(7, 7)), (2, -2, 0));
    }

    #[test]
    fn answers_come_through_their_frames() {
        for answer in [Answer::Received(0), Answer::Received(9), Answer::Missing(0), Answer::Missing(77)] {
            let [first, second, third] = answer.frame(3, 8);
            assert!(is_answer(first));
            assert_eq!((route(first).slid, route(first).dlid), (3, 8));
            assert_eq!((Answer::of(second, third), number(third)), (Some(answer), None));
        }
    }

    #[test]
    fn number_leaves_the_rest_of_its_line_alone() {
        let line = Line { id: MIDDLE, data: 0x1234_5678 << 32 };
        let numbered = numbered(line, 0xabcdef);
        assert_eq!((number(line), number(numbered)), (None, Some(0xabcdef)));
        assert_eq!(numbered.data.to_le_bytes(), [0x80, 0xab, 0xcd, 0xef, 0x78, 0x56, 0x34, 0x12]);
    }
}
