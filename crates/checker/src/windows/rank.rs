//! A rank: its program, the library's state, and its memory.

use std::fmt;

use mpi::window_rules::{Call, Signal, Synchronization};
use mpi::{Arrivals, LockKind};

/// Ranks of a world at most.
pub const RANKS: usize = 3;

/// The content of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Content {
    /// A message of synchronization.
    Signal(Signal),
    /// Data for the memory of the receiver.
    Put,
    /// A get, with the number of puts of its origin before it.
    Get(u8),
    /// The answer to a get.
    Answer,
}

/// A message, of which the envelope or all has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    pub content: Content,
    /// All of it comes with the envelope.
    pub is_whole: bool,
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.content {
            Content::Put if self.is_whole => "put",
            Content::Put => "the envelope of a put",
            Content::Get(_) => "get",
            Content::Answer => "answer",
            Content::Signal(Signal::Flush) => "flush",
            Content::Signal(Signal::Flushed) => "flushed",
            Content::Signal(Signal::Post) => "post",
            Content::Signal(Signal::Complete) => "complete",
            Content::Signal(Signal::Lock(_)) => "lock",
            Content::Signal(Signal::Granted) => "granted",
            Content::Signal(Signal::Refused) => "refused",
            Content::Signal(Signal::Unlock) => "unlock",
        })
    }
}

/// A call that has not returned.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Running {
    pub call: Call,
    /// The next of its steps.
    pub step: usize,
    /// Targets that are not known to be dead.
    pub targets: Vec<usize>,
    /// It has an error.
    pub has_failed: bool,
}

/// A rank of the window with its program, memory and messages.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rank {
    /// The next call of its program, or the one that has not returned.
    pub at: usize,
    pub running: Option<Running>,
    /// It waits for the others at the end of a fence.
    pub is_fenced: bool,
    pub rules: Synchronization,
    pub arrivals: Arrivals<Message>,
    /// Puts begun, by target.
    pub sent: [u8; RANKS],
    /// Puts carried out in its memory, by origin.
    pub stored: [u8; RANKS],
    /// Its remote writes that have not reached their target.
    pub writes: [u8; RANKS],
    /// Its remote writes that have reached their target and are not acknowledged.
    pub landed: [u8; RANKS],
    /// Kinds of the locks that it holds, by target.
    pub held: [Option<LockKind>; RANKS],
    pub is_dead: bool,
}

impl Rank {
    pub fn new(ranks: usize) -> Self {
        Rank {
            at: 0,
            running: None,
            is_fenced: false,
            rules: Synchronization::new(ranks),
            arrivals: Arrivals::new(ranks),
            sent: [0; RANKS],
            stored: [0; RANKS],
            writes: [0; RANKS],
            landed: [0; RANKS],
            held: [None; RANKS],
            is_dead: false,
        }
    }
}
