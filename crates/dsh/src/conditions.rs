//! Conditions of a session that hold from power-on to its end.

use cluster::{Cluster, Rates, Topology, TopologyError};
use machine_api::Driven;

use cluster::AnyNic;

/// Random faults on the links from all nodes, and their seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkFaults {
    /// Rates by kind of fault.
    pub rates: Rates,
    /// Seed that selects the frames.
    pub seed: u64,
}

/// Network, settings and faults of a cluster that a session drives.
#[derive(Clone, Debug)]
pub struct Conditions<M: Driven> {
    /// The network; its number of nodes is that of the cluster.
    pub topology: Topology,
    /// Settings of the nodes.
    pub settings: M::Settings,
    /// Random faults, if any.
    pub faults: Option<LinkFaults>,
    /// Drivers set the devices up before the first prompt.
    pub set_up: bool,
}

impl<M: Driven> Conditions<M> {
    /// The machine's own network of `nodes` nodes, without faults, set up by drivers.
    pub fn new(nodes: usize) -> Self {
        Conditions { topology: M::topology(nodes), settings: M::settings(nodes), faults: None, set_up: true }
    }

    /// A cluster that is switched on with these devices.
    pub(crate) fn power_on(&self, boards: Vec<Box<AnyNic<M>>>) -> Result<Cluster<M>, TopologyError> {
        let mut cluster = Cluster::new(self.topology.clone(), boards, &self.settings)?;
        if let Some(LinkFaults { rates, seed }) = self.faults {
            cluster.set_faults(rates, seed);
        }
        Ok(cluster)
    }
}
