//! Unmodified programs as hosts of modelled machines.
//!
//! Each program is a process of the operating system. A library in the process stands in for that of its interface: MPI
//! (`bindings/mpi_abi`) or verbs (`bindings/verbs`). Process and simulator share a [`Slot`] of memory: the library
//! writes a call, the simulator carries it out in virtual time and writes the answer. Only one of all processes and the
//! simulator runs at a time, so a run does not depend on the scheduling of the operating system.
//!
//! The modules at the top are common to both interfaces: slots, codec, processes and runs. [`mpi`] and [`verbs`], each
//! behind the feature of its name, add the calls and what carries them out.

#![forbid(unsafe_code)]

mod codec;
mod lineage;
#[cfg(feature = "mpi")]
pub mod mpi;
mod orphans;
mod process;
mod progress;
mod run;
mod search;
mod silence;
mod slot;
#[cfg(feature = "verbs")]
pub mod verbs;

pub use codec::{DecodeError, decode, encode};
pub use orphans::Orphans;
pub use process::{ProcessError, ProcessExit, Program, StartError};
pub use progress::{Interface, ProcessId, Progress};
pub use run::{Meter, Run, RunFailure, RunState};
pub use search::{candidates, is_executable};
pub use silence::Silence;
pub use slot::{LONGEST, PIECE, Slot, SlotError};
pub use slots::fix_addresses;
