//! The paper's measuring programs (sections 5.1 and 5.2), over Suci and over MPI.
//!
//! | Program | Messages | Time |
//! |---|---|---|
//! | ping-pong | node 0 to node 1, and each back | all of it; throughput is that of one way |
//! | burst | node 0 to node 1, one after the other | to the answer after the last |
//! | gather | every node one to node 0, all at the same instant | until node 0 has all |
//! | broadcast | node 0 down a binary tree, one after the other | until node 0 has the answers of all |

mod meeting;
pub mod mpich;
pub mod over_suci;

use cluster::{Duration, Fingerprint};

use crate::{Cluster, cost};

/// Measured programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Program {
    /// There and back.
    PingPong,
    /// One way.
    Burst,
    /// All nodes send to node 0.
    Gather,
    /// Node 0 sends to all, down a binary tree.
    Broadcast,
}

impl Program {
    /// Messages of this size that are measured together, after one that is not; fewer for long ones.
    pub fn rounds(self, size: usize) -> u32 {
        let bytes = match self {
            Program::Gather => return 1,
            Program::PingPong => 1 << 18,
            Program::Burst | Program::Broadcast => 1 << 19,
        };
        (bytes / size.max(1)).clamp(4, 32) as u32
    }
}

/// Result of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Time of the measured messages.
    pub elapsed: Duration,
    /// Bytes of them that one receiver got; of a gather node 0, of a ping-pong each of the two.
    pub bytes: u64,
    /// Totals of all nodes.
    pub counters: Totals,
    /// Time that all nodes spent in steps of Suci's library that have a cost.
    pub library: Duration,
    /// The fingerprint of the run.
    pub fingerprint: Fingerprint,
}

impl Outcome {
    /// Throughput in MB/s of 1,000,000 bytes.
    pub fn megabytes_per_second(&self) -> f64 {
        // A byte in a microsecond is a megabyte in a second.
        self.bytes as f64 / (self.elapsed.ps() as f64 / 1e6)
    }

    /// Throughput in percent of the capacity of the receiver's cable, with headers and gaps.
    pub fn percent_of_link(&self) -> f64 {
        100.0 * self.megabytes_per_second() * cost::BYTE.ps() as f64 / 1e6
    }
}

/// The result of a run, from its counters and those of the network.
fn finish(
    cluster: &mut Cluster,
    elapsed: Duration,
    bytes: u64,
    mut counters: Totals,
) -> anyhow::Result<Outcome> {
    counters.dropped_by_switch = cluster.switch_counters().map_or(0, |switch| switch.discarded);
    for node in cluster.nodes() {
        counters.dropped_by_cards += u64::from(node.nic().outputs().missed) + node.side().driver().lost();
    }
    counters.lost_on_wires = cluster.links().iter().map(|link| link.faults().counters().struck()).sum();
    let library = cluster.nodes().iter().map(|node| node.side().library().spent()).sum();
    Ok(Outcome { elapsed, bytes, counters, library, fingerprint: cluster.fingerprint()? })
}

/// Counters of all nodes together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Datagrams that endpoints sent.
    pub sent: u64,
    /// Datagrams that endpoints received.
    pub received: u64,
    /// Packets that were taken for lost and sent again.
    pub again: u64,
    /// Time-outs.
    pub timeouts: u64,
    /// Datagrams dropped because a socket's buffer was full.
    pub dropped_by_kernels: u64,
    /// Most memory that datagrams took of one socket's buffer, in bytes.
    pub most_charged: u64,
    /// Frames dropped by the switch.
    pub dropped_by_switch: u64,
    /// Frames dropped because a card's ring or a driver's backlog was full.
    pub dropped_by_cards: u64,
    /// Frames lost to link faults.
    pub lost_on_wires: u64,
}

/// Limit of virtual time for a program.
const LIMIT: Duration = Duration::from_us(60_000_000);

/// Message `number` of a node; consecutive ones differ.
fn message(from: usize, number: u32, bytes: usize) -> Vec<u8> {
    let first = (from as u32).wrapping_mul(31).wrapping_add(number.wrapping_mul(7));
    (0..bytes as u32).map(|at| first.wrapping_add(at ^ at >> 8) as u8).collect()
}

/// The children of a node in the tree of a broadcast: each sends to two.
fn children(node: usize, nodes: usize) -> impl Iterator<Item = usize> {
    (2 * node + 1..=2 * node + 2).filter(move |child| *child < nodes)
}

/// The parent of a node in the tree.
fn parent(node: usize) -> usize {
    (node - 1) / 2
}
