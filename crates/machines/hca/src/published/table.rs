//! What was published of adapters like this one, once: every number that is compared anywhere has its row here.

use lab::{Class, Published, row};

use Class::{Exact, Fitted, InSight};

/// All of them: C rows are of the anchor (cost.rs says what it is), F rows of the paper on Fagus. The anchor prints its throughput and rate as bounds from below, so ours
/// agrees if it is above.
pub const TABLE: &[Published] = &[
    row(
        "C1",
        "anchor",
        Fitted,
        10.0,
        "us",
        "small message, half of a round trip: a SEND of 4 B by a connection",
    ),
    row(
        "C2",
        "anchor",
        InSight,
        6.0,
        "Gbit/s",
        "throughput at 64 KB, printed as more than that: SENDs of one connection",
    ),
    row(
        "C3",
        "anchor",
        InSight,
        400.0,
        "1000/s",
        "operations in a second, printed as more than that: SENDs of 4 B of one connection",
    ),
    row("F1", "section 4.1", Exact, 2_048.0, "B", "MTU"),
    row("F2", "section 4.1", Exact, 10.0, "Gbit/s", "signals of a 4X link"),
];
