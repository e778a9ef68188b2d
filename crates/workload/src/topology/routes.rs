//! Ways through the switches: the shortest ones, spread over those that are equally short.
//!
//! Nodes are taken one after the other. Where several ports lead to a node on equally short ways, a switch takes the one
//! over which the fewest pairs of nodes go so far, as subnet managers of InfiniBand do. So all traffic of a switch for a
//! node goes one way, and the nodes are spread over all ways.

use std::cmp::Reverse;
use std::collections::{BTreeSet, VecDeque};

use super::circle;
use super::{Graph, GraphError};

/// The output port of each switch for each node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Routes {
    nodes: usize,
    ports: Vec<u16>,
}

impl Routes {
    /// The port on which a switch sends what is for a node.
    pub fn port(&self, switch: usize, node: usize) -> usize {
        self.ports[switch * self.nodes + node].into()
    }

    /// The ports of a switch, one for each node.
    pub fn of(&self, switch: usize) -> &[u16] {
        &self.ports[switch * self.nodes..][..self.nodes]
    }
}

/// A cable as one of its switches sees it.
#[derive(Clone, Copy, Debug)]
struct Hop {
    /// The switch at the other end.
    to: usize,
    /// The port at this end.
    port: usize,
    /// Number of this direction of the cable: twice that of the cable, and one more for the way back.
    channel: u32,
}

impl Graph {
    /// The ways from each switch to each node, if there are and if frames on them can never wait for each other in a
    /// circle.
    pub fn routes(&self) -> Result<Routes, GraphError> {
        let hops = self.hops();
        let mut routes =
            Routes { nodes: self.nodes.len(), ports: vec![0; self.switches.len() * self.nodes.len()] };
        // Pairs of nodes that go over each direction of a cable, and which of these wait for which.
        let mut carried = vec![0; 2 * self.cables.len()];
        let mut waits = BTreeSet::new();
        let by_switch = self.nodes_by_switch();
        for (target, nodes) in by_switch.iter().enumerate() {
            let Some(first) = nodes.first() else { continue };
            let distances = distances(&hops, target);
            if let Some(from) = distances.iter().position(Option::is_none) {
                return Err(GraphError::Unreachable {
                    from: self.switches[from].name.clone(),
                    node: *first as u32,
                    switch: self.switches[target].name.clone(),
                });
            }
            let nearer: Vec<Vec<Hop>> = (0..hops.len()).map(|at| nearer(&hops, &distances, at)).collect();
            let mut farthest_first: Vec<usize> = (0..hops.len()).filter(|switch| *switch != target).collect();
            farthest_first.sort_by_key(|switch| Reverse(distances[*switch]));
            for &node in nodes {
                let mut next = vec![None; hops.len()];
                // Nodes whose traffic comes by each switch.
                let mut sources: Vec<u64> = by_switch.iter().map(|nodes| nodes.len() as u64).collect();
                for &switch in &farthest_first {
                    let hop = nearer[switch].iter().min_by_key(|hop| carried[hop.channel as usize]);
                    let hop = *hop.expect("a shortest way has a next switch");
                    carried[hop.channel as usize] += sources[switch];
                    sources[hop.to] += sources[switch];
                    next[switch] = Some(hop);
                }
                for (switch, hop) in next.iter().enumerate() {
                    let port = hop.map_or(self.nodes[node].1, |hop| hop.port);
                    routes.ports[switch * self.nodes.len() + node] = port as u16;
                }
                follow(&next, &by_switch, &mut waits);
            }
        }
        match circle::find(2 * self.cables.len(), &waits) {
            None => Ok(routes),
            Some(circle) => {
                Err(GraphError::Circle(circle.into_iter().map(|hop| self.hop_name(hop)).collect()))
            }
        }
    }

    /// The cables of each switch, in the order of its ports.
    fn hops(&self) -> Vec<Vec<Hop>> {
        let mut hops = vec![Vec::new(); self.switches.len()];
        for (number, &(a, b)) in (0..).zip(&self.cables) {
            hops[a.0].push(Hop { to: b.0, port: a.1, channel: 2 * number });
            hops[b.0].push(Hop { to: a.0, port: b.1, channel: 2 * number + 1 });
        }
        for hops in &mut hops {
            hops.sort_by_key(|hop| hop.port);
        }
        hops
    }

    /// The nodes of each switch.
    fn nodes_by_switch(&self) -> Vec<Vec<usize>> {
        let mut nodes = vec![Vec::new(); self.switches.len()];
        for (node, (switch, _)) in self.nodes.iter().enumerate() {
            nodes[*switch].push(node);
        }
        nodes
    }

    /// A direction of a cable, as `leaf0:3 to leaf1:2`.
    fn hop_name(&self, channel: u32) -> String {
        let (a, b) = self.cables[channel as usize / 2];
        let (from, to) = if channel.is_multiple_of(2) { (a, b) } else { (b, a) };
        format!("{} to {}", self.port_name(from), self.port_name(to))
    }
}

/// Follows frames for one node from all switches with nodes, and notes which channel they hold while they wait for which.
fn follow(next: &[Option<Hop>], by_switch: &[Vec<usize>], waits: &mut BTreeSet<(u32, u32)>) {
    let mut seen = vec![false; next.len()];
    for (begin, _) in by_switch.iter().enumerate().filter(|(_, nodes)| !nodes.is_empty()) {
        let (mut at, mut held) = (begin, None);
        while let Some(hop) = next[at] {
            if let Some(held) = held {
                waits.insert((held, hop.channel));
            }
            // From here on others have gone before.
            if std::mem::replace(&mut seen[at], true) {
                break;
            }
            (at, held) = (hop.to, Some(hop.channel));
        }
    }
}

/// How many cables each switch is away from one.
fn distances(hops: &[Vec<Hop>], from: usize) -> Vec<Option<u32>> {
    let mut distances = vec![None; hops.len()];
    distances[from] = Some(0);
    let mut reached = VecDeque::from([(from, 0)]);
    while let Some((at, distance)) = reached.pop_front() {
        for hop in &hops[at] {
            if distances[hop.to].is_none() {
                distances[hop.to] = Some(distance + 1);
                reached.push_back((hop.to, distance + 1));
            }
        }
    }
    distances
}

/// The cables of a switch that lead a step nearer to where distances are counted from.
fn nearer(hops: &[Vec<Hop>], distances: &[Option<u32>], at: usize) -> Vec<Hop> {
    let nearer = |hop: &&Hop| distances[hop.to].map(|distance| distance + 1) == distances[at];
    hops[at].iter().filter(nearer).copied().collect()
}
