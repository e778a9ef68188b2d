//! Result of the tests of a mutant.

use serde::{Deserialize, Serialize};

/// Result of a trial.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// A test failed.
    Found {
        /// Name of the program.
        by: String,
        /// The first test that failed, or the abnormal end of the program.
        test: String,
    },
    /// Model and RTL differ although the fault is in both: it is not the same fault, and the mutant does not
    /// count.
    NoTwin,
    /// All tests passed.
    Survived,
}
