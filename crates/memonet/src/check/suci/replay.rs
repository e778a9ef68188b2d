//! `memonet check suci --replay`: what endpoints with clocks make of a finding.

use std::fmt;

use checker::suci::{Ending, Played, Replay, World, Wrong};
use schemars::JsonSchema;
use serde::Serialize;

/// Width of the column of the checker.
const COLUMN: usize = 44;

/// How it went.
#[derive(JsonSchema, Serialize)]
pub struct Replayed {
    /// The rules of the endpoints.
    rules: String,
    /// What was to go wrong; nothing if all was to end well.
    finding: Option<&'static str>,
    /// What happened.
    steps: Vec<Step>,
    /// What came of it when the network had become good, and applications had sent and taken all there was.
    ending: Ended,
    /// The same packets were on the way as in the checker, after every step.
    agrees: bool,
    /// It ended as the checker says, or well.
    shows: bool,
}

/// What happened.
#[derive(JsonSchema, Serialize)]
struct Step {
    /// What happens.
    happens: String,
    /// It cannot happen with these rules, and did not.
    skipped: bool,
    /// The latest of all clocks after it, in nanoseconds.
    at_ns: u64,
    /// What is on the way after it, by the checker.
    checker: Vec<String>,
    /// And among the endpoints.
    endpoints: Vec<String>,
}

/// What came of it.
#[derive(JsonSchema, Serialize)]
struct Ended {
    /// Everything has arrived, and is known to have.
    complete: bool,
    /// No packets chase each other without end.
    silent: bool,
    /// What else went wrong.
    wrong: Vec<&'static str>,
    /// Blocks that each node has taken from each.
    taken: Vec<Vec<u8>>,
    /// How long all of it took, by the latest of all clocks.
    took_ns: u64,
}

impl Replayed {
    /// The report on a replay.
    pub fn new(world: &World, replay: &Replay, finding: Option<Wrong>) -> Self {
        let step = |step: &Played| Step {
            happens: step.happens.clone(),
            skipped: step.skipped,
            at_ns: step.now.nanos(),
            checker: step.checker.clone(),
            endpoints: step.endpoints.clone(),
        };
        let Ending { complete, silent, wrong, taken, took } = &replay.ending;
        Replayed {
            rules: world.rules_name(),
            finding: finding.map(Wrong::name),
            steps: replay.steps.iter().map(step).collect(),
            ending: Ended {
                complete: *complete,
                silent: *silent,
                wrong: wrong.iter().map(|wrong| wrong.name()).collect(),
                taken: taken.clone(),
                took_ns: took.as_nanos() as u64,
            },
            agrees: replay.agrees(),
            shows: replay.shows(finding),
        }
    }

    /// Nothing is other than expected.
    pub fn is_good(&self) -> bool {
        self.agrees && self.shows
    }
}

impl fmt::Display for Replayed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "Replay on endpoints with clocks, rules {}; what is on the way after each step:\n",
            self.rules
        )?;
        writeln!(f, "   us    {:COLUMN$} | endpoints", "checker")?;
        for (number, step) in self.steps.iter().enumerate() {
            let skipped = if step.skipped { "not possible: " } else { "" };
            writeln!(f, "{:5}  {skipped}{}", number + 1, step.happens)?;
            for at in 0..step.checker.len().max(step.endpoints.len()).max(1) {
                let time = if at == 0 { format!("{:7.1}", step.at_ns as f64 / 1e3) } else { String::new() };
                let word = |words: &[String]| words.get(at).cloned().unwrap_or_else(|| "-".into());
                writeln!(f, "{time:7}  {:COLUMN$} | {}", word(&step.checker), word(&step.endpoints))?;
            }
        }
        let Ended { complete, silent, wrong, took_ns, .. } = &self.ending;
        writeln!(
            f,
            "\nAnd then the network is good, applications send and take all there is, and time goes on.\n"
        )?;
        let ends = match (complete, silent) {
            (_, false) => "packets chase each other without end",
            (true, true) => "everything has arrived, and its senders know",
            (false, true) => "not everything has arrived, or its senders do not know",
        };
        writeln!(f, "ending     {ends}; {:.1} us", *took_ns as f64 / 1e3)?;
        if !wrong.is_empty() {
            writeln!(f, "           on the way: {}", wrong.join(", "))?;
        }
        let found = self
            .finding
            .map_or("all ends well".into(), |finding| format!("the endpoints show it: {finding}"));
        match (self.agrees, self.shows) {
            (true, true) => write!(f, "replay     {found}"),
            (true, false) => write!(f, "replay     the endpoints end otherwise than the checker says"),
            (false, _) => write!(f, "replay     the endpoints do not do what the checker says"),
        }
    }
}
