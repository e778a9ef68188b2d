//! Latencies of the paper, once.

use lab::{Class, Published, row};

use Class::{Computed, Fitted};

/// In the order of the paper.
pub const TABLE: &[Published] = &[
    row("M1", "section 6.2.3", Fitted, 90.0, "us", "latency of 8 B, old ROM, user thread in evc_wait"),
    row("M3", "section 6.2.3", Fitted, 140.0, "us", "latency of 8 B, old ROM, thread of its own in evc_wait"),
    row("M4", "section 6.2.3", Computed, 60.0, "us", "latency of 8 B, old ROM, polling"),
    row("M5", "section 6.4", Computed, 70.0, "us", "latency of 8 B, new ROM, user thread in evc_wait"),
    row("M7", "section 6.4", Fitted, 40.0, "us", "latency of 8 B, new ROM, polling"),
];
