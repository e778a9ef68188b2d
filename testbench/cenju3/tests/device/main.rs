//! The NIF of Cenju-3 as a whole against its RTL.

/// Invalid input in lockstep.
mod bad_input;
/// Random traffic.
mod board;
/// Registers after a reset.
mod resets;
