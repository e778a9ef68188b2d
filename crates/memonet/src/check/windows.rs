//! `memonet check windows`: one-sided communication of the MPI library.

use std::fmt;

use checker::core::{self, Protocol, Verdict};
use checker::windows::{Hazard, Windows, World, Wrong};
use clap::ValueEnum;
use schemars::JsonSchema;
use serde::Serialize;

use super::catalogue::{Catalogue, HazardEntry};
use super::command::{self, Command, Common, Plan};
use super::worlds::{self, NoKeys};
use crate::document::Head;
use crate::output::{self, Outcome};

/// One-sided communication of the MPI library: locks, flushes, fences, posts and starts.
///
/// Messages and conditions of calls, locks and their queues are the functions of the library. Two or three ranks put and get, by
/// messages and by remote writes; a rank may die, and the others notice it late. Carriers deliver the messages of a pair of ranks once
/// and in order. Without options the command checks each hazard, with one rule left out and with all rules, and worlds that must be
/// free of findings. --hazard prints the shortest trace to a finding. Exit code 1 if the rules of the library do not hold.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet check windows                     all hazards, and worlds in which nothing may go wrong
  memonet check windows --hazard W3         an unlock overtakes a long put
  memonet check windows --rules library     the rules of the library alone
  memonet check windows --list              hazards and rules")]
pub struct Args {
    /// Only these rules; both by default.
    #[arg(long, value_enum, value_name = "RULES")]
    rules: Option<RuleSet>,
    /// Only this hazard.
    #[arg(long, value_name = "NAME", value_parser = command::hazard::<Windows>)]
    hazard: Option<Hazard>,
    /// List hazards and rules, and check nothing.
    #[arg(long, conflicts_with_all = ["rules", "hazard"])]
    list: bool,
    #[command(flatten)]
    pub common: Common,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RuleSet {
    /// All rules but one.
    Defective,
    /// The rules of the library.
    Library,
}

/// The report on the worlds.
pub type Report = worlds::Report<Facts, NoReplay>;

/// Nothing is replayed: the library has all rules.
#[derive(JsonSchema, Serialize)]
pub struct NoReplay {}

impl fmt::Display for NoReplay {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

/// Keys of a world.
#[derive(JsonSchema, Serialize)]
pub struct Facts {
    /// The rules: library, or the effect of the one that is left out.
    rules: &'static str,
    /// Number of ranks.
    ranks: usize,
}

impl worlds::Facts for Facts {
    const COLUMNS: &'static str = "ranks   states  rules: verdict";
    const WIDTH: usize = 5;
    const REPAIRED: &'static str = "The rule: ";
    const TELLS_ALL: bool = true;
    type Finding = NoKeys;

    fn nodes(&self) -> usize {
        self.ranks
    }

    fn rules(&self) -> &str {
        self.rules
    }

    fn finding<W>(_: &core::Finding<W>) -> NoKeys {
        NoKeys {}
    }
}

impl Command for Windows {
    type Args = Args;
    type Replay = NoReplay;
    type Report = Report;

    fn common(args: &Args) -> &Common {
        &args.common
    }

    fn plans(args: &Args) -> anyhow::Result<Vec<Plan<Self>>> {
        let asked = |rules| args.rules.is_none_or(|only| only == rules);
        let kinds = (asked(RuleSet::Defective), asked(RuleSet::Library));
        Ok(command::plans(args.hazard.as_ref(), kinds, Windows::clean))
    }

    fn report(
        args: &Args,
        worlds: Vec<(Plan<Self>, Verdict<Wrong>)>,
        replay: Option<NoReplay>,
    ) -> (Report, bool) {
        let facts = |world: &World, _: &Verdict<Wrong>| Facts {
            rules: world.defect.map_or("library", |defect| defect.name()),
            ranks: world.programs.len(),
        };
        let all = args.hazard.is_none() && args.rules.is_none();
        let report =
            Report::new(Head::new("check_windows"), worlds, facts, replay, (all, args.hazard.is_some()));
        let good = report.holds();
        (report, good)
    }
}

/// Lists hazards, or walks worlds.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    if args.list {
        let entries = Windows::hazards().iter().map(HazardEntry::from).collect();
        let catalogue = Catalogue::of(Head::new("check_list"), entries, Vec::new(), "The rule: ");
        output::print(&catalogue, args.common.json)?;
        return Ok(Outcome::Success);
    }
    command::run::<Windows>(args)
}
