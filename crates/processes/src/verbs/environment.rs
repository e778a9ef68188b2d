//! What a guest's process finds in its environment.

/// Number of the descriptor of its slot.
pub const SLOT: &str = "MEMONET_GUEST_SLOT";
/// Its host, for scripts that stand between the launcher and the program.
pub const HOST: &str = "MEMONET_GUEST";
