//! Settings of a cluster.

use crate::cost::Costs;

/// Settings of a cluster before its machines are switched on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Costs of the hosts' steps.
    pub costs: Costs,
}
