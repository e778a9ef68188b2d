//! Clusters of stand-in boards, and of the model of DIMMnet-2.

/// A board that does what these tests need, and no more.
mod stand_in;

/// Costs of host accesses, as a program sees them and as the pins see them.
mod costs;
/// Same results every time, skipped or ticked.
mod determinism;
/// The model of DIMMnet-2 in the place of the stand-in.
mod dimmnet2_board;
/// Ends of runs that do not go well.
mod failures;
/// Links that lose, cut and change frames.
mod faults;
/// Latencies taken apart.
mod latency;
/// Messages into rings and the LH Buffer.
mod messages;
/// As many nodes as there are LIDs for.
mod nodes;
/// MPI.
mod parallel;
/// The programs that every implementation of PM passes.
mod pm_conformance;
/// Remote memory written and read by two nodes.
mod remote;
/// Shared memory.
mod shared;
/// Byte streams between two hosts.
mod streams;
/// LIDs and routes.
mod subnet;
/// Parts of a cluster on threads of their own.
mod threads;
/// Messages of workloads, by every primitive.
mod workloads;
