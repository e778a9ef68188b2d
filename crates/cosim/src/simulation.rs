//! Interface that lockstep requires of Verilated RTL.

use hdl::{Edges, Visibility};

use crate::LogSlice;

/// A register, memory or packed pins of the RTL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RtlSignal {
    /// Path of instances below the top module, joined by `.`; empty for the top module itself.
    pub scope: String,
    /// Name in its module.
    pub name: String,
    /// Width in bits, of one element if it is a memory.
    pub width: u32,
    /// Elements of a memory; 0 if it is not one.
    pub depth: u32,
}

/// A signal of the RTL and its position in a sample of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watch {
    /// Index in [`Simulation::signals`].
    pub signal: usize,
    /// Index of the signal's first word in the sample.
    pub word: usize,
}

/// An assertion of the RTL failed and stopped it.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct SimulationError(pub String);

/// RTL with packed pins and accessible registers.
///
/// Pins and samples are 64-bit words, bit 0 first, unused bits 0.
pub trait Simulation: Send {
    /// All accessible registers, packed pins and memories.
    fn signals(&self) -> Vec<RtlSignal>;

    /// The pins that are among the signals: of all blocks, or of the device alone.
    fn visibility(&self) -> Visibility {
        Visibility::Full
    }

    /// Adds signals that [`Simulation::follow`] compares when one of these clocks rises.
    fn watch(&mut self, clocks: Edges, watches: &[Watch]);

    /// Executes `edges` edges of all clocks of the block during reset.
    fn reset(&mut self, edges: u32, pins_o: &mut [u64]) -> Result<(), SimulationError>;

    /// Executes an edge of the clocks in `edges` at the same instant; fails if the block lacks one of them.
    fn step(&mut self, edges: Edges, pins_i: &[u64], pins_o: &mut [u64]) -> Result<(), SimulationError>;

    /// Sets the expected values of the watched signals.
    fn expect(&mut self, sample: &[u64]);

    /// Returns the expected values of the watched signals.
    fn expected(&self, sample: &mut [u64]);

    /// Executes instants. Returns the first instant, counted from 0, after which a watched
    /// signal of the clocks that rose differs from its expected value, or an error with the instant at which
    /// the RTL stops.
    ///
    /// Expected values change with every instant as logged.
    fn follow(&mut self, instants: &LogSlice) -> Result<Option<usize>, (usize, SimulationError)>;

    /// Writes the watched signals of all clocks to their words of `sample`.
    fn gather(&self, sample: &mut [u64]);

    /// Reads a register or a memory; each element occupies whole words.
    fn read(&self, signal: usize, words: &mut [u64]);

    /// Overwrites a register to inject a fault, effective from the next edge. Fails if an assertion without a clock
    /// does.
    fn overwrite(&mut self, signal: usize, words: &[u64]) -> Result<(), SimulationError>;

    /// Inverts a bit of a register, as [`Simulation::overwrite`].
    ///
    /// # Panics
    ///
    /// If the register has fewer bits.
    fn flip(&mut self, signal: usize, bit: u32) -> Result<(), SimulationError> {
        let RtlSignal { name, width, .. } = &self.signals()[signal];
        assert!(bit < *width, "{name} has {width} bits");
        let mut words = vec![0; hdl::words_for(*width)];
        self.read(signal, &mut words);
        words[bit as usize / 64] ^= 1 << (bit % 64);
        self.overwrite(signal, &words)
    }
}
