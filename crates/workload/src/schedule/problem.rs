//! What can be wrong with a workload.

use std::path::{Path, PathBuf};

use super::MOST_MESSAGES;
use crate::duration::DurationError;
use crate::nodes::NodesError;
use crate::quote::quote;
use files::FileError;

/// Why there is no schedule. Each sentence ends with what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The file is not of its format, or has keys and values that are none.
    #[error("{0}")]
    Syntax(String),
    /// A node is not there.
    #[error(transparent)]
    Nodes(#[from] NodesError),
    /// A time is none.
    #[error(transparent)]
    Duration(#[from] DurationError),
    /// The receiver is no node and no word for one.
    #[error("{} is no receiver; write a number, `next`, `previous`, `+2`, `-2` or `others`", quote(.0))]
    NotAReceiver(String),
    /// A message would not leave its node.
    #[error("node {0} sends to itself; name another receiver")]
    Itself(u32),
    /// A message has nothing in it.
    #[error("the message has 0 bytes; give it at least 1")]
    NoBytes,
    /// The primitive does not carry so many bytes.
    #[error(
        "{bytes} bytes are not what {} carries, which is {least} to {most}; change `bytes` or the primitive",
        quote(primitive)
    )]
    Bytes {
        /// Bytes of the message.
        bytes: u64,
        /// Its primitive.
        primitive: String,
        /// The fewest bytes.
        least: u64,
        /// The most.
        most: u64,
    },
    /// The machine has no such primitive.
    #[error("there is no primitive {}; {}", quote(name), known(primitives))]
    UnknownPrimitive {
        /// The name.
        name: String,
        /// Those that there are.
        primitives: Vec<String>,
    },
    /// An id that is none.
    #[error("{} is no id; write 1 to 64 characters that can be seen", quote(.0))]
    BadId(String),
    /// Two entries have an id.
    #[error("the id {} is taken, by line {line}; choose another", quote(id))]
    DuplicateId {
        /// The id.
        id: String,
        /// The line that has it first.
        line: u32,
    },
    /// No entry has an id.
    #[error("it follows {}, but no message has that id; give it to one", quote(.0))]
    UnknownId(String),
    /// A message begins at a time and when something else has happened.
    #[error("it begins `at` a time and `after` a message; leave one of them out, and use `delay` to wait")]
    AtAndAfter,
    /// A delay of nothing.
    #[error("`delay` is for a message that follows another; name that one in `after`, or write `at`")]
    DelayWithoutAfter,
    /// It is not said when to stop.
    #[error("it is sent `every` so often; say how many times in `count`")]
    EveryWithoutCount,
    /// A count of nothing.
    #[error("`count` is 0; leave the entry out, or count from 1")]
    NoTimes,
    /// Phases of nothing.
    #[error("`spread` spreads senders over the time in `every`; give one that is not 0")]
    SpreadWithoutEvery,
    /// The last repetition is too late.
    #[error("the last of its messages is later than 1000s, the longest time in a file; repeat it less")]
    TooLate,
    /// A message follows one of which its sender does not know.
    #[error(
        "node {from} sends it after {}, but neither receives nor sends {}; \
         let a node send it that does, or follow another message",
        quote(id),
        if *several { "one of those messages" } else { "that message" }
    )]
    NotItsOwn {
        /// The sender.
        from: u32,
        /// What it would follow.
        id: String,
        /// More than one message has that id.
        several: bool,
    },
    /// Messages wait for each other.
    #[error("{} after {}: none of them ever begins; give one a time in `at`", chain(.0), quote(&.0[0]))]
    Cycle(Vec<String>),
    /// More than [`MOST_MESSAGES`].
    #[error("there are more than {MOST_MESSAGES} messages; repeat less, or split the load")]
    TooMany,
    /// None at all.
    #[error("there is no message in it; write one, or name a pattern instead")]
    NoMessages,
}

fn known(primitives: &[String]) -> String {
    if primitives.is_empty() {
        return "use one that the machine has".into();
    }
    format!("use one of {}", primitives.join(", "))
}

/// The first few ids of a circle.
fn chain(ids: &[String]) -> String {
    let shown: Vec<_> = ids.iter().take(8).map(|id| quote(id)).collect();
    let more = if ids.len() > 8 { " after ..." } else { "" };
    shown.join(" after ") + more
}

/// Why a workload file is not taken.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The end of its name does not say what it is.
    #[error("{}: a workload is a file whose name ends in .toml or .csv; rename it", path.display())]
    Kind {
        /// The file.
        path: PathBuf,
    },
    /// Something is wrong at a line.
    #[error("{}, line {line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1; of an entry in TOML, the one where it begins.
        line: u32,
        /// What is wrong.
        problem: Problem,
    },
    /// Something is wrong with all of it.
    #[error("{}: {problem}", path.display())]
    Whole {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: Problem,
    },
}

/// A problem and the line where it was found, if it is of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub line: Option<u32>,
    pub problem: Problem,
}

impl Found {
    /// A problem of the whole.
    pub fn whole(problem: impl Into<Problem>) -> Self {
        Found { line: None, problem: problem.into() }
    }

    /// A problem of a line.
    pub fn at(line: u32, problem: impl Into<Problem>) -> Self {
        Found { line: Some(line), problem: problem.into() }
    }

    /// As an error that names the file.
    pub fn in_file(self, path: &Path) -> ReadError {
        let (path, problem) = (path.to_owned(), self.problem);
        match self.line {
            Some(line) => ReadError::Line { path, line, problem },
            None => ReadError::Whole { path, problem },
        }
    }
}
