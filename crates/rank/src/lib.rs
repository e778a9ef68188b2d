//! Processes as ranks of an MPI.

#![forbid(unsafe_code)]

mod slot;

pub use slot::{LONGEST, PIECE, Slot, SlotError};
