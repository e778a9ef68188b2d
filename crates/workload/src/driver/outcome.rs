//! What a node has seen of a workload.

use cluster::Time;
use serde::{Deserialize, Serialize};

use crate::ps;

/// What a node did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeOutcome {
    /// The node.
    pub node: u32,
    /// What it sent, in that order.
    pub sent: Vec<Sent>,
    /// What it received, in that order.
    pub seen: Vec<Seen>,
}

/// A message that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sent {
    /// Its number in the schedule.
    pub message: u32,
    /// When it was to begin.
    #[serde(with = "ps", rename = "due_ps")]
    pub due: Time,
    /// When its first store was: later if the node was busy with other messages, or had to wait for room.
    #[serde(with = "ps", rename = "first_store_ps")]
    pub first_store: Time,
}

/// A message that was received.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// Its number in the schedule.
    pub message: u32,
    /// When the look before was over, or the node began: the message fell behind it.
    #[serde(with = "ps", rename = "look_before_ps")]
    pub look_before: Time,
    /// When the look that saw it was over.
    #[serde(with = "ps", rename = "time_ps")]
    pub time: Time,
}
