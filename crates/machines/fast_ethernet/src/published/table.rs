//! The published numbers of the paper on Suci: every number that is compared has its row here.

use machine_api::{Class, Published, row};

use Class::{Cited, Computed, Exact, Fitted, InSight};

/// All rows, in the order of the paper. A kilobyte is 1,024 bytes, a megabyte in a second 1,000,000 bytes.
pub const TABLE: &[Published] = &[
    row("S-1", "6", Exact, 524_288.0, "B", "ping-pong: longest message, printed as 500 KB"),
    row("S-2", "6", InSight, 30.0, "KB", "ping-pong: Suci is above MPICH up to"),
    row("S-3", "6", Fitted, 2.0, "times", "ping-pong up to 1,024 B: Suci against MPICH"),
    row("S-4", "6", Fitted, 1.5, "times", "ping-pong up to 1,024 B: Suci against MPICH over SCore"),
    row("S-5", "6", InSight, 65_536.0, "B", "ping-pong: where Suci is at its peak"),
    row("S-6", "section 6", Computed, 2.0, "times", "ping-pong of 1,024 B: against MPI over TCP, at most")
        .repeating("S-3"),
    row("S-7", "7", InSight, 7.5, "MB/s", "burst: MPICH's level"),
    row("S-8", "7", InSight, 10.0, "MB/s", "burst: Suci's level"),
    row("S-9", "7", InSight, 16.0, "KB", "burst: MPICH over SCore falls beyond"),
    row("S-10", "8", Exact, 65_536.0, "B", "gather: longest message"),
    row("S-11", "9", Exact, 524_288.0, "B", "broadcast: longest message"),
    row("S-12", "9", InSight, 5.0, "MB/s", "broadcast of 16,384 B, 40 nodes: Suci"),
    row("S-13", "9", InSight, 780.0, "KB/s", "broadcast, 5 nodes: MPICH's level"),
    row("S-14", "section 2", Computed, 128.0, "MB", "buffers of TCP, 1,000 nodes"),
    row("S-15", "section 1", Cited, 50.0, "nodes", "clusters of the time, at least"),
    row("S-16", "table 2", Exact, 44.0, "nodes", "the cluster"),
    row("S-17", "section 2", Exact, 64.0, "KB", "largest window of TCP, 16 bits"),
];
