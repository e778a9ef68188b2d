//! What the page of the evaluation says: docs/fidelity/suci.md.

/// Why rows are far off.
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

/// What is compared with what.
pub const BEGIN: &str = "\
# What the paper on Suci published, measured again

Numbers of the paper beside ours, written by:

```
memonet figures --paper suci --output docs
```

The library is the one of [Suci](../suci.md); hosts, kernels, cards and the switch are modelled, and what is fitted or chosen of them stands in decision
[0053](../decisions/0053-suci-simulated.md). Suci goes by the repaired rules of the paper. MPICH is our library of MPI over TCP, with the system calls of its device for sockets, and a
time for each call that S-3 chose. Exact rows are sizes and counts. Rows of curves are in sight: what was expected of them was committed before they
were measured ([suci_predicted.md](suci_predicted.md)), by somebody who had the paper in view.
MPICH over SCore is the same library over PM in the driver, with a time for each call that S-4 chose (decision [0062](../decisions/0062-pm-in-the-driver.md)).

";

/// What does not match.
pub const STORY: &str = "\
## What matches and what does not

- The broadcast is as published: 5.1 MB/s with 40 nodes at 16,384 bytes, and less beyond. A binary tree whose nodes send on what they get has 5.9 MB/s at most. At 65,536 bytes a block
  is all that a window takes, so nodes wait between blocks; longer messages make up for it, which the paper's do not.
- The paper's levels are a fifth (Suci) and a third (MPICH) below what the wire carries, ours are not: a frame takes our hosts some 20 us and the wire 123. So either its hosts were slower than
  those that costs of 1999 give by scaling, or something was lost that is not told of.
- With our costs Suci without MPICH's constant would not be faster than MPI over TCP for short messages: its Ack is a datagram of its own, which leaves before the answer. A library that waited for
  the answer to carry the Ack, as the header's fields do not allow (section 4.1), would save its receiver some 10 us.
- MPI has a notch just beyond 16 KB in the burst, where messages begin to ask before they go, and over PM as over TCP. The paper has one at 16,384 bytes for MPICH over SCore and blames TCP, which SCore
  does not use; so the library above is the likelier cause.
- In the gather all nodes send at once, as the paper's would without slow write. What overflows then is a port of the switch and no buffer of a kernel: a host takes a full frame and
  acknowledges it in a third of the time in which the wire brings it. MPI's notch at 16 KB is a loss there, after which TCP waits 200 ms.

";
