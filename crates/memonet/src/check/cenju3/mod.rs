//! `memonet check cenju3`: the protocol of MPI/DE, walked state by state.

mod replay;

use checker::cenju3::replay::Script;
use checker::cenju3::{Cenju3, Hazard, World, Wrong};
use checker::core::{self, Protocol, Verdict};
use clap::ValueEnum;
use schemars::JsonSchema;
use serde::Serialize;

use super::command::{self, Command, Common, Plan};
use super::worlds::{self, NoKeys};
use crate::document::Head;
use crate::nic::Kind;
use cenju3_machine::Cenju3 as Cenju3Machine;
use replay::Replayed;

/// MPI/DE on Cenju-3 as printed, and repaired.
///
/// The functions of the library are walked: eager messages, rendezvous, slots, cache lines that are replaced by hand, threads that wait,
/// masks and rings. Without options each hazard is walked as printed and with all repairs, and so are worlds in which nothing may go
/// wrong with these. --hazard prints the shortest trace to a finding; with --replay two NIFs with their hosts play it, step by step. Exit
/// code 1 if repaired rules do not hold, or if a replay ends otherwise than the checker says.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet check cenju3                                 all hazards, and worlds in which nothing may go wrong
  memonet check cenju3 --hazard H19                    one pool for the slots of both sides
  memonet check cenju3 --hazard H1 --replay            a dirty line over data, on two NIFs, model and RTL in lockstep
  memonet check cenju3 --rules repaired --hazard H12 --replay --nic model   a wake-up that is lost no more")]
pub struct Args {
    /// Only these rules; both by default.
    #[arg(long, value_enum, value_name = "RULES")]
    rules: Option<RuleSet>,
    /// Only this hazard.
    #[arg(long, value_name = "NAME", value_parser = command::hazard::<Cenju3>)]
    hazard: Option<Hazard>,
    /// Play what goes wrong as printed on NIFs.
    #[arg(long, requires = "hazard")]
    replay: bool,
    /// The implementation of the NIFs.
    #[arg(long, value_enum, default_value_t, requires = "replay")]
    nic: Kind,
    #[command(flatten)]
    pub common: Common,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RuleSet {
    /// The paper to the letter, or with the repairs that uncover one hazard behind others.
    Printed,
    /// The paper with all repairs.
    Repaired,
}

/// The report on the worlds.
pub type Report = worlds::Report<Facts, Replayed>;

/// Keys of a world.
#[derive(JsonSchema, Serialize)]
pub struct Facts {
    /// Kind of world: exchange, waiting, masks or ring.
    world: &'static str,
    /// The rules: repaired, or printed and what differs.
    rules: String,
    /// PEs; 1 where the world is within one PE.
    pes: usize,
    /// Seconds that the slowest complete run waits for the progress thread.
    waited_s: u32,
}

impl worlds::Facts for Facts {
    const COLUMNS: &'static str = "PEs   states  rules: verdict";
    const WIDTH: usize = 3;
    const REPAIRED: &'static str = "Repaired: ";
    const TELLS_ALL: bool = true;
    type Finding = NoKeys;

    fn nodes(&self) -> usize {
        self.pes
    }

    fn rules(&self) -> &str {
        &self.rules
    }

    fn waited_s(&self) -> u32 {
        self.waited_s
    }

    fn finding<W>(_: &core::Finding<W>) -> NoKeys {
        NoKeys {}
    }
}

impl Command for Cenju3 {
    type Args = Args;
    type Replay = Replayed;
    type Report = Report;

    fn common(args: &Args) -> &Common {
        &args.common
    }

    fn plans(args: &Args) -> anyhow::Result<Vec<Plan<Self>>> {
        let asked = |rules| args.rules.is_none_or(|only| only == rules);
        let kinds = (asked(RuleSet::Printed), asked(RuleSet::Repaired));
        Ok(command::plans(args.hazard.as_ref(), kinds, Cenju3::clean))
    }

    /// Plays what goes wrong as printed, under the rules that are asked for.
    fn replay(args: &Args) -> anyhow::Result<Option<Replayed>> {
        let Some(hazard) = args.hazard.as_ref().filter(|_| args.replay) else { return Ok(None) };
        let found = Cenju3::script(hazard.world(), Some(hazard.wrong), args.common.limit);
        let (found, rules) = match (args.rules, hazard.repaired()) {
            (Some(RuleSet::Repaired), Some(world)) => {
                (found.map(|script: Script| script.under(world.rules())), "--rules repaired ")
            }
            _ => (found, ""),
        };
        let command = format!("memonet check cenju3 --hazard {} {rules}--replay", hazard.name);
        let script = command::playable(found)?;
        replay::replay(script, args.nic, &command).map(Some)
    }

    fn report(
        args: &Args,
        worlds: Vec<(Plan<Self>, Verdict<Wrong>)>,
        replay: Option<Replayed>,
    ) -> (Report, bool) {
        let good = replay.as_ref().is_none_or(Replayed::is_good);
        let head = match &replay {
            Some(replay) if replay.was_played() => Head::of_run::<Cenju3Machine>("check_cenju3", args.nic),
            _ => Head::new("check_cenju3"),
        };
        let facts = |world: &World, verdict: &Verdict<Wrong>| Facts {
            world: world.kind(),
            rules: world.rules().name(),
            pes: world.pes(),
            waited_s: verdict.waited_s,
        };
        let all = args.hazard.is_none() && args.rules.is_none();
        let report = Report::new(head, worlds, facts, replay, (all, args.hazard.is_some()));
        let good = good && report.holds();
        (report, good)
    }
}
