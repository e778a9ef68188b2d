//! A cluster over the processes of a real MPI, one part in each.
//!
//! All processes of `mpirun` call the same functions with the same arguments. [`World::join`] starts MPI. [`World::run`]
//! is [`crate::run`] with processes in place of threads: it has the same results and the same fingerprint, and returns
//! them in process 0.

mod agreement;
mod error;
mod exchange;
mod job;
mod results;
mod world;

pub use error::{DistributedError, JoinError};
pub use job::Job;
pub use world::World;
