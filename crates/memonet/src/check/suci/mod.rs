//! `memonet check suci`: endpoints over a network that loses, repeats and reorders, with time-outs that come too soon.

mod replay;

use checker::core::{self, Protocol, Verdict};
use checker::suci::{Clean, Hazard, Suci, World, Wrong};
use clap::ValueEnum;
use schemars::JsonSchema;
use serde::Serialize;

use super::command::{self, Command, Common, Plan};
use super::worlds;
use crate::document::Head;
use crate::usage;
use replay::Replayed;

/// Suci as printed, repaired, and with our own rules.
///
/// The nodes are whole endpoints of the library. Without options each hazard is walked as printed, with all repairs and with our own
/// rules, and so are worlds in which nothing may go wrong with the latter two. --hazard prints the shortest trace to a finding;
/// with --replay endpoints with clocks play it, step by step. Exit code 1 if repaired or own rules do not hold, or if a replay
/// ends otherwise than the checker says.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet check suci                                     all hazards, and worlds in which nothing may go wrong
  memonet check suci --hazard H20                        a permit that comes twice
  memonet check suci --rules printed --hazard H2 --replay   the shortest way to a standstill, on endpoints with clocks
  memonet check suci --rules repaired --hazard H2 --replay  the same happens to repaired ones, which bear it")]
pub struct Args {
    /// Only these rules; all three by default.
    #[arg(long, value_enum, value_name = "RULES")]
    rules: Option<RuleSet>,
    /// Only this hazard.
    #[arg(long, value_name = "NAME", value_parser = command::hazard::<Suci>)]
    hazard: Option<Hazard>,
    /// Play what goes wrong as printed on endpoints with clocks.
    #[arg(long, requires = "hazard")]
    replay: bool,
    #[command(flatten)]
    pub common: Common,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RuleSet {
    /// The paper to the letter, or with the repairs that uncover one hazard behind others.
    Printed,
    /// The paper with all repairs.
    Repaired,
    /// Our own rules.
    Modern,
}

/// The report on the worlds.
pub type Report = worlds::Report<Facts, Replayed>;

/// Keys of a world.
#[derive(JsonSchema, Serialize)]
pub struct Facts {
    /// The rules: printed, repaired, modern, or printed with some repairs.
    rules: String,
    /// Number of nodes.
    nodes: usize,
}

/// Keys of a finding.
#[derive(JsonSchema, Serialize)]
pub struct Sealed {
    /// Steps of these after which the trap is closed, where the trace goes on behind them.
    sealed: Option<usize>,
}

impl worlds::Facts for Facts {
    const COLUMNS: &'static str = "nodes   states  rules, verdict";
    const WIDTH: usize = 5;
    const REPAIRED: &'static str = "Repaired by ";
    const TELLS_ALL: bool = false;
    type Finding = Sealed;

    fn nodes(&self) -> usize {
        self.nodes
    }

    fn rules(&self) -> &str {
        &self.rules
    }

    fn finding<W>(finding: &core::Finding<W>) -> Sealed {
        Sealed { sealed: finding.sealed }
    }

    fn sealed(finding: &Sealed) -> Option<usize> {
        finding.sealed
    }
}

impl Command for Suci {
    type Args = Args;
    type Replay = Replayed;
    type Report = Report;

    fn common(args: &Args) -> &Common {
        &args.common
    }

    fn plans(args: &Args) -> anyhow::Result<Vec<Plan<Self>>> {
        let asked = |rules| args.rules.is_none_or(|only| only == rules);
        let hazards = args.hazard.clone().map_or_else(Hazard::all, |hazard| vec![hazard]);
        let mut plans = Vec::new();
        for hazard in &hazards {
            if asked(RuleSet::Printed) {
                plans.push(Plan::of(hazard, hazard.world().clone(), Some(hazard.wrong)));
            }
            if asked(RuleSet::Repaired) {
                // A hazard that no repair of the paper's rules removes goes wrong with all of them too.
                let unmended = || (hazard.world().under(suci::Rules::REPAIRED), Some(hazard.wrong));
                let (world, shows) = hazard.repaired().map_or_else(unmended, |world| (world, None));
                plans.push(Plan::of(hazard, world, shows));
            }
            if asked(RuleSet::Modern) {
                plans.push(Plan::of(hazard, hazard.modern(), None));
            }
        }
        if args.hazard.is_none() {
            let repaired = asked(RuleSet::Repaired).then(Clean::repaired);
            let modern = asked(RuleSet::Modern).then(Clean::modern);
            plans.extend(repaired.into_iter().chain(modern).flatten().map(Plan::clean));
        }
        Ok(plans)
    }

    /// Plays what goes wrong as printed, under the rules that are asked for.
    fn replay(args: &Args) -> anyhow::Result<Option<Replayed>> {
        let Some(hazard) = args.hazard.as_ref().filter(|_| args.replay) else { return Ok(None) };
        let world = match args.rules {
            None | Some(RuleSet::Printed) => None,
            Some(RuleSet::Modern) => Some(hazard.modern()),
            Some(RuleSet::Repaired) => Some(hazard.repaired().ok_or_else(|| {
                let reason =
                    format!("no repair of the paper's rules mends {}; --rules modern does", hazard.name);
                usage::invalid("--rules <RULES>", "repaired", reason)
            })?),
        };
        let found = Suci::script(hazard.world(), Some(hazard.wrong), args.common.limit);
        let script = command::playable(found)?.map_err(|reasons| anyhow::anyhow!(reasons.join("; ")))?;
        let script = match world {
            Some(world) => script.under(world),
            None => script,
        };
        Ok(Some(Replayed::new(&script)))
    }

    fn report(
        args: &Args,
        worlds: Vec<(Plan<Self>, Verdict<Wrong>)>,
        replay: Option<Replayed>,
    ) -> (Report, bool) {
        let good = replay.as_ref().is_none_or(Replayed::is_good);
        let facts = |world: &World, _: &Verdict<Wrong>| Facts {
            rules: world.rules_name(),
            nodes: world.nodes().len(),
        };
        let all = args.hazard.is_none() && args.rules.is_none();
        let head = Head::new("check_suci");
        let report = Report::new(head, worlds, facts, replay, (all, args.hazard.is_some()));
        let good = good && report.holds();
        (report, good)
    }
}
