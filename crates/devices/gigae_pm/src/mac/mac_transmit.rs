//! Sends frames: preamble, bytes, padding, check sequence, gap (IEEE 802.3, sections 3 and 4).
//!
//! One byte is sent per cycle of the network clock. The state machine starts only when a whole
//! frame waits and always has the next word available, so a frame has no gaps. A frame of maximum
//! size takes 1,538 cycles from its preamble to the next: 8 + 1,518 + 12, as in the 12.30 us of the
//! paper's bandwidth.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use super::crc32::{self, crc32};
use super::pins::{SHORTEST_FRAME, TransmitWord};

/// Bytes of the preamble, start delimiter included.
pub const PREAMBLE_BYTES: u16 = 8;
/// Cycles in `Gap`; with `Idle`, the gap between two frames has 12 cycles.
pub const GAP_CYCLES: u16 = 11;

hdl::fsm! {
    /// Transmission of a frame.
    pub enum State in mac_transmit_pkg {
        /// Waits for a whole frame; takes its first word.
        Idle => [Preamble: "whole frame available", Idle: "otherwise"],
        /// Sends the preamble.
        Preamble => [Data: "start delimiter sent", Preamble: "otherwise"],
        /// Sends the frame.
        Data => [
            Pad: "last byte, frame too short",
            Fcs: "last byte, frame long enough",
            Data: "otherwise",
        ],
        /// Sends zeros up to the shortest frame.
        Pad => [Fcs: "shortest frame reached", Pad: "otherwise"],
        /// Sends the check sequence.
        Fcs => [Gap: "4 bytes sent", Fcs: "otherwise"],
        /// Keeps the gap before the next frame.
        Gap => [Idle: "gap over", Gap: "otherwise"],
    }
}

hdl::bundle! {
    /// Input pins of the transmitter.
    pub struct In in mac_transmit_pkg {
        /// At least one whole frame waits in the transmit FIFO.
        packet_available: bool,
        /// Word taken from the transmit FIFO last.
        word: TransmitWord,
    }
}

hdl::bundle! {
    /// Output pins of the transmitter.
    pub struct Out in mac_transmit_pkg {
        /// Takes the first word of a frame, as soon as one is available.
        packet_next: bool,
        /// Takes the next word of the frame, unless this one is the last.
        word_next: bool,
        /// Byte to the physical layer.
        tx_data: u8,
        /// `tx_data` holds a byte.
        tx_enable: bool,
    }
}

hdl::bundle! {
    /// Registers of the transmitter.
    pub struct MacTransmit in mac_transmit_pkg {
        /// Part of the frame.
        state: State,
        /// Byte of the word to send next.
        index: u8 : 2,
        /// Bytes sent in this state; in `Pad` those of the frame.
        count: u16 : 11,
        /// Check sequence so far.
        crc: u32,
        /// Byte to the physical layer.
        tx_data: u8,
        /// `tx_data` holds a byte.
        tx_enable: bool,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "gigae_pm/mac/mac_transmit_pkg",
    source: file!(),
    items: &[
        Item::Constant {
            name: "PreambleBytes",
            width: 11,
            value: PREAMBLE_BYTES as u64,
            doc: "Bytes of the preamble, start delimiter included.",
        },
        Item::Constant {
            name: "GapCycles",
            width: 11,
            value: GAP_CYCLES as u64,
            doc: "Cycles in `Gap`; with those before the next preamble is on the pins, 12 lie between frames.",
        },
        Item::StateMachine(State::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

impl Clocked for MacTransmit {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        let q = self;
        Out {
            packet_next: q.state == State::Idle,
            word_next: q.state == State::Data && q.index == 3,
            tx_data: q.tx_data,
            tx_enable: q.tx_enable,
        }
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
        if self.state == State::Idle && !self.tx_enable { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl MacTransmit {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        let byte = if q.state == Data { (pins.word.data >> (8 * q.index)) as u8 } else { 0 };
        let next_crc = crc32(q.crc, byte);
        let next_count = Self::WIDTHS.count.wrap(q.count + 1);
        let ends = pins.word.last && q.index == pins.word.bytes;

        d.tx_data = 0;
        d.tx_enable = false;

        match q.state {
            // Idle: the first word arrives on `word` in the next cycle; its first two bytes are not
            // sent.
            Idle => {
                if pins.packet_available {
                    d.index = 2;
                    d.crc = crc32::START;
                    d.state = Preamble;
                }
            }
            // Preamble: the last byte is the start delimiter.
            Preamble => {
                let delimiter = next_count == PREAMBLE_BYTES;
                d.tx_data = if delimiter { 0xd5 } else { 0x55 };
                d.tx_enable = true;
                d.count = if delimiter { 0 } else { next_count };
                d.state = if delimiter { Data } else { Preamble };
            }
            // Data: up to the last byte of the last word.
            Data => {
                d.tx_data = byte;
                d.tx_enable = true;
                d.crc = next_crc;
                d.index = (q.index + 1) & 3;
                d.count = next_count;
                if ends {
                    let short = next_count < SHORTEST_FRAME - 4;
                    d.count = if short { next_count } else { 0 };
                    d.state = if short { Pad } else { Fcs };
                }
            }
            // Pad: the zeros are part of the check sequence.
            Pad => {
                d.tx_enable = true;
                d.crc = next_crc;
                d.count = next_count;
                if next_count == SHORTEST_FRAME - 4 {
                    d.count = 0;
                    d.state = Fcs;
                }
            }
            // Fcs: the complement, lowest byte first.
            Fcs => {
                d.tx_data = !q.crc as u8;
                d.tx_enable = true;
                d.crc = q.crc >> 8;
                d.count = next_count;
                if next_count == 4 {
                    d.count = 0;
                    d.state = Gap;
                }
            }
            // Gap: the wire is idle.
            Gap => {
                d.count = next_count;
                if next_count == GAP_CYCLES {
                    d.count = 0;
                    d.state = Idle;
                }
            }
        }
        d
    }
}

impl Probe for MacTransmit {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes and gaps sent for a queue of frames.
    fn send(frames: &[&[u8]]) -> Vec<Option<u8>> {
        let mut waiting: Vec<Vec<TransmitWord>> = frames.iter().map(|frame| words(frame)).rev().collect();
        let mut present = Vec::new();
        let mut mac = MacTransmit::default();
        let mut word = TransmitWord::default();
        let mut wire = Vec::new();
        while !waiting.is_empty() || mac.quiescent() == Quiet::Busy {
            let out = mac.outputs();
            wire.push(out.tx_enable.then_some(out.tx_data));
            mac.tick(&In { packet_available: !waiting.is_empty(), word });
            if out.packet_next && !waiting.is_empty() {
                present = waiting.pop().unwrap();
                word = present.remove(0);
            } else if out.word_next && !word.last {
                word = present.remove(0);
            }
        }
        wire
    }

    fn words(frame: &[u8]) -> Vec<TransmitWord> {
        let bytes: Vec<u8> = [0, 0].iter().chain(frame).copied().collect();
        let word = |chunk: &[u8]| {
            let data = (0..4).map(|i| u32::from(chunk.get(i).copied().unwrap_or(0)) << (8 * i)).sum();
            TransmitWord { data, bytes: chunk.len() as u8 - 1, last: false }
        };
        let mut words: Vec<_> = bytes.chunks(4).map(word).collect();
        words.last_mut().unwrap().last = true;
        words
    }

    fn expected(frame: &[u8]) -> Vec<u8> {
        let mut padded = frame.to_vec();
        padded.resize(frame.len().max(60), 0);
        let sequence = crc32::frame_check_sequence(&padded).to_le_bytes();
        [&[0x55; 7][..], &[0xd5], &padded, &sequence].concat()
    }

    #[test]
    fn every_length_leaves_padded_and_checked() {
        for length in (1..80).chain([1511, 1512, 1513, 1514]) {
            let frame: Vec<u8> = (0..length).map(|i| (7 * i + length) as u8).collect();
            let bytes: Vec<u8> = send(&[&frame]).into_iter().flatten().collect();
            assert_eq!(bytes, expected(&frame), "{length} bytes");
        }
    }

    #[test]
    fn longest_frames_are_1538_cycles_apart() {
        let frame = [0x5a; 1514];
        let wire = send(&[&frame, &frame]);
        let starts: Vec<_> =
            (1..wire.len()).filter(|&i| wire[i].is_some() && wire[i - 1].is_none()).collect();
        assert_eq!(starts[1] - starts[0], 1538);
    }
}
