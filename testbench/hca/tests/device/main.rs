//! The channel adapter as a whole against its RTL.

/// Bad input ends in a counter, a status or a cause.
mod bad_input;
/// Two adapters on a cable.
mod board;
/// Packets and WQEs in which anything is wrong.
mod fuzz;
/// RDMA, and what may be wrong about it.
mod rdma;
/// What a reset leaves.
mod resets;
