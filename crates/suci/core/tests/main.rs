//! Whole endpoints over a network in memory.

/// What anybody may send to an endpoint.
mod hostile;
/// Pinned keys, keys that are replaced, addresses that change.
mod keys;
/// Rules::MODERN.
mod modern;
/// The network.
mod network;
/// Rules::PRINTED and Rules::REPAIRED, hazards of the paper among them.
mod paper;
/// What a path carries, and marks of congestion.
mod paths;
/// Many blocks over bad wires: few here, ten million in `make soak`.
mod soak;
/// Real sockets, on the loopback of this machine.
mod sync;
