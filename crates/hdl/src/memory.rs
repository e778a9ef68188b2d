//! A block RAM with one write port and one registered read port, twin of `rtl/common/ram.sv`.

use crate::words::Words;
use crate::{Bits, Probe, Visitor};

/// A RAM of `DEPTH` words. Reading and writing one word on the same edge reads the old value.
#[derive(Clone, Debug)]
pub struct Ram<T, const DEPTH: usize> {
    words: Words<T, DEPTH>,
    rdata: T,
}

impl<T: Bits, const DEPTH: usize> Default for Ram<T, DEPTH> {
    fn default() -> Self {
        Self { words: Words::default(), rdata: T::default() }
    }
}

impl<T: Bits, const DEPTH: usize> Ram<T, DEPTH> {
    /// The most recently read word.
    #[inline(always)]
    pub fn rdata(&self) -> T {
        self.rdata
    }

    /// One clock edge.
    #[inline(always)]
    pub fn tick(&mut self, read: Option<usize>, write: Option<(usize, T)>) {
        if let Some(address) = read {
            self.rdata = self.words.get(address);
        }
        if let Some((address, word)) = write {
            *self.words.at(address) = word;
        }
    }

    /// A clock edge during reset: clears the read register, keeps the contents.
    pub fn reset(&mut self) {
        self.rdata = T::default();
    }

    /// The contents, for observers outside the device.
    pub fn words(&self) -> Vec<T> {
        self.words.all()
    }
}

impl<T: Bits, const DEPTH: usize> Probe for Ram<T, DEPTH> {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.register("rdata", T::WIDTH, self.rdata);
        visitor.memory(DEPTH, self.words.written());
    }
}
