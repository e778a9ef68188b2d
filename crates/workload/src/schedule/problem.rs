//! Errors in workloads.

use std::path::{Path, PathBuf};

use super::MOST_MESSAGES;
use crate::duration::DurationError;
use crate::nodes::NodesError;
use crate::quote::quote;
use files::FileError;

/// Reason why there is no schedule. Each message ends with a remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The file has a syntax error or an invalid key or value.
    #[error("{0}")]
    Syntax(String),
    /// A node does not exist.
    #[error(transparent)]
    Nodes(#[from] NodesError),
    /// A duration is invalid.
    #[error(transparent)]
    Duration(#[from] DurationError),
    /// The receiver is neither a node nor a keyword.
    #[error("{} is no receiver; write a number, `next`, `previous`, `+2`, `-2` or `others`", quote(.0))]
    NotAReceiver(String),
    /// A node sends to itself.
    #[error("node {0} sends to itself; name another receiver")]
    Itself(u32),
    /// A rank receives from itself.
    #[error("rank {0} receives from itself; name another sender")]
    FromItself(u32),
    /// A message is empty.
    #[error("the message has 0 bytes; give it at least 1")]
    NoBytes,
    /// The primitive does not carry this many bytes.
    #[error(
        "{bytes} bytes are not what {} carries, which is {least} to {most}; change `bytes` or the primitive",
        quote(primitive)
    )]
    Bytes {
        /// Length of the message in bytes.
        bytes: u64,
        /// Name of the primitive.
        primitive: String,
        /// Smallest number of bytes it carries.
        least: u64,
        /// Largest number of bytes it carries.
        most: u64,
    },
    /// The machine does not have this primitive.
    #[error("there is no primitive {}; {}", quote(name), known(primitives))]
    UnknownPrimitive {
        /// Name in the file.
        name: String,
        /// Names of the machine's primitives.
        primitives: Vec<String>,
    },
    /// An id is invalid.
    #[error("{} is no id; write 1 to 64 characters that can be seen", quote(.0))]
    BadId(String),
    /// Two entries have the same id.
    #[error("the id {} is taken, by line {line}; choose another", quote(id))]
    DuplicateId {
        /// Id in the file.
        id: String,
        /// Line of the first entry with it.
        line: u32,
    },
    /// No entry has this id.
    #[error("it follows {}, but no message has that id; give it to one", quote(.0))]
    UnknownId(String),
    /// A message has both a time and a dependency.
    #[error("it begins `at` a time and `after` a message; leave one of them out, and use `delay` to wait")]
    AtAndAfter,
    /// A delay without a message to follow.
    #[error("`delay` is for a message that follows another; name that one in `after`, or write `at`")]
    DelayWithoutAfter,
    /// A repetition without a number of times.
    #[error("it is sent `every` so often; say how many times in `count`")]
    EveryWithoutCount,
    /// `count` is 0.
    #[error("`count` is 0; leave the entry out, or count from 1")]
    NoTimes,
    /// `spread` without an interval.
    #[error("`spread` spreads senders over the time in `every`; give one that is not 0")]
    SpreadWithoutEvery,
    /// The last repetition exceeds the longest time.
    #[error("the last of its messages is later than 1000s, the longest time in a file; repeat it less")]
    TooLate,
    /// A message follows one that its sender neither receives nor sends.
    #[error(
        "node {from} sends it after {}, but neither receives nor sends {}; \
         let a node send it that does, or follow another message",
        quote(id),
        if *several { "one of those messages" } else { "that message" }
    )]
    NotItsOwn {
        /// Number of the sender.
        from: u32,
        /// Id of the followed message.
        id: String,
        /// Whether several messages have the id.
        several: bool,
    },
    /// Messages follow each other in a cycle.
    #[error("{} after {}: none of them ever begins; give one a time in `at`", chain(.0), quote(&.0[0]))]
    Cycle(Vec<String>),
    /// A file has more ranks than the cluster has nodes.
    #[error("the file has {ranks} ranks and the cluster {}; take as many nodes", counted(*.nodes))]
    Ranks {
        /// Ranks of the file.
        ranks: u64,
        /// Nodes of the cluster.
        nodes: usize,
    },
    /// No send belongs to a receive.
    #[error("rank {from} sends nothing more to rank {to}{}; add a send", with_tag(*.tag))]
    NoSend {
        /// Sender.
        from: u32,
        /// Receiver.
        to: u32,
        /// Expected tag; `None` for any.
        tag: Option<u32>,
    },
    /// No receive belongs to a send.
    #[error("no receive takes it; add one with its rank and tag")]
    NoReceive,
    /// A receive is shorter than its send.
    #[error("it receives at most {bytes} bytes, and the send in line {line} has {sent}; lengthen it")]
    TooLong {
        /// Size of the receive in bytes.
        bytes: u64,
        /// Size of the send in bytes.
        sent: u64,
        /// Line of the send.
        line: u32,
    },
    /// An operation is later than the longest time.
    #[error("it is later than 1000s, the longest time in a file; calculate less")]
    Late,
    /// Operations in these lines wait for each other.
    #[error("{}; remove a dependency", waiting(.0))]
    Circle(Vec<u32>),
    /// More than [`MOST_MESSAGES`] messages.
    #[error("there are more than {MOST_MESSAGES} messages; repeat less, or split the load")]
    TooMany,
    /// No message at all.
    #[error("there is no message in it; write one, or name a pattern instead")]
    NoMessages,
}

fn known(primitives: &[String]) -> String {
    if primitives.is_empty() {
        return "use one that the machine has".into();
    }
    format!("use one of {}", primitives.join(", "))
}

fn counted(nodes: usize) -> String {
    if nodes == 1 { "1 node".into() } else { format!("{nodes} nodes") }
}

fn with_tag(tag: Option<u32>) -> String {
    tag.map_or_else(String::new, |tag| format!(" with tag {tag}"))
}

/// First lines of a circle.
fn waiting(lines: &[u32]) -> String {
    match lines {
        [line] => format!("the operation in line {line} waits for itself"),
        lines => {
            let shown: Vec<_> = lines.iter().take(8).map(u32::to_string).collect();
            let more = if lines.len() > 8 { ", ..." } else { "" };
            format!("the operations in lines {}{more} wait for each other", shown.join(", "))
        }
    }
}

/// First ids of a cycle.
fn chain(ids: &[String]) -> String {
    let shown: Vec<_> = ids.iter().take(8).map(|id| quote(id)).collect();
    let more = if ids.len() > 8 { " after ..." } else { "" };
    shown.join(" after ") + more
}

/// Reason why a workload file is refused.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The extension of the name is unknown.
    #[error("{}: a workload is a file whose name ends in .toml, .csv or .goal; rename it", path.display())]
    Kind {
        /// Path of the file.
        path: PathBuf,
    },
    /// An error at a line.
    #[error("{}, line {line}: {problem}", path.display())]
    Line {
        /// Path of the file.
        path: PathBuf,
        /// Line number, from 1; for a TOML entry that of its begin.
        line: u32,
        /// The error.
        problem: Problem,
    },
    /// An error without a line.
    #[error("{}: {problem}", path.display())]
    Whole {
        /// Path of the file.
        path: PathBuf,
        /// The error.
        problem: Problem,
    },
}

/// A problem with its line, if it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LocatedProblem {
    pub line: Option<u32>,
    pub problem: Problem,
}

impl LocatedProblem {
    /// A problem without a line.
    pub fn whole(problem: impl Into<Problem>) -> Self {
        LocatedProblem { line: None, problem: problem.into() }
    }

    /// A problem at a line, counted from 1.
    pub fn at(line: u32, problem: impl Into<Problem>) -> Self {
        LocatedProblem { line: Some(line), problem: problem.into() }
    }

    /// Converts the problem to an error with the path of the file.
    pub fn in_file(self, path: &Path) -> ReadError {
        let (path, problem) = (path.to_owned(), self.problem);
        match self.line {
            Some(line) => ReadError::Line { path, line, problem },
            None => ReadError::Whole { path, problem },
        }
    }
}
