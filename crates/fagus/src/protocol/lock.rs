//! A lock: its home lets one node after the other have it, in the order in which they asked.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// What nodes tell each other about a lock. `request` is a number of the node that asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Message {
    /// To home: the lock is wanted.
    Acquire {
        /// Number of the request.
        request: u32,
    },
    /// From home: it is yours.
    Granted {
        /// The request that it answers.
        request: u32,
    },
    /// To home: it is free.
    Release {
        /// The request that it was had by.
        request: u32,
    },
}

impl Message {
    /// Whether it is to a home.
    pub fn is_to_home(self) -> bool {
        !matches!(self, Message::Granted { .. })
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Message::Acquire { .. } => "ACQUIRE",
            Message::Granted { .. } => "GRANTED",
            Message::Release { .. } => "RELEASE",
        }
    }
}

/// A lock at home.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Home {
    holder: Option<(u16, u32)>,
    queue: VecDeque<(u16, u32)>,
    last: Vec<u32>,
}

impl Home {
    /// A free lock, among so many nodes.
    pub fn new(nodes: usize) -> Home {
        Home { holder: None, queue: VecDeque::new(), last: vec![0; nodes] }
    }

    /// Takes a message; to whom the lock is given then.
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

/// A lock as a node has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Holder {
    requests: u32,
    waits: bool,
    has: bool,
}

impl Holder {
    /// Whether the node has the lock.
    pub fn has(self) -> bool {
        self.has
    }

    /// The program wants the lock: the message to its home.
    pub fn acquire(&mut self) -> Message {
        self.requests += 1;
        self.waits = true;
        Message::Acquire { request: self.requests }
    }

    /// The program gives the lock back: the message to its home.
    pub fn release(&mut self) -> Message {
        self.has = false;
        Message::Release { request: self.requests }
    }

    /// A message has come; whether the program has the lock by it.
    pub fn step(&mut self, message: Message) -> bool {
        let mine = self.waits && message == Message::Granted { request: self.requests };
        if mine {
            (self.waits, self.has) = (false, true);
        }
        mine
    }
}
