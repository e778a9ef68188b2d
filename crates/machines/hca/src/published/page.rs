//! What the page of the evaluation says: docs/hca_fidelity.md.

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
];

/// What is compared with what.
pub const BEGIN: &str = "\
# What was published of InfiniBand adapters of 2003, measured again

Published numbers beside ours, written by:

```
memonet figures --paper hca --output docs
```

The machine is that of [hca.md](hca.md), two hosts. One cost is fitted, to one row (decision [0064](decisions/0064-hca-machine.md)). The other two rows of the anchor were foretold in
[predictions.toml](predictions.toml) before they were measured, by somebody who knew what is published.

";

/// What does not match.
pub const STORY: &str = "\
## What matches and what does not

- C1 is fitted: all that is not known of the anchor's computer and chip is in the way of a doorbell.
- C2 and C3 stay below bounds that the anchor's adapter passed. Ours keeps one request of a connection under way and reads each packet's WQE again, because what must be sent again is known by numbers alone then; an adapter that reads ahead reaches more. Which operation, and how many
  connections, the anchor measured is not known to us.
- On the bus that the paper on Fagus prints, 64 bits at 66 MHz, the same stream is slower by the time of its words (figure 2).

";
