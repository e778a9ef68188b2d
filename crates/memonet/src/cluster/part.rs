//! Results of a part of a cluster.

use serde::{Deserialize, Serialize};
use workload::NodeOutcome;

/// Results of a part of the cluster, possibly from another process. Times are in picoseconds.
#[derive(Serialize, Deserialize)]
pub struct Part {
    pub outcomes: Vec<Result<NodeOutcome, String>>,
    /// Busy time of the links from and to each node.
    pub links: Vec<[u64; 2]>,
    /// Busy time of each node's bus.
    pub buses: Vec<u64>,
    /// Time of all nodes in steps of their library that have a cost.
    pub library: u64,
    /// Maximum depth and total waiting time of the queue at each port.
    pub ports: Vec<[u64; 2]>,
}
