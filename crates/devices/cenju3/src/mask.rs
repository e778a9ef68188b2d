//! Mask: takes the oldest entry of the first queue that has one, applies the mask to a user's entry, and
//! refuses invalid entries (paper, section 6.4).
//!
//! With the new ROM, destination and DMA write address of an entry in the user's queue combine bits of the
//! operating system with bits of the user: `pe = (pe_base & !pe_mask) | (pe & pe_mask)`, `address = (base &
//! !0x3ffff) | (address & 0x3ffff)`. The mask folds a wrong address into the window silently, so an entry
//! that would cross the end of the window is refused.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use crate::memory_map::{Addresses, Control, Kind, MEMORY_BYTES, Refusal, SLOT_BYTES, WINDOW_BITS};

hdl::fsm! {
    /// Mask.
    pub enum State in mask_pkg {
        /// Waits for an entry.
        Idle => [Apply: "kernel entry, or user entry alone", Idle: "otherwise"],
        /// Applies the mask.
        Apply => [Check],
        /// Checks the entry.
        Check => [Send: "entry valid", Refuse: "entry invalid"],
        /// Waits until send DMA has sent the transfer.
        Send => [Done: "transfer sent", Send: "otherwise"],
        /// Reports the refusal.
        Refuse => [Done],
        /// Lets the queue advance.
        Done => [Idle],
    }
}

hdl::bundle! {
    /// Transfer to send.
    pub struct Transfer in mask_pkg {
        /// Kind of transfer.
        kind: u8 : 2,
        /// Destination processor element.
        pe: u8,
        /// Bytes of the transfer.
        length: u32,
        /// Byte address of the data.
        source: u32,
        /// DMA write address.
        destination: u32,
        /// Byte address of the entry in its queue.
        entry: u32 : 26,
    }
}

hdl::bundle! {
    /// Input pins of the mask.
    pub struct In in mask_pkg {
        /// New ROM: user entries are masked.
        new_rom: bool,
        /// Bits 31 to 18 of the user's DMA write addresses, set by the host.
        address_base: u16 : 14,
        /// Bits of the user's destinations, set by the host.
        pe_base: u8,
        /// Bits of the destination that the user chooses.
        pe_mask: u8,
        /// The kernel's queue has an entry, or is fetching one.
        waits0: bool,
        /// The kernel's queue has an entry.
        valid0: bool,
        /// First word of the entry.
        control0: u64,
        /// Second word of the entry.
        addresses0: u64,
        /// Byte address of the entry.
        entry0: u32 : 26,
        /// The user's queue has an entry.
        valid1: bool,
        /// First word of the entry.
        control1: u64,
        /// Second word of the entry.
        addresses1: u64,
        /// Byte address of the entry.
        entry1: u32 : 26,
        /// The transfer is sent.
        sent: bool,
    }
}

hdl::bundle! {
    /// Output pins of the mask.
    pub struct Out in mask_pkg {
        /// No entry is being processed.
        idle: bool,
        /// Transfer to send.
        transfer: Transfer,
        /// Requests the transfer; high until it is sent.
        start: bool,
        /// The entry of the kernel's queue is done; high for one cycle.
        done0: bool,
        /// The entry of the user's queue is done; high for one cycle.
        done1: bool,
        /// An entry is refused; high for one cycle.
        refuse: bool,
        /// Reason of the refusal, a `Refusal`.
        why: u8 : 3,
        /// The entry is from the user's queue.
        user: bool,
    }
}

hdl::bundle! {
    /// Registers of the mask.
    pub struct Mask in mask_pkg {
        /// Step of the entry; `Idle` between entries.
        state: State,
        /// The entry is from the user's queue.
        user: bool,
        /// The entry is from the user's queue, and the ROM is the new one.
        masked: bool,
        /// Transfer to send.
        transfer: Transfer,
        /// Address after the source, if it begins in memory.
        source_end: u32 : 27,
        /// Address after the destination, unmasked.
        destination_end: u32 : 27,
        /// Offset after the destination within the window.
        window_end: u32 : 27,
        /// Reason of the refusal, a `Refusal`.
        why: u8 : 3,
    }
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "cenju3/mask_pkg",
    source: file!(),
    items: &[
        Item::StateMachine(State::TABLE),
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

    #[inline(always)]
    fn waits(&self) -> bool {
        matches!(self.state, State::Idle | State::Send)
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
            // Idle: the kernel's queue has priority, also while it is fetching.
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
            // Apply: the sums take bits 25:0 of the length; `Check` refuses a length with higher bits.
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
            // Check: the first reason is reported.
            Check => {
                d.why = q.refusal().code();
                d.state = if d.why == Refusal::Nothing.code() { Send } else { Refuse };
            }
            // Send: waits until the data has been read.
            Send => {
                if pins.sent {
                    d.state = Done;
                }
            }
            Refuse => d.state = Done,
            // Done: the queue advances in this cycle.
            Done => d.state = Idle,
        }
        d
    }

    /// Reason for which the held entry is refused.
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

#[cfg(test)]
mod tests {
    use super::*;

    const DMA: Kind = Kind::Dma;
    const END: u32 = MEMORY_BYTES;
    const WINDOW: u32 = 1 << WINDOW_BITS;

    /// Length, source and DMA write address of an entry.
    type Entry = (u32, u32, u32);

    fn pins(user: bool, kind: u8, (length, source, destination): Entry) -> In {
        let control = Control { kind, pe: 0xff, length }.bits();
        let addresses = Addresses { source, destination }.bits();
        let pins = In { new_rom: true, address_base: 0x2a, pe_base: 0x5a, pe_mask: 0x0f, ..In::default() };
        match user {
            true => In { valid1: true, control1: control, addresses1: addresses, ..pins },
            false => In { valid0: true, control0: control, addresses0: addresses, ..pins },
        }
    }

    /// Transfer of an entry, or the reason of its refusal.
    fn judged(pins: &In) -> Result<Transfer, Refusal> {
        let mut mask = Mask::default();
        (0..3).for_each(|_| mask.tick(pins));
        let out = mask.outputs();
        assert_ne!(out.start, out.refuse);
        if out.start { Ok(out.transfer) } else { Err(Refusal::from_code(out.why).expect("a reason")) }
    }

    fn refusal(kind: Kind, entry: Entry) -> Option<Refusal> {
        judged(&pins(false, kind.code(), entry)).err()
    }

    #[test]
    fn lengths_are_allowed_up_to_their_limits() {
        for kind in [Kind::Message0, Kind::Message1] {
            for (length, fits) in [(0, false), (1, true), (SLOT_BYTES, true), (SLOT_BYTES + 1, false)] {
                let expected = (!fits).then_some(Refusal::Length);
                assert_eq!(refusal(kind, (length, 0, 0)), expected, "{kind:?} of {length}");
            }
        }
        for (length, fits) in [(0, false), (1, true), (END - 1, true), (END, false), (u32::MAX, false)] {
            assert_eq!(refusal(DMA, (length, 0, 0)), (!fits).then_some(Refusal::Length), "DMA of {length}");
        }
    }

    #[test]
    fn data_lies_in_memory_up_to_its_last_byte() {
        for (start, length, fits) in [
            (END - 8, 8, true),
            (END - 8, 9, false),
            (END - 256, 256, true),
            (END - 256, 257, false),
            (END, 8, false),
            (1 << 31, 8, false),
        ] {
            let outside = |why| (!fits).then_some(why);
            assert_eq!(
                refusal(DMA, (length, start, 0)),
                outside(Refusal::Source),
                "{length} bytes at {start:#x}"
            );
            let to = refusal(DMA, (length, 0, start));
            assert_eq!(to, outside(Refusal::Destination), "{length} bytes to {start:#x}");
        }
        for bit in 0..3 {
            assert_eq!(refusal(DMA, (8, 64 | 1 << bit, 0)), Some(Refusal::Source), "bit {bit}");
            assert_eq!(refusal(DMA, (8, 0, 64 | 1 << bit)), Some(Refusal::Destination), "bit {bit}");
        }
        // A message has no destination.
        assert_eq!(refusal(Kind::Message0, (8, 0, END + 1)), None);
    }

    #[test]
    fn window_binds_the_user_up_to_its_last_byte() {
        for (offset, length, fits) in [
            (0, WINDOW, true),
            (0, WINDOW + 1, false),
            (WINDOW - 8, 8, true),
            (WINDOW - 8, 9, false),
            (3 * WINDOW - 8, 8, true),
        ] {
            let masked = judged(&pins(true, DMA.code(), (length, 0, offset)));
            match fits {
                true => {
                    let transfer = masked.expect("it fits");
                    let place = (0x2a << WINDOW_BITS) + offset % WINDOW;
                    assert_eq!((transfer.destination, transfer.pe), (place, 0x5f), "{length} at {offset:#x}");
                }
                false => assert_eq!(masked, Err(Refusal::Window), "{length} at {offset:#x}"),
            }
            // The kernel is bound by memory alone, and so is the user with the old ROM.
            let old = In { new_rom: false, ..pins(true, DMA.code(), (length, 0, offset)) };
            for free in [pins(false, DMA.code(), (length, 0, offset)), old] {
                let transfer = judged(&free).expect("it lies in memory");
                assert_eq!((transfer.destination, transfer.pe), (offset, 0xff));
            }
        }
    }

    #[test]
    fn each_bit_of_the_destination_is_of_the_user_or_of_the_system() {
        for bit in 0..8 {
            for pe_mask in [1 << bit, !(1 << bit)] {
                let entry = In { pe_base: 0, pe_mask, ..pins(true, DMA.code(), (8, 0, 0)) };
                assert_eq!(judged(&entry).map(|transfer| transfer.pe), Ok(pe_mask));
            }
        }
    }

    #[test]
    fn user_waits_while_the_kernel_has_an_entry_or_fetches_one() {
        let mut mask = Mask::default();
        let user = pins(true, DMA.code(), (8, 0, 0));
        mask.tick(&In { waits0: true, ..user });
        assert!(mask.outputs().idle);
        let kernel = pins(false, DMA.code(), (16, 0, 0));
        mask.tick(&In { valid0: true, control0: kernel.control0, addresses0: kernel.addresses0, ..user });
        assert_eq!((mask.outputs().user, mask.outputs().transfer.length), (false, 16));
    }
}
