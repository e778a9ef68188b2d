//! Unmodified programs as hosts of modelled machines: each is a process that talks to the simulator through shared memory.

#![forbid(unsafe_code)]

mod codec;
#[cfg(feature = "mpi")]
pub mod mpi;
mod orphans;
mod slot;
#[cfg(feature = "verbs")]
pub mod verbs;

pub use codec::{DecodeError, decode, encode};
pub use orphans::Orphans;
pub use slot::{LONGEST, PIECE, Slot, SlotError};
