//! Whole endpoints over a network in memory.

/// What anybody may send to an endpoint.
mod hostile;
/// Rules::MODERN.
mod modern;
/// The network.
mod network;
/// Rules::PRINTED and Rules::REPAIRED, hazards of the paper among them.
mod paper;
/// Real sockets, on the loopback of this machine.
mod sync;
