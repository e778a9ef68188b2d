//! `memonet check hca`: reliable connections of the channel adapter, over a link that loses and duplicates packets.

use std::convert::Infallible;

use checker::core::{self, Protocol, Verdict};
use checker::hca::{Hazard, Hca, World, Wrong};
use clap::ValueEnum;
use schemars::JsonSchema;
use serde::Serialize;

use super::command::{self, Command, Common, Plan};
use super::worlds::{self, NoKeys};
use crate::document::Head;

/// Reliable connections of an InfiniBand channel adapter.
///
/// Requester and responder are the functions that the adapter runs: PSNs, ACKs, NAKs, retries, RNR NAKs, SEND, RDMA WRITE and RDMA READ.
/// The link keeps the order of packets and may lose or duplicate them; deadlines may be early. Without options the command checks each
/// hazard, with one rule left out and with all rules, and worlds that must be free of findings. --hazard prints the shortest trace to a
/// finding. Exit code 1 if the rules of the adapter do not hold.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet check hca                      all hazards, and worlds in which nothing may go wrong
  memonet check hca --hazard H1          a SEND that is executed twice
  memonet check hca --rules adapter      the rules of the adapter alone")]
pub struct Args {
    /// Only these rules; both by default.
    #[arg(long, value_enum, value_name = "RULES")]
    rules: Option<RuleSet>,
    /// Only this hazard.
    #[arg(long, value_name = "NAME", value_parser = command::hazard::<Hca>)]
    hazard: Option<Hazard>,
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
pub type Report = worlds::Report<Facts, String>;

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
    type Replay = Infallible;
    type Report = Report;

    fn common(args: &Args) -> &Common {
        &args.common
    }

    fn plans(args: &Args) -> anyhow::Result<Vec<Plan<Self>>> {
        let asked = |rules| args.rules.is_none_or(|only| only == rules);
        let kinds = (asked(RuleSet::Defective), asked(RuleSet::Adapter));
        Ok(command::plans(args.hazard.as_ref(), kinds, Hca::clean))
    }

    fn report(
        args: &Args,
        worlds: Vec<(Plan<Self>, Verdict<Wrong>)>,
        _: Option<Infallible>,
    ) -> (Report, bool) {
        let facts = |world: &World, _: &Verdict<Wrong>| Facts {
            rules: world.defect.map_or("adapter", |defect| defect.name()),
            pairs: world.requests.len(),
        };
        let all = args.hazard.is_none() && args.rules.is_none();
        let head = Head::new("check_hca");
        let report = Report::new(head, worlds, facts, None, (all, args.hazard.is_some()));
        let good = report.holds();
        (report, good)
    }
}
