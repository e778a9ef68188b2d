//! Shortest routes through the switches, balanced over equally short ones.
//!
//! Nodes are routed one after another. Among ports with equally short paths to a node, a switch chooses the
//! one that carries the fewest pairs of nodes so far, as subnet managers of InfiniBand do. All traffic of a
//! switch for one node thus takes one path, and nodes are spread over all paths.

use std::cmp::Reverse;
use std::collections::{BTreeSet, VecDeque};

use super::circle;
use super::{Graph, GraphError};

/// Output port of each switch for each node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Routes {
    nodes: usize,
    ports: Vec<u16>,
}

impl Routes {
    /// Output port of a switch for a node.
    pub fn port(&self, switch: usize, node: usize) -> usize {
        self.ports[switch * self.nodes + node].into()
    }

    /// Output ports of a switch, one for each node.
    pub fn of(&self, switch: usize) -> &[u16] {
        &self.ports[switch * self.nodes..][..self.nodes]
    }
}

/// A cable as seen from one of its switches.
#[derive(Clone, Copy, Debug)]
struct Hop {
    /// Switch at the other end.
    to: usize,
    /// Port at this end.
    port: usize,
    /// Channel of this direction: twice the number of the cable, plus one for the opposite direction.
    channel: u32,
}

impl Graph {
    /// Routes from each switch to each node. An error if a node is unreachable, or if frames could deadlock.
    pub fn routes(&self) -> Result<Routes, GraphError> {
        let hops = self.hops();
        let mut routes =
            Routes { nodes: self.nodes.len(), ports: vec![0; self.switches.len() * self.nodes.len()] };
        // Pairs of nodes on each channel, and the dependencies between channels.
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
                // Number of nodes whose traffic passes each switch.
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

    /// Cables of each switch in the order of its ports.
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

    /// Nodes of each switch.
    fn nodes_by_switch(&self) -> Vec<Vec<usize>> {
        let mut nodes = vec![Vec::new(); self.switches.len()];
        for (node, (switch, _)) in self.nodes.iter().enumerate() {
            nodes[*switch].push(node);
        }
        nodes
    }

    /// Name of a channel: `leaf0:3 to leaf1:2`.
    fn hop_name(&self, channel: u32) -> String {
        let (a, b) = self.cables[channel as usize / 2];
        let (from, to) = if channel.is_multiple_of(2) { (a, b) } else { (b, a) };
        format!("{} to {}", self.port_name(from), self.port_name(to))
    }
}

/// Follows the frames for one node from all switches with nodes, and records the dependencies between
/// channels.
fn follow(next: &[Option<Hop>], by_switch: &[Vec<usize>], waits: &mut BTreeSet<(u32, u32)>) {
    let mut seen = vec![false; next.len()];
    for (begin, _) in by_switch.iter().enumerate().filter(|(_, nodes)| !nodes.is_empty()) {
        let (mut at, mut held) = (begin, None);
        while let Some(hop) = next[at] {
            if let Some(held) = held {
                waits.insert((held, hop.channel));
            }
            // The rest of the path is already recorded.
            if std::mem::replace(&mut seen[at], true) {
                break;
            }
            (at, held) = (hop.to, Some(hop.channel));
        }
    }
}

/// Distance of each switch from one switch, in cables.
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

/// Cables of a switch that reduce the distance by one.
fn nearer(hops: &[Vec<Hop>], distances: &[Option<u32>], at: usize) -> Vec<Hop> {
    let nearer = |hop: &&Hop| distances[hop.to].map(|distance| distance + 1) == distances[at];
    hops[at].iter().filter(nearer).copied().collect()
}
