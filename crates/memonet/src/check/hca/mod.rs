//! `memonet check hca`: reliable connections of the channel adapter, over a link that loses, duplicates and reorders packets.

mod replay;

use checker::core::{self, Protocol, Verdict};
use checker::hca::{Hazard, Hca, World, Wrong};
use clap::ValueEnum;
use schemars::JsonSchema;
use serde::Serialize;

use super::catalogue::{Catalogue, HazardEntry};
use super::command::{self, Command, Common, Plan};
use super::worlds::{self, NoKeys};
use crate::document::Head;
use crate::machines::Built;
use crate::nic::Kind;
use crate::output::{self, Outcome};
use crate::usage;
use hca_machine::Hca as HcaMachine;
use replay::Replayed;

/// Reliable connections of an InfiniBand channel adapter.
///
/// Requester and responder are the functions that the adapter runs: PSNs, ACKs, NAKs, retries, RNR NAKs, SEND, RDMA WRITE and RDMA READ.
/// The link may lose, duplicate and reorder packets; deadlines may be early; hosts may make the connection again with packets in flight.
/// Without options the command checks each hazard, with one rule left out and with all rules, and worlds that must be free of findings.
/// --hazard prints the shortest trace to a finding; with --replay two adapters play it, step by step. Adapters have all rules, so the
/// link or the hosts leave the rule out: they drop or change the packets that it is about. Where they cannot, the adapters withstand the
/// same deliveries. Exit code 1 if the rules of the adapter do not hold, or if a replay ends otherwise than the checker says.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet check hca                               all hazards, and worlds in which nothing may go wrong
  memonet check hca --hazard H1                   a SEND that is executed twice
  memonet check hca --hazard H1 --replay          the same on two adapters, model and RTL in lockstep
  memonet check hca --hazard H1 --rules adapter --replay --nic model   the adapters withstand the same deliveries
  memonet check hca --rules adapter               the rules of the adapter alone
  memonet check hca --list                        hazards, rules, and who leaves them out in a replay")]
pub struct Args {
    /// Only these rules; both by default.
    #[arg(long, value_enum, value_name = "RULES")]
    rules: Option<RuleSet>,
    /// Only this hazard.
    #[arg(long, value_name = "NAME", value_parser = command::hazard::<Hca>)]
    hazard: Option<Hazard>,
    /// Play what goes wrong on two adapters, step by step.
    #[arg(long, requires = "hazard")]
    replay: bool,
    /// The implementation of the adapters.
    #[arg(long, value_enum, default_value_t, requires = "replay")]
    nic: Kind,
    /// List hazards and rules, and check nothing.
    #[arg(long, conflicts_with_all = ["rules", "hazard", "replay"])]
    list: bool,
    #[command(flatten)]
    pub common: Common,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RuleSet {
    /// All rules but one.
    Defective,
    /// The rules of the adapter.
    Adapter,
}

/// The report on the worlds.
pub type Report = worlds::Report<Facts, Replayed>;

/// Keys of a world.
#[derive(JsonSchema, Serialize)]
pub struct Facts {
    /// The rules: adapter, or the effect of the one that is left out.
    rules: &'static str,
    /// Queue pairs; 2.
    pairs: usize,
}

impl worlds::Facts for Facts {
    const COLUMNS: &'static str = "QPs   states  rules: verdict";
    const WIDTH: usize = 3;
    const REPAIRED: &'static str = "The rule: ";
    const TELLS_ALL: bool = true;
    type Finding = NoKeys;

    fn nodes(&self) -> usize {
        self.pairs
    }

    fn rules(&self) -> &str {
        self.rules
    }

    fn finding<W>(_: &core::Finding<W>) -> NoKeys {
        NoKeys {}
    }
}

impl Command for Hca {
    type Args = Args;
    type Replay = Replayed;
    type Report = Report;

    fn common(args: &Args) -> &Common {
        &args.common
    }

    fn plans(args: &Args) -> anyhow::Result<Vec<Plan<Self>>> {
        let asked = |rules| args.rules.is_none_or(|only| only == rules);
        let kinds = (asked(RuleSet::Defective), asked(RuleSet::Adapter));
        Ok(command::plans(args.hazard.as_ref(), kinds, Hca::clean))
    }

    /// Plays what goes wrong without the rule: where link or hosts can leave it out, and otherwise with all rules.
    fn replay(args: &Args) -> anyhow::Result<Option<Replayed>> {
        let Some(hazard) = args.hazard.as_ref().filter(|_| args.replay) else { return Ok(None) };
        // The last world is the one for eager send queues, as adapters have them.
        let world = hazard.worlds.last().unwrap_or(hazard.world());
        let left_out = world.defect.and_then(|defect| defect.switch());
        let adapter = match (args.rules, left_out) {
            (Some(RuleSet::Adapter), _) | (None, None) => true,
            (Some(RuleSet::Defective), None) => {
                let reason = format!(
                    "the rule of {} is in the adapter, and neither link nor hosts can leave it out; --rules adapter \
                     replays the same deliveries",
                    hazard.name
                );
                return Err(usage::invalid("--rules <RULES>", "defective", reason));
            }
            (_, Some(_)) => false,
        };
        let found = Hca::script(world, Some(hazard.wrong), args.common.limit);
        let script = command::playable(found)?.map_err(|reasons| anyhow::anyhow!(reasons.join("; ")))?;
        let script = if adapter { script.with_all_rules() } else { script };
        let rules = if adapter { "adapter" } else { "defective" };
        let command = format!("memonet check hca --hazard {} --rules {rules} --replay", hazard.name);
        replay::replay(&script, world.defect, args.nic, &command).map(Some)
    }

    fn report(
        args: &Args,
        worlds: Vec<(Plan<Self>, Verdict<Wrong>)>,
        replay: Option<Replayed>,
    ) -> (Report, bool) {
        let good = replay.as_ref().is_none_or(Replayed::is_good);
        let facts = |world: &World, _: &Verdict<Wrong>| Facts {
            rules: world.defect.map_or("adapter", |defect| defect.name()),
            pairs: world.requests.len(),
        };
        let all = args.hazard.is_none() && args.rules.is_none();
        let head = match &replay {
            Some(_) => Head::of_run::<HcaMachine>("check_hca", args.nic),
            None => Head::new("check_hca"),
        };
        let report = Report::new(head, worlds, facts, replay, (all, args.hazard.is_some()));
        let good = good && report.holds();
        (report, good)
    }
}

/// Lists hazards, or walks worlds.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    if args.list {
        output::print(&catalogue(), args.common.json)?;
        return Ok(Outcome::Success);
    }
    command::run::<Hca>(args)
}

fn catalogue() -> Catalogue {
    let entry = |hazard: &Hazard| {
        let replay = hazard.world().defect.map(|defect| defect.in_replay());
        HazardEntry::from(hazard).in_replay(replay)
    };
    Catalogue::new(HcaMachine::WHICH, Hca::hazards().iter().map(entry).collect(), Vec::new(), "The rule: ")
}
