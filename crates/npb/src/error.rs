//! Why a benchmark did not run.

/// Why a benchmark did not run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// CG halves its matrix again and again.
    #[error("CG runs on 1, 2, 4, 8 or another power of two of processes, not on {0}")]
    Ranks(usize),
    /// A call failed.
    #[error(transparent)]
    Call(#[from] mpi::Error),
}
