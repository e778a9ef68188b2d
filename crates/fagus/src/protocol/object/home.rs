//! The home of an object orders its requests: one write at a time, reads beside each other.

use std::collections::VecDeque;

use super::{Message, Output};
use crate::protocol::{Nodes, Rules};

/// A request that waits at home.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Asked {
    node: u16,
    request: u32,
    /// For ownership, and the version that the writer has; for a copy otherwise.
    write: Option<Option<u32>>,
}

/// What the home of an object knows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Home {
    owner: u16,
    version: u32,
    /// The write that goes on.
    writing: Option<(u16, u32)>,
    /// Nodes whose copies are on their way.
    reading: Nodes,
    queue: VecDeque<Asked>,
    /// The last request of each node: nothing that repeats it is taken.
    last: Vec<u32>,
}

impl Home {
    /// The home of an object that a node owns, among so many.
    pub fn new(owner: u16, nodes: usize) -> Home {
        Home {
            owner,
            version: 1,
            writing: None,
            reading: Nodes::NONE,
            queue: VecDeque::new(),
            last: vec![0; nodes],
        }
    }

    /// Who owns the object, or owned it before the write that goes on.
    pub fn owner(&self) -> u16 {
        self.owner
    }

    /// Who is being made the owner.
    pub fn next_owner(&self) -> Option<u16> {
        self.writing.map(|(node, _)| node)
    }

    /// Takes a message; what is to be sent then. Messages that are not to homes, or repeat what was heard, change nothing.
    pub fn step<D>(&mut self, rules: &Rules, from: u16, message: &Message<D>) -> Vec<Output<D>> {
        let Some(last) = self.last.get_mut(usize::from(from)) else { return Vec::new() };
        let (request, write) = match *message {
            Message::Read { request } => (request, None),
            Message::Write { request, has } => (request, Some(has)),
            Message::Done { request } => {
                if self.writing == Some((from, request)) {
                    (self.owner, self.version, self.writing) = (from, self.version + 1, None);
                } else if request == *last {
                    self.reading.remove(from);
                }
                return self.go_on(rules);
            }
            _ => return Vec::new(),
        };
        if request <= *last {
            return Vec::new();
        }
        *last = request;
        self.queue.push_back(Asked { node: from, request, write });
        self.go_on(rules)
    }

    /// Lets requests go to the owner, in their order, as far as they may.
    fn go_on<D>(&mut self, rules: &Rules) -> Vec<Output<D>> {
        let mut outputs = Vec::new();
        while let Some(&Asked { node, request, write }) = self.queue.front() {
            if self.writing.is_some() || write.is_some() && !self.reading.is_empty() {
                break;
            }
            self.queue.pop_front();
            let message = match write {
                None => {
                    // H15: only the plain reading forgets whom a copy is on its way to.
                    if rules.versions {
                        self.reading.insert(node);
                    }
                    Message::Supply { to: node, request, version: self.version }
                }
                Some(has) => {
                    self.writing = Some((node, request));
                    Message::HandOver { to: node, request, version: self.version + 1, has }
                }
            };
            outputs.push(Output::Send(self.owner, message));
        }
        outputs
    }
}
