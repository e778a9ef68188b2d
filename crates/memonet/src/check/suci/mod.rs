//! `memonet check suci`: endpoints over a network that loses, repeats and reorders, with time-outs that come too soon.

mod replay;

use std::fmt;

use anyhow::Context;
use checker::suci::{Clean, ELSEWHERE, Hazard, Time, World, Wrong};
use clap::ValueEnum;
use schemars::JsonSchema;
use serde::Serialize;

use super::elsewhere::{self, Known};
use crate::document::Head;
use crate::output::{self, Outcome};
use crate::usage;
use replay::Replayed;

/// Suci as printed, repaired, and with our own rules.
///
/// The nodes are whole endpoints of the library. Without options each hazard is walked as printed, with all repairs and with our own
/// rules, and so are worlds in which nothing may go wrong with the latter two. --hazard tells the shortest way to what goes wrong;
/// with --replay endpoints with clocks go that way, step by step. Exit code 1 if repaired or own rules do not hold, or if a replay
/// ends otherwise than the checker says.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet check suci                                     all hazards, and worlds in which nothing may go wrong
  memonet check suci --hazard H20                        a permit that comes twice
  memonet check suci --rules printed --hazard H2 --replay   the shortest way to a standstill, on endpoints with clocks
  memonet check suci --rules repaired --hazard H2 --replay  the same happens to repaired ones, which bear it")]
pub struct Args {
    /// Only these rules; all three if none are said.
    #[arg(long, value_enum, value_name = "RULES")]
    rules: Option<Which>,
    /// Only this hazard.
    #[arg(long, value_name = "NAME", value_parser = hazard)]
    hazard: Option<Hazard>,
    /// Play what goes wrong as printed on endpoints with clocks.
    #[arg(long, requires = "hazard")]
    replay: bool,
    /// Give up beyond this many states of a world.
    #[arg(long, value_name = "STATES", default_value_t = 1_000_000)]
    limit: usize,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Which {
    /// The paper to the letter, or with so many repairs that one hazard is seen behind others.
    Printed,
    /// The paper with all repairs.
    Repaired,
    /// Our own rules.
    Modern,
}

fn hazard(name: &str) -> Result<Hazard, String> {
    elsewhere::refuse(name, &ELSEWHERE)?;
    Hazard::find(name).ok_or_else(|| {
        let names: Vec<_> = Hazard::all().iter().map(|hazard| hazard.name).collect();
        format!("one of {}", names.join(", "))
    })
}

/// What came of the worlds.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// The worlds that were walked.
    worlds: Vec<Walked>,
    /// Hazards that no walk of states shows; only where all are asked for.
    elsewhere: Vec<Known>,
    /// What endpoints with clocks made of the first finding, where it was replayed.
    replay: Option<Replayed>,
    /// All is told of each finding.
    #[serde(skip)]
    at_length: bool,
}

/// A world that was walked.
#[derive(JsonSchema, Serialize)]
struct Walked {
    /// Name of the hazard, or of the world in which nothing may go wrong.
    name: &'static str,
    /// What it is about.
    says: &'static str,
    /// What mends the hazard.
    repair: Option<&'static str>,
    /// The rules: printed, repaired, modern, or printed with some repairs.
    rules: String,
    /// Nodes.
    nodes: usize,
    /// States that were visited.
    states: usize,
    /// Nothing may go wrong here.
    should_hold: bool,
    /// What goes wrong; what the world is there to show first, then the nearest.
    findings: Vec<Finding>,
}

/// Something that goes wrong.
#[derive(JsonSchema, Serialize)]
struct Finding {
    /// Its kind.
    kind: &'static str,
    /// What went wrong.
    says: &'static str,
    /// Length of the shortest way there.
    events: usize,
    /// The shortest way there; of a deadlock the shortest way to where nothing can happen any more, which is no shorter.
    steps: Vec<String>,
    /// Steps of these until nothing could mend it any more, where it goes on after that.
    sealed: Option<usize>,
}

/// A world to walk.
struct Plan {
    name: &'static str,
    says: &'static str,
    repair: Option<&'static str>,
    world: World,
    /// What it is there to show.
    shows: Option<Wrong>,
}

impl Plan {
    fn of(hazard: &Hazard, world: World, shows: Option<Wrong>) -> Self {
        Plan { name: hazard.name, says: hazard.says, repair: Some(hazard.repair), world, shows }
    }

    fn clean(clean: Clean) -> Self {
        Plan { name: clean.name, says: clean.says, repair: None, world: clean.world, shows: None }
    }

    fn walk(&self, limit: usize, looks: &mut dyn FnMut()) -> anyhow::Result<Walked> {
        let Plan { name, says, repair, world, shows } = self;
        let verdict = world.check_with(limit, looks).context(super::TOO_LARGE)?;
        let mut findings = Vec::new();
        for (wrong, trace) in &verdict.found {
            let mut state = world.start(Time::TakenOut);
            let mut steps = Vec::new();
            for action in verdict.story(*wrong).unwrap_or_default() {
                steps.push(world.words(&state, action, Time::TakenOut));
                state = world.step(&state, action, Time::TakenOut).map_or(state, |(next, _)| next);
            }
            let sealed =
                Some(verdict.sealed).filter(|sealed| *wrong == Wrong::Deadlock && *sealed < steps.len());
            let events = trace.steps.len();
            let finding = Finding { kind: wrong.name(), says: wrong.says(), events, steps, sealed };
            let place = if Some(*wrong) == *shows { 0 } else { findings.len() };
            findings.insert(place, finding);
        }
        Ok(Walked {
            name,
            says,
            repair: *repair,
            rules: world.rules_name(),
            nodes: world.nodes().len(),
            states: verdict.states,
            should_hold: shows.is_none(),
            findings,
        })
    }
}

/// What is walked.
fn plans(args: &Args) -> Vec<Plan> {
    let asked = |rules| args.rules.is_none_or(|only| only == rules);
    let hazards = args.hazard.clone().map_or_else(Hazard::all, |hazard| vec![hazard]);
    let mut plans = Vec::new();
    for hazard in &hazards {
        if asked(Which::Printed) {
            plans.push(Plan::of(hazard, hazard.world.clone(), Some(hazard.wrong)));
        }
        if asked(Which::Repaired) {
            // What no repair of the paper's rules mends goes wrong with all of them too.
            let unmended = || (hazard.world.under(suci::Rules::REPAIRED), Some(hazard.wrong));
            let (world, shows) = hazard.repaired().map_or_else(unmended, |world| (world, None));
            plans.push(Plan::of(hazard, world, shows));
        }
        if asked(Which::Modern) {
            plans.push(Plan::of(hazard, hazard.modern(), None));
        }
    }
    if args.hazard.is_none() {
        let repaired = asked(Which::Repaired).then(Clean::repaired);
        let modern = asked(Which::Modern).then(Clean::modern);
        plans.extend(repaired.into_iter().chain(modern).flatten().map(Plan::clean));
    }
    plans
}

/// What goes wrong as printed, played with the rules that are asked for.
fn replay(args: &Args) -> anyhow::Result<Option<Replayed>> {
    let Some(hazard) = args.hazard.as_ref().filter(|_| args.replay) else { return Ok(None) };
    let verdict = hazard.world.check(args.limit).context(super::TOO_LARGE)?;
    let story = verdict.story(hazard.wrong).context("the hazard is not found")?;
    let (world, finding) = match args.rules {
        None | Some(Which::Printed) => (hazard.world.clone(), Some(hazard.wrong)),
        Some(Which::Repaired) => match hazard.repaired() {
            Some(world) => (world, None),
            None => {
                let reason =
                    format!("no repair of the paper's rules mends {}; --rules modern does", hazard.name);
                return Err(usage::invalid("--rules <RULES>", "repaired", reason));
            }
        },
        Some(Which::Modern) => (hazard.modern(), None),
    };
    Ok(Some(Replayed::new(&world, &world.play(&story), finding)))
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let states = lab::counter("check", "states");
    let replay = replay(args)?;
    let walk = |plan: Plan| plan.walk(args.limit, &mut || states.inc(1));
    let worlds = plans(args).into_iter().map(walk).collect::<anyhow::Result<Vec<_>>>()?;
    states.finish_and_clear();
    let all = args.hazard.is_none() && args.rules.is_none();
    let elsewhere = if all { ELSEWHERE.iter().map(Known::from).collect() } else { Vec::new() };
    let good = |walked: &Walked| !walked.should_hold || walked.findings.is_empty();
    let holds = worlds.iter().all(good) && replay.as_ref().is_none_or(Replayed::is_good);
    let at_length = args.hazard.is_some() || !worlds.iter().all(good);
    let report = Report { head: Head::new("check_suci"), worlds, elsewhere, replay, at_length };
    output::print(&report, args.json)?;
    Ok(Outcome::from(holds))
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "name         nodes   states  rules, verdict")?;
        for Walked { name, rules, nodes, states, findings, .. } in &self.worlds {
            write!(f, "\n{name:11}  {nodes:5}  {states:7}  {rules}: ")?;
            match findings.first() {
                None => write!(f, "holds")?,
                Some(first) => write!(f, "{} after {}", first.kind, lab::counted(first.events, "event"))?,
            }
        }
        for Known { name, says, why } in &self.elsewhere {
            write!(f, "\n\n{name}: {says}\n   No walk shows it: {why}.")?;
        }
        for walked in self.worlds.iter().filter(|walked| self.at_length && !walked.findings.is_empty()) {
            write!(f, "\n\n{walked}")?;
        }
        self.replay.as_ref().map_or(Ok(()), |replay| write!(f, "\n\n{replay}"))
    }
}

impl fmt::Display for Walked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Walked { name, says, repair, rules, findings, .. } = self;
        write!(f, "{name}, {rules}: {says}")?;
        if let Some(repair) = repair {
            write!(f, "\nRepaired by {repair}.")?;
        }
        let Some(Finding { says, events, steps, sealed, .. }) = findings.first() else { return Ok(()) };
        write!(f, "\n\nAfter {}: {says}.", lab::counted(*events, "event"))?;
        for (number, step) in steps.iter().enumerate() {
            write!(f, "\n{:5}  {step}", number + 1)?;
            if Some(number + 1) == *sealed {
                write!(f, "\n       (nothing mends it from here on)")?;
            }
        }
        Ok(())
    }
}
