//! Clusters of stand-in boards, and of the model of DIMMnet-2.

/// A minimal board for tests of the cluster.
mod stand_in;

/// Costs of host accesses, as a program and as the pins see them.
mod costs;
/// Runs repeat exactly, whether idle cycles are skipped or ticked.
mod determinism;
/// Tests of the first list with the model of DIMMnet-2.
mod dimmnet2_board;
/// Runs that fail.
mod failures;
/// Link fault injection.
mod faults;
/// Latencies by stage.
mod latency;
/// Messages into rings and the LH Buffer.
mod messages;
/// As many nodes as there are LIDs.
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
/// Two processes on one board.
mod two_processes;
/// MPI with two ranks on one board.
mod two_ranks;
/// One-sided communication of MPI.
mod windows;
/// Messages of workloads, by every primitive.
mod workloads;
