//! `memonet check cenju3 --replay`: a finding, played on NIFs.

use std::fmt;

use checker::cenju3::replay::{Ending, NIFS, Replay, Script};
use checker::core::{Played, Wrong};
use cluster::Machine;
use schemars::JsonSchema;
use serde::Serialize;

use super::super::replay as text;
use crate::nic::{Kind, Maker};
use cenju3_machine::Cenju3 as Cenju3Machine;

/// A cycle of the NIF, in picoseconds.
const CYCLE_PS: u64 = Cenju3Machine::CLOCKS.domain(0).period.ps();

/// A replay, or why there is none.
#[derive(JsonSchema, Serialize)]
#[serde(untagged)]
pub enum Replayed {
    /// NIFs have played it.
    Played(Box<Report>),
    /// NIFs prevent the finding.
    NotOnNif {
        /// In place of all other keys of a replay: the reason why it cannot happen on a NIF.
        not_on_nif: &'static str,
    },
}

/// A replay as NIFs played it.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    /// The implementation of the NIFs; the head of the document has it too.
    #[serde(skip)]
    nic: Kind,
    /// The rules of the libraries and hosts; the NIFs have their own.
    rules: String,
    /// The expected finding; `null` if all was to end well.
    finding: Option<&'static str>,
    /// The events, in order; the first one is the beginning.
    steps: Vec<Step>,
    /// The end, after everything that could happen.
    ending: Ended,
    /// NIFs and hosts had the checker's state, after every step and at the end.
    agrees: bool,
    /// They ended as the checker says, or well.
    shows: bool,
}

#[derive(JsonSchema, Serialize)]
struct Step {
    /// The event in words.
    happens: String,
    /// It cannot happen under these rules, and did not.
    skipped: bool,
    /// From reset until it was over.
    at_ps: u64,
    /// The checker's state after it.
    checker: Vec<String>,
    /// The same, read from rings, memory and hosts of the NIFs.
    nifs: Vec<String>,
    /// The two are the same.
    agrees: bool,
}

#[derive(JsonSchema, Serialize)]
struct Ended {
    /// All messages were sent, have come and were taken.
    complete: bool,
    /// A violation on the way.
    wrong: Option<&'static str>,
    /// NIFs do nothing any more, even with new entries.
    still: bool,
    /// Time from reset to the end.
    duration_ps: u64,
}

/// Plays a script on NIFs of a kind.
pub fn replay(
    script: Result<Script, Vec<&'static str>>,
    nic: Kind,
    command: &str,
) -> anyhow::Result<Replayed> {
    let script = match script {
        Ok(script) => script,
        Err(reasons) => {
            return Ok(Replayed::NotOnNif { not_on_nif: reasons.first().copied().unwrap_or_default() });
        }
    };
    let boards = Maker::<Cenju3Machine>::new(nic, 1, command).ahead::<NIFS>()?;
    let replay = script.play(boards).map_err(|error| anyhow::anyhow!("{error}"))?;
    Ok(Replayed::Played(Box::new(Report::new(&script, nic, replay))))
}

impl Replayed {
    /// NIFs took part.
    pub fn was_played(&self) -> bool {
        matches!(self, Self::Played(_))
    }

    /// Nothing is other than expected.
    pub fn is_good(&self) -> bool {
        match self {
            Self::Played(report) => report.shows,
            Self::NotOnNif { .. } => true,
        }
    }
}

impl Report {
    fn new(script: &Script, nic: Kind, replay: Replay) -> Self {
        let (agrees, shows) = (replay.agrees_to_the_end(), replay.shows(script.finding));
        let step = |Played { happens, skipped, time, checker, machine, agrees }| Step {
            happens,
            skipped,
            at_ps: time * CYCLE_PS,
            checker,
            nifs: machine,
            agrees,
        };
        let Ending { complete, wrong, still, cycles, .. } = replay.ending;
        let ending =
            Ended { complete, wrong: wrong.map(|wrong| wrong.name()), still, duration_ps: cycles * CYCLE_PS };
        Self {
            nic,
            rules: script.world.rules().name(),
            finding: script.finding.map(|wrong| wrong.name()),
            steps: replay.steps.into_iter().map(step).collect(),
            ending,
            agrees,
            shows,
        }
    }
}

impl fmt::Display for Replayed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Played(report) => report.fmt(f),
            Self::NotOnNif { not_on_nif } => write!(f, "replay     NIFs do not show it: {not_on_nif}"),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rules, steps, ending, .. } = self;
        writeln!(f, "Replay on {NIFS} NIFs, nic {}, rules {rules}:\n", self.nic.name())?;
        writeln!(f, "       us  what lies where after each step")?;
        for (number, step) in steps.iter().enumerate() {
            let skipped = text::skipped(step.skipped);
            writeln!(f, "{:9.1}  {number}. {skipped}{}", step.at_ps as f64 / 1e6, step.happens)?;
            for line in &step.nifs {
                writeln!(f, "{:14}{line}", "")?;
            }
            for line in step.checker.iter().filter(|_| !step.agrees) {
                writeln!(f, "{:14}the checker has: {line}", "")?;
            }
        }
        let Ended { complete, wrong, still, duration_ps } = ending;
        writeln!(f, "\nAnd then whatever can happen does.\n")?;
        let ends = match (complete, still) {
            (true, _) => "all was sent, has come and was taken",
            (false, true) => "not all has come and was taken, and NIFs do nothing any more",
            (false, false) => "not all has come and was taken",
        };
        writeln!(f, "ending     {ends}; {:.1} us", *duration_ps as f64 / 1e6)?;
        if let Some(wrong) = wrong {
            writeln!(f, "           on the way: {wrong}")?;
        }
        text::conclusion(f, "NIFs", (self.agrees, self.shows), self.finding)
    }
}
