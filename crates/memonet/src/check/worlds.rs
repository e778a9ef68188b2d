//! The report on worlds of hazards and on those in which nothing may go wrong.

use std::fmt;

use checker::core::{self, Elsewhere, Protocol, Verdict, Wrong};
use schemars::JsonSchema;
use serde::Serialize;

use super::command::Plan;
use crate::document::Head;

/// Keys of a world that only one protocol has, and their place in the text.
pub trait Facts: JsonSchema + Serialize {
    /// The heads of the columns behind the name.
    const COLUMNS: &'static str;
    /// Width of the column of nodes.
    const WIDTH: usize;
    /// The words before the repair of a hazard.
    const REPAIRED: &'static str;
    /// The text has the trace of every finding, not only of the first.
    const TELLS_ALL: bool;
    /// Keys that a finding has in this protocol alone.
    type Finding: JsonSchema + Serialize;

    fn nodes(&self) -> usize;
    fn rules(&self) -> &str;
    /// Seconds that its slowest run waits, where the protocol counts them.
    fn waited_s(&self) -> u32 {
        0
    }
    /// The keys of a finding that only this protocol has.
    fn finding<W>(finding: &core::Finding<W>) -> Self::Finding;
    /// Steps of a trace after which a trap is closed.
    fn sealed(_: &Self::Finding) -> Option<usize> {
        None
    }
}

#[derive(JsonSchema, Serialize)]
pub struct NoKeys {}

/// The report on the worlds.
#[derive(JsonSchema, Serialize)]
pub struct Report<F: Facts, R> {
    #[serde(flatten)]
    pub head: Head,
    /// The worlds that were walked.
    worlds: Vec<WorldReport<F>>,
    /// Hazards that no walk of states shows; only if all are asked for.
    elsewhere: Vec<UnwalkedHazard>,
    /// The replay of the hazard's finding on the machine, if it was asked for.
    replay: Option<R>,
    /// The text has the traces of findings.
    #[serde(skip)]
    at_length: bool,
}

/// A world that was walked.
#[derive(JsonSchema, Serialize)]
struct WorldReport<F: Facts> {
    /// Name of the hazard, or of the world in which nothing may go wrong.
    name: &'static str,
    /// The hazard or the load, as a sentence.
    says: &'static str,
    /// The repair of the hazard.
    repair: Option<&'static str>,
    #[serde(flatten)]
    facts: F,
    /// States that were visited.
    states: usize,
    /// Nothing may go wrong here.
    should_hold: bool,
    /// Findings: the one that the world is there to show, then the nearest.
    findings: Vec<Finding<F>>,
}

/// Something that goes wrong.
#[derive(JsonSchema, Serialize)]
struct Finding<F: Facts> {
    /// One or two words for it.
    kind: &'static str,
    /// The fact, as half a sentence.
    says: &'static str,
    /// Events until the first state that shows it.
    events: usize,
    /// The shortest trace, an event each. That of a deadlock leads on to a state in which nothing can happen any more.
    steps: Vec<String>,
    #[serde(flatten)]
    more: F::Finding,
}

/// A hazard that no walk shows.
#[derive(JsonSchema, Serialize)]
struct UnwalkedHazard {
    /// H and a number.
    name: &'static str,
    /// The failure, as a sentence.
    says: &'static str,
    /// The reason why no world shows it, and the test that does.
    why: &'static str,
}

impl From<&Elsewhere> for UnwalkedHazard {
    fn from(Elsewhere { name, description, why }: &Elsewhere) -> Self {
        UnwalkedHazard { name, says: description, why }
    }
}

impl<F: Facts> WorldReport<F> {
    fn new<P: Protocol>(plan: Plan<P>, facts: F, mut verdict: Verdict<P::Wrong>) -> Self {
        let Plan { name, description, repair, shows, .. } = plan;
        verdict.findings.sort_by_key(|finding| Some(finding.wrong) != shows);
        let finding = |finding: core::Finding<P::Wrong>| Finding {
            kind: finding.wrong.name(),
            says: finding.wrong.description(),
            events: finding.events,
            more: F::finding(&finding),
            steps: finding.steps.into_iter().map(|step| step.happens).collect(),
        };
        let findings = verdict.findings.into_iter().map(finding).collect();
        WorldReport {
            name,
            says: description,
            repair,
            facts,
            states: verdict.states,
            should_hold: shows.is_none(),
            findings,
        }
    }

    fn is_good(&self) -> bool {
        !self.should_hold || self.findings.is_empty()
    }
}

impl<F: Facts, R> Report<F, R> {
    /// The report on worlds: `all` hazards were asked for; the text has traces, `at_length`, even if nothing is wrong.
    pub fn new<P: Protocol>(
        head: Head,
        worlds: Vec<(Plan<P>, Verdict<P::Wrong>)>,
        facts: impl Fn(&P::World, &Verdict<P::Wrong>) -> F,
        replay: Option<R>,
        (all, at_length): (bool, bool),
    ) -> Self {
        let walked = |(plan, verdict): (Plan<P>, Verdict<P::Wrong>)| {
            let facts = facts(&plan.world, &verdict);
            WorldReport::new(plan, facts, verdict)
        };
        let elsewhere =
            if all { P::ELSEWHERE.iter().map(UnwalkedHazard::from).collect() } else { Vec::new() };
        let worlds: Vec<_> = worlds.into_iter().map(walked).collect();
        let at_length = at_length || !worlds.iter().all(WorldReport::is_good);
        Report { head, worlds, elsewhere, replay, at_length }
    }

    /// Nothing goes wrong where nothing may.
    pub fn holds(&self) -> bool {
        self.worlds.iter().all(WorldReport::is_good)
    }
}

impl<F: Facts, R: fmt::Display> fmt::Display for Report<F, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "name         {}", F::COLUMNS)?;
        for WorldReport { name, facts, states, findings, .. } in &self.worlds {
            let (nodes, width, rules) = (facts.nodes(), F::WIDTH, facts.rules());
            write!(f, "\n{name:11}  {nodes:width$}  {states:7}  {rules}: ")?;
            match findings.first() {
                None => write!(f, "holds")?,
                Some(first) => {
                    write!(f, "{} after {}", first.kind, machine_api::counted(first.events, "event"))?
                }
            }
            if facts.waited_s() > 0 {
                write!(f, ", {} s waited", facts.waited_s())?;
            }
        }
        for UnwalkedHazard { name, says, why } in &self.elsewhere {
            write!(f, "\n\n{name}: {says}\n   No walk shows it: {why}.")?;
        }
        for walked in self.worlds.iter().filter(|walked| self.at_length && !walked.findings.is_empty()) {
            write!(f, "\n\n{walked}")?;
        }
        self.replay.as_ref().map_or(Ok(()), |replay| write!(f, "\n\n{replay}"))
    }
}

impl<F: Facts> fmt::Display for WorldReport<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WorldReport { name, says, repair, facts, findings, .. } = self;
        write!(f, "{name}, {}: {says}", facts.rules())?;
        if let Some(repair) = repair {
            write!(f, "\n{}{repair}.", F::REPAIRED)?;
        }
        let told = if F::TELLS_ALL { findings.len() } else { 1 };
        for Finding { says, events, steps, more, .. } in findings.iter().take(told) {
            write!(f, "\n\nAfter {}: {says}.", machine_api::counted(*events, "event"))?;
            for (number, step) in (1..).zip(steps) {
                write!(f, "\n{number:5}  {step}")?;
                if Some(number) == F::sealed(more) {
                    write!(f, "\n       (nothing mends it from here on)")?;
                }
            }
        }
        Ok(())
    }
}
