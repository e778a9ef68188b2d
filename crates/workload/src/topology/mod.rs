//! Topologies: nodes connected by switches and cables.

mod circle;
mod graph;
mod layout;
mod problem;
mod routes;
#[cfg(test)]
mod tests;
mod toml_file;

use std::path::Path;

use crate::{MOST_TOML_BYTES, nodes};

pub use graph::{Cable, Graph, Port, SwitchInfo};
pub use problem::{GraphError, TopologyError};
pub use routes::Routes;

/// Connection of the nodes of a cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Topology {
    /// Two nodes on one cable.
    BackToBack,
    /// Nodes on switches, with deadlock-free routes between all nodes.
    Switches {
        /// Switches, nodes and cables.
        graph: Graph,
        /// Output port of each switch for each node.
        routes: Routes,
    },
}

impl Topology {
    /// Name of the topology with a single switch, which is the default.
    pub const ONE_SWITCH: &str = "one-switch";
    /// Name of the topology of two nodes on one cable.
    pub const BACK_TO_BACK: &str = "back-to-back";

    /// Topology with this name, or else from the file with this name, for `nodes` nodes.
    pub fn open(name: impl AsRef<Path>, nodes: usize) -> Result<Topology, TopologyError> {
        match name.as_ref().to_str() {
            Some(Topology::ONE_SWITCH) => Topology::one_switch(nodes),
            Some(Topology::BACK_TO_BACK) => Topology::back_to_back(nodes),
            _ => Topology::read(name.as_ref(), nodes),
        }
    }

    /// A single switch with a port for each node.
    pub fn one_switch(nodes: usize) -> Result<Topology, TopologyError> {
        nodes::check(nodes).map_err(GraphError::from)?;
        Ok(Topology::routed(Graph::one_switch(nodes))?)
    }

    /// Two nodes on one cable.
    pub fn back_to_back(nodes: usize) -> Result<Topology, TopologyError> {
        if nodes == 2 { Ok(Topology::BackToBack) } else { Err(GraphError::NotTwo(nodes).into()) }
    }

    /// Topology from a TOML file.
    pub fn read(path: &Path, nodes: usize) -> Result<Topology, TopologyError> {
        let text = files::read(path, MOST_TOML_BYTES)?;
        Topology::from_toml(&text, nodes).map_err(|found| found.in_file(path))
    }

    /// A graph with its routes.
    fn routed(graph: Graph) -> Result<Topology, GraphError> {
        let routes = graph.routes()?;
        Ok(Topology::Switches { graph, routes })
    }
}
