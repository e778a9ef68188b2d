//! What lockstep asks of Verilated RTL.

use hdl::Edges;

use crate::Log;

/// A signal of the RTL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RtlSignal {
    /// Path of instances below the top module, joined by `.`; empty for the top module itself.
    pub scope: String,
    /// Name in the module.
    pub name: String,
    /// Width in bits, of one element if it is a memory.
    pub width: u32,
    /// Elements of a memory; 0 if it is not one.
    pub depth: u32,
}

/// A signal of the RTL and its place in a sample of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watch {
    /// Index in [`Simulation::signals`].
    pub signal: usize,
    /// Index of its first word in the sample.
    pub word: usize,
}

/// The RTL has stopped by itself: an assertion in it failed.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct SimulationError(pub String);

/// RTL behind packed pins, with its registers visible.
///
/// Pins and samples are 64-bit words, bit 0 first, unused bits 0.
pub trait Simulation: Send {
    /// Registers, packed pins and memories, as far as they are visible.
    fn signals(&self) -> Vec<RtlSignal>;

    /// Chooses the signals that [`Simulation::follow`] compares when one of these clocks rises.
    fn watch(&mut self, clocks: Edges, watches: &[Watch]);

    /// All clocks that the block has rise `edges` times under reset.
    fn reset(&mut self, edges: u32, pins_o: &mut [u64]) -> Result<(), SimulationError>;

    /// The clocks in `edges` rise at the same instant; an error if the block has not all of them.
    fn step(&mut self, edges: Edges, pins_i: &[u64], pins_o: &mut [u64]) -> Result<(), SimulationError>;

    /// Says what the watched signals are to hold.
    fn expect(&mut self, sample: &[u64]);

    /// What the watched signals are to hold.
    fn expected(&self, sample: &mut [u64]);

    /// Goes through the instants of a log, up to the first after which a watched signal of the clocks that rose is
    /// not what is expected, or at which the RTL stops; that instant, counted from 0.
    ///
    /// What is expected changes with every instant as the log says.
    fn follow(&mut self, log: &Log) -> Result<Option<usize>, (usize, SimulationError)>;

    /// Writes the watched signals of all clocks to their words of `sample`.
    fn gather(&self, sample: &mut [u64]);

    /// Reads a memory, each element in whole words.
    fn read(&self, signal: usize, words: &mut [u64]);
}
