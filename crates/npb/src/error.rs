//! Errors of the benchmarks.

/// Reason why a benchmark did not run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The kernel divides its data by two repeatedly.
    #[error("{0} runs on 1, 2, 4, 8 or another power of two of processes, not on {1}")]
    Ranks(&'static str, usize),
    /// There would be processes without data.
    #[error("{0} of this class runs on {1} processes at most, not on {2}")]
    Most(&'static str, usize, usize),
    /// An MPI call failed.
    #[error(transparent)]
    Call(#[from] mpi::Error),
}
