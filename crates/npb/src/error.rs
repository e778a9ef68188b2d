//! Errors of the benchmarks.

/// Reason why a benchmark did not run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// CG divides its matrix by two repeatedly.
    #[error("CG runs on 1, 2, 4, 8 or another power of two of processes, not on {0}")]
    Ranks(usize),
    /// An MPI call failed.
    #[error(transparent)]
    Call(#[from] mpi::Error),
}
