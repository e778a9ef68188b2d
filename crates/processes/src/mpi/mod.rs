//! Processes as ranks of an MPI: how a program that knows nothing of the simulator runs on its machines.
//!
//! A rank is a process of the operating system with a library that stands in for MPI (`bindings/mpi_abi`). Between the two sides lies a
//! [`Slot`](crate::Slot) of shared memory: the library writes a [`Call`], the simulator reads it as the next step of a host program, lets virtual time
//! pass, and writes an [`Answer`]. Only one of all ranks and the simulator runs at a time, so a run repeats itself whatever the operating
//! system does.

mod agreement;
pub mod call;
pub mod environment;
mod functions;
mod process;
mod profile;
mod run;
mod serve;
mod standard;

pub use call::{Answer, Call, Called};
pub use functions::functions;
pub use process::{Death, Ended, Process, Program};
pub use profile::{Computing, Departure, Profile, Rate, Step};
pub use run::{Deadlock, Ending, Run, Stuck, Wait};
pub use serve::serve;
pub use standard::{KINDS, class, kind, kind_name, standard};
