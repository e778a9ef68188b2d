//! Receiver: stores packets in its two slots, and drops those whose length or ICRC is wrong (IBA volume 1,
//! sections 7.7.4, 7.8.1).
//!
//! The receive engine sees a packet after its last word has been checked. The link waits while both slots are
//! full: InfiniBand drops no packet for lack of room. Credits, which decide when a sender waits, are outside
//! the pins.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use crate::icrc::{RESIDUE, START, icrc, masked};
use crate::layout::{MAX_UNITS, MIN_UNITS};
use crate::registers::LinkCounts;

/// Words of a slot.
const SLOT_WORDS: u16 = 512;
/// Count at which the words of a packet saturate.
const MOST_WORDS: u16 = 2 * SLOT_WORDS - 1;

hdl::fsm! {
    /// Receiver.
    pub enum State in link_receive_pkg {
        /// Takes words from the link.
        Take => [Check: "last word taken", Take: "otherwise"],
        /// Checks length and ICRC of the packet.
        Check => [Take],
    }
}

hdl::bundle! {
    /// Input pins of the receiver.
    pub struct In in link_receive_pkg {
        /// From the link: word of a packet.
        data: u64,
        /// From the link: the word is the last one of its packet.
        last: bool,
        /// From the link: the word is valid.
        valid: bool,
        /// The receive engine frees the oldest slot; only while `waiting`.
        release_slot: bool,
    }
}

hdl::bundle! {
    /// Output pins of the receiver.
    pub struct Out in link_receive_pkg {
        /// To the link: a word is taken in this cycle.
        ready: bool,
        /// Word for the memory.
        wdata: u64,
        /// Word of the receiver's memory to write.
        address: u16 : 10,
        /// Writes the word to the receiver's memory.
        write: bool,
        /// A packet is waiting.
        waiting: bool,
        /// Slot of the oldest packet.
        slot: bool,
        /// Packets dropped.
        counts: LinkCounts,
    }
}

hdl::bundle! {
    /// Registers of the receiver.
    pub struct LinkReceive in link_receive_pkg {
        /// Step of the packet.
        state: State,
        /// Full slots, a bit each.
        full: u8 : 2,
        /// Slot that is filled.
        fill: bool,
        /// Slot of the oldest packet.
        oldest: bool,
        /// Words taken of the packet; saturates at 1,023.
        index: u16 : 10,
        /// Units of 4 bytes in the packet's header, ICRC included.
        units: u16 : 11,
        /// The packet has the length in its header, which is valid, if the latest word is its last one.
        fits: bool,
        /// CRC register up to the latest word.
        crc: u32,
        /// Word for the receiver's memory.
        wdata: u64,
        /// Word of the receiver's memory to write.
        address: u16 : 10,
        /// Writes the word to the receiver's memory.
        write: bool,
        /// Packets dropped.
        counts: LinkCounts,
    }
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "hca/link/link_receive_pkg",
    source: file!(),
    items: &[Item::StateMachine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for LinkReceive {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        let q = self;
        Out {
            ready: q.state == State::Take && q.full != 2,
            wdata: q.wdata,
            address: q.address,
            write: q.write,
            waiting: q.full != 0,
            slot: q.oldest,
            counts: q.counts,
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        self.next(pins);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        if self.state == State::Take && !self.write { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl LinkReceive {
    #[inline(always)]
    fn next(&mut self, pins: &In) {
        use State::*;
        let q = *self;
        let d = self;

        // Bytes 4 and 5 of the first word hold the length. The last word has only its lower half if the
        // length is odd. A packet of the length in its header ends at `last_word`.
        let units = ((pins.data >> 32 & 7) << 8 | pins.data >> 40 & 0xff) as u16;
        let half = pins.last && q.index != 0 && q.units & 1 == 1;
        let before = if q.index == 0 { START } else { q.crc };
        let last_word = q.units.wrapping_sub(1) >> 1;
        let good = q.fits && q.crc == RESIDUE;

        d.write = false;
        match q.state {
            // Take: the count saturates, so that a packet that is too long stays too long.
            Take => {
                if pins.valid && q.full != 2 {
                    d.wdata = pins.data;
                    d.address = u16::from(q.fill) * SLOT_WORDS + q.index % SLOT_WORDS;
                    d.write = q.index < SLOT_WORDS;
                    d.fits = q.units >= MIN_UNITS && q.units <= MAX_UNITS && q.index == last_word;
                    d.crc = icrc(before, masked(q.index, pins.data), half);
                    d.index = if q.index == MOST_WORDS { MOST_WORDS } else { q.index + 1 };
                    if q.index == 0 {
                        d.units = units;
                    }
                    if pins.last {
                        d.state = Check;
                    }
                }
            }
            // Check: the last word is written in this cycle.
            Check => {
                if !q.fits {
                    d.counts.length_errors = q.counts.length_errors.wrapping_add(1);
                } else if !good {
                    d.counts.icrc_errors = q.counts.icrc_errors.wrapping_add(1);
                } else {
                    d.fill = !q.fill;
                }
                d.index = 0;
                d.state = Take;
            }
        }

        let filled = q.state == Check && good;
        let released = pins.release_slot && q.full != 0;
        if released {
            d.oldest = !q.oldest;
        }
        d.full = q.full + u8::from(filled) - u8::from(released);
    }
}

impl Probe for LinkReceive {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::icrc::of_packet;

    /// A packet of `units` units, ICRC included, whose header holds the length `says`.
    fn packet(units: usize, says: usize) -> Vec<u64> {
        let mut bytes: Vec<u8> = (0..4 * (units - 1)).map(|byte| (byte * 7) as u8).collect();
        bytes[4..6].copy_from_slice(&(says as u16).to_be_bytes());
        let crc = of_packet(&bytes).to_le_bytes();
        bytes.extend(crc);
        let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        bytes.chunks(8).map(word).collect()
    }

    /// Receives a packet; returns the words written and their addresses.
    fn take(receiver: &mut LinkReceive, words: &[u64]) -> Vec<(u16, u64)> {
        let mut written = Vec::new();
        for (place, &data) in words.iter().enumerate() {
            assert!(receiver.outputs().ready);
            receiver.tick(&In { data, last: place + 1 == words.len(), valid: true, release_slot: false });
            let out = receiver.outputs();
            if out.write {
                written.push((out.address, out.wdata));
            }
        }
        assert!(!receiver.outputs().ready, "the last word is looked at");
        receiver.tick(&In { valid: true, ..In::default() });
        assert!(!receiver.outputs().write);
        written
    }

    #[test]
    fn packets_fill_both_slots_then_the_link_waits() {
        let mut receiver = LinkReceive::default();
        for slot in [0, 1, 0, 1] {
            let words = packet(9 + slot, 9 + slot);
            let written = take(&mut receiver, &words);
            let places = (slot as u16) << 9..;
            assert_eq!(written, places.zip(words).collect::<Vec<_>>());
            let out = receiver.outputs();
            assert!(out.waiting);
            if slot == 1 {
                assert!(!out.ready && !out.slot);
                receiver.tick(&In { valid: true, last: true, ..In::default() });
                assert_eq!(receiver.state, State::Take, "no word is taken");
                for oldest in [false, true] {
                    assert_eq!(receiver.outputs().slot, oldest);
                    receiver.tick(&In { release_slot: true, ..In::default() });
                    assert!(receiver.outputs().ready);
                }
                assert!(!receiver.outputs().waiting);
            }
        }
        assert_eq!(receiver.outputs().counts, LinkCounts::default());
        receiver.tick(&In { release_slot: true, ..In::default() });
        assert_eq!((receiver.full, receiver.oldest), (0, false), "nothing waits, so nothing is released");
    }

    #[test]
    fn packet_with_a_wrong_icrc_frees_its_slot() {
        let mut receiver = LinkReceive::default();
        for (errors, (word, bit)) in (1..).zip([(1, 0), (2, 63), (4, 31)]) {
            let mut words = packet(10, 10);
            words[word] ^= 1 << bit;
            take(&mut receiver, &words);
            let counts = LinkCounts { icrc_errors: errors, ..LinkCounts::default() };
            assert_eq!((receiver.outputs().counts, receiver.outputs().waiting), (counts, false));
        }
        assert_eq!(take(&mut receiver, &packet(10, 10))[0].0, 0);
        assert!(receiver.outputs().waiting);
        // A packet is freed and another one arrives in the same cycle.
        for (place, &data) in packet(10, 10).iter().enumerate() {
            receiver.tick(&In { data, last: place == 4, valid: true, release_slot: false });
        }
        receiver.tick(&In { release_slot: true, ..In::default() });
        assert_eq!((receiver.full, receiver.oldest), (1, true));
    }

    #[test]
    fn packet_whose_length_is_not_that_of_its_header_is_counted() {
        let mut receiver = LinkReceive::default();
        let (least, most) = (usize::from(MIN_UNITS), usize::from(MAX_UNITS));
        let wrong = [
            (10, 12),
            (10, 8),
            (least - 1, least - 1),
            (most + 1, most + 1),
            (2 * most, most),
            (10, 10 + 512),
        ];
        for (errors, (units, says)) in (1..).zip(wrong) {
            let written = take(&mut receiver, &packet(units, says));
            assert!(written.iter().all(|&(address, _)| address < 512), "the other slot is left alone");
            let counts = LinkCounts { length_errors: errors, ..LinkCounts::default() };
            assert_eq!(
                (receiver.outputs().counts, receiver.full),
                (counts, 0),
                "{units} units, the header says {says}"
            );
        }
        for units in [least, most] {
            take(&mut receiver, &packet(units, units));
        }
        assert_eq!((receiver.counts.length_errors, receiver.full), (6, 2));
    }

    #[test]
    fn packet_behind_as_many_words_as_a_slot_has_is_none() {
        let mut receiver = LinkReceive::default();
        let words: Vec<_> = (0..512).chain(packet(10, 10)).collect();
        let written = take(&mut receiver, &words);
        assert_eq!(written.len(), 512, "a slot has no more");
        let counts = LinkCounts { length_errors: 1, ..LinkCounts::default() };
        assert_eq!((receiver.outputs().counts, receiver.outputs().waiting), (counts, false));
    }
}
