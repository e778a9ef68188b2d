//! What the page of the evaluation says: docs/gigae_pm_fidelity.md.

/// What is compared with what.
pub const BEGIN: &str = "\
# What the paper on GigaE PM published, measured again

Numbers of the paper beside ours, written by:

```
memonet figures --paper gigae_pm --output docs
```

Exact rows are sizes. Cited rows are table 1 itself; computed rows follow from it on the modelled host and card. Fitted rows chose a
constant and do not count as reproduced (decision 0033). One row is in sight, E8, and it repeats E6; none is predicted, so this page says
how card and host were fitted, and only the shapes of its curves say more. TCP/IP is smoltcp in a modelled kernel (decision 0037). The NAS benchmarks are not modelled.

";

/// What does not match.
pub const STORY: &str = "\
## What does not match, and why

- TCP/IP over the two firmwares is equally fast between 128 and 256 bytes, not between 256 and 512. The time of a stream includes the
  latency of its last message, so where the curves meet depends on how many there are; the paper does not say.
- Below 640 bytes TCP/IP is faster than PM: with Nagle's algorithm messages share packets, and PM sends each by itself. The paper's
  program seems to have turned it off, as a test of latency does.

";
