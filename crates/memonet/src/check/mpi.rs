//! `memonet check mpi`: ranks that send to each other through interfaces that a full buffer stops.

use std::convert::Infallible;
use std::fmt;

use ::mpi::Way;
use checker::core::Verdict;
use checker::mpi::{Mpi, Places, World, Wrong};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use schemars::JsonSchema;
use serde::Serialize;

use super::command::{Command, Common, Plan};
use super::finding::Finding;
use crate::document::Head;
use crate::numbers;
use crate::usage;

/// Credits and rendezvous of the library of MPI, over interfaces that a full buffer stops.
///
/// Each rank has messages for every other one. While it sends a packet it receives none, until the packet is in the buffer of its
/// receiver, such as an LH Buffer of DIMMnet-2. Without options all protocols of messages and all rules for the places of a buffer are
/// checked. MPI on DIMMnet-2 uses `beside`; exit code 1 if that does not hold. The other rules fail.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet check mpi                                        all ways, with credits and without
  memonet check mpi --places free --way eager              the shortest way into a standstill
  memonet check mpi --places beside --ranks 3 --messages 1 --slots 4")]
pub struct Args {
    /// Rule for the places of a buffer; all rules by default.
    #[arg(long, value_name = "RULE")]
    places: Option<Rule>,
    /// Protocol of a message; both by default.
    #[arg(long, value_name = "WAY")]
    way: Option<MessageProtocol>,
    /// Number of ranks.
    #[arg(long, value_name = "COUNT", default_value_t = 2, value_parser = numbers::within::<u8>(2..=3, "the number of ranks"))]
    ranks: u8,
    /// Messages of each rank for each other one.
    #[arg(long, value_name = "M", default_value_t = 4, value_parser = numbers::within::<u8>(1..=8, "the number of messages"))]
    messages: u8,
    /// Packets of data of a message.
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = numbers::within::<u8>(0..=4, "the number of packets"))]
    packets: u8,
    /// Packets that the buffer of a rank holds; where they are shared, one at least for each other rank.
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = numbers::within::<u8>(1..=16, "the number of packets"))]
    slots: u8,
    #[command(flatten)]
    pub common: Common,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Rule(Places);

impl ValueEnum for Rule {
    fn value_variants<'a>() -> &'a [Self] {
        &[Rule(Places::Free), Rule(Places::Shared), Rule(Places::Beside)]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(match self.0 {
            Places::Free => "no credits: a rank gives what it has",
            Places::Shared => "credits, told in packets that need a place too",
            Places::Beside => "credits, told beside packets in words that need no place",
        }))
    }
}

impl Rule {
    fn name(self) -> &'static str {
        match self.0 {
            Places::Free => "free",
            Places::Shared => "shared",
            Places::Beside => "beside",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MessageProtocol {
    Eager,
    Rendezvous,
}

impl MessageProtocol {
    fn name(self) -> &'static str {
        match self {
            MessageProtocol::Eager => "eager",
            MessageProtocol::Rendezvous => "rendezvous",
        }
    }

    fn way(self) -> Way {
        match self {
            MessageProtocol::Eager => Way::Eager,
            MessageProtocol::Rendezvous => Way::Rendezvous,
        }
    }
}

/// The report on the worlds.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// Number of ranks.
    ranks: u8,
    /// Messages of each rank for each other one.
    messages: u8,
    /// Packets of data of a message.
    packets: u8,
    /// Packets that the buffer of a rank holds.
    slots: u8,
    /// The worlds that were walked.
    worlds: Vec<WorldReport>,
}

/// A world that was walked.
#[derive(JsonSchema, Serialize)]
struct WorldReport {
    /// Rule for the places of a buffer: free, shared or beside.
    places: &'static str,
    /// Protocol of a message: eager or rendezvous.
    way: &'static str,
    /// States that were visited.
    states: usize,
    /// No packet is refused, none waits for room that was promised, and all messages can always still arrive.
    holds: bool,
    /// Findings: a refused packet, a full buffer, a standstill.
    findings: Vec<Finding>,
}

impl Command for Mpi {
    type Args = Args;
    type Replay = Infallible;
    type Report = Report;

    fn common(args: &Args) -> &Common {
        &args.common
    }

    fn plans(args: &Args) -> anyhow::Result<Vec<Plan<Self>>> {
        let Args { ranks, messages, packets, slots, .. } = *args;
        if args.places != Some(Rule(Places::Free))
            && ::mpi::Credits::of_slots(slots.into(), ranks.into()).is_none()
        {
            let least = ranks - 1;
            let reason = format!("to share places takes {least} of them; --places free does without");
            return Err(usage::invalid("--slots <COUNT>", slots, reason));
        }
        let rules =
            Rule::value_variants().iter().filter(|rule| args.places.is_none_or(|only| only == **rule));
        let ways = || {
            MessageProtocol::value_variants().iter().filter(|way| args.way.is_none_or(|only| only == **way))
        };
        let world = |(rule, protocol): (&Rule, &MessageProtocol)| World {
            ranks: ranks.into(),
            messages,
            packets,
            slots,
            way: protocol.way(),
            places: rule.0,
        };
        // The other rules are expected to fail.
        let shows = |rule: &Rule| (rule.0 != Places::Beside).then_some(Wrong::Standstill);
        let plan = |(rule, protocol): (&Rule, &MessageProtocol)| Plan {
            name: rule.name(),
            description: protocol.name(),
            repair: None,
            world: world((rule, protocol)),
            shows: shows(rule),
        };
        Ok(rules.flat_map(|rule| ways().map(move |way| (rule, way))).map(plan).collect())
    }

    fn report(
        args: &Args,
        worlds: Vec<(Plan<Self>, Verdict<Wrong>)>,
        _: Option<Infallible>,
    ) -> (Report, bool) {
        let Args { ranks, messages, packets, slots, .. } = *args;
        let good = worlds.iter().all(|(plan, verdict)| plan.shows.is_some() || verdict.holds());
        let walked = |(plan, mut verdict): (Plan<Self>, Verdict<Wrong>)| {
            verdict.findings.sort_by_key(|finding| finding.wrong);
            WorldReport {
                places: plan.name,
                way: plan.description,
                states: verdict.states,
                holds: verdict.holds(),
                findings: verdict.findings.into_iter().map(Finding::from).collect(),
            }
        };
        let worlds = worlds.into_iter().map(walked).collect();
        (Report { head: Head::new("check_mpi"), ranks, messages, packets, slots, worlds }, good)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { ranks, messages, packets, slots, .. } = self;
        writeln!(
            f,
            "ranks      {ranks}, {messages} messages each for each other one, data of a message {packets} packets"
        )?;
        writeln!(f, "buffer     for {}", machine_api::counted(usize::from(*slots), "packet"))?;
        write!(f, "\nplaces  message     states  verdict")?;
        for WorldReport { places, way, states, findings, .. } in &self.worlds {
            let says =
                findings.first().map_or("holds: all messages can always still come", |first| &first.says);
            write!(f, "\n{places:6}  {way:10}  {states:6}  {says}")?;
            if let Some(first) = findings.first() {
                write!(f, ", after {} steps", first.steps.len())?;
            }
        }
        for WorldReport { places, way, findings, .. } in &self.worlds {
            for finding in findings {
                write!(f, "\n\n{places}, {way}: {finding}")?;
            }
        }
        Ok(())
    }
}
