//! PM over a cluster in memory.

/// The programs that every implementation of PM passes.
mod conformance;
/// Buffers, numbers and times at their edges.
mod edges;
/// Refused calls, and nodes that do not answer.
mod errors;
/// Frames of one node, one by one.
mod frames;
/// A monitor on the wire.
mod monitor;
/// MPI over PM.
mod parallel;
/// Sessions of a channel, one after the other.
mod sessions;
/// Long streams over faulty links.
mod streams;

use pm::Channel;

const CHANNEL: Channel = Channel::new(0).unwrap();
