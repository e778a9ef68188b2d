//! A FIFO in one clock domain, twin of `rtl/common/fifo.sv`.

use crate::{Bits, Probe, Ram, Visitor};

/// Input pins of a [`Fifo`].
#[derive(Clone, Copy, Debug, Default)]
pub struct FifoIn<T> {
    /// Stores `wdata`; ignored when full.
    pub write_enable: bool,
    /// Word to store.
    pub wdata: T,
    /// Takes the oldest word; it is on `rdata` one cycle later. Ignored when empty.
    pub read_enable: bool,
}

/// Output pins of a [`Fifo`].
#[derive(Clone, Copy, Debug, Default)]
pub struct FifoOut<T> {
    /// The word taken by the last read.
    pub rdata: T,
    /// No word is stored.
    pub empty: bool,
    /// `DEPTH` words are stored.
    pub full: bool,
    /// Words stored, 0 to `DEPTH`.
    pub count: u16,
}

/// A FIFO of `DEPTH` words, a power of two; a word written is readable in the next cycle.
#[derive(Clone, Debug)]
pub struct Fifo<T, const DEPTH: usize> {
    ram: Ram<T, DEPTH>,
    /// One bit wider than the address, which distinguishes full from empty.
    write_pointer: u16,
    read_pointer: u16,
}

impl<T: Bits, const DEPTH: usize> Default for Fifo<T, DEPTH> {
    fn default() -> Self {
        const { assert!(DEPTH.is_power_of_two() && DEPTH < 1 << 15) }
        Self { ram: Ram::default(), write_pointer: 0, read_pointer: 0 }
    }
}

impl<T: Bits, const DEPTH: usize> Fifo<T, DEPTH> {
    const POINTER_MASK: u16 = 2 * DEPTH as u16 - 1;

    /// The output pins.
    #[inline(always)]
    pub fn outputs(&self) -> FifoOut<T> {
        let count = self.write_pointer.wrapping_sub(self.read_pointer) & Self::POINTER_MASK;
        FifoOut { rdata: self.ram.rdata(), empty: count == 0, full: count as usize == DEPTH, count }
    }

    /// One clock edge.
    #[inline(always)]
    pub fn tick(&mut self, pins: &FifoIn<T>) {
        if !pins.write_enable && !pins.read_enable {
            return;
        }
        let q = self.outputs();
        let write = pins.write_enable && !q.full;
        let read = pins.read_enable && !q.empty;
        self.ram.tick(
            read.then_some(self.read_pointer as usize % DEPTH),
            write.then_some((self.write_pointer as usize % DEPTH, pins.wdata)),
        );
        self.write_pointer = (self.write_pointer + write as u16) & Self::POINTER_MASK;
        self.read_pointer = (self.read_pointer + read as u16) & Self::POINTER_MASK;
    }

    /// A clock edge during reset.
    pub fn reset(&mut self) {
        self.ram.reset();
        (self.write_pointer, self.read_pointer) = (0, 0);
    }
}

impl<T: Bits, const DEPTH: usize> Probe for Fifo<T, DEPTH> {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        let width = DEPTH.ilog2() + 1;
        visitor.register("write_pointer", width, self.write_pointer);
        visitor.register("read_pointer", width, self.read_pointer);
        visitor.block("ram", &self.ram);
    }
}
