//! The published numbers of similar adapters: every number that is compared has its row here.

use machine_api::{Class, Published, row};

use Class::{Exact, Fitted, InSight};

/// All rows: C rows are of the anchor (see cost.rs), F rows of the paper on Fagus. The anchor prints lower bounds of
/// its throughput and rate, so ours agrees if it is above.
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
    row(
        "F1",
        "5",
        InSight,
        100.0,
        "us",
        "invalidation of a variable: datagrams of verbs take so much less than UDP/IP, mean of 2 to 4 nodes",
    ),
    row("F2", "6", InSight, 100.0, "us", "update of it, slowest reader: the same"),
    row("F3", "5", Fitted, 0.5, "times", "invalidation, 2 nodes: verbs against UDP/IP"),
    row("F4", "7", InSight, 20.0, "MFLOPS", "Himeno, SMALL, 4 nodes: verbs have so much more"),
    row("F5", "7", InSight, 1.0, "%", "the same, relatively; F4 and F5 exclude each other"),
    row("F6", "7", InSight, 1.0, "times", "Himeno, 2 nodes against 1, printed as below that"),
    row("F7", "7", InSight, 4.0 / 3.0, "times", "Himeno, 4 nodes against 3, printed as in proportion"),
    row("F8", "section 1.2", Exact, 2.5, "Gbit/s", "signals of a lane"),
    row("F9", "section 4.1", Exact, 10.0, "Gbit/s", "signals of a 4X link"),
    row("F10", "section 3.2.1", Exact, 2_048.0, "B", "MTU"),
    row("F10h", "section 3.2.1", Exact, 6.0, "B", "header of a packet of Fagus"),
    row("F10p", "section 3.2.1", Exact, 2_042.0, "B", "its payload"),
    row("F11", "section 4.1", Exact, 512.0, "MB", "memory of a host"),
];
