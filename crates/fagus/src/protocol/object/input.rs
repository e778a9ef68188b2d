//! What happens to an object at a node, and what follows.

use super::Message;

/// What happens to an object at a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Input<D> {
    /// The program wants to read.
    Read,
    /// The program wants to write.
    Write,
    /// The program has read.
    EndRead,
    /// The program has written this.
    EndWrite(D),
    /// The program wants another node to have a copy; only the owner can do that.
    Push(u16),
    /// A message has come from a node.
    Message(u16, Message<D>),
}

/// What follows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Output<D> {
    /// A message to a node.
    Send(u16, Message<D>),
    /// The program may read.
    Readable,
    /// The program may write.
    Writable,
}

/// What the program of a node holds of an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Guards {
    /// Read guards.
    pub readers: u16,
    /// A write guard.
    pub writing: bool,
}

impl Guards {
    /// Whether it holds anything.
    pub fn any(self) -> bool {
        self.readers > 0 || self.writing
    }
}
