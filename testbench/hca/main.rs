//! The channel adapter against its RTL.

/// Every assertion of the RTL fires.
mod assertions;
/// Bad input ends in a counter, a status or a cause.
mod bad_input;
/// Random pins for one block, and what must come of them.
mod bench;
/// Blocks, each under random pins.
mod blocks;
/// Two adapters on a cable.
mod board;
/// Packets and WQEs in which anything is wrong.
mod fuzz;
/// Whether a key allows an access.
mod key_check;
/// The rules of connections.
mod protocol;
/// RDMA, and what may be wrong about it.
mod rdma;
/// What a reset leaves.
mod resets;
/// Every block is there twice.
mod twins;
