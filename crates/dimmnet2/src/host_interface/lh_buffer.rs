//! LH Buffer: a ring of message heads (thesis section 5.1.4, table 4.1, figure 5.5).
//!
//! 64 entries of 64 bytes per process, in an Even bank (bytes 0-7 of every 16) and an Odd bank. The host reads
//! all of it and moves the Head of its ring. Nothing writes entries yet: the reception of message heads is not
//! built, so the Tail is not kept here either and reads 0 (decision 0007).

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Ram, Role, Visitor};

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
        /// Both Heads return to 0.
        controller_reset: bool,
        /// Lines to write, bit per bank; 0 writes nothing.
        write_enable: u8 : 2,
        /// Row to write: WID, row in the process's 4 KB.
        row: u16 : 9,
        /// Lines to write: that of the Even bank is in bits 63:0.
        wdata: u128,
    }
}

hdl::bundle! {
    /// Output pins of the LH Buffer.
    pub struct Out in lh_buffer_pkg {
        /// Row that the host read last: the line of the Even bank is in bits 63:0.
        host_rdata: u128,
        /// Head of WID 0.
        head0: u16 : 12,
        /// Head of WID 1.
        head1: u16 : 12,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/host_interface/lh_buffer_pkg",
    source: "crates/dimmnet2/src/host_interface/lh_buffer.rs",
    items: &[Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

/// The LH Buffer of both processes.
#[derive(Clone, Debug, Default)]
pub struct LhBuffer {
    /// Head of WID 0.
    pub head0: u16,
    /// Head of WID 1.
    pub head1: u16,
    /// Bytes 0-7 of every 16.
    pub even: Ram<u64, 512>,
    /// Bytes 8-15 of every 16.
    pub odd: Ram<u64, 512>,
}

impl Clocked for LhBuffer {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        let q = self;
        Out {
            host_rdata: u128::from(q.odd.rdata()) << 64 | u128::from(q.even.rdata()),
            head0: q.head0,
            head1: q.head1,
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        if pins.controller_reset {
            (self.head0, self.head1) = (0, 0);
        } else {
            if pins.head_enable & 1 != 0 {
                self.head0 = pins.head;
            }
            if pins.head_enable & 2 != 0 {
                self.head1 = pins.head;
            }
        }

        let read = pins.host_read_enable.then_some(pins.host_row as usize);
        let row = pins.row as usize;
        self.even.tick(read, (pins.write_enable & 1 != 0).then_some((row, pins.wdata as u64)));
        self.odd.tick(read, (pins.write_enable & 2 != 0).then_some((row, (pins.wdata >> 64) as u64)));
    }

    fn reset(&mut self) {
        (self.head0, self.head1) = (0, 0);
        self.even.reset();
        self.odd.reset();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        Quiet::UntilInput
    }
}

impl Probe for LhBuffer {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.register("head0", 12, self.head0);
        visitor.register("head1", 12, self.head1);
        visitor.block("even", &self.even);
        visitor.block("odd", &self.odd);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_reads_the_lines_of_both_banks() {
        let mut buffer = LhBuffer::default();
        buffer.tick(&In { write_enable: 0b01, row: 0x1ff, wdata: 2 << 64 | 1, ..In::default() });
        buffer.tick(&In { write_enable: 0b10, row: 0x1ff, wdata: 4 << 64 | 3, ..In::default() });
        buffer.tick(&In { host_read_enable: true, host_row: 0x1ff, ..In::default() });
        assert_eq!(buffer.outputs().host_rdata, 4 << 64 | 1);
        buffer.tick(&In { host_read_enable: true, host_row: 0x0ff, ..In::default() });
        assert_eq!(buffer.outputs().host_rdata, 0);
    }

    #[test]
    fn heads_move_one_by_one_and_return_to_0_together() {
        let mut buffer = LhBuffer::default();
        let heads = |buffer: &LhBuffer| (buffer.outputs().head0, buffer.outputs().head1);
        buffer.tick(&In { head_enable: 0b01, head: 0xfc0, ..In::default() });
        assert_eq!(heads(&buffer), (0xfc0, 0));
        buffer.tick(&In { head_enable: 0b10, head: 0x040, ..In::default() });
        assert_eq!(heads(&buffer), (0xfc0, 0x040));
        buffer.tick(&In { controller_reset: true, head_enable: 0b11, head: 0x080, ..In::default() });
        assert_eq!(heads(&buffer), (0, 0));
    }
}
