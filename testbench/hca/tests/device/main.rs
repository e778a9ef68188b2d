//! The channel adapter as a whole against its RTL.

/// Atomic operations, valid and invalid.
mod atomics;
/// Bad input ends in a counter, a status or a cause.
mod bad_input;
/// Two adapters on a cable.
mod board;
/// Two adapters with a connection, for several tests.
mod ends;
/// Packets and WQEs with random faults.
mod fuzz;
/// Multicast groups.
mod groups;
/// RDMA, valid and invalid.
mod rdma;
/// Several RDMA READs of a connection.
mod reads;
/// Traces of the checker.
mod replays;
/// Registers after a reset.
mod resets;
/// Shared receive queues.
mod shared;
/// States of queue pairs.
mod states;
/// Unreliable connections.
mod unreliable;
