//! A lock, granted by its home in the order of requests.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// Messages of locks. `request` is a number of the requesting node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Message {
    /// To home: request of the lock.
    Acquire {
        /// Number of the request.
        request: u32,
    },
    /// From home: grant of the lock.
    Granted {
        /// Request that is granted.
        request: u32,
    },
    /// To home: release of the lock.
    Release {
        /// Request under which the lock was granted.
        request: u32,
    },
}

impl Message {
    /// Whether the receiver is the home.
    pub fn is_to_home(self) -> bool {
        !matches!(self, Message::Granted { .. })
    }

    /// Name in traces, such as `ACQUIRE`.
    pub fn name(self) -> &'static str {
        match self {
            Message::Acquire { .. } => "ACQUIRE",
            Message::Granted { .. } => "GRANTED",
            Message::Release { .. } => "RELEASE",
        }
    }
}

/// State of a lock at its home.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Home {
    holder: Option<(u16, u32)>,
    queue: VecDeque<(u16, u32)>,
    last: Vec<u32>,
}

impl Home {
    /// A free lock among `nodes` nodes.
    pub fn new(nodes: usize) -> Home {
        Home { holder: None, queue: VecDeque::new(), last: vec![0; nodes] }
    }

    /// Handles a message. Returns the next holder and the message for it.
    pub fn step(&mut self, from: u16, message: Message) -> Option<(u16, Message)> {
        let last = self.last.get_mut(usize::from(from))?;
        match message {
            Message::Acquire { request } if request > *last => {
                *last = request;
                self.queue.push_back((from, request));
            }
            Message::Release { request } => {
                self.holder.take_if(|holder| *holder == (from, request));
            }
            _ => {}
        }
        if self.holder.is_some() {
            return None;
        }
        self.holder = self.queue.pop_front();
        self.holder.map(|(node, request)| (node, Message::Granted { request }))
    }
}

/// State of a lock at a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Holder {
    requests: u32,
    waits: bool,
    has: bool,
}

impl Holder {
    /// Whether the node holds the lock.
    pub fn has(self) -> bool {
        self.has
    }

    /// Requests the lock and returns the message for its home.
    pub fn acquire(&mut self) -> Message {
        self.requests += 1;
        self.waits = true;
        Message::Acquire { request: self.requests }
    }

    /// Releases the lock and returns the message for its home.
    pub fn release(&mut self) -> Message {
        self.has = false;
        Message::Release { request: self.requests }
    }

    /// Handles a message. Returns whether it grants the lock.
    pub fn step(&mut self, message: Message) -> bool {
        let mine = self.waits && message == Message::Granted { request: self.requests };
        if mine {
            (self.waits, self.has) = (false, true);
        }
        mine
    }
}
