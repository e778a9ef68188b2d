//! The published numbers of the paper: every number that is compared has its row here.

use machine_api::{Class, Published, row};

use Class::{Cited, Computed, Exact, Fitted, InSight};

/// All rows, in the order of the paper. A kilobyte of table 3 is 1,024 bytes.
pub const TABLE: &[Published] = &[
    row("E1", "section 5.2", Fitted, 48.3, "us", "round trip of 4 B, two hosts on one cable"),
    row("E2", "section 5.2", Fitted, 58.3, "us", "round trip of 4 B, through the switch"),
    row("E3", "section 5.2", Cited, 5.0, "us", "switch, one way"),
    row("E4", "section 5.1", Fitted, 56.7, "MByte/s", "bandwidth of 1,468 B"),
    row("E5", "section 5.1", Fitted, 33.0, "MByte/s", "TCP/IP, Essential firmware: bandwidth of 1,280 B"),
    row("E6", "section 5.2", Fitted, 414.0, "us", "TCP/IP, Essential firmware: round trip of 4 B"),
    row("E7", "section 5.2", Fitted, 131.4, "us", "TCP/IP, GigaE PM firmware: round trip of 4 B"),
    row(
        "E8",
        "section 5.2",
        Fitted,
        400.0,
        "us",
        "TCP/IP, Essential firmware: round trip of any size, about",
    )
    .repeating("E6"),
    row("E9", "4", InSight, 3.63, "times", "CG, class S: four nodes against one"),
    row("E10", "5", Fitted, 2.0, "times", "IS, class S: four nodes against one"),
    row("E11", "4", InSight, 1.72, "times", "CG, class S, over TCP/IP: four nodes against one"),
    row("E12", "5", InSight, 1.37, "times", "IS, class S, over TCP/IP: four nodes against one"),
    row("E13", "4", InSight, 2.0, "times", "CG, class S, four nodes: PM against TCP/IP").repeating("E11"),
    row("E14", "5", InSight, 1.84, "times", "IS, class S, four nodes: PM against TCP/IP").repeating("E12"),
    row("E15", "table 1", Cited, 0.03, "us", "C1: copy of a word, host to host"),
    row("E16", "table 1", Cited, 0.25, "us", "C2: copy of a word, host to NIC"),
    row("E17", "table 1", Cited, 0.57, "us", "C3: copy of a word, NIC to host"),
    row("E18", "table 1", Cited, 2.33, "us", "C4: DMA of a word, host to NIC"),
    row("E18n", "table 1", Computed, 13.31, "us", "C4: DMA of 1,468 B, host to NIC"),
    row("E19", "table 1", Cited, 2.03, "us", "C5: DMA of a word, NIC to host"),
    row("E19n", "table 1", Computed, 13.01, "us", "C5: DMA of 1,468 B, NIC to host"),
    row("E20", "table 1", Cited, 6.5, "us", "C6: interrupt"),
    row("E21", "table 1", Cited, 1.0, "us", "C7: system call"),
    row("E22", "section 4.3.1", Computed, 2.39, "us", "descriptor in host memory, fetched by DMA"),
    row("E23", "section 4.3.1", Computed, 0.75, "us", "descriptor in NIC memory, written by the host"),
    row("E24", "section 4.3.2", Computed, 1.0, "us", "what the kernel adds to writing it"),
    row("E25", "section 4.3.3", Computed, 0.25, "us", "host writes a flag on the NIC"),
    row("E26", "section 4.3.3", Computed, 2.33, "us", "NIC polls a flag on the host"),
    row("E27", "section 4.3.3", Computed, 2.03, "us", "NIC writes a flag on the host"),
    row("E28", "section 4.3.3", Computed, 0.57, "us", "host polls a flag on the NIC"),
    row("E29", "section 4.3.3", Computed, 7.05, "us", "interrupt, and a word read (the sum is 7.07)"),
    row("E30", "section 4.4", Exact, 1468.0, "B", "longest message"),
    row("E31", "section 4.1", Exact, 4.0, "", "channels"),
    row(
        "E32",
        "table 3",
        Fitted,
        127_987.0,
        "KB",
        "TCP/IP: send buffers, 1,000 nodes (128 x 999 is 127,872)",
    ),
    row("E33", "table 3", Fitted, 127_987.0, "KB", "TCP/IP: receive buffers, 1,000 nodes (as above)"),
    row("E34", "table 3", Fitted, 274.0, "KB", "TCP/IP: control structures, 1,000 nodes"),
    row("E35s", "table 3", Exact, 120.0, "KB", "send buffers, any number of nodes"),
    row("E35r", "table 3", Exact, 128.0, "KB", "receive buffers, any number of nodes"),
    row(
        "E42",
        "section 2.1",
        Computed,
        256.0,
        "MB",
        "TCP/IP: buffers both ways, 1,000 nodes, about (a MB of 1,024 KB)",
    ),
    row("E36", "table 3", Computed, 23.0, "KB", "control structures, 1,000 nodes"),
    row("E37", "section 6", Computed, 2.0, "us", "system calls in a round trip"),
    row("E37p", "section 6", Computed, 4.1, "%", "of it"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_published_once() {
        for (i, row) in TABLE.iter().enumerate() {
            assert!(TABLE[..i].iter().all(|earlier| earlier.id != row.id), "{}", row.id);
        }
    }
}
