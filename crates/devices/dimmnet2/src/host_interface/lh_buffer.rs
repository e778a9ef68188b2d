//! LH Buffer: a ring of message heads (thesis sections 5.1.4 and 7.2, table 4.1, figures 5.5 and 7.7).
//!
//! Each process has 64 entries of 64 bytes, in an Even bank (bytes 0-7 of every 16) and an Odd bank. The host
//! reads all entries and moves the Head; the Receive Controller writes lines of the entry at the Tail and
//! then advances the Tail. At most 63 entries are in use: the ring is full when the entry after Tail is the
//! one at Head.
//!
//! The flags of an entry are inverted rather than set, so the host has nothing to clear; the value of new
//! flags changes whenever the Tail wraps. After any reset the flags of all entries are 0: line 0 of each
//! entry is cleared, one per cycle, and the ring reports full until all are cleared (decision 0021).

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Ram, Role, Visitor};

/// Entries of both processes.
pub const ENTRIES: u8 = 128;

hdl::bundle! {
    /// Input pins of the LH Buffer.
    pub struct In in lh_buffer_pkg {
        /// The host reads a row; it is on `host_rdata` in the next cycle.
        host_read_enable: bool,
        /// Row that the host reads: WID, row of 16 bytes in the process's 4 KB.
        host_row: u16 : 9,
        /// The host moves a Head, bit per WID.
        head_enable: u8 : 2,
        /// New Head, a byte offset in the process's 4 KB.
        head: u16 : 12,
        /// Resets the pointers and clears all flags.
        controller_reset: bool,
        /// Process whose entry is written, or whose Tail moves.
        wid: bool,
        /// Banks to write, bit 0 Even; 0 writes nothing.
        write_enable: u8 : 2,
        /// Row of 16 bytes in the entry at the Tail.
        row: u8 : 2,
        /// Line to write.
        wdata: u64,
        /// Advances the Tail; high for one cycle.
        advance: bool,
    }
}

hdl::bundle! {
    /// Output pins of the LH Buffer.
    pub struct Out in lh_buffer_pkg {
        /// Row that the host read last: the line of the Even bank is in bits 63:0.
        host_rdata: u128,
        /// Tail of WID 0, a byte offset in its 4 KB.
        tail0: u16 : 12,
        /// Tail of WID 1, a byte offset in its 4 KB.
        tail1: u16 : 12,
        /// The ring has no free entry, bit per WID.
        full: u8 : 2,
        /// Value of the flags of a new entry, bit per WID.
        polarity: u8 : 2,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/host_interface/lh_buffer_pkg",
    source: file!(),
    items: &[
        Item::Constant {
            name: "Entries",
            width: 8,
            value: ENTRIES as u64,
            doc: "Entries of both processes.",
        },
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

/// The LH Buffer of both processes.
#[derive(Clone, Debug, Default)]
pub struct LhBuffer {
    /// Pointers and progress of the clearing.
    pub q: Registers,
    /// Bytes 0-7 of every 16.
    pub even: Ram<u64, 512>,
    /// Bytes 8-15 of every 16.
    pub odd: Ram<u64, 512>,
}

hdl::bundle! {
    /// Registers of the LH Buffer.
    pub struct Registers in lh_buffer_pkg {
        /// Head of WID 0, a byte offset in its 4 KB.
        head0: u16 : 12,
        /// Head of WID 1, a byte offset in its 4 KB.
        head1: u16 : 12,
        /// Entry at the Tail of WID 0.
        tail0: u8 : 6,
        /// Entry at the Tail of WID 1.
        tail1: u8 : 6,
        /// The Tail of WID 0 has wrapped an odd number of times.
        turn0: bool,
        /// The Tail of WID 1 has wrapped an odd number of times.
        turn1: bool,
        /// Entries whose flags have been cleared since the reset, 0 to 128.
        cleared: u8,
    }
}

impl Clocked for LhBuffer {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        let q = &self.q;
        let full = |head: u16, tail: u8| q.clearing() || (tail + 1) & 0x3f == (head >> 6) as u8;
        Out {
            host_rdata: u128::from(self.odd.rdata()) << 64 | u128::from(self.even.rdata()),
            tail0: u16::from(q.tail0) << 6,
            tail1: u16::from(q.tail1) << 6,
            full: (full(q.head1, q.tail1) as u8) << 1 | full(q.head0, q.tail0) as u8,
            polarity: (!q.turn1 as u8) << 1 | !q.turn0 as u8,
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        let q = &self.q;
        let clearing = q.clearing();
        let entry = if pins.wid { q.tail1 } else { q.tail0 };
        let row = match clearing {
            true => usize::from(q.cleared) << 2,
            false => (pins.wid as usize) << 8 | usize::from(entry) << 2 | usize::from(pins.row),
        };
        let wdata = if clearing { 0 } else { pins.wdata };
        let read = pins.host_read_enable.then_some(pins.host_row as usize);
        let even = pins.write_enable & 1 != 0 || clearing;
        let odd = pins.write_enable & 2 != 0 && !clearing;
        self.q = self.next(pins);
        self.even.tick(read, even.then_some((row, wdata)));
        self.odd.tick(read, odd.then_some((row, wdata)));
    }

    fn reset(&mut self) {
        self.q = Registers::default();
        self.even.reset();
        self.odd.reset();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        match ENTRIES - self.q.cleared {
            0 => Quiet::UntilInput,
            left => Quiet::For(left.into()),
        }
    }

    fn skip(&mut self, cycles: u64) {
        if self.q.clearing() {
            (0..cycles).for_each(|_| self.tick(&In::default()));
        }
    }
}

impl Registers {
    /// Whether flags remain to be cleared.
    #[inline(always)]
    fn clearing(&self) -> bool {
        self.cleared < ENTRIES
    }
}

impl LhBuffer {
    #[inline(always)]
    fn next(&self, pins: &In) -> Registers {
        let q = &self.q;
        let mut d = *q;

        if q.clearing() {
            d.cleared = q.cleared + 1;
        }
        if pins.head_enable & 1 != 0 {
            d.head0 = pins.head;
        }
        if pins.head_enable & 2 != 0 {
            d.head1 = pins.head;
        }
        if pins.advance && !pins.wid {
            d.tail0 = (q.tail0 + 1) & 0x3f;
            d.turn0 = q.turn0 != (q.tail0 == 0x3f);
        }
        if pins.advance && pins.wid {
            d.tail1 = (q.tail1 + 1) & 0x3f;
            d.turn1 = q.turn1 != (q.tail1 == 0x3f);
        }
        if pins.controller_reset {
            d = Registers::default();
        }
        d
    }
}

impl Probe for LhBuffer {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(&self.q);
        visitor.block("even", &self.even);
        visitor.block("odd", &self.odd);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A buffer whose flags have all been cleared.
    fn cleared() -> LhBuffer {
        let mut buffer = LhBuffer::default();
        for _ in 0..ENTRIES {
            assert_eq!(buffer.outputs().full, 0b11);
            buffer.tick(&In::default());
        }
        assert_eq!((buffer.outputs().full, buffer.quiescent()), (0, Quiet::UntilInput));
        buffer
    }

    fn row(buffer: &mut LhBuffer, host_row: u16) -> u128 {
        buffer.tick(&In { host_read_enable: true, host_row, ..In::default() });
        buffer.outputs().host_rdata
    }

    #[test]
    fn host_reads_the_lines_of_both_banks_of_the_entry_at_the_tail() {
        for wid in [false, true] {
            let mut buffer = cleared();
            buffer.tick(&In { wid, advance: true, ..In::default() });
            buffer.tick(&In { wid, write_enable: 0b01, row: 3, wdata: 1, ..In::default() });
            buffer.tick(&In { wid, write_enable: 0b10, row: 3, wdata: 4, ..In::default() });
            assert_eq!(row(&mut buffer, (wid as u16) << 8 | 7), 4 << 64 | 1);
            assert_eq!(row(&mut buffer, (!wid as u16) << 8 | 7), 0);
        }
    }

    #[test]
    fn sixty_three_entries_fill_the_ring() {
        for wid in [false, true] {
            let mut buffer = cleared();
            let advance = In { wid, advance: true, ..In::default() };
            for entry in 0..63 {
                let out = buffer.outputs();
                assert_eq!((out.full, [out.tail0, out.tail1][wid as usize]), (0, entry * 64));
                buffer.tick(&advance);
            }
            assert_eq!(buffer.outputs().full, 1 << wid as u8);
            buffer.tick(&In { head_enable: 1 << wid as u8, head: 0x40, ..In::default() });
            assert_eq!(buffer.outputs().full, 0);
        }
    }

    #[test]
    fn polarity_changes_when_the_tail_wraps() {
        for wid in [false, true] {
            let mut buffer = cleared();
            for entry in 0..256 {
                let of_other = 1 << !wid as u8;
                let expected = of_other | ((entry / 64 % 2 == 0) as u8) << wid as u8;
                assert_eq!(buffer.outputs().polarity, expected, "entry {entry} of {wid}");
                buffer.tick(&In { wid, advance: true, ..In::default() });
            }
        }
    }

    #[test]
    fn controller_reset_clears_flags_and_pointers() {
        let mut buffer = cleared();
        for wid in [false, true] {
            for _ in 0..63 {
                buffer.tick(&In { wid, write_enable: 0b11, wdata: u64::MAX, ..In::default() });
                buffer.tick(&In { wid, advance: true, ..In::default() });
            }
        }
        buffer.tick(&In { head_enable: 0b11, head: 0xfc0, ..In::default() });
        buffer.tick(&In { controller_reset: true, head_enable: 0b11, head: 0x080, ..In::default() });
        assert_eq!(buffer.q, Registers::default());
        for _ in 0..ENTRIES {
            buffer.tick(&In::default());
        }
        for entry in 0..u16::from(ENTRIES) {
            assert_eq!(row(&mut buffer, entry * 4) as u64, 0, "line 0 of entry {entry}");
        }
        assert_eq!(row(&mut buffer, 0) >> 64, u64::MAX.into(), "line 1 stays");
    }

    #[test]
    fn nothing_is_written_while_flags_are_cleared() {
        for write_enable in [0b01, 0b10, 0b11] {
            let mut buffer = cleared();
            for wid in [false, true] {
                for _ in 0..64 {
                    for row in 0..4 {
                        let write = In { wid, write_enable: 0b11, row, wdata: 7, ..In::default() };
                        buffer.tick(&write);
                    }
                    buffer.tick(&In { wid, advance: true, ..In::default() });
                }
            }
            buffer.tick(&In { controller_reset: true, ..In::default() });
            for cycle in 0..u64::from(ENTRIES) {
                let row = (cycle & 3) as u8;
                buffer.tick(&In { wid: cycle & 1 == 1, write_enable, row, wdata: cycle, ..In::default() });
            }
            for at in 0..4 * u16::from(ENTRIES) {
                let even = if at % 4 == 0 { 0 } else { 7 };
                assert_eq!(row(&mut buffer, at), 7 << 64 | even, "row {at}, enable {write_enable}");
            }
        }
    }
}
