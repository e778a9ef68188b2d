//! A network interface seen from outside: pins and clock edges.
//!
//! A device has three implementations: the Rust model, the Verilated RTL, and both in lockstep. Code that
//! drives a device accepts any of them.

use crate::{Clock, Edges, Quiet, Signal};

/// Error that stops a device. A model never fails; a lockstep pair fails when the two differ.
pub type NicError = Box<dyn std::error::Error + Send + Sync>;

/// A device accessed through its pins.
///
/// Outputs depend on registers only and do not change between edges.
pub trait Nic {
    /// Bundle of all input pins.
    type In;
    /// Bundle of all output pins.
    type Out;

    /// Clocks of the device; bit n of an [`Edges`] is clock n of this table.
    fn clocks(&self) -> &'static [Clock];

    /// The output pins between the last edge and the next one.
    fn outputs(&self) -> &Self::Out;

    /// An edge of all clocks in `edges` at the same instant, with `pins` stable around it.
    fn edge(&mut self, edges: Edges, pins: &Self::In) -> Result<(), NicError>;

    /// Time for which edges with idle inputs change nothing. RTL alone always answers `Busy`.
    fn quiescent(&self) -> Quiet {
        Quiet::Busy
    }

    /// Clocks whose edges, alone or together, change nothing with idle inputs until another clock rises.
    /// [`Edges::NONE`] is always a conservative answer, and the answer of RTL.
    fn resting(&self) -> Edges {
        Edges::NONE
    }

    /// Skips time: `edges` has the number of edges of each clock, in the order of the table. Only called
    /// while the device is quiescent for at least that long.
    fn skip(&mut self, edges: &[u64]) {
        let _ = edges;
    }

    /// Appends the values of [`Nic::sample_registers`] after [`Nic::skip`] of `edges`; `false` if they are not known.
    fn registers_after(&mut self, edges: &[u64], words: &mut Vec<u64>) -> bool {
        let _ = (edges, words);
        false
    }

    /// All registers and pins, in the order of [`Nic::sample`].
    fn signals(&self) -> &[Signal];

    /// Appends the present values of all signals.
    fn sample(&self, words: &mut Vec<u64>);

    /// Appends the present values of all registers, or of all signals: pins are functions of registers.
    fn sample_registers(&self, words: &mut Vec<u64>) {
        self.sample(words);
    }

    /// Appends the present values of all signals in the RTL of a lockstep pair; `false` if there is no such pair, its
    /// model runs ahead, or it does not compare all signals.
    fn sample_twin(&self, words: &mut Vec<u64>) -> bool {
        let _ = words;
        false
    }

    /// Appends the contents of all memories.
    fn memories(&self, words: &mut Vec<u64>);

    /// Inverts a bit of a register in the RTL alone, to inject a fault.
    ///
    /// `signal` is an index in [`Nic::signals`] and names a register.
    fn flip(&mut self, signal: usize, bit: u32) -> Result<(), NicError> {
        let _ = (signal, bit);
        Err("this device has no RTL whose bits can be inverted; lockstep and rtl have it".into())
    }

    /// Deferred checks at the end of a run: a lockstep pair lets its RTL catch up and compares the memories.
    fn check(&mut self) -> Result<(), NicError> {
        Ok(())
    }
}
