//! Inspection of blocks: every register and every pin, by name, in a fixed order.

use crate::{Bits, Bundle, Edges, Kind, words_for};

/// Direction of the pins in a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Input pins, the packed port `pins_i` of the RTL.
    Inputs,
    /// Output pins, the packed port `pins_o` of the RTL.
    Outputs,
}

/// Walks over a tree of blocks.
///
/// One traversal serves many consumers: names for a report, values for lockstep, signals for a waveform,
/// bytes for a fingerprint. Visitors are generic, so a traversal over values compiles to plain stores.
pub trait Visitor: Sized {
    /// Enters a child block; the RTL's instance is called `u_<name>`.
    fn enter(&mut self, name: &'static str);

    /// Leaves the block entered most recently.
    fn leave(&mut self);

    /// A register of the present block, bit 0 first; the RTL holds it in a signal `<name>_q`.
    fn word(&mut self, name: &'static str, width: u32, kind: Kind, words: &[u64]);

    /// Pins of the present block, computed only if the visitor needs them.
    fn pins<B: Bundle>(&mut self, role: Role, pins: impl FnOnce() -> B);

    /// Following signals change only with these clocks, up to the end of the present block or the next such
    /// call. A device begins with its first clock.
    #[inline(always)]
    fn clocks(&mut self, clocks: Edges) {
        let _ = clocks;
    }

    /// The contents of a memory of `depth` words: `first` are its first words, the others have the default
    /// value. Most visitors use only the ports of a memory.
    #[inline(always)]
    fn memory<T: Bits>(&mut self, depth: usize, first: &[T]) {
        let _ = (depth, first);
    }

    /// A register of the present block.
    #[inline(always)]
    fn register<T: Bits>(&mut self, name: &'static str, width: u32, value: T) {
        if width <= 64 {
            let mut words = [0; 1];
            value.put(&mut words, 0, width);
            self.word(name, width, T::KIND, &words);
        } else {
            let mut words = [0; 4];
            value.put(&mut words, 0, width);
            self.word(name, width, T::KIND, &words[..words_for(width)]);
        }
    }

    /// All registers of a block, declared as a bundle.
    #[inline(always)]
    fn registers<B: Bundle>(&mut self, registers: &B) {
        registers.for_each(|field, words| self.word(field.name, field.width, field.kind, words));
    }

    /// A child block: its registers, its pins and its children.
    #[inline(always)]
    fn block(&mut self, name: &'static str, block: &impl Probe) {
        self.enter(name);
        block.probe(self);
        self.leave();
    }
}

/// A block whose registers and pins can be inspected.
pub trait Probe {
    /// Visits the block's registers, output pins and children, always in the same order.
    fn probe(&self, visitor: &mut impl Visitor);
}
