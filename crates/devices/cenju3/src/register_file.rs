//! Register file: the registers of the NIF for the host (paper, section 3; the layout is not printed,
//! decision 0057).
//!
//! Bases and the number of the processor element change only while the NIF is stopped; masks change only
//! while the user's queue is empty and none of its entries is in flight, so an entry is sent under the masks
//! under which it was written. A refused write changes nothing and sets a bit of Status.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, Visitor};

use crate::mask::Transfer;
use crate::memory_map::Kind;
use crate::pins::HostIn;
use crate::registers::{Configuration, Positions, Refused, Register, Status};

hdl::bundle! {
    /// Input pins of the register file.
    pub struct In in register_file_pkg {
        /// From the host.
        host: HostIn,
        /// Positions of the NIF in its queues and rings.
        positions: Positions,
        /// The NIF is active.
        busy: bool,
        /// An entry of the user's queue is in flight, whatever the positions say: the user may move his own
        /// one back.
        user_busy: bool,
        /// An entry is refused; high for one cycle.
        refuse: bool,
        /// Reason of the refusal, a `Refusal`.
        why: u8 : 3,
        /// The entry is from the user's queue.
        user: bool,
        /// Entry after the mask.
        transfer: Transfer,
        /// A packet is dropped; high for one cycle.
        dropped: bool,
        /// Full rings that a packet waits for, a bit each.
        held: u8 : 3,
        /// Pending interrupt causes.
        cause: u8 : 4,
    }
}

hdl::bundle! {
    /// Output pins of the register file.
    pub struct Out in register_file_pkg {
        /// To the host: word for the last read.
        rdata: u32,
        /// Settings written by the host.
        configuration: Configuration,
        /// To the interrupt: causes that the host clears.
        clear: u8 : 4,
        /// To the interrupt: one of bits 3 to 0 of Status was set; high for one cycle.
        fault: bool,
    }
}

hdl::bundle! {
    /// Registers of the register file.
    pub struct RegisterFile in register_file_pkg {
        /// Word for the last read.
        rdata: u32,
        /// Settings written by the host.
        configuration: Configuration,
        /// Causes that the host clears, a bit each.
        clear: u8 : 4,
        /// One of bits 3 to 0 of Status was set.
        fault: bool,
        /// Bits of Status.
        status: u8 : 7,
        /// First refused entry.
        refused_entry: u32 : 20,
        /// DMA write address of that entry; its source for a message.
        refused_address: u32,
        /// Packets dropped; the counter wraps.
        dropped: u16,
    }
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "cenju3/register_file_pkg",
    source: file!(),
    items: &[Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for RegisterFile {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        let q = self;
        Out { rdata: q.rdata, configuration: q.configuration, clear: q.clear, fault: q.fault }
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
        if self.clear == 0 && !self.fault { Quiet::UntilInput } else { Quiet::Busy }
    }
}

/// Result of a write.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    /// The write took effect.
    Done,
    /// The user's queue is not empty: a mask stays unchanged.
    Mask,
    /// The register does not exist, is locked now, or does not accept the value.
    Refused,
}

impl RegisterFile {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        let q = self;
        let mut d = *q;

        let host = &pins.host;
        let offset = host.address & 0xffc;
        let mut faults = Status { entry: pins.refuse, packet: pins.dropped, ..Status::default() };

        d.clear = 0;
        if host.enable && host.write {
            match d.write(offset, host.wdata, pins) {
                Written::Done => (),
                Written::Mask => faults.mask = true,
                Written::Refused => faults.access = true,
            }
        } else if host.enable {
            d.rdata = q.read(offset, pins);
            faults.access = Register::read(offset).is_none();
        }
        // The first refusal is kept until its bit is cleared.
        if pins.refuse && !Status::from_bits(q.status.into()).entry {
            let entry = if pins.user { pins.positions.read1 } else { pins.positions.read0 };
            let refused = Refused { why: pins.why, user: pins.user, entry, pe: pins.transfer.pe };
            let dma = pins.transfer.kind == Kind::Dma.code();
            d.refused_entry = refused.bits() as u32;
            d.refused_address = if dma { pins.transfer.destination } else { pins.transfer.source };
        }
        if pins.dropped {
            d.dropped = q.dropped.wrapping_add(1);
        }
        d.fault = faults.bits() != 0;
        d.status |= faults.bits() as u8 | pins.held << 4;
        d
    }

    /// Value of the register at `offset`.
    #[inline]
    fn read(&self, offset: u16, pins: &In) -> u32 {
        use Register::*;
        let q = self;
        let configuration = &q.configuration;
        let page = |page: u16| u32::from(page) << 12;
        match Register::read(offset) {
            Some(Control) => u32::from(pins.busy) << 1 | u32::from(configuration.enable),
            Some(Pe) => configuration.pe.into(),
            Some(InterruptCause) => pins.cause.into(),
            Some(InterruptEnable) => configuration.interrupt_enable.into(),
            Some(Register::Status) => q.status.into(),
            Some(RefusedEntry) => q.refused_entry,
            Some(RefusedAddress) => q.refused_address,
            Some(Dropped) => q.dropped.into(),
            Some(QueueBase0) => page(configuration.queue0),
            Some(QueueBase1) => page(configuration.queue1),
            Some(HeaderBase0) => page(configuration.header0),
            Some(HeaderBase1) => page(configuration.header1),
            Some(HeaderBase2) => page(configuration.header2),
            Some(DataBase0) => u32::from(configuration.data0) << 13,
            Some(DataBase1) => u32::from(configuration.data1) << 13,
            Some(AddressBase) => u32::from(configuration.address_base) << 18,
            Some(PeBase) => configuration.pe_base.into(),
            Some(PeMask) => configuration.pe_mask.into(),
            Some(QueueWrite0) => configuration.write0.into(),
            Some(QueueRead0) => pins.positions.read0.into(),
            Some(RingRead1) => configuration.read1.into(),
            Some(RingWrite1) => pins.positions.write1.into(),
            Some(QueueWrite1) => configuration.write1.into(),
            Some(QueueRead1) => pins.positions.read1.into(),
            Some(RingRead0) => configuration.read0.into(),
            Some(RingWrite0) => pins.positions.write0.into(),
            Some(RingRead2) => configuration.read2.into(),
            Some(RingWrite2) => pins.positions.write2.into(),
            None => 0,
        }
    }

    /// Writes the register at `offset`.
    #[inline]
    fn write(&mut self, offset: u16, word: u32, pins: &In) -> Written {
        use Register::*;
        let stopped = !self.configuration.enable && !pins.busy;
        let empty = self.configuration.write1 == pins.positions.read1 && !pins.user_busy;
        let page = stopped && word >> 26 == 0 && word & 0xfff == 0;
        let piece = page && word & 0x1000 == 0;
        let widths = Configuration::WIDTHS;
        let (pages, pieces) = (widths.queue0.wrap(word >> 12), widths.data0.wrap(word >> 13));
        let (byte, position) = (word as u8, widths.write0.wrap(word));

        let d = &mut self.configuration;
        match Register::write(offset) {
            Some(Control) => d.enable = word & 1 == 1,
            Some(InterruptCause) => self.clear = Self::WIDTHS.clear.wrap(byte),
            Some(InterruptEnable) => d.interrupt_enable = widths.interrupt_enable.wrap(byte),
            Some(Register::Status) => self.status &= !byte,
            Some(QueueWrite0) => d.write0 = position,
            Some(QueueWrite1) => d.write1 = position,
            Some(RingRead0) => d.read0 = position,
            Some(RingRead1) => d.read1 = position,
            Some(RingRead2) => d.read2 = position,
            Some(AddressBase | PeBase | PeMask) if !empty => return Written::Mask,
            Some(AddressBase) => d.address_base = (word >> 18) as u16,
            Some(PeBase) => d.pe_base = byte,
            Some(PeMask) => d.pe_mask = byte,
            Some(Pe) if stopped => d.pe = byte,
            Some(QueueBase0) if page => d.queue0 = pages,
            Some(QueueBase1) if page => d.queue1 = pages,
            Some(HeaderBase0) if page => d.header0 = pages,
            Some(HeaderBase1) if page => d.header1 = pages,
            Some(HeaderBase2) if page => d.header2 = pages,
            Some(DataBase0) if piece => d.data0 = pieces,
            Some(DataBase1) if piece => d.data1 = pieces,
            _ => return Written::Refused,
        }
        Written::Done
    }
}

impl Probe for RegisterFile {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(block: &RegisterFile, register: Register) -> u32 {
        block.read(register.info().offset, &In::default())
    }

    #[test]
    fn ring_that_was_full_is_told_until_its_bit_is_cleared() {
        for ring in 0..3 {
            let mut block = RegisterFile::default();
            block.tick(&In { held: 1 << ring, ..In::default() });
            block.tick(&In::default());
            assert_eq!(read(&block, Register::Status), 0x10 << ring);
            let host = HostIn {
                enable: true,
                write: true,
                address: Register::Status.info().offset,
                wdata: 0x10 << ring,
            };
            block.tick(&In { host, ..In::default() });
            assert_eq!(read(&block, Register::Status), 0);
        }
    }

    #[test]
    fn entry_that_was_refused_is_told_over_its_whole_width() {
        for bit in 0..8 {
            let refused =
                Refused { why: 1 << (bit % 3), user: bit % 2 == 1, entry: 1 << (bit % 6), pe: 1 << bit };
            let positions = Positions { read0: refused.entry, read1: refused.entry, ..Positions::default() };
            let transfer = Transfer { pe: refused.pe, ..Transfer::default() };
            let mut block = RegisterFile::default();
            let (why, user) = (refused.why, refused.user);
            block.tick(&In { refuse: true, why, user, positions, transfer, ..In::default() });
            assert_eq!(u64::from(read(&block, Register::RefusedEntry)), refused.bits());
        }
    }

    fn written(block: &mut RegisterFile, register: Register, wdata: u32, pins: In) {
        let host = HostIn { enable: true, write: true, address: register.info().offset, wdata };
        block.tick(&In { host, ..pins });
    }

    #[test]
    fn first_refusal_is_kept_until_its_bit_is_cleared() {
        let refuse = |pe, destination| In {
            refuse: true,
            transfer: Transfer { pe, destination, kind: Kind::Dma.code(), ..Transfer::default() },
            ..In::default()
        };
        let mut block = RegisterFile::default();
        let told = |block: &RegisterFile| {
            let entry = Refused::from_bits(read(block, Register::RefusedEntry).into());
            (entry.pe, read(block, Register::RefusedAddress))
        };
        block.tick(&refuse(1, 8));
        block.tick(&refuse(2, 16));
        assert_eq!(told(&block), (1, 8));
        written(&mut block, Register::Status, u8::MAX.into(), In::default());
        block.tick(&refuse(3, 24));
        assert_eq!(told(&block), (3, 24));
    }

    #[test]
    fn write_clears_the_bits_of_status_that_it_names() {
        for bit in 0..7 {
            let mut block = RegisterFile { status: 0x7f, ..RegisterFile::default() };
            written(&mut block, Register::Status, 1 << bit, In::default());
            assert_eq!(read(&block, Register::Status), 0x7f ^ 1 << bit);
        }
    }

    #[test]
    fn bases_change_while_the_nif_is_stopped_and_idle_alone() {
        use Register::*;
        let bases = [QueueBase0, QueueBase1, HeaderBase0, HeaderBase1, HeaderBase2, DataBase0, DataBase1];
        let values = bases.map(|base| (base, 0x2000)).into_iter().chain([(Pe, 0xa5)]);
        for (register, value) in values {
            for (enable, busy) in [(false, false), (true, false), (false, true)] {
                let mut block = RegisterFile::default();
                block.configuration.enable = enable;
                written(&mut block, register, value, In { busy, ..In::default() });
                let changes = !enable && !busy;
                assert_eq!(read(&block, register), if changes { value } else { 0 }, "{register:?}");
                assert_eq!(block.fault, !changes, "{register:?}");
            }
        }
        // A page lies in memory and begins at its beginning.
        for bit in (0..12).chain(26..32) {
            let mut block = RegisterFile::default();
            written(&mut block, QueueBase0, 0x2000 | 1 << bit, In::default());
            assert_eq!((read(&block, QueueBase0), block.fault), (0, true), "bit {bit}");
        }
    }

    #[test]
    fn masks_change_while_the_user_has_no_entry_alone() {
        use Register::*;
        for (register, value) in [(AddressBase, 0x5a << 18), (PeBase, 0xa5), (PeMask, 0x5a)] {
            for (read1, user_busy, changes) in [(0, false, true), (1, false, false), (0, true, false)] {
                let positions = Positions { read1, ..Positions::default() };
                let mut block = RegisterFile::default();
                written(&mut block, register, value, In { positions, user_busy, ..In::default() });
                assert_eq!(read(&block, register), if changes { value } else { 0 }, "{register:?}");
            }
        }
    }

    #[test]
    fn counter_of_dropped_packets_wraps() {
        for (before, after) in [(0x7fff, 0x8000), (0xffff, 0)] {
            let mut block = RegisterFile { dropped: before, ..RegisterFile::default() };
            block.tick(&In { dropped: true, ..In::default() });
            assert_eq!(read(&block, Register::Dropped), after);
        }
    }
}
