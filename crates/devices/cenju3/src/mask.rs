//! Takes the oldest entry of the first queue that has one, puts the mask on it if it is a user's, and refuses what may not be sent
//! (paper, section 6.4).
//!
//! With the new ROM destination and DMA write address of an entry in the user's queue are made of bits of the operating system and
//! bits of the user: `pe = (pe_base & !pe_mask) | (pe & pe_mask)`, `address = (base & !0x3ffff) | (address & 0x3ffff)`. A mask
//! folds a wrong address into the window without a word, so what would cross the window's end is refused.

use hdl::{Bundle, Clocked, Item, Machine, Package, Probe, Quiet, Role, Visitor};

use crate::memory_map::{Addresses, Control, Kind, MEMORY_BYTES, Refusal, SLOT_BYTES, WINDOW_BITS};

hdl::machine! {
    /// Mask.
    pub enum State in mask_pkg {
        /// Waits for an entry.
        Idle => [Apply],
        /// Puts the mask on it.
        Apply => [Check],
        /// Looks whether it may be sent.
        Check => [Send, Refuse],
        /// Has it sent.
        Send => [Done],
        /// Reports it.
        Refuse => [Done],
        /// Its queue goes on.
        Done => [Idle],
    }
}

hdl::bundle! {
    /// What is sent.
    pub struct Transfer in mask_pkg {
        /// Kind of transfer.
        kind: u8 : 2,
        /// Destination.
        pe: u8,
        /// Bytes.
        length: u32,
        /// Byte address of the data.
        source: u32,
        /// DMA write address.
        destination: u32,
        /// Byte address of the entry.
        entry: u32 : 26,
    }
}

hdl::bundle! {
    /// Input pins of the mask.
    pub struct In in mask_pkg {
        /// The ROM is the new one.
        new_rom: bool,
        /// Bits 31 to 18 of the user's DMA write addresses.
        address_base: u16 : 14,
        /// The user's destinations.
        pe_base: u8,
        /// Bits that he has.
        pe_mask: u8,
        /// The kernel's queue has an entry, or fetches one.
        waits0: bool,
        /// The kernel's queue has an entry.
        valid0: bool,
        /// Its first word.
        control0: u64,
        /// Its second word.
        addresses0: u64,
        /// Its byte address.
        entry0: u32 : 26,
        /// The user's queue has an entry.
        valid1: bool,
        /// Its first word.
        control1: u64,
        /// Its second word.
        addresses1: u64,
        /// Its byte address.
        entry1: u32 : 26,
        /// The transfer is sent.
        sent: bool,
    }
}

hdl::bundle! {
    /// Output pins of the mask.
    pub struct Out in mask_pkg {
        /// Nothing is at hand.
        idle: bool,
        /// What is sent.
        transfer: Transfer,
        /// Sends it; high until it is sent.
        start: bool,
        /// The entry of the kernel's queue is done; high for one cycle.
        done0: bool,
        /// The same of the user's queue.
        done1: bool,
        /// An entry is refused; high for one cycle.
        refuse: bool,
        /// Why.
        why: u8 : 3,
        /// The entry is the user's.
        user: bool,
    }
}

hdl::bundle! {
    /// Registers of the mask.
    pub struct Mask in mask_pkg {
        /// State.
        state: State,
        /// The entry is the user's.
        user: bool,
        /// The entry is the user's, and the ROM is the new one.
        masked: bool,
        /// What is sent.
        transfer: Transfer,
        /// Where the source ends, from address 0, if its address is in memory.
        source_end: u32 : 27,
        /// Where the destination ends.
        destination_end: u32 : 27,
        /// Where the destination ends in the window.
        window_end: u32 : 27,
        /// Why it is refused.
        why: u8 : 3,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "cenju3/mask_pkg",
    source: file!(),
    items: &[
        Item::Machine(State::TABLE),
        Item::Bundle(Transfer::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

impl Clocked for Mask {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        Out {
            idle: q.state == Idle,
            transfer: q.transfer,
            start: q.state == Send,
            done0: q.state == Done && !q.user,
            done1: q.state == Done && q.user,
            refuse: q.state == Refuse,
            why: q.why,
            user: q.user,
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

impl Mask {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        match q.state {
            // Idle: the kernel's queue goes first, also while it fetches.
            Idle => {
                let (control, addresses, entry) = if pins.valid0 {
                    (pins.control0, pins.addresses0, pins.entry0)
                } else {
                    (pins.control1, pins.addresses1, pins.entry1)
                };
                let (control, addresses) = (Control::from_bits(control), Addresses::from_bits(addresses));
                if pins.valid0 || pins.valid1 && !pins.waits0 {
                    d.user = !pins.valid0;
                    d.masked = !pins.valid0 && pins.new_rom;
                    d.transfer = Transfer {
                        kind: control.kind,
                        pe: control.pe,
                        length: control.length,
                        source: addresses.source,
                        destination: addresses.destination,
                        entry,
                    };
                    d.state = Apply;
                }
            }
            // Apply: ends are summed meanwhile; a length that is too long is seen in its upper bits.
            Apply => {
                let (length, window) = (q.transfer.length & (MEMORY_BYTES - 1), (1 << WINDOW_BITS) - 1);
                if q.masked {
                    d.transfer.pe = pins.pe_base & !pins.pe_mask | q.transfer.pe & pins.pe_mask;
                    d.transfer.destination =
                        u32::from(pins.address_base) << WINDOW_BITS | q.transfer.destination & window;
                }
                d.source_end = (q.transfer.source & (MEMORY_BYTES - 1)) + length;
                d.destination_end = (d.transfer.destination & (MEMORY_BYTES - 1)) + length;
                d.window_end = (q.transfer.destination & window) + length;
                d.state = Check;
            }
            // Check: the first reason counts.
            Check => {
                d.why = q.refusal().code();
                d.state = if d.why == Refusal::Nothing.code() { Send } else { Refuse };
            }
            // Send: until the data was read.
            Send => {
                if pins.sent {
                    d.state = Done;
                }
            }
            // Refuse: nothing of it was sent.
            Refuse => d.state = Done,
            // Done: the queue takes the entry back in this cycle.
            Done => d.state = Idle,
        }
        d
    }

    /// Why the entry at hand is refused.
    #[inline(always)]
    fn refusal(&self) -> Refusal {
        let Transfer { kind, length, source, destination, .. } = self.transfer;
        let dma = kind == Kind::Dma.code();
        let outside = |address: u32, end| address >= MEMORY_BYTES || address & 7 != 0 || end > MEMORY_BYTES;
        if Kind::from_code(kind).is_none() {
            Refusal::NoKind
        } else if length == 0 || length >= MEMORY_BYTES || !dma && length > SLOT_BYTES {
            Refusal::Length
        } else if outside(source, self.source_end) {
            Refusal::Source
        } else if dma && outside(destination, self.destination_end) {
            Refusal::Destination
        } else if dma && self.masked && self.window_end > 1 << WINDOW_BITS {
            Refusal::Window
        } else {
            Refusal::Nothing
        }
    }
}

impl Probe for Mask {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}
