//! Verbs programs: each is a process on a host with the modelled channel adapter (decision 0066).
//!
//! A library in the process stands in for libibverbs (`bindings/verbs`). It writes a [`Call`] into the slot; the
//! simulator carries it out on the adapter of the host and writes an [`Answer`]. TCP between programs goes through the
//! operating system; the library reports when a program [waits for it](Call::WaitForSocket).

pub mod call;
pub mod connections;
pub mod hca;
mod launch;
mod out_of_band;
mod run;

use crate::progress::Interface;

pub use call::{Answer, Call, CallMessage};
pub use hca::MOST_PIECES;
use hca::directory::Directory;
pub use launch::{KilledLauncher, Launch, RANK_VARIABLES, SLOTS_VARIABLE};
pub use run::{Hosts, Run, VerbsFailure};

/// Programs by the number of their host, and their environment variables.
pub static INTERFACE: Interface = Interface {
    name: "verbs",
    process: "the program of host",
    slot_variable: "MEMONET_HOST_SLOT",
    number_variable: "MEMONET_HOST",
};
