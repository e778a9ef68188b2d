//! Receive DMA: stores received frames in NIC memory, in a ring of 16 buffers.
//!
//! Bad frames and frames for other nodes are dropped and counted, and their buffer is reused. The
//! length of a good frame is stored in the last word of its buffer.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use crate::header::{Identity, node_bytes};
use crate::mac::pins::{ReceiveStatus, ReceiveWord};
use crate::memory_map::{BUFFER_WORDS, FRAMES, LENGTH_WORD, SLOTS};

hdl::fsm! {
    /// Network DMA of received frames.
    pub enum State in receive_dma_pkg {
        /// Waits for a frame and a free buffer; takes its first word.
        Idle => [Store: "frame available, buffer free", Idle: "otherwise"],
        /// Stores words up to the status.
        Store => [
            Idle: "status: bad frame, or card disabled",
            Length: "status: good frame",
            Store: "otherwise",
        ],
        /// Stores the length.
        Length => [Idle: "memory_grant", Length: "otherwise"],
    }
}

hdl::bundle! {
    /// Counters of received frames, by reason of the drop; all wrap.
    pub struct ReceiveCounts in receive_dma_pkg {
        /// Good frames, not dropped.
        good: u16,
        /// Wrong check sequence.
        fcs_errors: u16,
        /// Shorter than 64 bytes.
        runts: u16,
        /// Longer than 1,518 bytes.
        giants: u16,
        /// Addressed to another node.
        foreign: u16,
        /// No room in the receive FIFO.
        missed: u16,
    }
}

hdl::bundle! {
    /// Input pins of receive DMA.
    pub struct In in receive_dma_pkg {
        /// From the MAC: word taken last.
        word: ReceiveWord,
        /// From the MAC: a whole frame waits.
        frame_available: bool,
        /// Identity of the card.
        identity: Identity,
        /// The card is enabled; otherwise frames are dropped.
        enable: bool,
        /// From firmware: the oldest frame is processed.
        frame_done: bool,
        /// NIC memory takes the word.
        memory_grant: bool,
    }
}

hdl::bundle! {
    /// Output pins of receive DMA.
    pub struct Out in receive_dma_pkg {
        /// Takes the first word of a frame, as soon as one is available.
        frame_start: bool,
        /// Takes the next word with each one that NIC memory takes.
        word_next: bool,
        /// Writes a word into NIC memory: that of the MAC, or the length.
        memory_write: bool,
        /// Word address in NIC memory.
        memory_address: u32 : 18,
        /// The word is `length`.
        length_enable: bool,
        /// Bytes of the frame, check sequence not included.
        length: u16 : 11,
        /// To firmware: a frame waits.
        frame_waiting: bool,
        /// To firmware: buffer of the oldest frame.
        frame_slot: u8 : 4,
        /// Counters of received frames.
        counts: ReceiveCounts,
    }
}

hdl::bundle! {
    /// Registers of receive DMA.
    pub struct ReceiveDma in receive_dma_pkg {
        /// Step of the transfer.
        state: State,
        /// Buffer to fill next.
        head: u8 : 4,
        /// Frames that wait for the firmware.
        waiting: u8 : 5,
        /// Words of the frame stored.
        count: u16 : 9,
        /// The frame is for a group of nodes.
        group: bool,
        /// The frame is for this card.
        addressed: bool,
        /// Bytes of the frame, check sequence not included.
        length: u16 : 11,
        /// Counters of received frames.
        counts: ReceiveCounts,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "gigae_pm/network_dma/receive_dma_pkg",
    source: file!(),
    items: &[
        Item::StateMachine(State::TABLE),
        Item::Bundle(ReceiveCounts::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

impl Clocked for ReceiveDma {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        let word = if q.state == Length { LENGTH_WORD } else { q.count.into() };
        Out {
            frame_start: q.state == Idle && q.waiting < SLOTS,
            word_next: q.state == Store,
            memory_write: matches!(q.state, Store | Length),
            memory_address: FRAMES + BUFFER_WORDS * u32::from(q.head) + word,
            length_enable: q.state == Length,
            length: q.length,
            frame_waiting: q.waiting != 0,
            frame_slot: Out::WIDTHS.frame_slot.wrap(q.head.wrapping_sub(q.waiting)),
            counts: q.counts,
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
        if self.state == State::Idle { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl ReceiveDma {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        let status = ReceiveStatus::from_bits(pins.word.data);
        let own = &pins.identity;
        let bad = status.runt || status.giant || status.fcs_error || !q.addressed;

        match q.state {
            // Idle: the first word arrives on `word` in the next cycle.
            Idle => {
                if pins.frame_available && q.waiting < SLOTS {
                    d.count = 0;
                    d.state = Store;
                }
            }
            // Store: the first two words contain the destination, the last one the errors of the
            // frame.
            Store => {
                if pins.word.last {
                    d.length = Self::WIDTHS.length.wrap(status.length.wrapping_sub(4));
                    d.counts.missed = q.counts.missed.wrapping_add(status.missed.into());
                    if !pins.enable {
                        d.state = Idle;
                    } else if bad {
                        d.counts = d.counts.with(&status);
                        d.state = Idle;
                    } else {
                        d.state = Length;
                    }
                } else if pins.memory_grant {
                    d.count = Self::WIDTHS.count.wrap(q.count + 1);
                    if q.count == 0 {
                        d.group = pins.word.data >> 16 & 1 == 1;
                        d.addressed = pins.word.data >> 16 == own.mac_prefix & 0xffff;
                    }
                    if q.count == 1 {
                        let second = node_bytes(own.node) << 16 | own.mac_prefix >> 16;
                        d.addressed = q.group || q.addressed && pins.word.data == second;
                    }
                }
            }
            // Length: afterwards the frame belongs to the firmware.
            Length => {
                if pins.memory_grant {
                    d.head = Self::WIDTHS.head.wrap(q.head + 1);
                    d.counts.good = q.counts.good.wrapping_add(1);
                    d.state = Idle;
                }
            }
        }
        // Frames that wait when the card is disabled are dropped.
        let stored = q.state == Length && pins.memory_grant;
        let waiting =
            Self::WIDTHS.waiting.wrap((q.waiting + u8::from(stored)).wrapping_sub(pins.frame_done.into()));
        d.waiting = if pins.enable { waiting } else { 0 };
        d
    }
}

impl ReceiveCounts {
    /// Counts one more bad frame, under the first reason that applies.
    #[inline]
    fn with(mut self, status: &ReceiveStatus) -> Self {
        let counter = if status.runt {
            &mut self.runts
        } else if status.giant {
            &mut self.giants
        } else if status.fcs_error {
            &mut self.fcs_errors
        } else {
            &mut self.foreign
        };
        *counter = counter.wrapping_add(1);
        self
    }
}

impl Probe for ReceiveDma {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDENTITY: Identity = Identity { mac_prefix: 0x5047_8002, ether_type: 0x88b5, node: 0x155 };
    const GOOD: ReceiveStatus =
        ReceiveStatus { length: 0x2aa, fcs_error: false, runt: false, giant: false, reserved: 0, missed: 0 };

    fn own() -> [u32; 3] {
        let second = node_bytes(IDENTITY.node) << 16 | IDENTITY.mac_prefix >> 16;
        [IDENTITY.mac_prefix << 16, second, 0xabcd_ef01]
    }

    /// Receive DMA with NIC memory, which grants every cycle.
    #[derive(Default)]
    struct Bench {
        block: ReceiveDma,
        stopped: bool,
    }

    impl Bench {
        fn pins(&self) -> In {
            In { identity: IDENTITY, enable: !self.stopped, memory_grant: true, ..In::default() }
        }

        /// Receives a frame and returns the words written to NIC memory.
        fn frame(&mut self, data: &[u32], status: ReceiveStatus) -> Vec<(u32, u32)> {
            assert!(self.block.outputs().frame_start);
            self.block.tick(&In { frame_available: true, ..self.pins() });
            let words = data.iter().map(|&data| ReceiveWord { data, last: false });
            let mut words = words.chain([ReceiveWord { data: status.bits(), last: true }]);
            let mut stored = Vec::new();
            let mut word = ReceiveWord::default();
            while self.block.state != State::Idle {
                let out = self.block.outputs();
                if out.word_next {
                    word = words.next().expect("no more is taken than there is");
                    if !word.last {
                        stored.push((out.memory_address, word.data));
                    }
                } else if out.length_enable {
                    stored.push((out.memory_address, out.length.into()));
                }
                self.block.tick(&In { word, ..self.pins() });
            }
            assert_eq!(words.next(), None);
            stored
        }

        fn counts(&self) -> ReceiveCounts {
            self.block.outputs().counts
        }

        fn waiting(&self) -> Option<u8> {
            let out = self.block.outputs();
            out.frame_waiting.then_some(out.frame_slot)
        }
    }

    #[test]
    fn frame_lies_in_its_buffer_with_its_length_behind() {
        let mut bench = Bench::default();
        for slot in 0..16 {
            let first = FRAMES + BUFFER_WORDS * slot;
            let stored = bench.frame(&own(), GOOD);
            let words = own().into_iter().zip(first..).map(|(word, place)| (place, word));
            assert_eq!(stored, words.chain([(first + LENGTH_WORD, 0x2aa - 4)]).collect::<Vec<_>>());
            assert_eq!(bench.waiting(), Some(0));
        }
        assert_eq!(bench.counts(), ReceiveCounts { good: 16, ..ReceiveCounts::default() });
        // All buffers are occupied, so the next frame waits.
        assert!(!bench.block.outputs().frame_start);
        bench.block.tick(&In { frame_available: true, ..bench.pins() });
        assert_eq!(bench.block.state, State::Idle);
        for slot in 1..=16 {
            bench.block.tick(&In { frame_done: true, ..bench.pins() });
            assert_eq!(bench.waiting(), (slot < 16).then_some(slot));
        }
        assert_eq!(bench.frame(&own(), GOOD)[0].0, FRAMES, "the first buffer comes again");
    }

    #[test]
    fn frames_are_dropped_under_the_first_name_that_fits() {
        let mut bench = Bench::default();
        let mut expected = ReceiveCounts::default();
        for (drops, bits) in (1..).zip([0b001, 0b011, 0b111, 0b010, 0b110, 0b100]) {
            let [runt, giant, fcs_error] = [bits & 1 == 1, bits & 2 == 2, bits & 4 == 4];
            let stored = bench.frame(&own(), ReceiveStatus { runt, giant, fcs_error, ..GOOD });
            assert!(stored.iter().all(|&(place, _)| place < FRAMES + 3), "its buffer is used again");
            let counter = match (runt, giant) {
                (true, _) => &mut expected.runts,
                (_, true) => &mut expected.giants,
                _ => &mut expected.fcs_errors,
            };
            *counter += 1;
            assert_eq!((bench.counts(), bench.waiting()), (expected, None), "{drops}");
        }
        bench.frame(&own(), GOOD);
        assert_eq!(bench.waiting(), Some(0));
    }

    #[test]
    fn frames_for_others_are_dropped_and_those_for_groups_are_not() {
        let mut bench = Bench::default();
        let mut foreign = 0;
        for (word, bit) in (16..32).map(|bit| (0, bit)).chain((0..32).map(|bit| (1, bit))) {
            let mut data = own();
            data[word] ^= 1 << bit;
            let group = (word, bit) == (0, 16);
            bench.frame(&data, GOOD);
            foreign += u16::from(!group);
            assert_eq!(bench.counts().foreign, foreign, "bit {bit} of word {word}");
            bench.block.tick(&In { frame_done: group, ..bench.pins() });
            assert_eq!(bench.waiting(), None);
        }
        // The two padding bytes of a frame are ignored.
        let [first, second, third] = own();
        bench.frame(&[first | 0xffff, second, third], GOOD);
        assert!(bench.waiting().is_some());
    }

    #[test]
    fn frames_without_room_are_counted_while_the_card_is_disabled() {
        let mut bench = Bench::default();
        bench.frame(&own(), ReceiveStatus { missed: 0x81, ..GOOD });
        bench.stopped = true;
        bench.frame(&own(), ReceiveStatus { missed: 0x81, runt: true, ..GOOD });
        let expected = ReceiveCounts { good: 1, missed: 0x102, ..ReceiveCounts::default() };
        assert_eq!((bench.counts(), bench.waiting()), (expected, None), "what waited is dropped");
    }

    #[test]
    fn word_that_memory_does_not_take_is_not_counted() {
        let mut dma = ReceiveDma { state: State::Store, ..ReceiveDma::default() };
        dma.tick(&In { enable: true, ..In::default() });
        assert_eq!(dma.count, 0);
        dma.tick(&In { enable: true, memory_grant: true, ..In::default() });
        assert_eq!(dma.count, 1);
        let mut dma = ReceiveDma { state: State::Length, ..ReceiveDma::default() };
        dma.tick(&In { enable: true, ..In::default() });
        assert_eq!((dma.state, dma.counts.good), (State::Length, 0));
    }
}
