//! MPI programs: each rank is a process with a library that stands in for MPI (`bindings/mpi_abi`).
//!
//! The library writes a [`Call`] into the slot, the simulator carries it out as the next step of a host program over the
//! crate `mpi`, and writes an [`Answer`].

pub mod call;
mod collective_check;
mod deadlock;
mod process;
mod profile;
mod reached;
mod run;
mod serve;
mod services;
mod standard;

use crate::progress::Interface;

pub use call::{Answer, Call, CallMessage};
pub use deadlock::{BlockedRank, Deadlock, Wait};
pub use process::RUN_VARIABLE;
pub use profile::{Computing, Profile, Rate, ReplayMismatch, Step};
pub use run::{Hosts, MpiFailure, Ranks, Run};
pub use serve::serve;
pub use standard::{KINDS, class, kind, kind_name, standard};

/// Ranks, and their environment variables.
pub static INTERFACE: Interface = Interface {
    name: "MPI",
    process: "rank",
    slot_variable: "MEMONET_RANK_SLOT",
    number_variable: "MEMONET_RANK",
};

/// Environment variable with the number of a rank's program on the command line, the attribute `MPI_APPNUM`.
pub const PROGRAM_VARIABLE: &str = "MEMONET_PROGRAM";

/// Names of all functions of MPI, in the order of the table in `bindings/mpi_abi`; `make tables` writes the file.
pub fn functions() -> impl Iterator<Item = &'static str> {
    include_str!("functions.txt").lines()
}
