//! Schedules: who sends what to whom, and when.
//!
//! An [`Entry`](entry::Entry) of a file, or a pattern, stands for one message or many. [`Builder`] writes them out and
//! checks them; [`order`](order::order) then finds an order in which all of them can be sent. A [`NodePlan`] is what one
//! node has to know of it.

mod builder;
mod csv_file;
mod entry;
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

use crate::{MOST_CSV_BYTES, MOST_TOML_BYTES};

pub(crate) use builder::Builder;
pub use plan::NodePlan;
pub use problem::{Problem, ReadError};

/// The most messages of a schedule; they and what becomes of them take about a gigabyte.
pub const MOST_MESSAGES: usize = 10_000_000;

/// The cluster that a schedule is for.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// Nodes; they have the numbers from 0 on.
    pub nodes: usize,
    /// What sends a message that names no primitive.
    pub primitive: &'a str,
    /// Names of all primitives, for those who misspell one.
    pub primitives: &'a [&'a str],
    /// Bytes that a primitive carries, or `None` if there is none of that name.
    pub limits: &'a dyn Fn(&str) -> Option<RangeInclusive<u64>>,
}

/// A message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    /// The node that sends it.
    pub from: u32,
    /// The node that it goes to.
    pub to: u32,
    /// Bytes of data.
    pub bytes: u64,
    /// Index of its primitive in [`Schedule::primitives`].
    pub primitive: u32,
    /// When it begins.
    pub(crate) start: Start,
    /// Its id, if others follow it.
    pub(crate) id: Option<Id>,
}

/// When a message begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Start {
    /// At a time.
    At(Time),
    /// So long after its sender knows of all messages with an id.
    After(Id, Duration),
}

/// Index of an id in a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Id(pub u32);

/// Messages that nodes send each other. All of them can be sent: none waits for itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Schedule {
    nodes: usize,
    poll: Duration,
    primitives: Vec<String>,
    messages: Vec<Message>,
    /// The messages with each id; they stand in a row.
    ids: Vec<Range<u32>>,
    /// Messages in an order in which each only waits for earlier ones.
    order: Vec<u32>,
}

impl Schedule {
    /// Reads a workload file, TOML or CSV by the end of its name.
    pub fn read(path: &Path, setting: &Setting) -> Result<Schedule, ReadError> {
        let schedule = match path.extension().and_then(|extension| extension.to_str()) {
            Some("toml") => Schedule::from_toml(&files::read(path, MOST_TOML_BYTES)?, setting),
            Some("csv") => Schedule::from_csv(&files::read(path, MOST_CSV_BYTES)?, setting),
            _ => return Err(ReadError::Kind { path: path.to_owned() }),
        };
        schedule.map_err(|found| found.in_file(path))
    }

    /// Reads a workload out of the text of a TOML file.
    pub fn parse_toml(text: &str, setting: &Setting) -> Result<Schedule, ReadError> {
        Schedule::from_toml(text, setting).map_err(|found| found.in_file(Path::new("the workload")))
    }

    /// Nodes of the cluster.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// How long a host computes between two looks at its NIC; zero if it looks all the time.
    pub fn poll(&self) -> Duration {
        self.poll
    }

    /// The same with another time between looks.
    pub fn with_poll(self, poll: Duration) -> Schedule {
        Schedule { poll, ..self }
    }

    /// Names of the primitives that its messages use.
    pub fn primitives(&self) -> &[String] {
        &self.primitives
    }

    /// The messages, in the order of the file.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// What each node has to do.
    pub fn plans(self: &Arc<Self>) -> Vec<NodePlan> {
        NodePlan::all(self)
    }
}
