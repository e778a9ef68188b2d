//! What a rank's process finds in its environment.

/// Number of the descriptor of its slot.
pub const SLOT: &str = "MEMONET_RANK_SLOT";
/// Its rank, for scripts that stand between the launcher and the program.
pub const RANK: &str = "MEMONET_RANK";
/// Seed of the hashes of Python, which else are random, and with them the order of sets; that of the user goes before.
pub const HASHES: &str = "PYTHONHASHSEED";
/// File of the library, for programs that look for it when they run.
pub const LIBRARY: &str = "MPI4PY_LIBMPI";
