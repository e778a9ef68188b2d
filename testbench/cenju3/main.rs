//! The NIF of Cenju-3 against its RTL.

/// Every assertion of the RTL fires.
mod assertions;
/// What may not be sent, in lockstep.
mod bad_input;
/// Random pins for one block, and what must come of them.
mod bench;
/// The whole NIF.
mod board;
/// The link.
mod link;
/// Local memory and registers.
mod memory;
/// What a reset leaves.
mod resets;
/// From queue to packet.
mod send;
/// Every block is there twice.
mod twins;
