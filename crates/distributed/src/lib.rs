//! A cluster over the processes of a real MPI, one part in each.
//!
//! Every process of `mpirun` calls the same functions with the same arguments. `World::join` is MPI's beginning, `World::run` is
//! [`cluster::run`] with processes in place of threads: it brings the same results and the same fingerprint, and brings them to process 0.
//!
//! This needs the feature `mpi`. Without it a program can still ask whether [mpirun started it](started_by_mpirun), and refuse to run as
//! so many copies.

mod launch;

#[cfg(feature = "mpi")]
mod agreement;
#[cfg(feature = "mpi")]
mod error;
#[cfg(feature = "mpi")]
mod exchange;
#[cfg(feature = "mpi")]
mod results;
#[cfg(feature = "mpi")]
mod world;

#[cfg(feature = "mpi")]
pub use error::{DistributedError, JoinError};
pub use launch::{Launch, WithoutMpi, refuse_copies, started_by_mpirun};
#[cfg(feature = "mpi")]
pub use world::{Job, World};
