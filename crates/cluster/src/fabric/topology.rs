//! Network topologies: nodes, switches and the cables that join them.

mod multistage;

use std::collections::HashMap;
use std::ops::Range;

use thiserror::Error;

pub use multistage::stages;

/// Position of a port: switch, and port of that switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchPort {
    /// Number of the switch, from 0.
    pub switch: usize,
    /// Number of the port on that switch, from 0.
    pub port: usize,
}

/// Node or port at an end of a cable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// Number of a node.
    Node(usize),
    /// Number of a port, counted over all switches: port n leads to node n, those between switches follow.
    Port(u32),
}

/// Error in the description of a topology.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TopologyError {
    /// A cluster needs at least one node.
    #[error("a cluster has at least one node")]
    Empty,
    /// The machine has fewer addresses than nodes were requested.
    #[error("{machine} has addresses for {most} nodes, not for {nodes}")]
    TooMany {
        /// Title of the machine.
        machine: &'static str,
        /// Most nodes of the machine.
        most: usize,
        /// Requested nodes.
        nodes: usize,
    },
    /// A cable leads to a switch that does not exist.
    #[error("a cable leads to switch {switch}, but there are only {switches}")]
    NoSwitch {
        /// Number of the missing switch.
        switch: usize,
        /// Number of switches.
        switches: usize,
    },
    /// Two cables use the same port.
    #[error("port {port} of switch {switch} has two cables")]
    TwoCables {
        /// Number of the switch.
        switch: usize,
        /// Number of the shared port.
        port: usize,
    },
    /// A route ends at a port without a cable.
    #[error("switch {switch} sends frames for node {node} to port {port}, which has no cable")]
    NoCable {
        /// Number of the switch.
        switch: usize,
        /// Destination node of the frames.
        node: usize,
        /// Number of the port.
        port: usize,
    },
}

/// Nodes, switches and cables. Cable n leads from node n; cables between switches follow.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Topology {
    nodes: usize,
    cables: Vec<[End; 2]>,
    /// Switch of each port.
    switch: Vec<usize>,
    /// By switch and node: the port that leads to the node.
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

    /// Nodes on ports of several switches. `route` returns the port of a switch that leads to a node.
    pub fn of_switches(
        switches: usize,
        nodes: &[SwitchPort],
        cables: &[[SwitchPort; 2]],
        route: impl Fn(usize, usize) -> usize,
    ) -> Result<Self, TopologyError> {
        let ports: Vec<SwitchPort> = nodes.iter().copied().chain(cables.iter().flatten().copied()).collect();
        let mut numbers = HashMap::new();
        for (n, &SwitchPort { switch, port }) in ports.iter().enumerate() {
            if switch >= switches {
                return Err(TopologyError::NoSwitch { switch, switches });
            }
            if numbers.insert((switch, port), n as u32).is_some() {
                return Err(TopologyError::TwoCables { switch, port });
            }
        }
        let mut ends: Vec<_> =
            (0..nodes.len()).map(|node| [End::Node(node), End::Port(node as u32)]).collect();
        ends.extend((0..cables.len()).map(|cable| {
            let first = (nodes.len() + 2 * cable) as u32;
            [End::Port(first), End::Port(first + 1)]
        }));
        let number = |switch, node| {
            let port = route(switch, node);
            let number = numbers.get(&(switch, port)).copied();
            number.ok_or(TopologyError::NoCable { switch, node, port })
        };
        let routes_of = |switch| (0..nodes.len()).map(|node| number(switch, node)).collect();
        Ok(Topology {
            nodes: nodes.len(),
            cables: ends,
            switch: ports.iter().map(|at| at.switch).collect(),
            routes: (0..switches).map(routes_of).collect::<Result<_, _>>()?,
        })
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Number of ports of all switches.
    pub fn ports(&self) -> usize {
        self.switch.len()
    }

    /// Ends of each cable.
    pub fn cables(&self) -> &[[End; 2]] {
        &self.cables
    }

    /// Most parts into which a cluster can be divided: parts meet in switches, and each has a node.
    pub fn most_parts(&self) -> usize {
        if self.switch.is_empty() { 1 } else { self.nodes }
    }

    /// Checks the number of nodes of a machine that has `most` addresses.
    pub(crate) fn check(&self, machine: &'static str, most: usize) -> Result<(), TopologyError> {
        match self.nodes {
            0 => Err(TopologyError::Empty),
            nodes if nodes > most => Err(TopologyError::TooMany { machine, most, nodes }),
            _ => Ok(()),
        }
    }

    /// Cables of a part with these nodes: their own, and a corresponding share of those between switches.
    pub(crate) fn cables_of(&self, here: &Range<usize>) -> Vec<usize> {
        if self.switch.is_empty() {
            return vec![0];
        }
        let between = self.cables.len() - self.nodes;
        let share = |node: usize| self.nodes + between * node / self.nodes;
        here.clone().chain(share(here.start)..share(here.end)).collect()
    }

    /// Part of each port, for parts with these nodes.
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

    /// Routes to nodes with these addresses, as a subnet manager computes them.
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
    /// Switch of each port.
    switch: Vec<usize>,
    /// By switch: the port of each address.
    ports: Vec<Vec<Option<u32>>>,
}

impl Routes {
    /// Port by which a frame for `address` leaves that came in at `port`.
    pub fn port(&self, port: u32, address: u16) -> Option<u32> {
        let switch = self.switch[port as usize];
        self.ports[switch].get(usize::from(address)).copied().flatten()
    }

    /// All ports of the switch of `port`, itself included only if asked for.
    pub fn group(&self, port: u32, with_sender: bool) -> Vec<u32> {
        let switch = self.switch[port as usize];
        let same = self.switch.iter().enumerate().filter(|(_, at)| **at == switch);
        same.map(|(other, _)| other as u32).filter(|other| with_sender || *other != port).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(switch: usize, port: usize) -> SwitchPort {
        SwitchPort { switch, port }
    }

    /// A row of switches with `nodes` nodes each; a cable leads from the last port but one of each to the
    /// last port of the next.
    fn row(switches: usize, nodes: usize) -> Topology {
        let places: Vec<_> = (0..switches * nodes).map(|node| at(node / nodes, node % nodes)).collect();
        let cables: Vec<_> = (1..switches).map(|next| [at(next - 1, nodes), at(next, nodes + 1)]).collect();
        let route = |switch: usize, node: usize| match (node / nodes).cmp(&switch) {
            std::cmp::Ordering::Equal => node % nodes,
            std::cmp::Ordering::Greater => nodes,
            std::cmp::Ordering::Less => nodes + 1,
        };
        Topology::of_switches(switches, &places, &cables, route).unwrap()
    }

    /// Two nodes and two switches; `routes` holds the ports of each switch that lead to them.
    fn two(
        places: [SwitchPort; 2],
        cables: &[[SwitchPort; 2]],
        routes: [[usize; 2]; 2],
    ) -> Result<Topology, TopologyError> {
        Topology::of_switches(2, &places, cables, |switch, node| routes[switch][node])
    }

    #[test]
    fn route_follows_cables_to_its_node_from_every_port() {
        for topology in [Topology::star(7), row(1, 3), row(2, 4), row(5, 2)] {
            let address = |node: usize| 3 * node as u16 + 5;
            let routes = topology.routes((0..topology.nodes()).map(address));
            for (node, first) in
                (0..topology.nodes()).flat_map(|n| (0..topology.ports() as u32).map(move |p| (n, p)))
            {
                let (mut port, mut hops) = (routes.port(first, address(node)).unwrap(), 0);
                while port != node as u32 {
                    let ends = topology.cables().iter().find(|ends| ends.contains(&End::Port(port))).unwrap();
                    let End::Port(far) = ends[usize::from(ends[0] == End::Port(port))] else {
                        panic!("a frame for node {node} leaves port {port} for another node")
                    };
                    port = routes.port(far, address(node)).unwrap();
                    hops += 1;
                    assert!(
                        hops < topology.ports(),
                        "a frame for node {node} from port {first} runs in circles"
                    );
                }
            }
            assert_eq!(routes.port(0, 4), None, "nobody has that address");
            assert_eq!(routes.port(0, u16::MAX), None);
        }
    }

    #[test]
    fn node_n_has_cable_n_and_port_n() {
        for topology in [Topology::star(7), row(3, 4)] {
            for node in 0..topology.nodes() {
                assert_eq!(topology.cables()[node], [End::Node(node), End::Port(node as u32)]);
            }
        }
    }

    #[test]
    fn group_leaves_all_other_ports_of_its_switch() {
        let routes = row(3, 2).routes(std::iter::empty());
        // The switch in the middle has nodes 2 and 3, and a cable to each side.
        let middle = [2, 3, 7, 8];
        for port in middle {
            let others: Vec<_> = middle.into_iter().filter(|other| *other != port).collect();
            assert_eq!(routes.group(port, false), others);
        }
    }

    #[test]
    fn every_cable_and_port_belongs_to_exactly_one_part() {
        for topology in [Topology::star(1), Topology::star(40), row(2, 9), row(7, 3), row(20, 1)] {
            for parts in 1..=topology.nodes() {
                let split: Vec<_> = (0..parts)
                    .map(|part| topology.nodes() * part / parts..topology.nodes() * (part + 1) / parts)
                    .collect();
                let owners = topology.owners(&split);
                let mut owned = vec![0; topology.cables().len()];
                for (part, here) in split.iter().enumerate() {
                    let cables = topology.cables_of(here);
                    assert!(here.clone().all(|node| cables.contains(&node)), "nodes have their cables");
                    for cable in cables {
                        owned[cable] += 1;
                        for end in topology.cables()[cable] {
                            assert!(!matches!(end, End::Port(port) if owners[port as usize] != part));
                        }
                    }
                }
                assert!(owned.iter().all(|times| *times == 1), "{parts} parts: {owned:?}");
            }
        }
    }

    #[test]
    fn two_nodes_on_one_cable_need_no_switch() {
        let topology = Topology::back_to_back();
        assert_eq!((topology.nodes(), topology.ports()), (2, 0));
        assert_eq!(topology.cables(), [[End::Node(0), End::Node(1)]]);
        assert_eq!(topology.cables_of(&(0..2)), [0]);
    }

    #[test]
    fn port_with_two_cables_is_refused() {
        let cable = [at(0, 1), at(1, 1)];
        assert!(two([at(0, 0), at(1, 0)], &[cable], [[0, 1], [1, 0]]).is_ok());
        for (places, cables) in [
            ([at(0, 1), at(1, 0)], &[cable][..]),
            ([at(0, 0), at(1, 0)], &[cable, [at(1, 2), at(0, 1)]]),
            ([at(0, 0), at(1, 0)], &[cable, [at(0, 1), at(0, 1)]]),
            ([at(0, 1), at(0, 1)], &[]),
        ] {
            let error = two(places, cables, [[0, 1], [1, 0]]).unwrap_err();
            assert_eq!(error, TopologyError::TwoCables { switch: 0, port: 1 });
            assert_eq!(error.to_string(), "port 1 of switch 0 has two cables");
        }
    }

    #[test]
    fn route_to_a_port_without_a_cable_is_refused() {
        let error = two([at(0, 0), at(1, 0)], &[[at(0, 1), at(1, 1)]], [[0, 1], [2, 0]]).unwrap_err();
        assert_eq!(error, TopologyError::NoCable { switch: 1, node: 0, port: 2 });
        assert_eq!(error.to_string(), "switch 1 sends frames for node 0 to port 2, which has no cable");
    }

    #[test]
    fn cable_to_a_missing_switch_is_refused() {
        let error = two([at(0, 0), at(2, 0)], &[], [[0, 0]; 2]).unwrap_err();
        assert_eq!(error, TopologyError::NoSwitch { switch: 2, switches: 2 });
        assert_eq!(error.to_string(), "a cable leads to switch 2, but there are only 2");
    }
}
