//! Receiver: takes packets into its two slots, and drops those whose length or ICRC is wrong (IBA volume 1, sections 7.7.4, 7.8.1).
//!
//! A packet is known to the receive engine when its last word has been checked. The link waits while both slots are full: InfiniBand
//! loses nothing for want of room, and how often a sender must wait is a matter of credits outside the pins.

use hdl::{Bundle, Clocked, Item, Machine, Package, Probe, Quiet, Role, Visitor};

use crate::icrc::{RESIDUE, START, icrc, masked};
use crate::layout::{MAX_UNITS, MIN_UNITS};
use crate::registers::LinkCounts;

hdl::machine! {
    /// Receiver.
    pub enum State in link_receive_pkg {
        /// Takes words.
        Take => [Check],
        /// A packet is complete: is it right?
        Check => [Take],
    }
}

hdl::bundle! {
    /// Input pins of the receiver.
    pub struct In in link_receive_pkg {
        /// From the link: word.
        data: u64,
        /// From the link: it is the last one.
        last: bool,
        /// From the link: there is one.
        valid: bool,
        /// The oldest slot is read; only while `waiting`.
        release_slot: bool,
    }
}

hdl::bundle! {
    /// Output pins of the receiver.
    pub struct Out in link_receive_pkg {
        /// To the link: a word is taken.
        ready: bool,
        /// Word for the memory.
        wdata: u64,
        /// Where it goes.
        address: u16 : 10,
        /// Writes it.
        write: bool,
        /// A packet waits.
        waiting: bool,
        /// Slot of the oldest one.
        slot: bool,
        /// Counters.
        counts: LinkCounts,
    }
}

hdl::bundle! {
    /// Registers of the receiver.
    pub struct LinkReceive in link_receive_pkg {
        /// State.
        state: State,
        /// Slots that are full.
        full: u8 : 2,
        /// Slot to fill.
        fill: bool,
        /// Slot of the oldest packet.
        oldest: bool,
        /// Words taken of the packet; stays at the highest.
        index: u16 : 10,
        /// Units of 4 bytes that its header says, ICRC included.
        units: u16 : 11,
        /// ICRC up to the last word.
        crc: u32,
        /// Word to write.
        wdata: u64,
        /// Where to.
        address: u16 : 10,
        /// Writes it.
        write: bool,
        /// Counters.
        counts: LinkCounts,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "hca/link/link_receive_pkg",
    source: "crates/hca/src/link/link_receive.rs",
    items: &[Item::Machine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
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

        // The length is in bytes 4 and 5 of the first word. Only half of the last word counts if it is odd.
        let units = ((pins.data >> 32 & 7) << 8 | pins.data >> 40 & 0xff) as u16;
        let half = pins.last && q.index != 0 && q.units & 1 == 1;
        let before = if q.index == 0 { START } else { q.crc };
        let fits = q.units >= MIN_UNITS && q.units <= MAX_UNITS && q.index == (q.units + 1) >> 1;
        let good = fits && q.crc == RESIDUE;

        d.write = false;
        match q.state {
            // Take: the length of a packet that is too long is wrong however long it gets.
            Take => {
                if pins.valid && q.full != 2 {
                    d.wdata = pins.data;
                    d.address = u16::from(q.fill) << 9 | q.index & 0x1ff;
                    d.write = q.index < 0x200;
                    d.crc = icrc(before, masked(q.index, pins.data), half);
                    d.index = if q.index == 0x3ff { 0x3ff } else { q.index + 1 };
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
                if !fits {
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
