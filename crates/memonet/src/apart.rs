//! A message taken apart, stage by stage, with a column for each way where it is answered.

use std::fmt;

use lab::TimeLine;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use crate::machines::Built;
use crate::output::us;

/// Where the time of a message goes.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Apart {
    /// From the sender's first step to the sight of the receiver, or of the sender where there is an answer.
    total_ps: u64,
    /// Where that time goes: without gap or overlap, so they sum to it.
    stages: Vec<Stage>,
    #[serde(skip)]
    ways: &'static [&'static str],
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
struct Stage {
    /// Its name.
    name: &'static str,
    /// Which way, where a message is answered.
    way: Option<&'static str>,
    /// How long it takes.
    duration_ps: u64,
    #[serde(skip)]
    doc: &'static str,
}

impl Apart {
    /// A message that went these ways, each for the same number of stages; none where it is not answered.
    pub fn new<M: Built>(line: &TimeLine, ways: &'static [&'static str]) -> Self {
        let each = line.stages.len() / ways.len().max(1);
        let stage = |(at, stage): (usize, &cluster::Stage)| Stage {
            name: stage.name,
            way: ways.get(at / each).copied(),
            duration_ps: stage.duration.ps(),
            doc: doc::<M>(stage.name),
        };
        Apart {
            total_ps: line.total().ps(),
            stages: line.stages.iter().enumerate().map(stage).collect(),
            ways,
        }
    }
}

/// What a stage is: one of the machine's, or of the library of MPI.
fn doc<M: Built>(name: &str) -> &'static str {
    let machine = M::STAGES.states.iter().map(|state| (state.name, state.doc));
    let mut all = machine.chain(lab::LIBRARY_STAGES);
    all.find(|(known, _)| *known == name).map_or("", |(_, doc)| doc)
}

impl fmt::Display for Apart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let each = self.stages.len() / self.ways.len().max(1);
        if !self.ways.is_empty() {
            write!(f, "  {:14}", "")?;
            self.ways.iter().try_for_each(|way| write!(f, "{way:>12}"))?;
            writeln!(f)?;
        }
        for (at, Stage { name, doc, .. }) in self.stages[..each].iter().enumerate() {
            write!(f, "  {name:14}")?;
            let ways = self.stages.iter().skip(at).step_by(each);
            ways.clone().try_for_each(|stage| write!(f, "{:>12}", us(stage.duration_ps)))?;
            writeln!(f, " us   {doc}")?;
        }
        write!(f, "  {:14}", "total")?;
        for way in self.stages.chunks(each) {
            write!(f, "{:>12}", us(way.iter().map(|stage| stage.duration_ps).sum()))?;
        }
        match self.ways.len() {
            0 => writeln!(f, " us"),
            _ => writeln!(f, " us, together {} us", us(self.total_ps)),
        }
    }
}
