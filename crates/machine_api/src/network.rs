//! Networks of a machine by name or from a file.

use std::path::Path;

use cluster::{Machine, SwitchPort, Topology};
use thiserror::Error;

/// Name of the network of machines whose own one has stages of switches.
pub const MULTISTAGE: &str = "multistage";

/// Reason why a machine has no such network.
#[derive(Debug, Error)]
pub enum NetworkError {
    /// The machine's own network has one switch.
    #[error("{0} has one switch, no stages of them")]
    OneSwitch(&'static str),
    /// The name or the file is wrong.
    #[error(transparent)]
    Topology(#[from] workload::TopologyError),
    /// The engine refuses the network.
    #[error(transparent)]
    Engine(#[from] cluster::TopologyError),
}

/// Name of the machine's own network for a number of nodes.
pub fn own_network<M: Machine>(nodes: usize) -> &'static str {
    if has_stages::<M>(nodes) { MULTISTAGE } else { workload::Topology::ONE_SWITCH }
}

/// Whether the machine's own network has stages of switches.
pub fn is_multistage<M: Machine>() -> bool {
    has_stages::<M>(M::MOST_NODES)
}

fn has_stages<M: Machine>(nodes: usize) -> bool {
    M::topology(nodes) != Topology::star(nodes)
}

/// The network with this name, or else from the topology file with this name, for 1 to `M::MOST_NODES` nodes.
pub fn network<M: Machine>(name: impl AsRef<Path>, nodes: usize) -> Result<Topology, NetworkError> {
    if name.as_ref() == Path::new(MULTISTAGE) {
        return if is_multistage::<M>() {
            Ok(M::topology(nodes))
        } else {
            Err(NetworkError::OneSwitch(M::TITLE))
        };
    }
    let (graph, routes) = match workload::Topology::open(name, nodes)? {
        workload::Topology::BackToBack => return Ok(Topology::back_to_back()),
        workload::Topology::Switches { graph, routes } => (graph, routes),
    };
    let port = |(switch, port)| SwitchPort { switch, port };
    let nodes: Vec<_> = graph.nodes.iter().copied().map(port).collect();
    let cables: Vec<_> = graph.cables.iter().map(|&(one, other)| [port(one), port(other)]).collect();
    let route = |switch, node| routes.port(switch, node);
    Ok(Topology::of_switches(graph.switches.len(), &nodes, &cables, route)?)
}
