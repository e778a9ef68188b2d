//! What the page of the evaluation says: docs/fidelity/cenju3.md.

/// Why rows are far off.
pub const CAUSES: &[(&str, &str)] = &[];

/// What is compared with what.
pub const BEGIN: &str = "\
# What the paper on MPI/DE published, measured again

Numbers of the paper beside ours, written by:

```
memonet figures --paper mpi-de --output docs
```

The machine is that of [Cenju-3](../cenju3.md), two PEs but for figure 2. Six costs are fitted, to one row each (decision [0058](../decisions/0058-cenju3-machine.md)); M4 and M5 are sums of those. Exact rows
are sizes. M2, M9, M12 and M15 are in sight: they were measured, or could have been, while costs and the library were chosen. Of M15 it is printed only that it is more than 1. Machines of others are cited as they are printed. M14, that the progress thread costs nothing, is in sight, too: it was foretold
before there was such a thread ([predictions.toml](predictions.toml)), but what the paper says of it was known.

";

/// What does not match.
pub const STORY: &str = "\
## What matches and what does not

- The six latencies follow from four costs that add up, as the paper's own numbers do: 90 less 20 for the kernel call and less 30 for the event is 40.
- Without copies ours is above the paper's (M9). What is left then is a word of 8 bytes each 200 ns, one word in 33 for the head of a packet, and the call that starts a unit, much of which
  is hidden behind the unit before it. The paper's 35 MB/s fits a call that is not hidden, or more in front of a packet; neither is printed.
- The new ROM is 4 % faster at 800 KB where the paper saw no difference (M13): the kernel's flush and the task's replacement take the same time for a unit, as the fit wants it, but the kernel call comes on top.
- The task gets 8 KB out of the cache 2 % later than the kernel does, and the paper says sooner, without a number (M15): 128 lines are read, and the kernel's call with 128 cache instructions takes as long by the fit of M13. A cache instruction that takes a line's time
  would make the task 14 % faster there, but the old ROM slower, which brings M13 no nearer. No number of the paper says which of the two costs is off.
- The scatter grows in proportion. A linear one is our reading; figure 2 prints no numbers.
- A broadcast to a number of processes that is no power of two takes a little longer than the logarithm says, as trees do.

";
