//! Expands entries to messages and checks them.

use std::collections::HashMap;
use std::ops::Range;

use cluster::{Duration, Time};

use super::entry::{Entry, Expansion};
use super::order::{Trouble, order};
use super::problem::LocatedProblem;
use super::{Id, MOST_MESSAGES, Message, Operations, Problem, Schedule, Setting, Start};
use crate::nodes;

/// Longest id in characters.
const MOST_ID_CHARACTERS: usize = 64;

/// A named id.
struct Named {
    name: String,
    /// Line of its entry; `None` before the entry is read.
    line: Option<u32>,
    /// Messages of its entry.
    messages: Range<u32>,
}

/// A schedule under construction.
pub(crate) struct Builder<'a> {
    setting: &'a Setting<'a>,
    poll: Duration,
    messages: Vec<Message>,
    /// Line of each message.
    lines: Vec<u32>,
    ids: Vec<Named>,
    /// Used for lookups only, because its order is random.
    ids_by_name: HashMap<String, Id>,
    primitives: Vec<String>,
}

impl<'a> Builder<'a> {
    /// A schedule without messages.
    pub fn new(setting: &'a Setting<'a>) -> Result<Self, Problem> {
        nodes::check(setting.nodes)?;
        Ok(Builder {
            setting,
            poll: Duration::ZERO,
            messages: Vec::new(),
            lines: Vec::new(),
            ids: Vec::new(),
            ids_by_name: HashMap::new(),
            primitives: Vec::new(),
        })
    }

    /// Sets the time that hosts compute between two polls.
    pub fn poll(&mut self, poll: Duration) {
        self.poll = poll;
    }

    /// Adds the messages of an entry.
    pub fn add(&mut self, entry: &Entry, line: u32) -> Result<(), Problem> {
        let primitive = self.primitive(entry.primitive.unwrap_or(self.setting.primitive), entry.bytes)?;
        let expansion = Expansion::of(entry, self.setting.nodes)?;
        if expansion.len() > (MOST_MESSAGES - self.messages.len()) as u128 {
            return Err(Problem::TooMany);
        }
        let after = entry.after.map(|name| self.id(name)).transpose()?;
        let id = entry.id.map(|name| self.id(name)).transpose()?;
        let first = self.messages.len() as u32;
        let messages = expansion.messages().map(|(from, to, begin)| {
            let start = match after {
                Some(id) => Start::After(id, begin),
                None => Start::At(Time::ZERO + begin),
            };
            Message { from, to, bytes: entry.bytes, primitive, start, id }
        });
        self.messages.extend(messages);
        self.lines.resize(self.messages.len(), line);
        if let Some(Id(id)) = id {
            let named = &mut self.ids[id as usize];
            if let Some(line) = named.line {
                return Err(Problem::DuplicateId { id: named.name.clone(), line });
            }
            named.line = Some(line);
            named.messages = first..self.messages.len() as u32;
        }
        Ok(())
    }

    /// Adds a message that begins at a time.
    pub fn push(&mut self, from: u32, to: u32, bytes: u64, begin: Duration) -> Result<(), Problem> {
        let primitive = self.primitive(self.setting.primitive, bytes)?;
        if self.messages.len() == MOST_MESSAGES {
            return Err(Problem::TooMany);
        }
        self.messages.push(Message {
            from,
            to,
            bytes,
            primitive,
            start: Start::At(Time::ZERO + begin),
            id: None,
        });
        self.lines.push(0);
        Ok(())
    }

    /// The schedule, if all messages can be sent.
    pub fn finish(self) -> Result<Schedule, LocatedProblem> {
        if self.messages.is_empty() {
            return Err(LocatedProblem::whole(Problem::NoMessages));
        }
        let line = |message: u32| self.lines[message as usize];
        let name = |Id(id): Id| self.ids[id as usize].name.clone();
        for (number, message) in self.messages.iter().enumerate() {
            if let Start::After(id, _) = message.start
                && self.ids[id.0 as usize].line.is_none()
            {
                return Err(LocatedProblem::at(line(number as u32), Problem::UnknownId(name(id))));
            }
        }
        let ids: Vec<_> = self.ids.iter().map(|id| id.messages.clone()).collect();
        let order = order(&self.messages, &ids).map_err(|trouble| match trouble {
            Trouble::Cycle(circle) => {
                let first = ids[circle[0].0 as usize].start;
                LocatedProblem::at(line(first), Problem::Cycle(circle.into_iter().map(name).collect()))
            }
            Trouble::NotItsOwn { message, id } => {
                let from = self.messages[message as usize].from;
                let several = ids[id.0 as usize].len() > 1;
                LocatedProblem::at(line(message), Problem::NotItsOwn { from, id: name(id), several })
            }
        })?;
        Ok(Schedule {
            nodes: self.setting.nodes,
            poll: self.poll,
            primitives: self.primitives,
            messages: self.messages,
            ids,
            order,
            operations: Operations::default(),
            answers: Vec::new(),
        })
    }

    /// Id with this name; creates it at its first use.
    fn id(&mut self, name: &str) -> Result<Id, Problem> {
        if let Some(id) = self.ids_by_name.get(name) {
            return Ok(*id);
        }
        let seen = !name.trim().is_empty() && !name.chars().any(char::is_control);
        if !seen || name.chars().count() > MOST_ID_CHARACTERS {
            return Err(Problem::BadId(name.to_owned()));
        }
        let id = Id(self.ids.len() as u32);
        self.ids.push(Named { name: name.to_owned(), line: None, messages: 0..0 });
        self.ids_by_name.insert(name.to_owned(), id);
        Ok(id)
    }

    /// Index of a primitive that carries this many bytes.
    fn primitive(&mut self, name: &str, bytes: u64) -> Result<u32, Problem> {
        self.setting.carried(name, bytes)?;
        let index = self.primitives.iter().position(|known| known == name).unwrap_or_else(|| {
            self.primitives.push(name.to_owned());
            self.primitives.len() - 1
        });
        Ok(index as u32)
    }
}
