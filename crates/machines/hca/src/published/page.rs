//! What the page of the evaluation says: docs/hca_fidelity.md.

/// Why rows are far off.
pub const CAUSES: &[(&str, &str)] = &[];

/// What is compared with what.
pub const BEGIN: &str = "\
# What was published of InfiniBand adapters of 2003, measured again

Published numbers beside ours, written by:

```
memonet figures --paper hca --output docs
```

The machine is that of [hca.md](hca.md), two hosts. One cost is fitted, to one row (decision [0064](decisions/0064-hca-machine.md)). The other two rows of the anchor were foretold in
[predictions.toml](predictions.toml) before they were measured, by somebody who knew what is published.

";

/// What does not match.
pub const STORY: &str = "";
