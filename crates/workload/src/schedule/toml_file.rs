//! Workloads in TOML.

use serde::Deserialize;
use toml::Spanned;

use super::entry::Entry;
use super::problem::LocatedProblem;
use super::{Builder, Problem, Schedule, Setting};
use crate::lines::Lines;
use crate::quote::plain;
use crate::values::{NodesValue, TimeValue};

/// Contents of a workload file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Workload {
    poll: Option<TimeValue>,
    #[serde(default)]
    message: Vec<Spanned<TomlEntry>>,
}

/// A `[[message]]` entry.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TomlEntry {
    id: Option<String>,
    from: NodesValue,
    to: NodesValue,
    bytes: u64,
    primitive: Option<String>,
    at: Option<TimeValue>,
    after: Option<String>,
    delay: Option<TimeValue>,
    every: Option<TimeValue>,
    count: Option<u64>,
    #[serde(default)]
    spread: bool,
}

impl TomlEntry {
    fn entry(&self) -> Entry<'_> {
        let length = |length: &Option<TimeValue>| length.as_ref().map(|TimeValue(length)| *length);
        Entry {
            id: self.id.as_deref(),
            from: &self.from.0,
            to: &self.to.0,
            bytes: self.bytes,
            primitive: self.primitive.as_deref(),
            at: length(&self.at),
            after: self.after.as_deref(),
            delay: length(&self.delay),
            every: length(&self.every),
            count: self.count,
            spread: self.spread,
        }
    }
}

impl Schedule {
    /// Parses a TOML workload; errors name the line of the entry.
    pub(crate) fn from_toml(text: &str, setting: &Setting) -> Result<Schedule, LocatedProblem> {
        let lines = Lines::of(text);
        let line = |byte| lines.line(byte) as u32;
        let workload: Workload = toml::from_str(text).map_err(|error| LocatedProblem {
            line: error.span().map(|span| line(span.start)),
            problem: Problem::Syntax(plain(error.message().chars())),
        })?;
        let mut builder = Builder::new(setting).map_err(LocatedProblem::whole)?;
        if let Some(TimeValue(poll)) = workload.poll {
            builder.poll(poll);
        }
        for entry in &workload.message {
            let line = line(entry.span().start);
            builder
                .add(&entry.get_ref().entry(), line)
                .map_err(|problem| LocatedProblem::at(line, problem))?;
        }
        builder.finish()
    }
}
