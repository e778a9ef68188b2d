//! A bank of 64-bit words with two ports, twin of `rtl/common/dual_bank.sv`.

use crate::words::Words;
use crate::{BankWrite, Probe, Visitor};

/// Access of one port of a [`DualBank`] on an edge; reads and writes of a port share its address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BankAccess {
    /// Reads the word.
    pub read_enable: bool,
    /// Bytes to write, bit 0 is bits 7:0 of the word; 0 writes nothing.
    pub byte_enable: u8,
    /// Word to read or write.
    pub address: usize,
    /// Data to write.
    pub wdata: u64,
}

impl BankAccess {
    #[inline(always)]
    fn write(&self) -> BankWrite {
        BankWrite { byte_enable: self.byte_enable, address: self.address, wdata: self.wdata }
    }
}

/// A bank of `DEPTH` words with ports A and B, each of which reads or writes. Reading a word that either port
/// writes on the same edge reads the old value. A byte that both ports write takes the value from B.
#[derive(Clone, Debug)]
pub struct DualBank<const DEPTH: usize> {
    words: Words<u64, DEPTH>,
    a_rdata: u64,
    b_rdata: u64,
}

impl<const DEPTH: usize> Default for DualBank<DEPTH> {
    fn default() -> Self {
        Self { words: Words::default(), a_rdata: 0, b_rdata: 0 }
    }
}

impl<const DEPTH: usize> DualBank<DEPTH> {
    /// The word that port A read most recently.
    #[inline(always)]
    pub fn a_rdata(&self) -> u64 {
        self.a_rdata
    }

    /// The word that port B read most recently.
    #[inline(always)]
    pub fn b_rdata(&self) -> u64 {
        self.b_rdata
    }

    /// One clock edge.
    #[inline(always)]
    pub fn tick(&mut self, a: BankAccess, b: BankAccess) {
        if a.read_enable {
            self.a_rdata = self.words.get(a.address);
        }
        if b.read_enable {
            self.b_rdata = self.words.get(b.address);
        }
        a.write().apply(&mut self.words);
        b.write().apply(&mut self.words);
    }

    /// A clock edge during reset: clears the read registers, keeps the contents.
    pub fn reset(&mut self) {
        (self.a_rdata, self.b_rdata) = (0, 0);
    }

    /// The contents, for observers outside the device.
    pub fn words(&self) -> Vec<u64> {
        self.words.all()
    }
}

impl<const DEPTH: usize> Probe for DualBank<DEPTH> {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.register("a_rdata", 64, self.a_rdata);
        visitor.register("b_rdata", 64, self.b_rdata);
        visitor.memory(DEPTH, self.words.written());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: BankAccess = BankAccess { read_enable: false, byte_enable: 0, address: 0, wdata: 0 };
    const READ: BankAccess = BankAccess { read_enable: true, byte_enable: 0, address: 5, wdata: 0 };

    fn write(byte_enable: u8, wdata: u64) -> BankAccess {
        BankAccess { read_enable: false, byte_enable, address: 5, wdata }
    }

    #[test]
    fn each_port_reads_words_written_by_the_other() {
        let mut bank = DualBank::<16>::default();
        bank.tick(write(0xff, 1), NOTHING);
        bank.tick(NOTHING, READ);
        bank.tick(READ, write(0xff, 2));
        assert_eq!((bank.a_rdata(), bank.b_rdata()), (1, 1), "a read sees the word before the edge");
        bank.tick(READ, NOTHING);
        assert_eq!((bank.a_rdata(), bank.b_rdata()), (2, 1));
        bank.reset();
        assert_eq!((bank.a_rdata(), bank.b_rdata(), bank.words()[5]), (0, 0, 2));
    }

    #[test]
    fn byte_that_both_ports_write_takes_the_value_from_b() {
        let mut bank = DualBank::<16>::default();
        bank.tick(write(0x0f, 0x1111_1111_1111_1111), write(0x3c, 0x2222_2222_2222_2222));
        assert_eq!(bank.words()[5], 0x0000_2222_2222_1111);
    }
}
