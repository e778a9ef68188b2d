//! Settings of a cluster.

use cluster::host::LibraryCost;

use crate::cost::Costs;

/// Settings of a cluster before its machines are switched on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Cost of the own steps of Suci's library.
    pub library: LibraryCost,
    /// Costs of the hosts' steps.
    pub costs: Costs,
}
