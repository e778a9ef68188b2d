//! Barriers: all come, then all go on. Node 0 counts.
//!
//! Whoever comes says what it has declared since the last barrier, as a digest, so that programs that disagree find out.

use serde::{Deserialize, Serialize};

use super::Nodes;

/// What nodes tell each other about barriers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Message {
    /// To node 0: a node has come.
    Arrive {
        /// Number of the barrier, from 1.
        round: u32,
        /// What the node has declared.
        digest: u64,
    },
    /// From node 0: all have come.
    Passed {
        /// Number of the barrier.
        round: u32,
        /// The first node that has declared something else than the first that came, if there is one.
        differs: Option<u16>,
    },
}

impl Message {
    /// Whether it is to node 0 as the one that counts.
    pub fn is_to_home(self) -> bool {
        matches!(self, Message::Arrive { .. })
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Message::Arrive { .. } => "ARRIVE",
            Message::Passed { .. } => "PASSED",
        }
    }
}

/// What node 0 counts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Home {
    nodes: usize,
    round: u32,
    missing: Nodes,
    digest: Option<u64>,
    differs: Option<u16>,
}

impl Home {
    /// Before the first barrier of so many nodes.
    pub fn new(nodes: usize) -> Home {
        Home { nodes, round: 1, missing: Nodes::first(nodes), digest: None, differs: None }
    }

    /// Takes a message; what is told to all, if all have come by it.
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

/// Barriers as a node sees them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Arrival {
    round: u32,
    waits: bool,
}

impl Arrival {
    /// Number of the last barrier that the node came to.
    pub fn round(self) -> u32 {
        self.round
    }

    /// The program comes to a barrier: the message to node 0.
    pub fn arrive(&mut self, digest: u64) -> Message {
        self.round += 1;
        self.waits = true;
        Message::Arrive { round: self.round, digest }
    }

    /// A message has come. If the program goes on by it: who has declared something else.
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
