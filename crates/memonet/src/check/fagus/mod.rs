//! `memonet check fagus`: nodes that share memory over a network that repeats and reorders.

mod hca;
mod replay;

use std::collections::BTreeSet;
use std::fmt;

use checker::core::{Protocol, Verdict};
use checker::fagus::{AnyWorld, Fagus, Hazard, Litmus, Network, Script, Wrong};
use clap::ValueEnum;
use schemars::JsonSchema;
use serde::Serialize;

use super::command::{self, Command, Common, Plan};
use super::finding::Finding;
use crate::document::Head;
use crate::machines::Name;
use crate::nic::Kind;
use crate::{carrier_options, usage};
use replay::Replayed;

/// Owners that move, copies, locks and barriers of a shared memory.
///
/// Nodes have small programs and are the functions that the library runs. Messages arrive in any order, and one of them twice; a lost
/// message is a late one, because it is sent again. Without options all litmus tests and all hazards with their repairs are walked.
/// --hazard takes one repair away and prints the shortest trace to a finding; with --replay nodes on a machine play it, step by step. Exit
/// code 1 if repaired rules do not hold, or if a replay ends otherwise than the checker says.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet check fagus                                  litmus tests and hazards, repaired
  memonet check fagus --hazard H16-waiting             a grant that comes twice, among three nodes
  memonet check fagus --hazard H16 --nodes 3 --replay  the same on three boards of DIMMnet-2, model and RTL in lockstep
  memonet check fagus --litmus SB --network bad        store buffering, one message twice in any order")]
pub struct Args {
    /// Only this hazard, without its repair and with it.
    #[arg(long, value_name = "NAME", value_parser = command::hazard::<Fagus>, conflicts_with_all = ["litmus", "network"])]
    hazard: Option<Hazard>,
    /// Nodes, if the hazard has worlds of different sizes.
    #[arg(long, value_name = "COUNT", requires = "hazard")]
    nodes: Option<usize>,
    /// Play what goes wrong on a machine.
    #[arg(long, requires = "hazard")]
    replay: bool,
    /// The machine of a replay.
    #[arg(long, value_enum, default_value_t, requires = "replay")]
    machine: Name,
    #[command(flatten)]
    way: carrier_options::Args,
    /// The implementation of its boards.
    #[arg(long, value_enum, default_value_t, requires = "replay")]
    nic: Kind,
    /// Only this litmus test.
    #[arg(long, value_name = "NAME", value_parser = litmus)]
    litmus: Option<Litmus>,
    /// Faults of the network of litmus tests.
    #[arg(long, value_enum, default_value_t = NetworkKind::Reordering)]
    network: NetworkKind,
    #[command(flatten)]
    pub common: Common,
}

#[derive(Clone, Copy, ValueEnum)]
enum NetworkKind {
    /// Messages of one node to another come in order.
    Fifo,
    /// Messages come in any order.
    Reordering,
    /// Messages come in any order, and one of them twice.
    Bad,
}

impl NetworkKind {
    fn network(self) -> Network {
        match self {
            NetworkKind::Fifo => Network::FIFO,
            NetworkKind::Reordering => Network::REORDERING,
            NetworkKind::Bad => Network::BAD,
        }
    }
}

fn litmus(name: &str) -> Result<Litmus, String> {
    let found = Litmus::all().into_iter().find(|litmus| litmus.name.eq_ignore_ascii_case(name));
    command::one_of(found, Litmus::all().iter().map(|litmus| litmus.name))
}

/// The report on the worlds.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// The worlds that were walked.
    worlds: Vec<WorldReport>,
    /// The replay of the hazard's finding on a machine, if it was asked for.
    replay: Option<Replayed>,
}

/// A world that was walked.
#[derive(JsonSchema, Serialize)]
struct WorldReport {
    /// Name of the hazard or litmus test.
    name: &'static str,
    /// The hazard or the load, as a sentence.
    says: &'static str,
    /// With all repairs, or without the one of the hazard.
    repaired: bool,
    /// Nodes that share memory or packets.
    nodes: usize,
    /// States that were visited.
    states: usize,
    /// Findings, the nearest first.
    findings: Vec<Finding>,
}

impl Command for Fagus {
    type Args = Args;
    type Replay = Replayed;
    type Report = Report;

    fn common(args: &Args) -> &Common {
        &args.common
    }

    fn plans(args: &Args) -> anyhow::Result<Vec<Plan<Self>>> {
        let hazard = chosen(args)?;
        if let Some(option) = args.way.first().filter(|_| !args.replay) {
            return Err(usage::refused(format_args!("the argument '{option}' is for a replay: --replay")));
        }
        let all = hazard.is_none() && args.litmus.is_none();
        let hazards = if all { Hazard::all() } else { hazard.iter().cloned().collect() };
        let tests = if all { Litmus::all() } else { args.litmus.iter().cloned().collect() };
        let mut plans = Vec::new();
        plans.extend(hazard.map(|hazard| {
            let world = hazard.world().clone();
            Plan::of(&hazard, world, Some(hazard.wrong))
        }));
        for hazard in &hazards {
            plans.extend(hazard.repaired().map(|world| Plan::of(hazard, world, None)));
        }
        for test in tests {
            let world = AnyWorld::Objects(test.over(args.network.network()));
            plans.push(Plan {
                name: test.name,
                description: test.description,
                repair: None,
                world,
                shows: None,
            });
        }
        Ok(plans)
    }

    fn replay(args: &Args) -> anyhow::Result<Option<Replayed>> {
        chosen(args)?.filter(|_| args.replay).map(|hazard| replayed(&hazard, args)).transpose()
    }

    fn report(
        args: &Args,
        worlds: Vec<(Plan<Self>, Verdict<Wrong>)>,
        replay: Option<Replayed>,
    ) -> (Report, bool) {
        let walked = |(plan, verdict): (Plan<Self>, Verdict<Wrong>)| WorldReport {
            name: plan.name,
            says: plan.description,
            repaired: plan.shows.is_none(),
            nodes: plan.world.nodes(),
            states: verdict.states,
            findings: verdict.findings.into_iter().map(Finding::from).collect(),
        };
        let worlds: Vec<_> = worlds.into_iter().map(walked).collect();
        let mut head = Head::new("check_fagus");
        if let Some(replay) = &replay {
            (head.machine, head.nic) = (Some(args.machine), Some(args.nic));
            head.divergences = args.nic.divergences();
            head = head.marked(replay.fingerprint);
        }
        let holds = worlds.iter().all(|walked| !walked.repaired || walked.findings.is_empty());
        let good = holds && replay.as_ref().is_none_or(Replayed::is_good);
        (Report { head, worlds, replay }, good)
    }
}

/// The hazard that is asked for, or the one of its kind with the nodes that are asked for.
fn chosen(args: &Args) -> anyhow::Result<Option<Hazard>> {
    args.hazard.clone().map(|hazard| of_nodes(hazard, args.nodes)).transpose()
}

/// The hazard, or one of its family, whose world has `nodes` nodes.
fn of_nodes(hazard: Hazard, nodes: Option<usize>) -> anyhow::Result<Hazard> {
    let Some(nodes) = nodes else { return Ok(hazard) };
    let family = |name: &'static str| name.split('-').next().unwrap_or(name);
    let alike: Vec<Hazard> =
        Hazard::all().into_iter().filter(|other| family(other.name) == family(hazard.name)).collect();
    let has = |hazard: &&Hazard| hazard.world().nodes() == nodes;
    let found = [&hazard].into_iter().chain(&alike).find(has).cloned();
    found.ok_or_else(|| {
        let counts: BTreeSet<_> = alike.iter().map(|hazard| hazard.world().nodes()).collect();
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
    let of_packets = matches!(hazard.world(), AnyWorld::Packets(_));
    if of_packets && args.machine != Name::Hca {
        return Err(refused("it is about the ring of a channel adapter, which this machine does not have"));
    }
    let found = Fagus::script(hazard.world(), Some(hazard.wrong), args.common.limit);
    match command::playable(found)?.map_err(|reasons| refused(&reasons.join("; ")))? {
        Script::Objects(script) => replay::replay(script, args.machine, &args.way, args.nic, &command),
        Script::Packets(script) => hca::replay(script, args.nic, &command),
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "name         rules     nodes   states  verdict")?;
        for WorldReport { name, repaired, nodes, states, findings, .. } in &self.worlds {
            let rules = if *repaired { "repaired" } else { "without" };
            write!(f, "\n{name:11}  {rules:8}  {nodes:5}  {states:7}  ")?;
            match findings.first() {
                None => write!(f, "holds")?,
                Some(first) => write!(f, "{}, after {} events", first.says, first.steps.len())?,
            }
        }
        for WorldReport { name, says, findings, .. } in &self.worlds {
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
