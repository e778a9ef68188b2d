//! PM over a cluster in memory, and over machines.

/// Calls that are refused, and what a node that does not answer does to the others.
mod errors;
/// One program on every machine that has an endpoint.
mod machines;
/// Sessions of a channel, one after the other.
mod sessions;
/// Long streams over bad wires.
mod streams;

use pm::Channel;

const CHANNEL: Channel = Channel::new(0).unwrap();
