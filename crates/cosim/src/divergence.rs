//! Report of the first difference between model and RTL, with all that is needed to repeat and locate it.

use std::fmt;
use std::path::PathBuf;

use hdl::Signal;

use crate::SimulationError;
use crate::follower::HISTORY;

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

impl Replay {
    /// The command for a failure in `cycle`.
    pub(crate) fn at(&self, cycle: u64) -> Self {
        let from = cycle.saturating_sub(HISTORY);
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

/// A register of the block that failed, or a field of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// Name in the block.
    pub name: String,
    /// Value on both sides before the edge.
    pub before: String,
    /// Value of the model after the edge.
    pub model: String,
    /// Value of the RTL after the edge.
    pub rtl: String,
}

/// Difference between model and RTL after an edge, or an assertion of the RTL that failed.
#[derive(Clone, Debug, Default, thiserror::Error)]
pub struct Divergence {
    /// Name of the first clock of the device.
    pub clock: &'static str,
    /// Edges of the first clock since reset, including the one that caused the difference.
    pub cycle: u64,
    /// Message of the assertion that stopped the RTL.
    pub stop: Option<SimulationError>,
    /// All differences, registers first, in the order of the model's signals.
    pub differences: Vec<Difference>,
    /// Path of the block of the first difference.
    pub block: String,
    /// All registers of this block; those that differ come first.
    pub registers: Vec<Register>,
    /// Sentences about the wire that was wrong first.
    pub wires: Vec<String>,
    /// Places in the sources that decide the first difference.
    pub sources: Vec<String>,
    /// State of every state machine before the edge: path of the register and name of the state.
    pub states: Vec<(String, String)>,
    /// Input pins at the edge, except those that were 0.
    pub pins: Vec<(String, String)>,
    /// Waveform of the last cycles, or the reason why it was not written. `None` if there is no history.
    pub waves: Option<Result<PathBuf, String>>,
    /// How to repeat the run.
    pub replay: Replay,
}

/// Lines of a list that are printed before "and n more".
const SHOWN: usize = 24;

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} cycle {}: ", self.clock, self.cycle)?;
        match (&self.stop, self.differences.first()) {
            (Some(stop), _) => write!(f, "the RTL stopped: {stop}")?,
            (None, Some(first)) => write!(f, "{first}")?,
            (None, None) => write!(f, "no difference")?,
        }
        table(f, &self.registers)?;
        let in_table = |difference: &&Difference| {
            difference.block == self.block
                && self.registers.iter().any(|register| register.name == difference.name)
        };
        let others = self.differences.iter().skip(1).filter(|difference| !in_table(difference));
        list(f, "also differ", others.map(ToString::to_string))?;
        self.wires.iter().try_for_each(|wire| write!(f, "\n  {wire}"))?;
        list(f, "source", self.sources.iter().cloned())?;
        let line = |(path, state): &(String, String)| format!("{path} = {state}");
        let prefix = path(&self.block, "");
        let elsewhere = |(path, _): &&(String, String)| {
            let here = path.strip_prefix(&prefix).is_some_and(|register| !register.contains('.'));
            self.registers.is_empty() || !here
        };
        list(f, "other state machines before the edge", self.states.iter().filter(elsewhere).map(line))?;
        list(f, "input pins, without zeros", self.pins.iter().map(line))?;
        match &self.waves {
            Some(Ok(path)) => {
                let path = path.display();
                write!(f, "\n  waves of the last {HISTORY} cycles: {path}")?;
                write!(f, "\n    gtkwave {path} {path}.gtkw")?;
            }
            Some(Err(reason)) => write!(f, "\n  waves were not written: {reason}")?,
            None => {}
        }
        write!(f, "\n  {}", self.replay)
    }
}

impl fmt::Display for Replay {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "seed {}", self.seed)?;
        if self.command.is_empty() { Ok(()) } else { write!(f, "; replay: {}", self.command) }
    }
}

/// The registers of a block in columns.
fn table(f: &mut fmt::Formatter, registers: &[Register]) -> fmt::Result {
    if registers.is_empty() {
        return Ok(());
    }
    let heading = ["", "before", "model", "RTL"].map(str::len);
    let widths = registers.iter().fold(heading, |widths, register| {
        let Register { name, before, model, rtl } = register;
        let row = [name, before, model, rtl].map(String::len);
        std::array::from_fn(|column| widths[column].max(row[column]))
    });
    let [name, before, model, rtl] = widths;
    write!(f, "\n  registers of the block before the edge, and after it in model and RTL:")?;
    write!(f, "\n    {:name$}  {:before$}  {:model$}  RTL", "", "before", "model")?;
    for register in registers {
        let differs = if register.model == register.rtl { "" } else { "  differs" };
        let row = format!(
            "{:name$}  {:before$}  {:model$}  {:rtl$}{differs}",
            register.name, register.before, register.model, register.rtl
        );
        write!(f, "\n    {}", row.trim_end())?;
    }
    Ok(())
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

pub(crate) fn path(block: &str, name: &str) -> String {
    if block.is_empty() { name.to_string() } else { format!("{block}.{name}") }
}

/// All differences between two samples, registers first.
pub(crate) fn differences(signals: &[Signal], model: &[u64], rtl: &[u64]) -> Vec<Difference> {
    let mut differences = Vec::new();
    for signal in signals {
        let (model, rtl) = (signal.words(model), signal.words(rtl));
        if model != rtl {
            different_leaves(&signal.block, signal.name, leaves(signal), model, rtl, &mut differences);
        }
    }
    // Output pins follow from registers.
    differences.sort_by_key(|difference| difference.name.starts_with("pins_"));
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
