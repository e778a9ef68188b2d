//! Home of an object: orders requests so that a write is exclusive and reads are concurrent.

use std::collections::{BTreeMap, VecDeque};

use super::{Message, Output};
use crate::protocol::Rules;

/// A request queued at home.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Asked {
    node: u16,
    request: u32,
    /// For ownership: the version of the writer's copy; `None` for a copy.
    write: Option<Option<u32>>,
}

/// State of an object at its home.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Home {
    owner: u16,
    version: u32,
    /// Writer and request of the write in progress.
    writing: Option<(u16, u32)>,
    /// Nodes to which copies are in flight, with their requests. A node may ask again before its `Done` arrives.
    reading: BTreeMap<u16, u32>,
    queue: VecDeque<Asked>,
    /// Last request of each node; older and repeated requests are ignored.
    last: Vec<u32>,
}

impl Home {
    /// Home of an object owned by `owner`, among `nodes` nodes.
    pub fn new(owner: u16, nodes: usize) -> Home {
        Home {
            owner,
            version: 1,
            writing: None,
            reading: BTreeMap::new(),
            queue: VecDeque::new(),
            last: vec![0; nodes],
        }
    }

    /// Owner of the object, or its owner before the write in progress.
    pub fn owner(&self) -> u16 {
        self.owner
    }

    /// Writer of the write in progress.
    pub fn next_owner(&self) -> Option<u16> {
        self.writing.map(|(node, _)| node)
    }

    /// Handles a message and returns the messages to send. Duplicates and messages for other roles change
    /// nothing.
    pub fn step<D>(&mut self, rules: &Rules, from: u16, message: &Message<D>) -> Vec<Output<D>> {
        let Some(last) = self.last.get_mut(usize::from(from)) else { return Vec::new() };
        let (request, write) = match *message {
            Message::Read { request } => (request, None),
            Message::Write { request, has } => (request, Some(has)),
            Message::Done { request } => {
                if self.writing == Some((from, request)) {
                    (self.owner, self.version, self.writing) = (from, self.version + 1, None);
                } else if self.reading.get(&from) == Some(&request) {
                    self.reading.remove(&from);
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

    /// Forwards queued requests to the owner, in order, as far as possible.
    fn go_on<D>(&mut self, rules: &Rules) -> Vec<Output<D>> {
        let mut outputs = Vec::new();
        while let Some(&Asked { node, request, write }) = self.queue.front() {
            if self.writing.is_some() || write.is_some() && !self.reading.is_empty() {
                break;
            }
            self.queue.pop_front();
            let message = match write {
                None => {
                    // H15: the rules as printed do not record copies in flight.
                    if rules.versions {
                        self.reading.insert(node, request);
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
