//! The run that all processes make together.

use crate::{Duration, Machine, Topology};

/// A run of all processes; it is the same in each.
pub struct Job<'a, M: Machine> {
    /// Nodes, switches and cables.
    pub topology: &'a Topology,
    /// Settings of all machines of the cluster.
    pub settings: &'a M::Settings,
    /// Limit of virtual time.
    pub limit: Duration,
    /// Programs, settings and seeds as text, which processes compare.
    pub workload: &'a str,
}
