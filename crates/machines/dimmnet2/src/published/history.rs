//! Errors of rows in earlier commits.

use machine_api::Past;

/// Commits whose page called rows predicted, with the errors at that time. The first commit measured before any value
/// was tuned.
pub const HISTORY: &[Past] = &[
    Past {
        commit: "a9d78fa",
        did: "section 6.2 measured first, with costs from data sheets and single accesses",
        rows: 21,
        median: 19.3,
        worst: 33.6,
    },
    Past {
        commit: "f2da160",
        did: "posted writes, a shared bus and programs chosen with section 6.2 in sight; chapters 6 and 7 measured first",
        rows: 39,
        median: 3.7,
        worst: 336.0,
    },
    Past {
        commit: "a8790e9",
        did: "RVS sends data as it comes, with D-03 in sight",
        rows: 39,
        median: 3.3,
        worst: 27.5,
    },
];
