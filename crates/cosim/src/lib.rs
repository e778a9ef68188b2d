//! Lockstep simulation of a Rust model and its RTL.
//!
//! Every device is written twice, and this crate compares the two. [`Lockstep`] runs the Rust model and the
//! Verilated RTL on the same pins and stops at the first register that differs, with a [`Divergence`] that
//! names it. [`Coverage`] checks that a run takes all declared arcs of every state machine and no others.
//!
//! * [`Lockstep`] and [`Rtl`] are [`hdl::Nic`]s, so all code that drives a model can drive them;
//! * [`BlockPair`] is a lockstep of one block alone, with random pins from a [`Stimulus`];
//! * [`Simulation`] is the interface that this crate requires of Verilated RTL. The crates in `bindings/`
//!   implement it; this crate depends on none of them and is built and tested without Verilator.

mod alone;
mod coverage;
mod diagnosis;
mod divergence;
mod follower;
mod lockstep;
mod log;
mod matching;
mod rtl;
mod simulation;
mod source;
mod stillness;
mod value;
mod waves;

pub use alone::{Alone, BlockPair};
pub use coverage::{Arc, Coverage, IllegalArcs, MachineCoverage};
pub use divergence::{Difference, Divergence, Register, Replay};
pub use hdl::Stimulus;
pub use lockstep::{Lockstep, LockstepError};
pub use log::LogSlice;
pub use matching::OpenError;
pub use rtl::Rtl;
pub use simulation::{RtlSignal, Simulation, SimulationError, Watch};
pub use source::{SourceArm, SourceView, source_views};

#[cfg(test)]
mod tests;
