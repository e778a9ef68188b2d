//! What the page of the evaluation says: docs/fidelity/dimmnet2.md.

/// What is compared with what.
pub const BEGIN: &str = "\
# The published evaluation, measured again

Numbers of chapters 4 to 7 of the thesis beside ours, with the figures, written by:

```
memonet figures --bands --output docs
```

Every number of chapters 6 and 7 is here but for those that are inputs (the switch's 0.385 us, B-23), those of tests that are not
described (B-32), ranges and sizes that other works published (M-14, M-17), and the clocks of table 5.2, which has a page of its own.
What the rows say of each other is on [another page](dimmnet2_calibration.md).

The boards are the machines of this repository, cycle by cycle; the hosts run the measuring programs of the thesis
(`crates/machines/dimmnet2/src/programs/measure`) on a model of their processor, chipset and memory bus (decisions 0012 and 0029).

- Exact rows are cycles of state machines, and sizes.
- Fitted rows are those by which a cost or a program was chosen; cited rows are costs themselves. Neither counts as reproduced.
- Rows in sight come out of machines and hosts that were settled while the published number was in view.
- Predicted rows would be those whose program, constants and definition were committed before anyone measured them. There are none yet
  but those of [predictions.toml](predictions.toml) that are not in sight.
- Computed rows are arithmetic on other published numbers.
- A row that repeats another one tells nothing new and is not counted.
- A band is what ours is, at least and at most, with every program that the text allows and with nodes that begin apart; a row is matched
  if its band holds the published number and is narrower than 10 % of it.

";

/// What matches and what does not.
pub const STORY: &str = "\
## What matches

The parts of the board that the thesis describes match to the cycle: BOTF (B-05, B-07), the reception of PUSH and IPUSH
packets (M-01 to M-03). What a host sees of short messages, half of a round trip by BOTF, RVS or IPUSH, with and without a
copy to main memory, is within a few percent. So is the throughput of BOTF, one way and both ways, with and without
reception: it is the host's time to write an image, the board's time to send it, and one uncachable read to ask whether a
Write Window is free.

Throughput from SO-DIMM rises with the size of a message as published (D-03, C-12), since data is sent as it is read.

Copies to main memory come out by the same costs: each piece of 512 bytes is flushed from the caches, read by VL, and read
line by line; a destination that does not fit into the second-level cache costs two more lines on the memory bus for
each line copied.

A caution: costs on the memory bus and what programs read were settled with the rows of section 6.2 and of round trips in view (decision
0029). That data is sent as it is read stands in D-03, not in the text of section 5.3.7 (decision 0034). A round trip is a whole number of
register reads of 0.191 us, so a nearly right program comes within 3 % of it. That rows in sight agree shows that one host fits them all,
not that it foretells. Copies to main memory and LHS were settled with the fewest of their rows in view.

Bands say how much of this is the machine and how much the program. A register read is worth 0.19 us, so the programs that the text allows lie
20 % apart where messages are short or go by BOTF, and nearly all of these rows are too wide to say anything. Where the board sets the pace, from
SO-DIMM to SO-DIMM, bands are narrow, and most of these rows are missed: there our board differs from the published one, whatever its hosts did.
What was expected of other programs before they were measured came out within 0.4 %, but for B-31, whose receiver binds
([what was foretold](dimmnet2_predicted.md)). That says that two models of one text agree.

## What does not, and why

- With four Write Windows the published host sends long messages faster than ours (B-27): it did not read a register
  before each window, or not always. Ours asks every time, as section 6.2.1 has it.
- Both ways, the published machine loses some time on short messages (B-16, D-06) that ours does not: here sending and
  receiving share only the SO-DIMMs.
- From SO-DIMM our board sends long messages a little faster (D-01, D-07, M-04): a packet of 2 KB takes it 260 cycles, which is
  the rate of its SO-DIMMs, and the published one about 280. Where those go is not told; the thesis describes only the contract
  of the Prefetch Unit. Both ways together reach only what the SO-DIMMs give (D-04).
- The thesis sees a copy to main memory fall beyond 128 KB; ours falls beyond 512 KB, where the second-level cache ends.
  Pages of a process lie anywhere in main memory and so overlap in the cache; ours lie side by side.

";

/// What is set beside table 7.1.
pub const TABLE_7_1: &str = "\
The thesis sets out from the latency of MPI on other networks, in host, network interface and switch (table 7.1, cited there).
Ours is a PUSH of 8 bytes without MPI, from `memonet explain rvs`.";

/// What figures show.
pub const DRAWN: &str = "Dashed lines are published peaks, circles published values, in the colour of the curve they belong to. Each figure is there as SVG and CSV.";
