//! Report of the first difference between model and RTL, with all that is needed to repeat and locate it.

use std::fmt;

use hdl::Signal;

use crate::value::{Leaf, leaves};

/// How to repeat a run.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// Seed of the run.
    pub seed: u64,
    /// Command that repeats the run, with waveforms if possible. In a report, `{cycle}` is replaced by the
    /// cycle of the failure, and `{from}` by an earlier one at which waveforms may begin.
    pub command: String,
}

/// Cycles of interest before a failure: the longest packet takes 71 to send.
const BEFORE: u64 = 200;

impl Replay {
    /// The command for a failure in `cycle`.
    pub(crate) fn at(&self, cycle: u64) -> Self {
        let from = cycle.saturating_sub(BEFORE);
        let command =
            self.command.replace("{cycle}", &cycle.to_string()).replace("{from}", &from.to_string());
        Self { seed: self.seed, command }
    }
}

/// A register, or a field of one, with both values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Path of the block; empty for the device itself.
    pub block: String,
    /// Register or pin, with its field if it has fields.
    pub name: String,
    /// Value in the model.
    pub model: String,
    /// Value in the RTL.
    pub rtl: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: model {}, RTL {}", path(&self.block, &self.name), self.model, self.rtl)
    }
}

/// Difference between model and RTL after an edge.
#[derive(Clone, Debug, thiserror::Error)]
pub struct Divergence {
    /// Name of the first clock of the device.
    pub clock: &'static str,
    /// Edges of the first clock since reset, including the one that caused the difference.
    pub cycle: u64,
    /// All differences, in the order of the model's signals.
    pub differences: Vec<Difference>,
    /// State of every state machine before the edge: path of the register and name of the state.
    pub states: Vec<(String, String)>,
    /// Input pins at the edge, except those that were 0.
    pub pins: Vec<(String, String)>,
    /// How to repeat the run.
    pub replay: Replay,
}

/// Lines of a list that are printed before "and n more".
const SHOWN: usize = 12;

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (first, others) = self.differences.split_first().expect("a divergence has a difference");
        write!(f, "{} cycle {}: {first}", self.clock, self.cycle)?;
        list(f, "also differ", others.iter().map(ToString::to_string))?;
        // State machines of the block come first, because they show what it was doing.
        let prefix = path(&first.block, "");
        let here = |(path, _): &&(String, String)| {
            path.strip_prefix(&prefix).is_some_and(|register| !register.contains('.'))
        };
        let line = |(path, state): &(String, String)| format!("{path} = {state}");
        list(f, "the block's machines before the edge", self.states.iter().filter(here).map(line))?;
        let elsewhere = self.states.iter().filter(|state| !here(state));
        list(f, "other machines before the edge", elsewhere.map(line))?;
        list(f, "input pins", self.pins.iter().map(line))?;
        write!(f, "\n  seed {}", self.replay.seed)?;
        if !self.replay.command.is_empty() {
            write!(f, "; replay: {}", self.replay.command)?;
        }
        Ok(())
    }
}

fn list(f: &mut fmt::Formatter, title: &str, lines: impl Iterator<Item = String>) -> fmt::Result {
    let lines: Vec<_> = lines.collect();
    if lines.is_empty() {
        return Ok(());
    }
    write!(f, "\n  {title}:")?;
    for line in lines.iter().take(SHOWN) {
        write!(f, "\n    {line}")?;
    }
    match lines.len() {
        0..=SHOWN => Ok(()),
        n => write!(f, "\n    and {} more", n - SHOWN),
    }
}

fn path(block: &str, name: &str) -> String {
    if block.is_empty() { name.to_string() } else { format!("{block}.{name}") }
}

/// All differences between two samples.
pub(crate) fn differences(signals: &[Signal], model: &[u64], rtl: &[u64]) -> Vec<Difference> {
    let mut differences = Vec::new();
    for signal in signals {
        let (model, rtl) = (signal.words(model), signal.words(rtl));
        if model != rtl {
            different_leaves(&signal.block, signal.name, leaves(signal), model, rtl, &mut differences);
        }
    }
    differences
}

/// Adds the differing fields of one value to `differences`.
pub(crate) fn different_leaves(
    block: &str,
    name: &str,
    leaves: Vec<Leaf>,
    model: &[u64],
    rtl: &[u64],
    differences: &mut Vec<Difference>,
) {
    for leaf in leaves.into_iter().filter(|leaf| leaf.differs(model, rtl)) {
        differences.push(Difference {
            block: block.to_string(),
            name: if leaf.name.is_empty() { name.to_string() } else { format!("{name}.{}", leaf.name) },
            model: leaf.show(model),
            rtl: leaf.show(rtl),
        });
    }
}
