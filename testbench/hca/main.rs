//! The channel adapter against its RTL.

/// Bad input ends in a counter, a status or a cause.
mod bad_input;
/// Random pins for one block, and what must come of them.
mod bench;
/// Blocks, each under random pins.
mod blocks;
/// Two adapters on a cable.
mod board;
/// Whether a key allows an access.
mod key_check;
/// The rules of connections.
mod protocol;
/// Every block is there twice.
mod twins;
