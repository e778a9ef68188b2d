//! `memonet check cenju3`: the protocol of MPI/DE, walked state by state.

mod replay;

use std::fmt;

use anyhow::Context;
use checker::cenju3::replay::Script;
use checker::cenju3::{Clean, ELSEWHERE, Found, Hazard, World, Wrong};
use clap::ValueEnum;
use schemars::JsonSchema;
use serde::Serialize;

use super::elsewhere::{self, Known};
use crate::document::Head;
use crate::machines::MpiDe;
use crate::nic::Kind;
use crate::output::{self, Outcome};
use replay::Replayed;

/// MPI/DE on Cenju-3 as printed, and repaired.
///
/// Walked are the functions of the library: eager messages, rendezvous, slots, cache lines that are replaced by hand, threads that wait,
/// masks and rings. Without options each hazard is walked as printed and with all repairs, and so are worlds in which nothing may go
/// wrong with these. --hazard tells the shortest way to what goes wrong; with --replay two NIFs with their hosts go that way, step by step. Exit code 1
/// if repaired rules do not hold, or if a replay ends otherwise than the checker says.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet check cenju3                                 all hazards, and worlds in which nothing may go wrong
  memonet check cenju3 --hazard H19                    one pool for the slots of both sides
  memonet check cenju3 --hazard H1 --replay            a dirty line over data, on two NIFs, model and RTL in lockstep
  memonet check cenju3 --rules repaired --hazard H12 --replay --nic model   a wake-up that is lost no more")]
pub struct Args {
    /// Only these rules; both if none are said.
    #[arg(long, value_enum, value_name = "RULES")]
    rules: Option<Which>,
    /// Only this hazard.
    #[arg(long, value_name = "NAME", value_parser = hazard)]
    hazard: Option<Hazard>,
    /// Play what goes wrong as printed on NIFs.
    #[arg(long, requires = "hazard")]
    replay: bool,
    /// What stands behind the pins of the NIFs.
    #[arg(long, value_enum, default_value_t, requires = "replay")]
    nic: Kind,
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
    /// What NIFs made of the hazard's finding, where it was replayed.
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
    /// What it is a world of: exchange, waiting, masks or ring.
    world: &'static str,
    /// The rules: repaired, or printed and what differs.
    rules: String,
    /// PEs.
    pes: usize,
    /// States that were visited.
    states: usize,
    /// Seconds that the slowest complete run waits for the progress thread.
    waited_s: u32,
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
        let mut verdict = world.check_with(limit, looks).context(super::TOO_LARGE)?;
        verdict.found.sort_by_key(|found| Some(found.wrong) != *shows);
        let finding = |Found { wrong, events, steps }| Finding {
            kind: wrong.name(),
            says: wrong.says(),
            events,
            steps,
        };
        Ok(Walked {
            name,
            says,
            repair: *repair,
            world: world.kind(),
            rules: world.rules().name(),
            pes: world.pes(),
            states: verdict.states,
            waited_s: verdict.seconds,
            should_hold: shows.is_none(),
            findings: verdict.found.into_iter().map(finding).collect(),
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
            plans.push(Plan::of(hazard, hazard.repaired(), None));
        }
    }
    if args.hazard.is_none() && asked(Which::Repaired) {
        plans.extend(Clean::all().into_iter().map(Plan::clean));
    }
    plans
}

/// What goes wrong as printed, played with the rules that are asked for.
fn replay(args: &Args) -> anyhow::Result<Option<Replayed>> {
    let Some(hazard) = args.hazard.as_ref().filter(|_| args.replay) else { return Ok(None) };
    let found = Script::find(&hazard.world, hazard.wrong, args.limit);
    let (found, rules) = match args.rules {
        Some(Which::Repaired) => {
            (found.map(|script| script.under(hazard.repaired().rules())), "--rules repaired ")
        }
        _ => (found, ""),
    };
    let command = format!("memonet check cenju3 --hazard {} {rules}--replay", hazard.name);
    replay::replay(found, args.nic, &command).map(Some)
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let states = lab::counter("check", "states");
    let walk = |plan: Plan| plan.walk(args.limit, &mut || states.inc(1));
    let worlds = plans(args).into_iter().map(walk).collect::<anyhow::Result<Vec<_>>>()?;
    states.set_message("check, replay");
    let replay = replay(args)?;
    states.finish_and_clear();
    let all = args.hazard.is_none() && args.rules.is_none();
    let elsewhere = if all { ELSEWHERE.iter().map(Known::from).collect() } else { Vec::new() };
    let good = |walked: &Walked| !walked.should_hold || walked.findings.is_empty();
    let holds = worlds.iter().all(good) && replay.as_ref().is_none_or(Replayed::is_good);
    let at_length = args.hazard.is_some() || !holds;
    let head = match &replay {
        Some(replay) if replay.was_played() => Head::of_run::<MpiDe>("check_cenju3", args.nic),
        _ => Head::new("check_cenju3"),
    };
    let report = Report { head, worlds, elsewhere, replay, at_length };
    output::print(&report, args.json)?;
    Ok(Outcome::from(holds))
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "name         PEs   states  rules: verdict")?;
        for Walked { name, rules, pes, states, findings, waited_s, .. } in &self.worlds {
            write!(f, "\n{name:11}  {pes:3}  {states:7}  {rules}: ")?;
            match findings.first() {
                None => write!(f, "holds")?,
                Some(first) => write!(f, "{} after {}", first.kind, lab::counted(first.events, "event"))?,
            }
            if *waited_s > 0 {
                write!(f, ", {waited_s} s waited")?;
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
            write!(f, "\nRepaired: {repair}.")?;
        }
        for Finding { says, events, steps, .. } in findings {
            write!(f, "\n\nAfter {}: {says}.", lab::counted(*events, "event"))?;
            for (number, step) in steps.iter().enumerate() {
                write!(f, "\n{:5}  {step}", number + 1)?;
            }
        }
        Ok(())
    }
}
