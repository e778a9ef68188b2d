//! The published numbers of the paper on MPI/DE: every number that is compared has its row here.

use machine_api::{Class, Published, row};

use Class::{Cited, Computed, Exact, Fitted, InSight};

/// All rows, in the order of our notes on the paper. A kilobyte of a message is 1,000 bytes, a megabyte in a second
/// 1,000,000 bytes; those of memories are powers of two.
pub const TABLE: &[Published] = &[
    row("M1", "7", Fitted, 90.0, "us", "latency of 8 B, old ROM, user thread in evc_wait"),
    row("M2", "1", InSight, 19.0, "MB/s", "throughput, old ROM, evc_wait: the highest"),
    row("M3", "7", Fitted, 140.0, "us", "latency of 8 B, old ROM, thread of its own in evc_wait"),
    row("M4", "7", Computed, 60.0, "us", "latency of 8 B, old ROM, polling"),
    row("M5", "8", Computed, 70.0, "us", "latency of 8 B, new ROM, user thread in evc_wait"),
    row("M6", "8", Fitted, 20.0, "us", "latency of 8 B: what the new ROM saves"),
    row("M7", "8", Fitted, 40.0, "us", "latency of 8 B, new ROM, polling"),
    row("M8", "3", Fitted, 17.0, "MB/s", "throughput at 800 KB with copies, old ROM"),
    row("M9", "3", InSight, 35.0, "MB/s", "throughput at 800 KB without copies, old ROM"),
    row("M10", "section 5.1", Exact, 800_000.0, "B", "ping-pong: longest message"),
    row("M11", "section 5.1", Exact, 128.0, "B", "shortest message that goes by DMA"),
    row("M12", "7", InSight, 1.0, "times", "throughput at 800 KB: thread of its own against polling"),
    row("M13", "8", Fitted, 1.0, "times", "throughput at 800 KB: new ROM against old"),
    row(
        "M14",
        "section 6.2.3",
        InSight,
        1.0,
        "times",
        "latency of 8 B, old ROM, evc_wait: with a progress thread each second, against none",
    ),
    // The paper prints no number, only that the user level is faster: more than 1.
    row(
        "M15",
        "section 6.3",
        InSight,
        1.0,
        "times",
        "start of 8 KB out of the cache: by the kernel call, against replacement by the user",
    ),
    row("M16", "section 3", Exact, 40.0, "MB/s", "a port of the network"),
    row("M17", "section 3", Exact, 256.0, "PEs", "largest machine"),
    row("M18", "section 3", Exact, 64.0, "MB", "largest local memory"),
    row("M18c", "section 5", Exact, 75.0, "MHz", "clock of the test system"),
    row("M19", "section 6.3", Exact, 1.0, "MB", "second-level cache"),
    row("M19l", "section 6.3", Exact, 16.0, "words", "line of the cache"),
    row("M20", "section 6.4", Exact, 256.0, "KB", "window of a task, 18 bits"),
    row("M21", "2", Exact, 1_000.0, "words", "longest broadcast"),
    row("M21s", "2", Exact, 1_280.0, "B", "scatter, to each"),
    row("M22", "section 8", Cited, 78.0, "us", "latency on CS-2, PVM/PARMACS"),
    row("M22t", "section 8", Cited, 44.0, "MB/s", "throughput on CS-2; printed without 'in a second'"),
    row("M23", "section 8", Cited, 332.0, "us", "latency on AP1000"),
    row("M23t", "section 8", Cited, 2.85, "MB/s", "throughput on AP1000"),
    row("M24", "section 8", Cited, 30.0, "us", "latency on SP1, empty message"),
    row("M24t", "section 8", Cited, 9.0, "MB/s", "throughput on SP1"),
    row("M25", "section 8", Cited, 40.0, "us", "latency on SP2"),
    row("M25t", "section 8", Cited, 35.0, "MB/s", "throughput on SP2"),
    row("M26", "section 8", Cited, 200.0, "us", "latency on IBM's with interrupts, up to"),
];
