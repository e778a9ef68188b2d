//! `memonet check suci --replay`: a finding, played on endpoints with clocks.

use std::fmt;

use checker::core::{Played, Wrong};
use checker::suci::{Ending, Script};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::replay as text;

/// Width of the column of the checker.
const COLUMN: usize = 44;

/// A replay as endpoints played it.
#[derive(JsonSchema, Serialize)]
pub struct Replayed {
    /// The rules of the endpoints.
    rules: String,
    /// The expected finding; `null` if all was to end well.
    finding: Option<&'static str>,
    /// The events, in order.
    steps: Vec<Step>,
    /// The end, after the network has become good and applications have sent and taken everything.
    ending: Ended,
    /// The same packets were in flight as in the checker, after every step.
    agrees: bool,
    /// It ended as the checker says, or well.
    shows: bool,
}

/// An event.
#[derive(JsonSchema, Serialize)]
struct Step {
    /// The event in words.
    happens: String,
    /// It cannot happen with these rules, and did not.
    skipped: bool,
    /// The latest of all clocks after it, in nanoseconds.
    at_ns: u64,
    /// Packets in flight after it, by the checker.
    checker: Vec<String>,
    /// Packets in flight after it, of the endpoints.
    endpoints: Vec<String>,
}

/// The end of a replay.
#[derive(JsonSchema, Serialize)]
struct Ended {
    /// Everything has arrived, and is known to have.
    complete: bool,
    /// No packets answer each other without end.
    silent: bool,
    /// Violations on the way.
    wrong: Vec<&'static str>,
    /// Blocks that each node has taken from each.
    taken: Vec<Vec<u8>>,
    /// Time from the beginning to the end, by the latest of all clocks.
    took_ns: u64,
}

impl Replayed {
    /// Plays a script on endpoints with clocks.
    pub fn new(script: &Script) -> Self {
        let replay = script.play();
        let (agrees, shows) = (replay.agrees(), replay.shows(script.finding));
        let step = |Played { happens, skipped, time, checker, machine, .. }| Step {
            happens,
            skipped,
            at_ns: time,
            checker,
            endpoints: machine,
        };
        let Ending { complete, silent, wrong, taken, took } = replay.ending;
        Replayed {
            rules: script.world.rules_name(),
            finding: script.finding.map(Wrong::name),
            steps: replay.steps.into_iter().map(step).collect(),
            ending: Ended {
                complete,
                silent,
                wrong: wrong.into_iter().map(Wrong::name).collect(),
                taken,
                took_ns: took.as_nanos() as u64,
            },
            agrees,
            shows,
        }
    }

    /// The replay went as the checker says.
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
            writeln!(f, "{:5}  {}{}", number + 1, text::skipped(step.skipped), step.happens)?;
            let time = format!("{:7.1}", step.at_ns as f64 / 1e3);
            text::columns(f, &time, COLUMN, [&step.checker, &step.endpoints], "-")?;
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
        text::conclusion(f, "the endpoints", (self.agrees, self.shows), self.finding)
    }
}
