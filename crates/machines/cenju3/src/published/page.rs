//! Text of the page of the evaluation, docs/fidelity/cenju3.md.

/// Causes of large differences.
pub const CAUSES: &[(&str, &str)] = &[];

/// The subject of the comparison.
pub const BEGIN: &str = "\
# Published numbers of MPI/DE on Cenju-3

This page is for those who ask how close the model of Cenju-3 is to the published machine. It
compares the numbers of the paper with measured ones, and explains the rows that differ. Written by:

```
memonet figures --paper mpi-de --output docs
```

The machine is [Cenju-3](../cenju3.md), with two PEs except in figure 2. Six costs are fitted, to
one row each (decision [0058](../decisions/0058-cenju3-machine.md)); M4 and M5 are sums of those.
Exact rows are sizes. M2, M9, M12 and M15 are in sight: they were or could have been measured while
costs and library were chosen. For M15 the paper prints only that it is more than 1. Rows of other
machines are cited. M14, that the progress thread costs nothing, was predicted before the thread
existed ([predictions.toml](predictions.toml)), but with the statement of the paper known, so it is
in sight.

";

/// Differences.
pub const STORY: &str = "\
## What matches and what does not

- The six latencies follow from four costs that add up, as the paper's own numbers do: 90 less 20
  for the kernel call and less 30 for the event is 40.
- Without copies the model is faster than the paper (M9). The remaining time is a word of 8 bytes
  every 200 ns, one word in 33 for the header of a packet, and the call that starts a unit, most of
  which overlaps with the previous unit. The paper's 35 MB/s fits a call without overlap, or longer
  packet headers; neither is printed.
- The new ROM is 4 % faster at 800 KB where the paper saw no difference (M13): flush by the kernel
  and replacement by the task take equal time for a unit, as the fit requires, but the kernel call
  is added.
- The task removes 8 KB from the cache 2 % more slowly than the kernel; the paper says faster,
  without a number (M15). The task reads 128 lines, and the kernel call with 128 cache instructions
  takes as long by the fit of M13. A cache instruction with the time of a line would make the task
  14 % faster there, but would slow down the old ROM, which does not improve M13. No number of the
  paper decides between the two costs.
- The scatter grows in proportion to the number of processes. This linear growth is an
  interpretation; figure 2 prints no numbers.
- A broadcast to a number of processes that is not a power of two takes slightly longer than the
  logarithm, as trees do.

";
