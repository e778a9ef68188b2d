//! Multistage network: every frame passes one switch of each stage.
//!
//! Lines are numbered from 0 to 4^stages - 1; each switch has four inputs and four outputs. Before each stage
//! the lines are shuffled: their numbers, with one base-4 digit per stage, are rotated left by a digit. A
//! switch replaces the last digit by the receiver's next digit, the highest first. For any sender, the number
//! of the line after the last stage is therefore the receiver's. This is an omega network (Lawrie, "Access
//! and Alignment of Data in an Array Processor", 1975), with one path between any two nodes.
//!
//! ```text
//!   node n --> | stage 0 | --> shuffle --> | stage 1 | --> ... --> line of the receiver --> node
//! ```
//!
//! A cable has two links. A node's cable leads to the first stage and comes from the last. Between stages
//! only one of the two links carries frames, because no frame leaves a stage backwards. Dependencies for room
//! therefore have no cycle, and back-pressure cannot deadlock.

use super::{End, Topology};

/// Inputs and outputs of a switch.
const WAYS: usize = 4;

/// Number of stages of 4 x 4 switches between `nodes` nodes: ceil(log4), at least one.
pub fn stages(nodes: usize) -> u32 {
    (1..).find(|stages| WAYS.pow(*stages) >= nodes).expect("some power of four is as large")
}

/// Number of a line after the shuffle.
fn shuffle(line: usize, lines: usize) -> usize {
    line * WAYS % lines + line * WAYS / lines
}

impl Topology {
    /// Nodes at both ends of stages of 4 x 4 switches.
    ///
    /// Port n leads from and to node n: it is an input of the first stage and an output of the last. After
    /// these follow, for each line between two stages, the port at which it leaves and the port at which it
    /// arrives.
    pub fn multistage(nodes: usize) -> Self {
        let stages = stages(nodes) as usize;
        let lines = WAYS.pow(stages as u32);
        let switches = lines / WAYS;
        let between = (0..stages - 1).flat_map(|stage| (0..lines).map(move |line| (stage, line)));
        let leaves = |stage: usize, line: usize| nodes + 2 * (stage * lines + line);

        let mut cables: Vec<_> = (0..nodes).map(|node| [End::Node(node), End::Port(node as u32)]).collect();
        let mut switch: Vec<_> = (0..nodes).map(|node| shuffle(node, lines) / WAYS).collect();
        for (stage, line) in between {
            let port = leaves(stage, line) as u32;
            cables.push([End::Port(port), End::Port(port + 1)]);
            switch.push(stage * switches + line / WAYS);
            switch.push((stage + 1) * switches + shuffle(line, lines) / WAYS);
        }
        let port = |stage: usize, place: usize, node: usize| {
            let digit = node / WAYS.pow((stages - 1 - stage) as u32) % WAYS;
            let line = place * WAYS + digit;
            (if stage + 1 == stages { node } else { leaves(stage, line) }) as u32
        };
        let routes = (0..stages * switches)
            .map(|at| (0..nodes).map(|node| port(at / switches, at % switches, node)).collect())
            .collect();
        Topology { nodes, cables, switch, routes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_the_logarithm_to_base_four() {
        for (nodes, expected) in
            [(1, 1), (2, 1), (4, 1), (5, 2), (15, 2), (16, 2), (17, 3), (64, 3), (65, 4), (256, 4)]
        {
            assert_eq!(stages(nodes), expected, "{nodes} nodes");
        }
    }

    #[test]
    fn every_route_passes_each_stage_and_ends_at_the_receiver() {
        for nodes in [1, 2, 4, 5, 14, 16, 17, 64, 100, 256] {
            let topology = Topology::multistage(nodes);
            let routes = topology.routes((0..nodes).map(|node| node as u16));
            let lines = WAYS.pow(stages(nodes));
            for (from, to) in (0..nodes).flat_map(|from| (0..nodes).map(move |to| (from, to))) {
                let (mut port, mut line, mut hops) = (from as u32, from, 1);
                loop {
                    let next = routes.port(port, to as u16).unwrap();
                    // Position of the frame by the lines that join switches, independently of the routes.
                    let place = shuffle(line, lines) / WAYS;
                    if next == to as u32 {
                        assert_eq!(place, to / WAYS, "the last switch has the line of the receiver");
                        break;
                    }
                    line = (next as usize - nodes) / 2 % lines;
                    assert_eq!(line / WAYS, place, "a frame leaves the switch that it came to");
                    let cable = topology.cables().iter().find(|ends| ends[0] == End::Port(next));
                    assert_eq!(cable.unwrap()[1], End::Port(next + 1));
                    port = next + 1;
                    hops += 1;
                }
                assert_eq!(hops, stages(nodes));
            }
        }
    }

    #[test]
    fn no_switch_has_more_than_four_inputs_or_outputs() {
        let nodes = 256;
        let topology = Topology::multistage(nodes);
        let mut inputs = vec![0; topology.routes.len()];
        let mut outputs = inputs.clone();
        for (port, switch) in topology.switch.iter().enumerate() {
            let leaves = port >= nodes && (port - nodes).is_multiple_of(2);
            if leaves { outputs[*switch] += 1 } else { inputs[*switch] += 1 }
        }
        assert!(inputs.iter().all(|count| *count == WAYS), "{inputs:?}");
        let last = topology.routes.len() - nodes / WAYS;
        assert!(outputs[..last].iter().all(|count| *count == WAYS), "{outputs:?}");
    }
}
