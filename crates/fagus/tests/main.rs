//! A shared memory, in memory and over UDP.

/// Messages over a network that loses.
mod comm;
/// What goes wrong, and what is said of it.
mod errors;
/// Nodes tell each other where their adapters are.
mod exchange;
/// Memory over good and bad wires.
mod memory;
/// Programs have the bits that they have alone.
mod programs;
/// Bytes that nobody should send.
mod strangers;
/// Nodes over real sockets.
mod udp;
/// Nodes over real adapters.
#[cfg(feature = "verbs")]
mod verbs;
