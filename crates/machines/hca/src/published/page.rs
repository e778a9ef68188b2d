//! Text of the page of the evaluation, docs/fidelity/hca.md.

/// Causes of large differences.
pub const CAUSES: &[(&str, &str)] = &[
    (
        "C2",
        "a WQE and then its data are read over one bus for each packet, one engine at a time: 3.1 us for 2 KB",
    ),
    (
        "C3",
        "a lower bound, which ours exceeds: up to 16 messages of a connection are under way (decision 0097)",
    ),
    (
        "F1",
        "a datagram costs 21 us more through two kernels here, by GigaE PM's table; the paper's difference asks for about 50",
    ),
    ("F2", "the same"),
    ("F4", "F4 and F5 exclude each other: the paper's PCs have 440 MFLOPS at most, of which 20 are 4.5 %"),
    ("F5", "the same; ours is between the two"),
    (
        "F6",
        "no datagram is lost here; the paper's authors saw heavy loss on two nodes and blamed drivers of their day",
    ),
];

/// The subject of the comparison.
pub const BEGIN: &str = "\
# Published numbers of InfiniBand adapters of 2003

This page is for those who ask how close the channel adapter and Fagus on it are to published
numbers. It compares them with measured ones, and explains the rows that differ. Written by:

```
memonet figures --paper hca --output docs
```

The machine is [the channel adapter](../hca.md). C rows are those of a published adapter, the
anchor, with two hosts; F rows are those of the paper on Fagus, with up to four (`--paper fagus`
prints the same page). Two costs are fitted, each to one row (decisions
[0064](../decisions/0064-hca-machine.md) and [0061](../decisions/0061-fagus-on-machines.md)). All
other rows except sizes were predicted in [predictions.toml](predictions.toml) before measuring,
with the published numbers known.

";

/// Differences.
pub const STORY: &str = "\
## What matches and what does not

- C1 is fitted: all unknown properties of the anchor's computer and chip are in the latency of a
  doorbell.
- C2 stays below a bound that the anchor's adapter exceeded. The model reads the WQE again for each
  packet, so that packet numbers alone determine retransmission; an adapter that reads ahead is
  faster. C3 is above its bound, as the anchor is: up to 16 messages of a connection are under way.
  With one at a time it was 308, as predicted. The operation and the number of connections of the
  anchor's measurement are unknown.
- F3 is fitted: the library takes 5.2 us for a message. F1 and F2 follow, and are too small by a
  third and a half. A kernel path of twice the length would match them; no known source suggests it.
- F4 and F5 cannot both be right (20 MFLOPS are 1 % of 2,000, and four of these computers have 440).
  The model loses 3 % through the kernel.
- F6 does not appear: with rings of 16 datagrams, one plane of each neighbour at a time, and a
  library that polls every 100 us, no ring overruns. F7 does appear.
- The program of F1 to F3 rests before each measured call, so that barriers are complete; without
  rests F1 was 104 to 139 us. That choice was made with the rows known, and moved F1 away from the
  published value.
- On the bus that the paper on Fagus prints, 64 bits at 66 MHz, the same stream is slower by the
  time of its words (figure 2).

";
