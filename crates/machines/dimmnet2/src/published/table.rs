//! The published numbers of the thesis: every number that is compared has its row here.

use machine_api::{Class, Published, row};

const US: &str = "us";
const MB: &str = "MByte/s";
const PERCENT: &str = "%";

use Class::{Cited, Computed, Exact, Fitted, InSight};

/// All rows, in the order of the thesis. A megabyte is 10^6 bytes.
///
/// B-13 to B-15, B-28 and B-29 repeat a row of one way: in our board sending and receiving of BOTFs do not interfere,
/// so both ways are twice one way. IPUSH repeats PUSH (C-10).
pub const TABLE: &[Published] = &[
    row("S-03", "chapter 5", Exact, 800.0, MB, "a line of 8 bytes in each core cycle"),
    row("S-09", "section 6.2", Exact, 496.0, "B", "most data of a BOTF with a header of 2 lines"),
    row("S-10", "chapter 5", Exact, 3.0, "cycles", "Status Write Unit writes a status"),
    row("S-11a", "chapter 5", Exact, 2.0, "cycles", "RVS4 sends a header of 2 lines"),
    row("S-11b", "chapter 5", Exact, 3.0, "cycles", "RVS4 sends a header of 3 lines"),
    row("B-01", "6.3", Fitted, 297.44, MB, "one way, 1 Write Window, best up to 1984 B"),
    row("B-02", "6.3", Fitted, 463.55, MB, "one way, 2 Write Windows"),
    row("B-03", "6.3", Fitted, 520.31, MB, "one way, 4 Write Windows"),
    row("B-04", "table 6.2", Fitted, 0.407, US, "host writes 512 B and issues BOTF"),
    row("B-05", "table 6.2", Exact, 0.660, US, "Core Logic moves 512 B to SWIF"),
    row("B-06", "6.4", Fitted, 0.632, US, "sender: image of 24 B, BOTF, completion seen"),
    row("B-07", "section 6.2", Exact, 0.100, US, "of it Core Logic"),
    row("B-08", "section 6.2", Fitted, 0.532, US, "of it host"),
    row("B-09", "section 6.2", Cited, 0.189, US, "uncachable read"),
    row("B-10", "section 6.2", Fitted, 0.343, US, "host until 24 B and BOTF are at the board"),
    row("B-11", "section 6.2", Fitted, 0.076, US, "host writes 24 B"),
    row("B-12", "section 6.2", Cited, 0.060, US, "host issues BOTF"),
    row("B-13", "6.5", InSight, 556.08, MB, "both ways, 1 Write Window, best up to 1984 B").repeating("B-01"),
    row("B-14", "6.5", InSight, 908.20, MB, "both ways, 2 Write Windows").repeating("B-02"),
    row("B-15", "6.5", InSight, 1037.18, MB, "both ways, 4 Write Windows").repeating("B-03"),
    row("B-16", "6.6", InSight, 0.740, US, "sender, both ways, 8 B of data"),
    row("B-17", "6.7", InSight, 209.71, MB, "with reception into SO-DIMM, 1 Write Window"),
    row("B-18", "6.7", InSight, 296.52, MB, "with reception into SO-DIMM, 2 Write Windows"),
    row("B-19", "6.7", InSight, 298.95, MB, "with reception into SO-DIMM, 4 Write Windows"),
    row("B-20", "6.7", InSight, 323.22, MB, "with reception into Prefetch Window, 4 Write Windows"),
    row("B-21", "6.8", Fitted, 1.82, US, "RTT/2 into SO-DIMM, 8 B of data"),
    row("B-22", "6.8", InSight, 1.76, US, "RTT/2 into Prefetch Window, 8 B of data"),
    row("B-24", "6.8", InSight, 1.44, US, "RTT/2 into SO-DIMM without the switch, about"),
    row("B-25", "6.8", InSight, 1.38, US, "RTT/2 into Prefetch Window without the switch, about"),
    row("B-26", "6.9", Fitted, 521.89, MB, "one way, 2 Write Windows, best of 2 to 64 KB"),
    row("B-27", "6.9", Fitted, 631.11, MB, "one way, 4 Write Windows, best of 2 to 64 KB"),
    row("B-28", "6.9", InSight, 1049.84, MB, "both ways, 2 Write Windows, best of 2 to 64 KB")
        .repeating("B-26"),
    row("B-29", "6.9", InSight, 1163.70, MB, "both ways, 4 Write Windows, best of 2 to 64 KB")
        .repeating("B-27"),
    row("B-30", "6.10", InSight, 517.22, MB, "with reception, 2 Write Windows, best of 2 to 64 KB"),
    row("B-31", "6.10", InSight, 564.91, MB, "with reception, 4 Write Windows, best of 2 to 64 KB"),
    row("D-01", "6.11", InSight, 727.20, MB, "RVS one way, best"),
    row("D-02", "6.11", InSight, 90.9, PERCENT, "of 800 MByte/s").repeating("D-01"),
    row("D-03", "6.11", Fitted, 564.0, "B", "half of that peak"),
    row("D-04", "6.11", InSight, 953.50, MB, "RVS both ways, best"),
    row("D-05", "6.11", InSight, 0.81, US, "RVS one way, least (published for 64 B)"),
    row("D-06", "6.11", InSight, 1.09, US, "RVS both ways, least (published for 8 to 32 B)"),
    row("D-07", "6.12", InSight, 650.43, MB, "RVS with reception, best"),
    row("D-08", "6.12", InSight, 226.36, MB, "and copy to main memory, best"),
    row("D-09a", "6.12", InSight, 163.0, MB, "and copy, 256 KB (published: beyond 128 KB)"),
    row("D-09b", "6.12", InSight, 163.0, MB, "and copy, 512 KB (published: beyond 128 KB)"),
    row("D-09", "6.12", InSight, 163.0, MB, "and copy to main memory, 1 MB"),
    row("D-10", "6.12", InSight, 236.37, MB, "and copy to the same 64 B of main memory, best"),
    row("M-05p", "6.12", InSight, 1.75, US, "RVS, RTT/2, 8 B of data"),
    row("M-09p", "6.12", InSight, 2.80, US, "RVS, RTT/2 with copy to main memory, 8 B of data"),
    row("M-10mg", "table 7.3", Computed, 23.4, PERCENT, "memory for rings of 64 processes, MG"),
    row("M-10cg", "table 7.3", Computed, 7.8, PERCENT, "CG"),
    row("M-10is", "table 7.3", Computed, 1.6, PERCENT, "IS, of collective calls alone"),
    row("M-10lu", "table 7.3", Computed, 7.8, PERCENT, "LU"),
    row("M-10sp", "table 7.3", Computed, 10.9, PERCENT, "SP"),
    row("M-10bt", "table 7.3", Computed, 10.9, PERCENT, "BT"),
    row("M-01", "table 7.4", Exact, 20.0, "cycles", "reception of a PUSH packet of 24 B"),
    row("M-02", "table 7.5", Exact, 24.0, "cycles", "reception of an IPUSH packet of 24 B"),
    row("M-03", "table 7.5", Exact, 4.0, "cycles", "what IPUSH adds"),
    row("M-04", "7.5", InSight, 650.56, MB, "IPUSH with reception, best").repeating("D-07"),
    row("M-05", "7.5", Fitted, 1.79, US, "IPUSH, RTT/2, 8 B of data"),
    row("M-06", "7.5", InSight, 225.85, MB, "IPUSH and copy to main memory, best").repeating("D-08"),
    row("M-07a", "7.5", InSight, 161.0, MB, "IPUSH and copy, 256 KB (published: large ones)")
        .repeating("D-09a"),
    row("M-07b", "7.5", InSight, 161.0, MB, "IPUSH and copy, 512 KB (published: large ones)")
        .repeating("D-09b"),
    row("M-07", "7.5", InSight, 161.0, MB, "IPUSH and copy to main memory, 1 MB").repeating("D-09"),
    row("M-08", "7.5", InSight, 234.0, MB, "IPUSH and copy to the same 64 B of main memory, best")
        .repeating("D-10"),
    row("M-09", "7.5", InSight, 2.84, US, "IPUSH, RTT/2 with copy to main memory, 8 B of data"),
    row("M-11", "7.9", InSight, 3.0, US, "gain of LHSv1 up to 56 B, about"),
    row("M-12", "7.9", InSight, 2.0, US, "gain of LHSv1 beyond 56 B, about"),
    row("M-13", "7.9", InSight, 1.25, US, "gain of LHSv2, about 1 to 1.5"),
];

const BEYOND_128_KB: &str = "the published copy falls beyond 128 KB, ours beyond 512 KB, where the second-level cache ends. With \
     pages at random places, as an operating system gives them, ours falls to 207 MByte/s at 512 KB, and not at 256 KB; what \
     else filled the published cache is not said.";

/// Causes of the differences of rows.
pub const CAUSES: &[(&str, &str)] = &[
    (
        "D-04",
        "our SO-DIMMs together take or give one word of 8 bytes per core cycle (decision 0016), 800 MByte/s for sending and \
         receiving together, and a little more as long as buffers take in what comes. The published 953.50 MByte/s need more.",
    ),
    (
        "D-06",
        "in our board sending and receiving meet only at the SO-DIMMs, and small messages do not. The published machine lost \
         0.28 us against one way, as it lost 0.11 us with BOTF (B-16); the thesis does not say to what.",
    ),
    ("D-09a", BEYOND_128_KB),
    ("D-09b", BEYOND_128_KB),
    ("M-07a", BEYOND_128_KB),
    ("M-07b", BEYOND_128_KB),
    (
        "M-12",
        "the difference of two latencies, `about 2 us` in the thesis; ours is less by two reads of a register. What the measured \
         program did between VL and copy is not told.",
    ),
    (
        "M-13",
        "the thesis says `about 1 to 1.5 us`; ours is near the lower end, and the error counts from the middle.",
    ),
    (
        "M-10mg",
        "the thesis contradicts itself: (9 + 1) of 64 rings are 15.6 %, not 23.4 %. Our MG has 9 partners, too.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_published_once() {
        for (i, row) in TABLE.iter().enumerate() {
            assert!(TABLE[..i].iter().all(|earlier| earlier.id != row.id), "{}", row.id);
            assert!(row.value > 0.0);
        }
        let ids = |id: &str| TABLE.iter().any(|row| row.id == id);
        assert!(TABLE.iter().filter_map(|row| row.repeats).all(ids), "a row repeats one that is there");
        assert!(CAUSES.iter().all(|(id, _)| TABLE.iter().any(|row| row.id == *id)));
    }
}
