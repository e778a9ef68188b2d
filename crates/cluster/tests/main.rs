//! Clusters of stand-in boards.

/// A board that does what these tests need, and no more.
mod stand_in;

/// Costs of host accesses, as a program sees them and as the pins see them.
mod costs;
/// Same results every time, skipped or ticked.
mod determinism;
/// Ends of runs that do not go well.
mod failures;
/// Latencies taken apart.
mod latency;
/// Byte streams between two hosts.
mod streams;
