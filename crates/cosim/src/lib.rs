//! Model and RTL side by side.
//!
//! A device is written twice, and this crate holds the two together: [`Lockstep`] runs the Rust model and the
//! Verilated RTL on the same pins and stops at the first register that differs, with a [`Divergence`] that
//! names it; [`Coverage`] checks that a run walks the declared arcs of every machine, and no others.
//!
//! * [`Lockstep`] and [`Rtl`] are [`hdl::Nic`]s, so whatever drives a model drives them too;
//! * [`BlockPair`] is a lockstep of one block alone, with random pins from a [`Stimulus`];
//! * [`Simulation`] is what this crate asks of Verilated RTL. The crates in `bindings/` implement it, and
//!   nothing here knows them: the engine is built and tested where Verilator is not installed.

mod alone;
mod coverage;
mod divergence;
mod follower;
mod lockstep;
mod log;
mod matching;
mod rtl;
mod simulation;
mod value;

pub use alone::{Alone, BlockPair};
pub use coverage::{Arc, Coverage, IllegalArcs, MachineCoverage};
pub use divergence::{Difference, Divergence, Replay};
pub use hdl::Stimulus;
pub use lockstep::{Lockstep, LockstepError};
pub use log::Log;
pub use matching::OpenError;
pub use rtl::Rtl;
pub use simulation::{RtlSignal, Simulation, SimulationError, Watch};

#[cfg(test)]
mod tests;
