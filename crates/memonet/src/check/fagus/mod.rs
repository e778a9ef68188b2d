//! `memonet check fagus`: nodes that share memory over a network that repeats and reorders.

mod packets;
mod replay;

use std::collections::BTreeSet;
use std::fmt;

use anyhow::Context;

use checker::fagus::replay::Script;
use checker::fagus::{Hazard, Litmus, Network, Verdict, Which};
use clap::ValueEnum;
use schemars::JsonSchema;
use serde::Serialize;

use super::finding::Finding;
use crate::document::Head;
use crate::machines::Name;
use crate::nic::Kind;
use crate::output::{self, Outcome};
use crate::{usage, way};
use replay::Replayed;

/// Owners that move, copies, locks and barriers of a shared memory.
///
/// Nodes have small programs and are the functions that the library runs. Messages come in any order, and one of them twice; one that is
/// lost is a late one, because it is sent again. Without options all litmus tests and all hazards with their repairs are walked;
/// --hazard takes one repair away and tells what goes wrong; with --replay nodes on a machine go that way, step by step. Exit code 1 if repaired rules do not hold, or
/// if a replay ends otherwise than the checker says.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet check fagus                                  litmus tests and hazards, repaired
  memonet check fagus --hazard H16-waiting             a grant that comes twice, among three nodes
  memonet check fagus --hazard H16 --nodes 3 --replay  the same on three boards of DIMMnet-2, model and RTL in lockstep
  memonet check fagus --hazard H15 --replay --machine gigae_pm --nic model
  memonet check fagus --hazard H4 --replay --machine hca  the printed receive ring, in host memory behind an adapter
  memonet check fagus --litmus SB --network bad        store buffering, one message twice in any order")]
pub struct Args {
    /// Only this hazard, without its repair and with it.
    #[arg(long, value_name = "NAME", value_parser = hazard, conflicts_with_all = ["litmus", "network"])]
    hazard: Option<Hazard>,
    /// Of a hazard's worlds the one of so many nodes.
    #[arg(long, value_name = "COUNT", requires = "hazard")]
    nodes: Option<usize>,
    /// Play what goes wrong on a machine.
    #[arg(long, requires = "hazard")]
    replay: bool,
    /// The machine of a replay.
    #[arg(long, value_enum, default_value_t, requires = "replay")]
    machine: Name,
    #[command(flatten)]
    way: way::Args,
    /// What stands behind the pins of its boards.
    #[arg(long, value_enum, default_value_t, requires = "replay")]
    nic: Kind,
    /// Only this litmus test.
    #[arg(long, value_name = "NAME", value_parser = litmus)]
    litmus: Option<Litmus>,
    /// What the network of litmus tests does.
    #[arg(long, value_enum, default_value_t = Wires::Reordering)]
    network: Wires,
    /// Give up beyond this many states of a world.
    #[arg(long, value_name = "STATES", default_value_t = 1_000_000)]
    limit: usize,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Wires {
    /// Messages of one node to another come in order.
    Fifo,
    /// Messages come in any order.
    Reordering,
    /// Messages come in any order, and one of them twice.
    Bad,
}

impl Wires {
    fn network(self) -> Network {
        match self {
            Wires::Fifo => Network::FIFO,
            Wires::Reordering => Network::REORDERING,
            Wires::Bad => Network::BAD,
        }
    }
}

fn one_of<T>(found: Option<T>, names: impl Iterator<Item = &'static str>) -> Result<T, String> {
    found.ok_or_else(|| format!("one of {}", names.collect::<Vec<_>>().join(", ")))
}

fn hazard(name: &str) -> Result<Hazard, String> {
    one_of(Hazard::find(name), Hazard::all().iter().map(|hazard| hazard.name))
}

fn litmus(name: &str) -> Result<Litmus, String> {
    let found = Litmus::all().into_iter().find(|litmus| litmus.name.eq_ignore_ascii_case(name));
    one_of(found, Litmus::all().iter().map(|litmus| litmus.name))
}

/// What came of the worlds.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// The worlds that were walked.
    worlds: Vec<Walked>,
    /// What nodes on a machine made of the hazard's finding, where it was replayed.
    replay: Option<Replayed>,
}

/// A world that was walked.
#[derive(JsonSchema, Serialize)]
struct Walked {
    /// Name of the hazard or litmus test.
    name: &'static str,
    /// What it is about.
    says: &'static str,
    /// With all repairs, or without the one of the hazard.
    repaired: bool,
    /// Nodes.
    nodes: usize,
    /// States that were visited.
    states: usize,
    /// What went wrong.
    findings: Vec<Finding>,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let mut worlds: Vec<(&str, &str, bool, Which)> = Vec::new();
    let hazard = args.hazard.clone().map(|hazard| of_nodes(hazard, args.nodes)).transpose()?;
    if let Some(option) = args.way.first().filter(|_| !args.replay) {
        return Err(usage::refused(format_args!("the argument '{option}' is for a replay: --replay")));
    }
    if let Some(Hazard { name, says, world, .. }) = &hazard {
        worlds.push((name, says, false, world.clone()));
    }
    let all = hazard.is_none() && args.litmus.is_none();
    let hazards = if all { Hazard::all() } else { hazard.iter().cloned().collect() };
    let tests = if all { Litmus::all() } else { args.litmus.iter().cloned().collect() };
    worlds.extend(hazards.iter().map(|hazard| (hazard.name, hazard.says, true, hazard.world.repaired())));
    let over = |test: &Litmus| Which::Objects(test.over(args.network.network()));
    worlds.extend(tests.iter().map(|test| (test.name, test.says, true, over(test))));
    let states = lab::counter("check", "states");
    let mut walked = Vec::new();
    for (name, says, repaired, world) in worlds {
        let verdict = world.walk(args.limit, &mut || states.inc(1)).context(super::TOO_LARGE)?;
        let Verdict { states, violations } = verdict;
        let finding = |(violation, steps): (_, _)| Finding { says: ToString::to_string(&violation), steps };
        let findings = violations.into_iter().map(finding).collect();
        walked.push(Walked { name, says, repaired, nodes: world.nodes(), states, findings });
    }
    states.finish_and_clear();
    let holds = walked.iter().all(|walked| !walked.repaired || walked.findings.is_empty());
    let replay = match hazard.filter(|_| args.replay) {
        Some(hazard) => Some(replayed(&hazard, args)?),
        None => None,
    };
    let mut head = Head::new("check_fagus");
    if let Some(replay) = &replay {
        (head.machine, head.nic) = (Some(args.machine), Some(args.nic));
        head.divergences = args.nic.divergences();
        head = head.marked(replay.fingerprint);
    }
    let good = holds && replay.as_ref().is_none_or(Replayed::is_good);
    output::print(&Report { head, worlds: walked, replay }, args.json)?;
    Ok(Outcome::from(good))
}

/// The world of a hazard, or of one of its kind, that has so many nodes.
fn of_nodes(hazard: Hazard, nodes: Option<usize>) -> anyhow::Result<Hazard> {
    let Some(nodes) = nodes else { return Ok(hazard) };
    let family = |name: &'static str| name.split('-').next().unwrap_or(name);
    let alike: Vec<Hazard> =
        Hazard::all().into_iter().filter(|other| family(other.name) == family(hazard.name)).collect();
    let has = |hazard: &&Hazard| hazard.world.nodes() == nodes;
    let found = [&hazard].into_iter().chain(&alike).find(has).cloned();
    found.ok_or_else(|| {
        let counts: BTreeSet<_> = alike.iter().map(|hazard| hazard.world.nodes()).collect();
        let counts: Vec<_> = counts.iter().map(ToString::to_string).collect();
        usage::invalid(
            "--nodes <COUNT>",
            nodes,
            format!("{} is shown by {} nodes", hazard.name, counts.join(" or ")),
        )
    })
}

fn replayed(hazard: &Hazard, args: &Args) -> anyhow::Result<Replayed> {
    let command = format!(
        "memonet check fagus --hazard {} --replay --machine {}{} --nic lockstep",
        hazard.name,
        args.machine.folder(),
        args.way.typed()
    );
    let refused = |why: &str| usage::invalid("--replay", hazard.name, why);
    let world = match &hazard.world {
        Which::Objects(world) => world,
        Which::Packets(world) if args.machine == Name::Hca => {
            let script = checker::fagus::packets::Script::of(world, args.limit).context(super::TOO_LARGE)?;
            let script = script.context("nothing goes wrong in the world of a hazard")?;
            return packets::replay(script, args.nic, &command);
        }
        Which::Packets(_) => return Err(refused("it is about the ring of a channel adapter: --machine hca")),
    };
    let script = Script::of(world, args.limit).context(super::TOO_LARGE)?;
    let script = script.ok_or_else(|| {
        refused("nodes of the library read all that comes in its order, and owners send copies, so it does not happen to them")
    })?;
    replay::replay(script, args.machine, &args.way, args.nic, &command)
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "name         rules     nodes   states  verdict")?;
        for Walked { name, repaired, nodes, states, findings, .. } in &self.worlds {
            let rules = if *repaired { "repaired" } else { "without" };
            write!(f, "\n{name:11}  {rules:8}  {nodes:5}  {states:7}  ")?;
            match findings.first() {
                None => write!(f, "holds")?,
                Some(first) => write!(f, "{}, after {} events", first.says, first.steps.len())?,
            }
        }
        for Walked { name, says, findings, .. } in &self.worlds {
            for finding in findings {
                write!(f, "\n\n{name}: {says}\n{finding}")?;
            }
        }
        if let Some(replay) = &self.replay {
            write!(f, "\n\n{replay}")?;
        }
        Ok(())
    }
}
