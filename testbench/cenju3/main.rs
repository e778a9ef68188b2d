//! The NIF of Cenju-3 against its RTL.

/// Random pins for one block, and what must come of them.
mod bench;
/// The whole NIF.
mod board;
/// The link.
mod link;
/// Local memory and registers.
mod memory;
/// From queue to packet.
mod send;
/// Every block is there twice.
mod twins;
