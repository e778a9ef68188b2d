//! What a part of a cluster brings.

use serde::{Deserialize, Serialize};
use workload::NodeOutcome;

/// What a part of the cluster brings, perhaps from another process. Times are in picoseconds.
#[derive(Serialize, Deserialize)]
pub struct Part {
    pub outcomes: Vec<Result<NodeOutcome, String>>,
    /// For how long the links from and to each node carried something.
    pub links: Vec<[u64; 2]>,
    /// For how long the bus of each node was taken.
    pub buses: Vec<u64>,
    /// How deep the queue at each port was at most, and for how long units waited there.
    pub ports: Vec<[u64; 2]>,
}
