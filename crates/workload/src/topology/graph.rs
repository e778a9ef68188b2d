//! Switches, nodes and cables.

/// A switch of a topology.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchInfo {
    /// Unique name, such as `leaf0`.
    pub name: String,
    /// Number of its ports.
    pub ports: usize,
}

/// A port: index of a switch, and number of a port on it.
pub type Port = (usize, usize);

/// A cable between two ports.
pub type Cable = (Port, Port);

/// Switches, nodes and cables. Every named port exists and is used once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// Switches in the order of the file.
    pub switches: Vec<SwitchInfo>,
    /// Port of each node.
    pub nodes: Vec<Port>,
    /// Cables between switches.
    pub cables: Vec<Cable>,
}

impl Graph {
    /// A single switch with the nodes on its ports in order.
    pub fn one_switch(nodes: usize) -> Graph {
        Graph {
            switches: vec![SwitchInfo { name: "switch".into(), ports: nodes }],
            nodes: (0..nodes).map(|node| (0, node)).collect(),
            cables: Vec::new(),
        }
    }

    /// Name of a port in messages: `leaf0:3`.
    pub fn port_name(&self, (switch, port): Port) -> String {
        format!("{}:{port}", self.switches[switch].name)
    }
}
