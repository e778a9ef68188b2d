//! A static RAM of 32-bit words with two ports, twin of `rtl/common/sram.sv`.

use crate::{Probe, Visitor};

/// Access of one port on an edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SramAccess {
    /// Reads the word; it is on the port's read register one cycle later.
    pub read_enable: bool,
    /// Writes `wdata`.
    pub write_enable: bool,
    /// Word to read or write.
    pub address: u32,
    /// Data to write.
    pub wdata: u32,
}

/// A RAM of `DEPTH` words with ports A and B, each of which reads or writes. Reading a word that either port
/// writes on the same edge reads the old value. A word that both ports write takes the value from B.
#[derive(Clone, Debug)]
pub struct Sram<const DEPTH: usize> {
    words: Box<[u32]>,
    a_rdata: u32,
    b_rdata: u32,
}

impl<const DEPTH: usize> Default for Sram<DEPTH> {
    fn default() -> Self {
        Self { words: vec![0; DEPTH].into(), a_rdata: 0, b_rdata: 0 }
    }
}

impl<const DEPTH: usize> Sram<DEPTH> {
    /// The word that port A read most recently.
    #[inline(always)]
    pub fn a_rdata(&self) -> u32 {
        self.a_rdata
    }

    /// The word that port B read most recently.
    #[inline(always)]
    pub fn b_rdata(&self) -> u32 {
        self.b_rdata
    }

    /// One clock edge.
    #[inline(always)]
    pub fn tick(&mut self, a: SramAccess, b: SramAccess) {
        if a.read_enable {
            self.a_rdata = self.words[a.address as usize];
        }
        if b.read_enable {
            self.b_rdata = self.words[b.address as usize];
        }
        if a.write_enable {
            self.words[a.address as usize] = a.wdata;
        }
        if b.write_enable {
            self.words[b.address as usize] = b.wdata;
        }
    }

    /// A clock edge during reset: clears the read registers, keeps the contents.
    pub fn reset(&mut self) {
        (self.a_rdata, self.b_rdata) = (0, 0);
    }

    /// The contents, for observers outside the device.
    pub fn words(&self) -> &[u32] {
        &self.words
    }
}

impl<const DEPTH: usize> Probe for Sram<DEPTH> {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.register("a_rdata", 32, self.a_rdata);
        visitor.register("b_rdata", 32, self.b_rdata);
        visitor.memory(DEPTH, &self.words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: SramAccess = SramAccess { read_enable: false, write_enable: false, address: 5, wdata: 0 };
    const READ: SramAccess = SramAccess { read_enable: true, ..NOTHING };

    fn write(wdata: u32) -> SramAccess {
        SramAccess { write_enable: true, wdata, ..NOTHING }
    }

    #[test]
    fn each_port_reads_words_written_earlier() {
        let mut sram = Sram::<16>::default();
        sram.tick(write(1), READ);
        sram.tick(READ, write(2));
        assert_eq!((sram.a_rdata(), sram.b_rdata()), (1, 0), "a read sees the word before the edge");
        sram.tick(NOTHING, READ);
        assert_eq!((sram.a_rdata(), sram.b_rdata()), (1, 2));
        sram.reset();
        assert_eq!((sram.a_rdata(), sram.b_rdata(), sram.words()[5]), (0, 0, 2));
    }

    #[test]
    fn word_that_both_ports_write_takes_the_value_from_b() {
        let mut sram = Sram::<16>::default();
        sram.tick(write(1), write(2));
        assert_eq!(sram.words()[5], 2);
    }
}
