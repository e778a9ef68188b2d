//! Tests of the shared memory, in memory and over UDP and verbs.

/// The retransmission protocol over a lossy network.
mod comm;
/// Errors and their descriptions.
mod errors;
/// Exchange of queue pair addresses.
mod exchange;
/// Shared memory over good and faulty wires.
mod memory;
/// One node, message by message.
mod node;
/// Parallel programs give the bits of their serial versions.
mod programs;
/// The protocol message by message.
mod protocol;
/// The receive ring as printed.
mod ring;
/// Nodes on machines where every step takes time.
mod station;
/// Packets from unknown senders and malformed packets.
mod strangers;
/// Nodes over UDP sockets.
mod udp;
/// Nodes over RDMA adapters.
#[cfg(feature = "verbs")]
mod verbs;
