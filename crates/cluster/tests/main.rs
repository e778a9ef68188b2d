//! Tests of the engine with a machine of their own, which is one file, [`relay`].

mod relay;

/// Runs in parts on threads.
mod parallel;
/// Behaviour of a ring of nodes.
mod ring;
/// Networks of several switches.
mod topologies;
