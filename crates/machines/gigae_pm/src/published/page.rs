//! Text of the page of the evaluation, docs/fidelity/gigae_pm.md.

/// The subject of the comparison.
pub const BEGIN: &str = "\
# Published numbers of GigaE PM

This page is for those who ask how close the model of GigaE PM is to the published card. It compares
the numbers of the paper with measured ones, and explains the rows that differ. Written by:

```
memonet figures --paper gigae_pm --bands --output docs
```

| Class | Meaning |
|---|---|
| exact | sizes |
| cited | table 1 itself, and the time of the switch: each sets the one constant of its part (decision 0088) |
| computed | follows from table 1 on the modelled host and card |
| fitted | a constant or a form was chosen by the row; it does not count as reproduced (decisions 0033 and 0088) |
| in sight | measured with the published number known: the NAS benchmarks except E10 |

No row is predicted; [blind predictions](blind_predictions.md) are on a page of their own. So this
page shows how card and host were fitted; only the NAS benchmarks and the shapes of curves say more.
TCP/IP is smoltcp in a modelled kernel (decision 0037). The NAS benchmarks are written anew over
Memonet's MPI, and their computation is counted (decision 0044). Over TCP/IP MPI makes the system
calls of ch_p4 (decision 0050), and the better of both firmwares counts. A band is the range of a
row over all programs that the paper allows and over nodes that begin apart; rows that chose a
constant have none.

";

/// Differences.
pub const STORY: &str = "\
## What does not match, and why

- TCP/IP over the two firmwares is equally fast between 128 and 256 bytes, not between 256 and 512.
  The time of a stream includes the latency of its last message, so the crossing depends on the
  number of messages, which the paper does not give.
- Below 640 bytes TCP/IP is faster than PM: with Nagle's algorithm messages share packets, and PM
  sends each in its own. The paper's program probably disabled the algorithm, as a latency test
  does.
- One node takes 1.26 s for CG (E9), four take 0.55 s, of which they compute 0.36 s. Without any MPI
  the speed-up would be 3.5, so caches must have contributed to the published 3.63. They cannot
  here: by E10 an operation takes so long that memory accesses are hidden behind it.
- Over TCP/IP four nodes take 0.34 s longer for CG than over PM. The paper's E9 and E11 give 0.38 s
  if one node takes 1.26 s. So the cost of MPI is about right, and E11 and E13 are off because E9
  is: both times contain too much computation.
- The paper's rows for IS are inconsistent: E10 over E12 is 1.46, and E14 is 1.84, but with one time
  of one node both would be equal. The model has 1.80, close to E14, so E12 is missed.

";
