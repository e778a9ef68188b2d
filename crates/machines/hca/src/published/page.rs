//! What the page of the evaluation says: docs/fidelity/hca.md.

/// Why rows are far off.
pub const CAUSES: &[(&str, &str)] = &[
    (
        "C2",
        "a WQE and then its data are read over one bus for each packet, one engine at a time: 3.1 us for 2 KB",
    ),
    (
        "C3",
        "one request of a connection is under way at a time (decision 0060): a round trip from adapter to adapter",
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

/// What is compared with what.
pub const BEGIN: &str = "\
# What was published of InfiniBand adapters of 2003, measured again

Published numbers beside ours, written by:

```
memonet figures --paper hca --output docs
```

The machine is that of [the channel adapter](../hca.md). C rows are of the anchor, two hosts; F rows are of the paper on Fagus, up to four (`--paper fagus` prints the same page). Two costs are fitted, each to one row (decisions
[0064](../decisions/0064-hca-machine.md) and [0061](../decisions/0061-fagus-on-machines.md)). All other rows that are no sizes were foretold in [predictions.toml](predictions.toml) before they were measured, by somebody who knew what is published.

";

/// What does not match.
pub const STORY: &str = "\
## What matches and what does not

- C1 is fitted: all that is not known of the anchor's computer and chip is in the way of a doorbell.
- C2 and C3 stay below bounds that the anchor's adapter passed. Ours keeps one request of a connection under way and reads each packet's WQE again, because what must be sent again is known by numbers alone then; an adapter that reads ahead reaches more. Which operation, and how many
  connections, the anchor measured is not known to us.
- F3 is fitted: it says what the library does for a message, 5.2 us. F1 and F2 follow, and are too small by a third and a half. A kernel whose path is twice as long would have them; nothing that we know of asks for it.
- F4 and F5 cannot both be right (20 MFLOPS are 1 % of 2,000, and four of these computers have 440). Ours is a loss of 3 % through the kernel.
- F6 does not come out: with rings of 16 datagrams, one of each neighbour's planes at a time, and a library that looks once in 100 us, nothing overruns. F7 does.
- The program of F1 to F3 rests before each measured call, so that barriers are over; without rests F1 was 104 to 139 us. That choice was made with the rows in sight, and left F1 farther from what is published than before.
- On the bus that the paper on Fagus prints, 64 bits at 66 MHz, the same stream is slower by the time of its words (figure 2).

";
