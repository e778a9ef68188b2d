//! What a rank's process finds in its environment.

/// Number of the descriptor of its slot.
pub const SLOT: &str = "MEMONET_RANK_SLOT";
/// File of the library, for programs that look for it when they run.
pub const LIBRARY: &str = "MPI4PY_LIBMPI";
