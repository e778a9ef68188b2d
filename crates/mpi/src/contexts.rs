//! Numbers of communicators. Each has two contexts: of point-to-point messages and of collective calls.

/// Largest number of communicators at the same time.
pub(crate) const CONTEXTS: u16 = 1 << 11;
/// Number of the communicator of all processes of the carrier, by which worlds of processes find each other.
pub(crate) const UNIVERSE: u16 = CONTEXTS - 1;
