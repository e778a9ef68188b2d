//! The NIF of Cenju-3 as a whole against its RTL.

/// What may not be sent, in lockstep.
mod bad_input;
/// The whole NIF.
mod board;
/// What a reset leaves.
mod resets;
