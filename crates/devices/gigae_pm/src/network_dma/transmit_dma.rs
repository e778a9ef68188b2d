//! Transmit DMA: sends frames from NIC memory to the MAC, with their headers.
//!
//! A frame of GigaE PM is a header of twelve words, generated here from registers, and the message
//! from its send buffer. A frame of another protocol is in NIC memory as a whole. The state machine
//! starts only when the MAC has room for the longest frame, so it can be delayed only by NIC
//! memory, whose port it shares.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use crate::header::{Frame, Identity, header_word};
use crate::mac::pins::{FRAME_WORDS, TransmitWord};

hdl::fsm! {
    /// Transmission of a frame.
    pub enum State in transmit_dma_pkg {
        /// Waits for a frame.
        Idle => [Room: "start", Idle: "otherwise"],
        /// Waits for room in the MAC.
        Room => [
            Header: "MAC has room, frame with header",
            Payload: "MAC has room, raw frame",
            Room: "otherwise",
        ],
        /// Writes the header.
        Header => [
            Payload: "last word of header, data follows",
            Idle: "last word of header, no data",
            Header: "otherwise",
        ],
        /// Writes words of NIC memory.
        Payload => [Idle: "last word sent", Payload: "otherwise"],
    }
}

hdl::bundle! {
    /// Input pins of transmit DMA.
    pub struct In in transmit_dma_pkg {
        /// The frame to send.
        frame: Frame,
        /// Starts the frame; only while `idle`.
        start: bool,
        /// Identity of the card.
        identity: Identity,
        /// Words that the MAC can take.
        fifo_free: u16 : 11,
        /// NIC memory performs the read.
        memory_grant: bool,
        /// The word read last.
        memory_rdata: u32,
    }
}

hdl::bundle! {
    /// Output pins of transmit DMA.
    pub struct Out in transmit_dma_pkg {
        /// The next frame can be started.
        idle: bool,
        /// Reads a word of NIC memory.
        memory_read: bool,
        /// Word address in NIC memory.
        memory_address: u32 : 18,
        /// Word to the MAC.
        word: TransmitWord,
        /// Writes `word` into the transmit FIFO.
        word_enable: bool,
    }
}

hdl::bundle! {
    /// Registers of transmit DMA.
    pub struct TransmitDma in transmit_dma_pkg {
        /// Step of the transfer.
        state: State,
        /// The frame; its address advances.
        frame: Frame,
        /// Word of the header.
        count: u8 : 4,
        /// Words to read.
        left: u16 : 9,
        /// A word was read in the cycle before.
        valid: bool,
        /// Word to the MAC.
        word: TransmitWord,
        /// Writes `word` into the transmit FIFO.
        word_enable: bool,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "gigae_pm/network_dma/transmit_dma_pkg",
    source: file!(),
    items: &[Item::StateMachine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for TransmitDma {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        Out {
            idle: q.state == Idle,
            memory_read: q.state == Payload && q.left != 0,
            memory_address: q.frame.address,
            word: q.word,
            word_enable: q.word_enable,
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
        if self.state == State::Idle && !self.word_enable { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl TransmitDma {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        let bytes = q.frame.size.wrapping_sub(1) as u8 & 3;
        let reads = q.state == Payload && q.left != 0 && pins.memory_grant;
        let empty = q.frame.size == 0;

        d.word_enable = false;
        d.valid = reads;
        if reads {
            d.frame.address = Frame::WIDTHS.address.wrap(q.frame.address + 1);
            d.left = q.left - 1;
        }

        match q.state {
            // Idle: a frame is latched.
            Idle => {
                if pins.start {
                    d.frame = pins.frame;
                    d.left = (pins.frame.size + 3) >> 2;
                    d.state = Room;
                }
            }
            // Room: waits for room for the longest frame.
            Room => {
                if pins.fifo_free >= FRAME_WORDS {
                    d.state = if q.frame.raw { Payload } else { Header };
                }
            }
            // Header: a control frame has nothing else.
            Header => {
                let last = q.count == 11;
                d.word = TransmitWord {
                    data: header_word(q.count, &pins.identity, &q.frame),
                    bytes: 3,
                    last: last && empty,
                };
                d.word_enable = true;
                d.count = if last { 0 } else { q.count + 1 };
                if last {
                    d.state = if empty { Idle } else { Payload };
                }
            }
            // Payload: a word is sent in the cycle after its read.
            Payload => {
                if q.valid {
                    let last = q.left == 0;
                    d.word = TransmitWord { data: pins.memory_rdata, bytes, last };
                    d.word_enable = true;
                    if last {
                        d.state = Idle;
                    }
                }
            }
        }
        d
    }
}

impl Probe for TransmitDma {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDENTITY: Identity = Identity { mac_prefix: 0x5047_0002, ether_type: 0x88b5, node: 0x155 };
    const FRAME: Frame = Frame {
        address: 0x3_fffe,
        size: 0,
        raw: false,
        kind: 1,
        channel: 2,
        node: 0x2aa,
        number: 0x8765_4321,
        epoch: 0xa005,
    };

    /// The words of a frame, and the cycles up to the last one. NIC memory holds addresses, and
    /// grants every cycle or every third one.
    fn send(frame: Frame, every: u32) -> (Vec<TransmitWord>, u32) {
        let mut dma = TransmitDma::default();
        let (mut words, mut rdata) = (Vec::new(), 0);
        for cycle in 0..2_000 {
            let out = dma.outputs();
            let grant = out.memory_read && cycle % every == 0;
            let pins = In {
                frame: if cycle == 0 { frame } else { Frame::default() },
                start: cycle == 0,
                identity: IDENTITY,
                fifo_free: FRAME_WORDS,
                memory_grant: grant,
                memory_rdata: rdata,
            };
            if grant {
                rdata = out.memory_address;
            }
            dma.tick(&pins);
            let out = dma.outputs();
            if out.word_enable {
                words.push(out.word);
                assert_eq!(out.idle, out.word.last, "the next frame may start behind the last word");
            }
            if out.idle {
                return (words, cycle);
            }
        }
        panic!("the frame does not end");
    }

    fn header(frame: &Frame) -> Vec<u32> {
        (0..12).map(|word| header_word(word, &IDENTITY, frame)).collect()
    }

    fn data(words: &[TransmitWord]) -> Vec<u32> {
        words.iter().map(|word| word.data).collect()
    }

    fn ends_once(words: &[TransmitWord]) -> bool {
        words.iter().rev().map(|word| word.last).eq((0..words.len()).map(|place| place == 0))
    }

    #[test]
    fn control_frame_is_its_header() {
        let (words, cycles) = send(FRAME, 1);
        assert_eq!(data(&words), header(&FRAME));
        assert!(ends_once(&words) && words.iter().all(|word| word.bytes == 3));
        // Idle, Room, then a word in each cycle.
        assert_eq!(cycles, 1 + 12);
    }

    #[test]
    fn message_follows_its_header_and_its_last_word_tells_its_bytes() {
        for (size, every) in [(1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (13, 1), (1_468, 1), (13, 3)] {
            let frame = Frame { size, ..FRAME };
            let (words, cycles) = send(frame, every);
            let read = usize::from(size).div_ceil(4);
            assert_eq!(data(&words)[..12], header(&frame));
            // Addresses wrap at the end of memory.
            let addresses = (0..read as u32).map(|word| (FRAME.address + word) & 0x3_ffff);
            assert_eq!(data(&words)[12..], addresses.collect::<Vec<_>>());
            assert!(ends_once(&words));
            assert_eq!(u16::from(words[words.len() - 1].bytes), (size - 1) % 4);
            if every == 1 {
                assert_eq!(cycles as usize, 1 + 12 + 1 + read);
            }
        }
    }

    #[test]
    fn frame_of_another_protocol_has_no_header_of_ours() {
        let frame = Frame { raw: true, size: 66, address: 0x8000, ..FRAME };
        let (words, cycles) = send(frame, 1);
        assert_eq!(data(&words), (0x8000..0x8000 + 17).collect::<Vec<_>>());
        assert_eq!((words[16].bytes, words[16].last, cycles), (1, true, 1 + 1 + 17));
    }

    #[test]
    fn frame_waits_for_room_for_the_longest_one() {
        let mut dma = TransmitDma::default();
        dma.tick(&In { frame: FRAME, start: true, ..In::default() });
        (0..10).for_each(|_| dma.tick(&In { fifo_free: FRAME_WORDS - 1, ..In::default() }));
        assert_eq!((dma.state, dma.outputs().idle), (State::Room, false));
        dma.tick(&In { fifo_free: FRAME_WORDS, ..In::default() });
        assert_eq!(dma.state, State::Header);
    }
}
