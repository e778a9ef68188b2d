//! Text of the page of the evaluation, docs/fidelity/suci.md.

/// Causes of large differences.
pub const CAUSES: &[(&str, &str)] = &[
    (
        "S-2",
        "the time of a call that S-3 chose is paid at every size, so MPI needs long messages to make up for it; beyond, both go nearly at the speed of the wire",
    ),
    (
        "S-5",
        "our receivers keep up with the wire, so nothing is lost and sent again; that the window closes between blocks costs less than the copy of a longer message gains",
    ),
    (
        "S-6",
        "one time of a call gives a factor of 2 in the mean of all sizes up to 1,024 B (S-3), and less at the last of them, where the wire takes most of the time",
    ),
    (
        "S-7",
        "by our costs a frame takes either host some 20 us and the wire 123, so TCP keeps the wire busy; what held MPICH back is not said",
    ),
    ("S-8", "ours is what headers leave of the wire; what held Suci to 80 % of it is not said"),
    (
        "S-13",
        "a third of what the wire carries, as the root of a binomial tree of five sends all of it three times; the paper's MPICH has a tenth of its own burst, for which kernel resources are blamed, of which five nodes need little",
    ),
];

/// The subject of the comparison.
pub const BEGIN: &str = "\
# Published numbers of Suci

This page is for those who ask how close Suci on a modelled cluster is to the published
measurements. It compares them with measured ones, and explains the rows that differ. Written by:

```
memonet figures --paper suci --output docs
```

The library is [Suci](../suci.md) with the repaired rules of the paper; hosts, kernels, cards and
the switch are modelled (decision [0053](../decisions/0053-suci-simulated.md) lists fits and
choices). MPICH is Memonet's MPI over TCP, with the system calls of its device for sockets, and a
time for each call that S-3 chose. MPICH over SCore is the same library over PM in the driver, with
a time for each call that S-4 chose (decision [0062](../decisions/0062-pm-in-the-driver.md)). Exact
rows are sizes and counts. Rows of curves are in sight. History shows of six
[predictions](suci_predicted.md), S-2, S-5, S-7, S-8, S-12 and S-13, that commit a78dc4cb with them
is an ancestor of commit 591cf08c with simulator and results. It cannot show that they were made
before measuring: the two commits are one second apart, and the message of the first says that an
earlier record was lost and that they were written again. Who made them knew the paper. S-9 was
added later, before MPI over PM was measured (decision 0062).

";

/// Differences.
pub const STORY: &str = "\
## What matches and what does not

- The broadcast is as published: 5.1 MB/s with 40 nodes at 16,384 bytes, and less beyond. A binary
  tree whose nodes forward data has 5.9 MB/s at most. At 65,536 bytes a block fills the window, so
  nodes wait between blocks; longer messages compensate here, but not in the paper.
- The paper's levels are a fifth (Suci) and a third (MPICH) below the capacity of the wire, the
  model's are not: a frame takes a host some 20 us and the wire 123. So either the paper's hosts
  were slower than scaled costs of 1999, or unreported losses occurred.
- Without MPICH's constant, Suci would not be faster than MPI over TCP for short messages: its Ack
  is a datagram of its own, sent before the answer. Carrying the Ack in the answer, which the
  header's fields do not allow (section 4.1), would save the receiver some 10 us.
- MPI has a notch just beyond 16 KB in the burst, where rendezvous begins, over PM as over TCP. The
  paper has one at 16,384 bytes for MPICH over SCore and blames TCP, which SCore does not use; so
  the library is the likelier cause.
- In the gather all nodes send at once, as in the paper without slow write. A port of the switch
  overflows, not a buffer of a kernel: a host processes and acknowledges a full frame in a third of
  its time on the wire. MPI's notch at 16 KB is a loss there, after which TCP waits 200 ms.

";
