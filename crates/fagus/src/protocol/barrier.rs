//! Barriers, counted by node 0.
//!
//! An arriving node sends a digest of its declarations since the last barrier, so that programs with
//! different declarations are detected.

use serde::{Deserialize, Serialize};

use super::Nodes;

/// Messages of barriers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Message {
    /// To node 0: a node has reached the barrier.
    Arrive {
        /// Number of the barrier, from 1.
        round: u32,
        /// Digest of the node's declarations.
        digest: u64,
    },
    /// From node 0: all nodes have reached the barrier.
    Passed {
        /// Number of the barrier, from 1.
        round: u32,
        /// First node whose digest differs from that of the first arrival.
        differs: Option<u16>,
    },
}

impl Message {
    /// Whether the receiver is node 0 as the counter.
    pub fn is_to_home(self) -> bool {
        matches!(self, Message::Arrive { .. })
    }

    /// Name in traces, such as `ARRIVE`.
    pub fn name(self) -> &'static str {
        match self {
            Message::Arrive { .. } => "ARRIVE",
            Message::Passed { .. } => "PASSED",
        }
    }
}

/// Barrier counter of node 0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Home {
    nodes: usize,
    round: u32,
    missing: Nodes,
    digest: Option<u64>,
    differs: Option<u16>,
}

impl Home {
    /// State before the first barrier of `nodes` nodes.
    pub fn new(nodes: usize) -> Home {
        Home { nodes, round: 1, missing: Nodes::first(nodes), digest: None, differs: None }
    }

    /// Handles a message. Returns the message for all nodes if the barrier is complete.
    pub fn step(&mut self, from: u16, message: Message) -> Option<Message> {
        let Message::Arrive { round, digest } = message else { return None };
        if round != self.round || !self.missing.remove(from) {
            return None;
        }
        if *self.digest.get_or_insert(digest) != digest {
            self.differs.get_or_insert(from);
        }
        if !self.missing.is_empty() {
            return None;
        }
        let passed = Message::Passed { round, differs: self.differs };
        *self = Home { round: round + 1, ..Home::new(self.nodes) };
        Some(passed)
    }
}

/// Barriers of one node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Arrival {
    round: u32,
    waits: bool,
}

impl Arrival {
    /// Number of the last barrier that the node has reached, 0 before the first.
    pub fn round(self) -> u32 {
        self.round
    }

    /// Reaches a barrier and returns the message for node 0.
    pub fn arrive(&mut self, digest: u64) -> Message {
        self.round += 1;
        self.waits = true;
        Message::Arrive { round: self.round, digest }
    }

    /// Handles a message. If it releases the program: the node with different declarations, if any.
    pub fn step(&mut self, message: Message) -> Option<Option<u16>> {
        match message {
            Message::Passed { round, differs } if self.waits && round == self.round => {
                self.waits = false;
                Some(differs)
            }
            _ => None,
        }
    }
}
