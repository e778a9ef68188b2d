//! Results of a node.

use cluster::Time;
use serde::{Deserialize, Serialize};

use crate::ps;

/// Results of a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeOutcome {
    /// Number of the node.
    pub node: u32,
    /// Sent messages in order.
    pub sent: Vec<Sent>,
    /// Received messages in order.
    pub seen: Vec<Seen>,
}

/// A sent message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sent {
    /// Number in the schedule.
    pub message: u32,
    /// Time at which it was due.
    #[serde(with = "ps", rename = "due_ps")]
    pub due: Time,
    /// Time of its first store: later than due if the node was busy or had to wait for room.
    #[serde(with = "ps", rename = "first_store_ps")]
    pub first_store: Time,
}

/// A received message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// Number in the schedule.
    pub message: u32,
    /// End of the poll before the successful one, or start of the node; the message arrived after it.
    #[serde(with = "ps", rename = "look_before_ps")]
    pub look_before: Time,
    /// End of the poll that found it.
    #[serde(with = "ps", rename = "time_ps")]
    pub time: Time,
}
