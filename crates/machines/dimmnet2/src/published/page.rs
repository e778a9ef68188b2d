//! Text of the page of the evaluation, docs/fidelity/dimmnet2.md.

/// The subject of the comparison.
pub const BEGIN: &str = "\
# Published numbers of DIMMnet-2

This page is for those who ask how close the model of DIMMnet-2 is to the published machine. It
compares the numbers of chapters 4 to 7 of the thesis with measured ones, and explains the rows that
differ. Written by:

```
memonet figures --bands --output docs
```

Every number of chapters 6 and 7 is included except inputs (the switch's 0.385 us, B-23), results of
undescribed tests (B-32), ranges and sizes from other publications (M-14, M-17), and the clocks of
table 5.2, which have a page of their own. [Another page](dimmnet2_calibration.md) fits costs to
some rows and predicts the others.

The boards are the modelled devices, cycle by cycle. The hosts run the measuring programs of the
thesis (`programs/measure` of the machine) on a model of their processor, chipset and memory bus
(decisions 0012 and 0029).

| Class | Meaning |
|---|---|
| exact | cycles of state machines, and sizes |
| fitted | a cost, a program or a behaviour of the board was chosen by the row; it does not count as reproduced |
| cited | a cost itself; it does not count as reproduced |
| in sight | measured on machines and hosts that were settled with the published number known |
| predicted | program, constants and definition were committed before the first measurement; so far only rows of [predictions.toml](predictions.toml), none of which is without knowledge of the published number |
| computed | arithmetic on other published numbers, or on what programs send |

A row that repeats another one is not counted. A band is the range of a row over all programs that
the text allows and over nodes that begin apart; a row matches if its band holds the published
number and is narrower than 10 % of it.

";

/// Text above the table of calls.
pub const TABLE_2_1: &str = "\
Calls of MPI of the busiest of 16 processes, class B of the NAS Parallel Benchmarks. The thesis cites another paper's \
counts on eight PCs. Ours are runs of CG, IS, MG and FT written from the specification (crate `npb`), which verify \
themselves. Sends, receives and collective calls count, a receive with the size of its buffer, which is how the \
published counts of MG add up. NPB 2 also makes an iteration that it does not time: 1 of 76 in CG, 1 of 11 in IS, one \
transform of 22 in FT. In CG and MG one iteration is run, and all others count like it; FT is of class A, with the \
steps of class B.";

/// Text above the table of networks.
pub const TABLE_2_2: &str = "\
The thesis read most numbers of other networks from figures of their publications (table 2.2); those in parentheses are of \
MPI. Latencies are half of a round trip in us, throughputs in MByte/s, sizes in bytes. Ours are rows B-21, B-27, B-29, M-05p, \
D-01, D-04 and D-03.";

/// Matches and differences.
pub const STORY: &str = "\
## What matches

The parts of the board that the thesis describes match to the cycle: BOTF (B-05, B-07) and the
reception of PUSH and IPUSH packets (M-01 to M-03). Half of a round trip by BOTF, RVS or IPUSH, with
and without a copy to main memory, is within a few percent for short messages. So is the throughput
of BOTF, one way and both ways, with and without reception: it consists of the host's time to write
an image, the board's time to send it, and one uncachable read that checks for a free Write Window.

Throughput from SO-DIMM rises with the size of a message as published (D-03, C-12), because data is
sent as it is read.

Copies to main memory follow from the same costs: each piece of 512 bytes is flushed from the
caches, read by VL, and read line by line; a destination beyond the second-level cache costs two
more lines on the memory bus for each line copied.

Agreement of rows in sight is weak evidence. Costs on the memory bus and the reads of programs were
settled with the rows of section 6.2 and of round trips known (decision 0029). Sending data as it is
read follows from D-03, not from the text of section 5.3.7 (decision 0034). A round trip is a whole
number of register reads of 0.191 us, so a nearly right program comes within 3 % of it. So the rows
show that one host fits them all, not that it predicts them. Copies to main memory and LHS were
settled with the fewest of their rows known.

Bands separate the machine from the program. A register read takes 0.19 us, so allowed programs
differ by 20 % for short messages and for BOTF, and most of these rows are too wide to decide. From
SO-DIMM to SO-DIMM the board sets the pace: bands are narrow, and most rows are missed, so the model
of the board differs from the published one there. Predictions for other programs were within 0.4 %,
except B-31, whose receiver is the limit ([predictions](dimmnet2_predicted.md)); that shows that two
models of one text agree.

## What does not match, and why

- With four Write Windows the published host sends long messages faster (B-27): it did not read a
  register before each window, or not always. The model does so each time, as section 6.2.1
  describes.
- In both directions, the published machine loses some time on short messages (B-16, D-06). In the
  model, sending and receiving share only the SO-DIMMs.
- From SO-DIMM the model sends long messages slightly faster (D-01, D-07, M-04): a packet of 2 KB
  takes 260 cycles, the rate of its SO-DIMMs, and the published one about 280. The thesis describes
  only the contract of the Prefetch Unit and does not explain the difference. Both directions
  together are limited by the SO-DIMMs (D-04).
- In the thesis a copy to main memory becomes slower beyond 128 KB, in the model beyond 512 KB, the
  size of the second-level cache. In the model the pages of a buffer are contiguous. Random ones
  conflict in the cache, but were measured to matter at 512 KB alone (207 MByte/s).

";

/// Remarks on table 7.1.
pub const TABLE_7_1: &str = "\
The thesis sets out from the latency of MPI on other networks, in host, network interface and switch (table 7.1, cited there).
Ours is a PUSH of 8 bytes without MPI, from `memonet explain rvs`.";

/// Legend of the figures.
pub const DRAWN: &str = "Dashed lines are published peaks, circles published values, in the colour of the curve they belong to. Each figure is there as SVG and CSV.";
