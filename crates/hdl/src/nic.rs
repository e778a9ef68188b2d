//! A network interface as its surroundings see it: pins and clock edges.
//!
//! A device has three implementations: the Rust model, the Verilated RTL, and the two in lockstep.
//! Whatever drives a device takes any of them.

use crate::{Clock, Edges, Quiet, Signal};

/// Why a device cannot go on. A model never fails; a lockstep pair fails when the two differ.
pub type NicError = Box<dyn std::error::Error + Send + Sync>;

/// A device behind its pins.
///
/// Outputs depend on registers only and stay the same from one edge to the next.
pub trait Nic {
    /// Input pins.
    type In;
    /// Output pins.
    type Out;

    /// Its clocks: an [`Edges`] names them by their places.
    fn clocks(&self) -> &'static [Clock];

    /// The output pins between the last edge and the next one.
    fn outputs(&self) -> &Self::Out;

    /// The clocks in `edges` rise at the same instant, with `pins` stable around it.
    fn edge(&mut self, edges: Edges, pins: &Self::In) -> Result<(), NicError>;

    /// Whether edges with idle inputs can change anything. RTL always answers `Busy`.
    fn quiescent(&self) -> Quiet {
        Quiet::Busy
    }

    /// Clocks whose edges, alone or together, with idle inputs, change nothing until another clock rises.
    /// [`Edges::NONE`] is always a safe answer, and that of RTL.
    fn resting(&self) -> Edges {
        Edges::NONE
    }

    /// Lets time pass at once: so many edges of each clock, in the order of the table. Only called while quiescent for at
    /// least that long.
    fn skip(&mut self, edges: &[u64]) {
        let _ = edges;
    }

    /// Every register and all pins, in the order of [`Nic::sample`].
    fn signals(&self) -> &[Signal];

    /// Appends the present values of all signals.
    fn sample(&self, words: &mut Vec<u64>);

    /// Appends the contents of all memories.
    fn memories(&self, words: &mut Vec<u64>);

    /// What is not checked on every edge, for the end of a run: a lockstep pair lets its RTL catch up, and compares
    /// the memories.
    fn check(&mut self) -> Result<(), NicError> {
        Ok(())
    }
}
