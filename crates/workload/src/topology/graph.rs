//! Switches, and what is plugged in where.

/// A switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchInfo {
    /// Its name.
    pub name: String,
    /// Number of its ports.
    pub ports: usize,
}

/// A port: the number of a switch, and the number of a port on it.
pub type Port = (usize, usize);

/// A cable: the ports at its ends.
pub type Cable = (Port, Port);

/// Switches, nodes and cables. Every port that is named is one of its switch, and is named once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// The switches.
    pub switches: Vec<SwitchInfo>,
    /// The port on which each node hangs.
    pub nodes: Vec<Port>,
    /// The cables between switches.
    pub cables: Vec<Cable>,
}

impl Graph {
    /// One switch, on whose ports the nodes hang in order.
    pub fn one_switch(nodes: usize) -> Graph {
        Graph {
            switches: vec![SwitchInfo { name: "switch".into(), ports: nodes }],
            nodes: (0..nodes).map(|node| (0, node)).collect(),
            cables: Vec::new(),
        }
    }

    /// A port as messages name it: `leaf0:3`.
    pub fn port_name(&self, (switch, port): Port) -> String {
        format!("{}:{port}", self.switches[switch].name)
    }
}
