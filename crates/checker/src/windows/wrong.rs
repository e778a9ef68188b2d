//! Kinds of findings.

use crate::core::kinds;

kinds! {
    /// A kind of finding.
    pub enum Wrong {
        Exclusion = "shared lock": "two ranks hold locks of a target, one of them an exclusive lock",
        Outside = "access outside": "an access reaches memory that is not open to its origin",
        Missing = "missing data": "a call ends an epoch whose data is not at its target",
        Stale = "stale data": "a get reads memory without an earlier put of its origin",
        Standstill (trap) = "standstill": "standstill: not all ranks can end their programs any more",
    }
}
