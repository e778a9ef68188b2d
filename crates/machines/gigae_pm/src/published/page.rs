//! What the page of the evaluation says: docs/fidelity/gigae_pm.md.

/// What is compared with what.
pub const BEGIN: &str = "\
# What the paper on GigaE PM published, measured again

Numbers of the paper beside ours, written by:

```
memonet figures --paper gigae_pm --bands --output docs
```

Exact rows are sizes. Cited rows are table 1 itself; computed rows follow from it on the modelled host and card. Fitted rows chose a
constant and do not count as reproduced (decision 0033). In sight are E8, which repeats E6, and the NAS benchmarks but E10; none is predicted, so this
page says how card and host were fitted, and only those benchmarks and the shapes of curves say more. TCP/IP is smoltcp in a modelled kernel
(decision 0037). The NAS benchmarks are our own programs over our own MPI, and what they compute is counted (decision 0044); over TCP/IP
it makes the system calls of ch_p4 (decision 0050), and the better of both firmwares counts. A band is
what a row is, at least and at most, with every program that the paper allows and with nodes that begin apart; rows that chose a constant
have none.

";

/// What does not match.
pub const STORY: &str = "\
## What does not match, and why

- TCP/IP over the two firmwares is equally fast between 128 and 256 bytes, not between 256 and 512. The time of a stream includes the
  latency of its last message, so where the curves meet depends on how many there are; the paper does not say.
- Below 640 bytes TCP/IP is faster than PM: with Nagle's algorithm messages share packets, and PM sends each by itself. The paper's
  program seems to have turned it off, as a test of latency does.
- One node takes 1.26 s for CG (E9), four take 0.55 s, of which they compute 0.36 s. Without any MPI that would be 3.5 times as fast, so
  the published 3.63 had help from caches, which ours has not: E10 makes an operation so long that a word from memory fits beside it.
- Over TCP/IP four nodes take 0.34 s longer for CG than over PM. By the paper's E9 and E11 they would take 0.38 s longer, had one node
  taken 1.26 s there. So what MPI costs is about right, and E11 and E13 are off because E9 is: too much of both times is computation.
- The paper's rows for IS do not agree with each other: E10 over E12 is 1.46, and E14 is 1.84. With one time of one node they would be the
  same number. Ours is 1.80, as E14 says, so E12 is missed.

";
