//! What the page of the evaluation says: docs/cenju3_fidelity.md.

/// Why rows are far off.
pub const CAUSES: &[(&str, &str)] = &[];

/// What is compared with what.
pub const BEGIN: &str = "\
# What the paper on MPI/DE published, measured again

Numbers of the paper beside ours, written by:

```
memonet figures --paper mpi-de --output docs
```

The machine is that of [cenju3.md](cenju3.md), two PEs but for figure 2. Six costs are fitted, to one row each (decision [0058](decisions/0058-cenju3-machine.md)); M4 and M5 are sums of those. Exact rows
are sizes. M2, M9 and M12 are in sight: they were measured while costs and the library were chosen, and nothing was foretold. Machines of others are cited as they are printed. Row M14, that the progress thread costs nothing, is not here, because
there is no such thread.

";

/// What does not match.
pub const STORY: &str = "";
