//! The engine with a machine of its own: it needs one file, [`relay`], and nothing of the engine knows it.

mod relay;

/// Runs in parts on threads.
mod parallel;
/// What a ring of nodes does.
mod ring;
/// Networks of several switches.
mod topologies;
