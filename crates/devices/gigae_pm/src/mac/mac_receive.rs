//! Receives frames: finds the start delimiter, packs bytes into words, checks length and check
//! sequence.
//!
//! The words of a frame go into the receive FIFO as they arrive, and a status follows them, because
//! the check sequence is the last part of a frame. The reader of the FIFO drops frames with a bad
//! status. A frame for which the FIFO has no room at its start is not stored; the next status
//! reports it. The number of free words is known late in a cycle, so a register tells whether there
//! is room, and a frame without room is detected one cycle later (decision 0052).

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use super::crc32::{self, crc32};
use super::pins::{FRAME_WORDS, LONGEST_FRAME, ReceiveStatus, ReceiveWord, SHORTEST_FRAME};

hdl::fsm! {
    /// Reception of a frame.
    pub enum State in mac_receive_pkg {
        /// Waits for a preamble.
        Idle => [Preamble: "rx_valid", Idle: "otherwise"],
        /// Waits for the start delimiter, if there is room.
        Preamble => [
            Idle: "not rx_valid",
            Frame: "start delimiter, room",
            Drop: "rx_valid, no room",
            Preamble: "otherwise",
        ],
        /// Takes the bytes of the frame.
        Frame => [
            Flush: "not rx_valid, partial word held",
            Status: "not rx_valid, no partial word",
            Frame: "rx_valid",
        ],
        /// Stores the last, partial word.
        Flush => [Status],
        /// Stores the status.
        Status => [Idle: "not rx_valid", Drop: "rx_valid: next frame without a gap"],
        /// Waits for the end of a frame that is not stored.
        Drop => [Idle: "not rx_valid", Drop: "rx_valid"],
    }
}

hdl::bundle! {
    /// Input pins of the receiver.
    pub struct In in mac_receive_pkg {
        /// Byte from the physical layer.
        rx_data: u8,
        /// `rx_data` holds a byte.
        rx_valid: bool,
        /// The byte was received with an error.
        rx_error: bool,
        /// Words that the receive FIFO can take.
        fifo_free: u16 : 11,
    }
}

hdl::bundle! {
    /// Output pins of the receiver.
    pub struct Out in mac_receive_pkg {
        /// Word to the receive FIFO.
        word: ReceiveWord,
        /// Writes `word` into the receive FIFO.
        word_enable: bool,
    }
}

hdl::bundle! {
    /// Registers of the receiver.
    pub struct MacReceive in mac_receive_pkg {
        /// Step of the reception; `Idle` between frames.
        state: State,
        /// Byte of the word to fill next.
        index: u8 : 2,
        /// The word so far.
        data: u32,
        /// Bytes of the frame so far; stops at 2,047.
        length: u16 : 11,
        /// Check sequence so far.
        crc: u32,
        /// The physical layer reported an error in this frame.
        error: bool,
        /// The FIFO had no room for this frame when it began.
        no_room: bool,
        /// Frames without room since the last status; stops at 255.
        missed: u8,
        /// Word to the receive FIFO.
        word: ReceiveWord,
        /// Writes `word` into the receive FIFO.
        word_enable: bool,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "gigae_pm/mac/mac_receive_pkg",
    source: file!(),
    items: &[Item::StateMachine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for MacReceive {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        Out { word: self.word, word_enable: self.word_enable }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        *self = self.next(pins);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        if self.state == State::Idle && !self.word_enable { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl MacReceive {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        let data = q.data | u32::from(pins.rx_data) << (8 * q.index);
        let status = ReceiveStatus {
            length: q.length,
            fcs_error: q.crc != crc32::RESIDUE || q.error,
            runt: q.length < SHORTEST_FRAME,
            giant: q.length > LONGEST_FRAME,
            reserved: 0,
            missed: q.missed,
        };
        let mut miss = false;
        d.word_enable = false;

        match q.state {
            // Idle: requires room for the longest frame, because stored words cannot be removed.
            Idle => {
                if pins.rx_valid {
                    d.no_room = pins.fifo_free < FRAME_WORDS;
                    d.state = Preamble;
                }
            }
            // Preamble: its length does not matter. Two padding bytes precede the frame in its
            // first word.
            Preamble => {
                d.index = 2;
                d.data = 0;
                d.length = 0;
                d.crc = crc32::START;
                d.error = false;
                miss = q.no_room;
                if !pins.rx_valid {
                    d.state = Idle;
                } else if miss {
                    d.state = Drop;
                } else if pins.rx_data == 0xd5 {
                    d.state = Frame;
                }
            }
            // Frame: bytes beyond the longest frame are counted, not stored.
            Frame => {
                if pins.rx_valid {
                    d.crc = crc32(q.crc, pins.rx_data);
                    d.error = q.error || pins.rx_error;
                    d.length = if q.length == 0x7ff { q.length } else { q.length + 1 };
                    if q.length < LONGEST_FRAME {
                        d.index = (q.index + 1) & 3;
                        d.data = if q.index == 3 { 0 } else { data };
                        d.word = ReceiveWord { data, last: false };
                        d.word_enable = q.index == 3;
                    }
                } else {
                    d.state = if q.index == 0 { Status } else { Flush };
                }
            }
            // Flush: stores the last word.
            Flush => {
                d.word = ReceiveWord { data: q.data, last: false };
                d.word_enable = true;
                d.state = Status;
            }
            // Status: a frame that begins in this cycle, without a gap, has lost its preamble.
            Status => {
                d.word = ReceiveWord { data: status.bits(), last: true };
                d.word_enable = true;
                d.missed = 0;
                miss = pins.rx_valid;
                d.state = if miss { Drop } else { Idle };
            }
            // Drop: discards the rest of the frame.
            Drop => {
                if !pins.rx_valid {
                    d.state = Idle;
                }
            }
        }
        if miss && d.missed != 0xff {
            d.missed += 1;
        }
        d
    }
}

impl Probe for MacReceive {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::super::crc32::frame_check_sequence;
    use super::*;

    const ROOM: u16 = FRAME_WORDS;

    /// The words stored for a stream of bytes and gaps, with `fifo_free` words of room.
    fn receive(wire: &[Option<u8>], fifo_free: u16) -> Vec<ReceiveWord> {
        let mut mac = MacReceive::default();
        let mut words = Vec::new();
        for byte in wire.iter().copied().chain([None; 4]) {
            let (rx_data, rx_valid) = (byte.unwrap_or(0), byte.is_some());
            mac.tick(&In { rx_data, rx_valid, rx_error: false, fifo_free });
            let out = mac.outputs();
            words.extend(out.word_enable.then_some(out.word));
        }
        words
    }

    fn wire(frame: &[u8]) -> Vec<Option<u8>> {
        let sequence = frame_check_sequence(frame).to_le_bytes();
        [&[0x55; 7][..], &[0xd5], frame, &sequence].concat().into_iter().map(Some).collect()
    }

    fn status(words: &[ReceiveWord]) -> ReceiveStatus {
        let last = words.last().expect("a frame has a status");
        assert!(last.last && words[..words.len() - 1].iter().all(|word| !word.last));
        ReceiveStatus::from_bits(last.data)
    }

    #[test]
    fn every_length_is_stored_behind_two_bytes() {
        for length in (60..70).chain(1511..=1514) {
            let frame: Vec<u8> = (0..length).map(|i| (3 * i + 1) as u8).collect();
            let words = receive(&wire(&frame), ROOM);
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.data.to_le_bytes()).collect();
            let stored = [&frame[..], &frame_check_sequence(&frame).to_le_bytes()].concat();
            assert_eq!(
                (&bytes[2..][..stored.len()], words.len()),
                (&stored[..], (2 + stored.len()).div_ceil(4) + 1)
            );
            assert_eq!(status(&words), ReceiveStatus { length: length as u16 + 4, ..Default::default() });
            assert!(words.len() < FRAME_WORDS as usize);
        }
    }

    #[test]
    fn frame_with_a_wrong_bit_is_told() {
        let mut wire = wire(&[1; 60]);
        wire[20] = Some(0);
        assert!(status(&receive(&wire, ROOM)).fcs_error);
    }

    #[test]
    fn runt_and_giant_are_told_and_the_giant_is_cut() {
        assert!(status(&receive(&wire(&[1; 59]), ROOM)).runt);
        let words = receive(&wire(&[1; 1515]), ROOM);
        assert_eq!((status(&words).giant, words.len()), (true, 380 + 1));
        let words = receive(&wire(&[1; 4000]), ROOM);
        assert_eq!((status(&words).length, words.len()), (2047, 380 + 1));
    }

    #[test]
    fn idle_frame_without_room_is_counted_in_the_next_status() {
        assert_eq!(receive(&wire(&[1; 60]), ROOM - 1), []);
        let mut mac = MacReceive { missed: 255, ..Default::default() };
        mac.tick(&In { rx_valid: true, ..In::default() });
        mac.tick(&In { rx_valid: true, fifo_free: ROOM, ..In::default() });
        assert_eq!((mac.state, mac.missed), (State::Drop, 255));
    }

    #[test]
    fn status_frame_without_a_gap_is_dropped() {
        let frame = wire(&[1; 62]);
        let words = receive(&[&frame[..], &[None], &frame, &[None; 12], &frame].concat(), ROOM);
        let statuses: Vec<_> =
            words.iter().filter(|word| word.last).map(|word| ReceiveStatus::from_bits(word.data)).collect();
        assert_eq!(statuses.len(), 2);
        assert_eq!((statuses[0].missed, statuses[1].missed), (0, 1));
    }
}
