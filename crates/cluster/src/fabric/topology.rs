//! Which nodes and switches there are, and which cables join them.

use std::collections::HashMap;
use std::ops::Range;

use thiserror::Error;

/// A port of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchPort {
    /// The switch.
    pub switch: usize,
    /// Its port.
    pub port: usize,
}

/// What is at an end of a cable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// This node.
    Node(usize),
    /// This port, counted over all switches: port n leads to node n, those between switches follow.
    Port(u32),
}

/// Why nodes cannot be joined like that.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TopologyError {
    /// A cluster has a node.
    #[error("a cluster has at least one node")]
    Empty,
    /// A machine has addresses for so many.
    #[error("{machine} has addresses for {most} nodes, not for {nodes}")]
    TooMany {
        /// The machine.
        machine: &'static str,
        /// Most nodes.
        most: usize,
        /// Nodes that were asked for.
        nodes: usize,
    },
}

/// Nodes, switches and cables. Cable n leads from node n; cables between switches follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topology {
    nodes: usize,
    cables: Vec<[End; 2]>,
    /// The switch of each port.
    switch: Vec<usize>,
    /// By switch and node, the port that leads there.
    routes: Vec<Vec<u32>>,
}

impl Topology {
    /// Nodes on the ports of one switch.
    pub fn star(nodes: usize) -> Self {
        Topology {
            nodes,
            cables: (0..nodes).map(|node| [End::Node(node), End::Port(node as u32)]).collect(),
            switch: vec![0; nodes],
            routes: vec![(0..nodes as u32).collect()],
        }
    }

    /// Two nodes on one cable.
    pub fn back_to_back() -> Self {
        Topology {
            nodes: 2,
            cables: vec![[End::Node(0), End::Node(1)]],
            switch: Vec::new(),
            routes: Vec::new(),
        }
    }

    /// Nodes at ports of several switches. `route` is the port of a switch that leads to a node.
    pub fn of_switches(
        switches: usize,
        nodes: &[SwitchPort],
        cables: &[[SwitchPort; 2]],
        route: impl Fn(usize, usize) -> usize,
    ) -> Self {
        let ports: Vec<SwitchPort> = nodes.iter().copied().chain(cables.iter().flatten().copied()).collect();
        let mut numbers = HashMap::new();
        for (n, at) in ports.iter().enumerate() {
            numbers.insert((at.switch, at.port), n as u32);
        }
        let mut ends: Vec<_> =
            (0..nodes.len()).map(|node| [End::Node(node), End::Port(node as u32)]).collect();
        ends.extend((0..cables.len()).map(|cable| {
            let first = (nodes.len() + 2 * cable) as u32;
            [End::Port(first), End::Port(first + 1)]
        }));
        let routes = (0..switches)
            .map(|switch| (0..nodes.len()).map(|node| numbers[&(switch, route(switch, node))]).collect())
            .collect();
        Topology {
            nodes: nodes.len(),
            cables: ends,
            switch: ports.iter().map(|at| at.switch).collect(),
            routes,
        }
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Ports of all switches together.
    pub fn ports(&self) -> usize {
        self.switch.len()
    }

    /// What is at the ends of each cable.
    pub fn cables(&self) -> &[[End; 2]] {
        &self.cables
    }

    /// Whether a machine with so many addresses can have it.
    pub(crate) fn check(&self, machine: &'static str, most: usize) -> Result<(), TopologyError> {
        match self.nodes {
            0 => Err(TopologyError::Empty),
            nodes if nodes > most => Err(TopologyError::TooMany { machine, most, nodes }),
            _ => Ok(()),
        }
    }

    /// The cables that a part with these nodes has: theirs, and as many of those between switches as corresponds to them.
    pub(crate) fn cables_of(&self, here: &Range<usize>) -> Vec<usize> {
        if self.switch.is_empty() {
            return vec![0];
        }
        let between = self.cables.len() - self.nodes;
        let share = |node: usize| self.nodes + between * node / self.nodes;
        here.clone().chain(share(here.start)..share(here.end)).collect()
    }

    /// Of each port, which of parts with these nodes has it.
    pub(crate) fn owners(&self, parts: &[Range<usize>]) -> Vec<usize> {
        let mut owners = vec![0; self.ports()];
        for (part, here) in parts.iter().enumerate() {
            for end in self.cables_of(here).into_iter().flat_map(|cable| self.cables[cable]) {
                if let End::Port(port) = end {
                    owners[port as usize] = part;
                }
            }
        }
        owners
    }

    /// Routes to nodes by these addresses, as a subnet manager sets them up.
    pub fn routes(&self, addresses: impl Iterator<Item = u16>) -> Routes {
        let mut ports: Vec<Vec<Option<u32>>> = vec![Vec::new(); self.routes.len()];
        for (node, address) in addresses.enumerate().map(|(node, address)| (node, usize::from(address))) {
            for (ports, route) in ports.iter_mut().zip(&self.routes) {
                if ports.len() <= address {
                    ports.resize(address + 1, None);
                }
                ports[address] = Some(route[node]);
            }
        }
        Routes { switch: self.switch.clone(), ports }
    }
}

/// The forwarding tables of all switches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Routes {
    /// The switch of each port.
    switch: Vec<usize>,
    /// By switch, the port of each address.
    ports: Vec<Vec<Option<u32>>>,
}

impl Routes {
    /// The port by which a frame leaves that came in at `port`.
    pub fn port(&self, port: u32, address: u16) -> Option<u32> {
        let switch = self.switch[port as usize];
        self.ports[switch].get(usize::from(address)).copied().flatten()
    }

    /// All other ports of the switch.
    pub fn others(&self, port: u32) -> Vec<u32> {
        let switch = self.switch[port as usize];
        let same = self.switch.iter().enumerate().filter(|(_, at)| **at == switch);
        same.map(|(other, _)| other as u32).filter(|other| *other != port).collect()
    }
}
