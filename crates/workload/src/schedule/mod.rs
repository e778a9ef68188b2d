//! Schedules: senders, receivers and times of messages.
//!
//! An [`Entry`](entry::Entry) of a file, or a pattern, stands for one or several messages. [`Builder`]
//! creates and checks them; [`order`](order::order) then finds an order in which all can be sent. In a GOAL
//! file sends wait for [`Operations`] of their node. A [`NodePlan`] is the part of one node.

mod builder;
mod csv_file;
mod entry;
mod goal_file;
#[cfg(test)]
mod goal_tests;
mod operations;
mod order;
mod plan;
mod problem;
#[cfg(test)]
mod tests;
mod toml_file;

use std::ops::{Range, RangeInclusive};
use std::path::Path;
use std::sync::Arc;

use cluster::{Duration, Time};

use crate::{MOST_CSV_BYTES, MOST_GOAL_BYTES, MOST_TOML_BYTES};

pub(crate) use builder::Builder;
pub(crate) use operations::{Act, Event, Kind, Moment, Operations, OperationsBuilder, Progress};
pub use plan::NodePlan;
pub use problem::{Problem, ReadError};

/// Largest number of messages of a schedule; with their results they need about a gigabyte.
pub const MOST_MESSAGES: usize = 10_000_000;

/// Properties of the cluster for which a schedule is read.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// Number of nodes, which are numbered from 0.
    pub nodes: usize,
    /// Primitive of messages that do not name one.
    pub primitive: &'a str,
    /// Names of all primitives, for error messages.
    pub primitives: &'a [&'a str],
    /// Range of bytes that a primitive carries; `None` for an unknown name.
    pub limits: &'a dyn Fn(&str) -> Option<RangeInclusive<u64>>,
}

impl Setting<'_> {
    /// Range of bytes that a primitive carries.
    pub(crate) fn carries(&self, name: &str) -> Result<RangeInclusive<u64>, Problem> {
        (self.limits)(name).ok_or_else(|| Problem::UnknownPrimitive {
            name: name.to_owned(),
            primitives: self.primitives.iter().map(|&name| name.to_owned()).collect(),
        })
    }

    /// Checks that a primitive carries this many bytes, and returns the range that it carries.
    pub(crate) fn carried(&self, name: &str, bytes: u64) -> Result<RangeInclusive<u64>, Problem> {
        if bytes == 0 {
            return Err(Problem::NoBytes);
        }
        let carries = self.carries(name)?;
        if !carries.contains(&bytes) {
            let (least, most) = carries.into_inner();
            return Err(Problem::Bytes { bytes, primitive: name.to_owned(), least, most });
        }
        Ok(carries)
    }
}

/// A message of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    /// Number of the sender.
    pub from: u32,
    /// Number of the receiver.
    pub to: u32,
    /// Bytes of data.
    pub bytes: u64,
    /// Index of its primitive in [`Schedule::primitives`].
    pub primitive: u32,
    /// Time or dependency.
    pub(crate) start: Start,
    /// Its id, if other messages follow it.
    pub(crate) id: Option<Id>,
}

impl Message {
    /// Time of its beginning in picoseconds, if it is known before a run.
    pub(crate) fn time(&self) -> Option<u64> {
        match self.start {
            Start::At(time) => Some(time.ps()),
            Start::After(..) | Start::When(_) => None,
        }
    }
}

/// Begin of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Start {
    /// At this time.
    At(Time),
    /// This long after its sender has received, or sent, all messages with an id.
    After(Id, Duration),
    /// When this operation of its sender begins.
    When(u32),
}

/// Index of an id in a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Id(pub u32);

/// Messages between nodes. All can be sent: none depends on itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Schedule {
    nodes: usize,
    poll: Duration,
    primitives: Vec<String>,
    messages: Vec<Message>,
    /// Range of messages with each id.
    ids: Vec<Range<u32>>,
    /// Messages in an order in which each depends on earlier ones only.
    order: Vec<u32>,
    /// Operations that messages wait for; none but in a GOAL file.
    operations: Operations,
    /// Messages of a closed loop and the answer to each; empty for other schedules.
    answers: Vec<(u32, u32)>,
}

impl Schedule {
    /// Reads a workload file, TOML, CSV or GOAL by its name's extension.
    pub fn read(path: &Path, setting: &Setting) -> Result<Schedule, ReadError> {
        let schedule = match path.extension().and_then(|extension| extension.to_str()) {
            Some("toml") => Schedule::from_toml(&files::read(path, MOST_TOML_BYTES)?, setting),
            Some("csv") => Schedule::from_csv(&files::read(path, MOST_CSV_BYTES)?, setting),
            Some("goal") => Schedule::from_goal(&files::read(path, MOST_GOAL_BYTES)?, setting),
            _ => return Err(ReadError::Kind { path: path.to_owned() }),
        };
        schedule.map_err(|found| found.in_file(path))
    }

    /// Parses the text of a TOML workload.
    pub fn parse_toml(text: &str, setting: &Setting) -> Result<Schedule, ReadError> {
        Schedule::from_toml(text, setting).map_err(|found| found.in_file(Path::new("the workload")))
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Time that a host computes between two polls; zero for continuous polling.
    pub fn poll(&self) -> Duration {
        self.poll
    }

    /// The same schedule with another time between polls.
    pub fn with_poll(self, poll: Duration) -> Schedule {
        Schedule { poll, ..self }
    }

    /// Names of the primitives that its messages use.
    pub fn primitives(&self) -> &[String] {
        &self.primitives
    }

    /// Messages in the order of the file.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Messages of a closed loop and the answer to each; empty for other schedules.
    pub(crate) fn answers(&self) -> &[(u32, u32)] {
        &self.answers
    }

    /// The same schedule with the operations that send messages and their answers, one message each.
    pub(crate) fn answered(mut self, sends: impl Iterator<Item = (u32, u32)>) -> Schedule {
        let number = |send| match self.operations.act(send) {
            Act::Send { last } => last,
            act => unreachable!("{act:?} is not a send"),
        };
        self.answers = sends.map(|(message, answer)| (number(message), number(answer))).collect();
        self
    }

    /// Stream of a message of this length. Messages from one node to another keep their order in a stream; in a
    /// closed loop messages and answers are two, because they differ in length.
    pub(crate) fn stream(&self, bytes: u64) -> u64 {
        if self.answers.is_empty() { 0 } else { bytes }
    }

    /// Part of each node.
    pub fn plans(self: &Arc<Self>) -> Vec<NodePlan> {
        NodePlan::all(self)
    }
}
