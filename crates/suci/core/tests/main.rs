//! Tests of whole endpoints over a simulated network.

/// The protocol of the paper at its edges.
mod edges;
/// Hostile datagrams.
mod hostile;
/// Pinned keys, key updates and address changes.
mod keys;
/// Ends, repetitions and successors of connections.
mod lives;
/// The protocol of this library.
mod modern;
/// A monitor on the wire of the simulated network.
mod monitor;
/// Changes of address.
mod moving;
/// The simulated network.
mod network;
/// The protocol of the paper, printed and repaired, with its hazards.
mod paper;
/// Path MTU discovery and congestion marks.
mod paths;
/// Many blocks over faulty wires: few in the tests, ten million in `make soak`.
mod soak;
/// Sockets on loopback.
mod sync;
