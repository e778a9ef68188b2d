//! `memonet check hca --replay`: a finding, played on two adapters.

use std::fmt;

use checker::core::{Played, Wrong as _};
use checker::hca::replay::{Ending, Replay, Script};
use checker::hca::{Defect, Wrong};
use hca_machine::Hca as HcaMachine;
use schemars::JsonSchema;
use serde::Serialize;

use super::super::replay as text;
use crate::nic::{Kind, Maker};

/// Width of the column of the checker.
const COLUMN: usize = 62;

/// A replay as adapters played it.
#[derive(JsonSchema, Serialize)]
pub struct Replayed {
    /// The implementation of the adapters; the head of the document has it too.
    #[serde(skip)]
    nic: Kind,
    /// The rules: adapter, or the effect of the one that link or hosts leave out.
    rules: &'static str,
    /// The part of link or hosts, which leave the rule out, or the reason why only the adapters could; `null` if they have all
    /// rules because that was asked for.
    by: Option<&'static str>,
    /// The expected finding; `null` if all was to end well.
    finding: Option<&'static str>,
    /// The events, in order; the first one is the beginning.
    steps: Vec<Step>,
    /// The end. Without a finding, faults have ceased by then.
    ending: Ended,
    /// Rows of the adapters and packets on the link were those of the checker, after every step.
    agrees: bool,
    /// Hosts have seen the finding, or all requests complete.
    shows: bool,
}

/// An event.
#[derive(JsonSchema, Serialize)]
struct Step {
    /// The event in words.
    happens: String,
    /// It cannot happen with these rules, and did not.
    skipped: bool,
    /// From reset until the adapters had come to rest.
    at_ps: u64,
    /// The checker's state after it: requesters, responders, packets in flight.
    checker: Vec<String>,
    /// The same, read from the rows of the adapters and from the link.
    adapters: Vec<String>,
    /// The two are the same.
    agrees: bool,
}

/// The end of a replay.
#[derive(JsonSchema, Serialize)]
struct Ended {
    /// Requests that were completed, in order for each queue pair.
    completed: Vec<Completion>,
    /// Every request that was not given up has the completion that it has to have.
    complete: bool,
    /// The first violation that hosts have seen.
    wrong: Option<&'static str>,
    /// Time from the last step to the end.
    duration_ps: u64,
}

/// A completion of a request.
#[derive(JsonSchema, Serialize)]
struct Completion {
    /// The queue pair; 0 or 1.
    pair: usize,
    /// Number of the request, from 1.
    request: u8,
    /// Success, or the reason of its failure.
    status: String,
}

/// Plays a script on adapters of a kind; `defect` is the one of the hazard.
pub fn replay(script: &Script, defect: Option<Defect>, nic: Kind, command: &str) -> anyhow::Result<Replayed> {
    let boards = Maker::<HcaMachine>::new(nic, 1, command).ahead::<2>()?;
    let replay = script.play(boards).map_err(|error| anyhow::anyhow!("{error}"))?;
    // Rules that link or hosts could leave out were asked for.
    let by = defect.filter(|defect| script.world.defect.is_some() || defect.switch().is_none());
    Ok(Replayed::new(script, by.map(Defect::in_replay), nic, replay))
}

impl Replayed {
    fn new(script: &Script, by: Option<&'static str>, nic: Kind, replay: Replay) -> Self {
        let (agrees, shows) = (replay.agrees(), replay.shows(script.finding));
        let step = |Played { happens, skipped, time, checker, machine, agrees }| Step {
            happens,
            skipped,
            at_ps: time,
            checker,
            adapters: machine,
            agrees,
        };
        let Ending { completed, complete, wrong, took } = replay.ending;
        let completion = |(pair, number, status): (usize, u8, _)| Completion {
            pair,
            request: number + 1,
            status: format!("{status:?}"),
        };
        Self {
            nic,
            rules: script.world.defect.map_or("adapter", |defect| defect.name()),
            by,
            finding: script.finding.map(Wrong::name),
            steps: replay.steps.into_iter().map(step).collect(),
            ending: Ended {
                completed: completed.into_iter().map(completion).collect(),
                complete,
                wrong: wrong.map(Wrong::name),
                duration_ps: took,
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
        writeln!(f, "Replay on two adapters, nic {}, rules: {}.", self.nic.name(), self.rules)?;
        if let Some(by) = self.by {
            writeln!(f, "{by}")?;
        }
        writeln!(f, "\n   us      {:COLUMN$} | adapters", "checker")?;
        for (number, step) in self.steps.iter().enumerate() {
            writeln!(f, "{number:5}  {}{}", text::skipped(step.skipped), step.happens)?;
            let time = format!("{:9.1}", step.at_ps as f64 / 1e6);
            text::columns(f, &time, COLUMN, [&step.checker, &step.adapters], "")?;
            if !step.agrees {
                writeln!(f, "{:11}the adapters are not where the checker is", "")?;
            }
        }
        let Ended { completed, complete, wrong, duration_ps } = &self.ending;
        if self.finding.is_none() {
            writeln!(f, "\nAnd then the link loses nothing, hosts post receive WQEs, and time goes on.")?;
        }
        writeln!(f)?;
        for Completion { pair, request, status } in completed {
            writeln!(f, "QP {pair}       request {request}: {status}")?;
        }
        let ends = match (wrong, complete) {
            (Some(wrong), _) => wrong,
            (None, true) => "every request has the completion that it has to have",
            (None, false) => "a request has no completion, or a wrong one",
        };
        writeln!(f, "ending     {ends}, {:.1} us after the last step", *duration_ps as f64 / 1e6)?;
        match (self.is_good(), self.finding) {
            (true, None) => {
                write!(f, "replay     the adapters withstand the same deliveries: all ends well")
            }
            _ => text::conclusion(f, "the adapters", (self.agrees, self.shows), self.finding),
        }
    }
}
