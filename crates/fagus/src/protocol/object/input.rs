//! Inputs and outputs of an object at a node.

use super::Message;

/// Input of an object at a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Input<D> {
    /// The program requests a read guard.
    Read,
    /// The program requests a write guard.
    Write,
    /// The program drops a read guard.
    EndRead,
    /// The program drops a write guard with this data.
    EndWrite(D),
    /// The program pushes a copy to another node; only the owner can.
    Push(u16),
    /// A message from a node.
    Message(u16, Message<D>),
}

/// Output of an object at a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Output<D> {
    /// Message for a node.
    Send(u16, Message<D>),
    /// The program gets its read guard.
    Readable,
    /// The program gets its write guard.
    Writable,
}

/// Guards that the program of a node holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Guards {
    /// Number of read guards.
    pub readers: u16,
    /// Whether there is a write guard.
    pub writing: bool,
}

impl Guards {
    /// Whether there is any guard.
    pub fn any(self) -> bool {
        self.readers > 0 || self.writing
    }
}
