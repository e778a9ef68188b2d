//! The effects of the last command on one time line: from the first store of the host to the last trace on any board.

use std::fmt;

use cluster::{Duration, Observation, Place, Stages, Time};
use machine_api::{Driven, Explained};

use crate::error::LineError;
use crate::session::Session;

/// Longer time lines lose lines in the middle.
const LINES: usize = 60;

/// A stage of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExplainedStage {
    /// Name, as printed.
    pub name: &'static str,
    /// Place of the observation that ends the stage.
    pub place: Place,
    /// Start of the stage.
    pub begin: Time,
    /// Length of the stage.
    pub duration: Duration,
}

/// The last message of a node, or another effect of its commands, as stages without gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Title with a line break.
    pub heading: String,
    /// Stages in order; each begins where the one before ends.
    pub stages: Vec<ExplainedStage>,
    /// Time from the start of the first stage to the end of the last.
    pub total: Duration,
    /// Sentences about the frames, each with a line break.
    pub remarks: String,
}

/// Repeats the run since the last message of a node, observed.
pub fn last<M: Driven>(session: &Session<M>, node: usize) -> Result<Explanation, LineError> {
    let again = session.again_since(node, M::sets_off, |cluster| {
        cluster.observe();
        for node in 0..cluster.nodes().len() {
            for watch in M::watches() {
                cluster.node_mut(node).watch(watch).expect("every board has these machines");
            }
        }
    })?;
    let (accesses, cluster) = again.ok_or(LineError::NothingIssued(node))?;
    let Explained { heading, line, name, remarks } = M::explain(accesses, node, &cluster);
    let (stages, total) = stages(&line, name);
    Ok(Explanation { heading, stages, total, remarks })
}

fn stages(line: &[Observation], name: fn(&Observation) -> &'static str) -> (Vec<ExplainedStage>, Duration) {
    let stages = Stages::each(line, name);
    let ends = line.iter().skip(1);
    let rows = stages.stages().iter().zip(ends).map(|(stage, end)| ExplainedStage {
        name: stage.name,
        place: end.place,
        begin: stage.begin,
        duration: stage.duration,
    });
    (rows.collect(), stages.total())
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.heading)?;
        let (head, tail) = self.stages.split_at(self.stages.len().min(LINES / 2));
        let (left_out, tail) = tail.split_at(tail.len().saturating_sub(LINES / 2));
        head.iter().try_for_each(|stage| writeln!(f, "{stage}"))?;
        if !left_out.is_empty() {
            writeln!(f, "{:>14}  {} more", "...", left_out.len())?;
        }
        tail.iter().try_for_each(|stage| writeln!(f, "{stage}"))?;
        writeln!(f, "{:>14}  in all", self.total.to_string())?;
        f.write_str(&self.remarks)
    }
}

impl fmt::Display for ExplainedStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.place_name();
        write!(f, "{:>14}  {place:<14}  {}", self.duration.to_string(), self.name)
    }
}

impl ExplainedStage {
    /// The place as text.
    pub fn place_name(&self) -> String {
        match self.place {
            Place::Node(node) => format!("node{node}"),
            Place::Switch(port) => format!("switch, port {port}"),
        }
    }
}
