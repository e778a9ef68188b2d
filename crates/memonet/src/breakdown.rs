//! The stages of a message, with a column for each direction if the message is answered.

use std::fmt;

use machine_api::TimeLine;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use crate::machines::Built;
use crate::output::us;

/// The time of a message, stage by stage.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Breakdown {
    /// From the sender's first step until the receiver sees the data, or until the sender sees the answer if
    /// there is one.
    total_ps: u64,
    /// Stages of that time, without gap or overlap: they sum to `total_ps`.
    stages: Vec<Stage>,
    #[serde(skip)]
    ways: &'static [&'static str],
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
struct Stage {
    /// Name of the stage.
    name: &'static str,
    /// Direction, if the message is answered.
    way: Option<&'static str>,
    /// Duration of the stage.
    duration_ps: u64,
    #[serde(skip)]
    doc: &'static str,
}

impl Breakdown {
    /// The stages of a message in each of these directions; no directions if the message is not answered.
    pub fn new<M: Built>(line: &TimeLine, ways: &'static [&'static str]) -> Self {
        let each = line.stages.len() / ways.len().max(1);
        let stage = |(at, stage): (usize, &cluster::Stage)| Stage {
            name: stage.name,
            way: ways.get(at / each).copied(),
            duration_ps: stage.duration.ps(),
            doc: doc::<M>(stage.name),
        };
        Breakdown {
            total_ps: line.total().ps(),
            stages: line.stages.iter().enumerate().map(stage).collect(),
            ways,
        }
    }
}

/// Documentation of a stage of the machine or of the MPI library.
fn doc<M: Built>(name: &str) -> &'static str {
    let machine = M::STAGES.states.iter().map(|state| (state.name, state.doc));
    let mut all = machine.chain(machine_api::LIBRARY_STAGES);
    all.find(|(known, _)| *known == name).map_or("", |(_, doc)| doc)
}

impl fmt::Display for Breakdown {
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
