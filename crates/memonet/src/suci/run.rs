//! `memonet suci run`: Suci on the paper's cluster, in virtual time.

use std::fmt;

use clap::ValueEnum;
use cluster::{Duration, Rates};
use fast_ethernet_machine::programs::over_suci::{self, Setup};
use fast_ethernet_machine::programs::{Outcome as ProgramOutcome, Program, Totals};
use fast_ethernet_machine::{Cluster, FastEthernet, Settings};
use machine_api::Nics;
use schemars::JsonSchema;
use serde::Serialize;

use crate::document::Head;
use crate::figures::paper::Cards;
use crate::library_cost;
use crate::numbers::{self, count, percent, share};
use crate::output::{self, Outcome};
use crate::usage;

/// Run Suci on modelled PCs with 100 Mbit/s Ethernet.
///
/// The endpoints are the code used on real networks; sockets, kernels, cards and the switch are modelled
/// (docs/suci.md). The same command and seed print the same fingerprint. Exit code 1 if a program cannot
/// continue, as with the printed rules on wires that lose frames.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet suci run                                             ping-pong of two nodes, sizes from 4 B to 512 KB
  memonet suci run --nodes 41 --program gather --size 65536    40 nodes to one, with permits
  memonet suci run --nodes 41 --program gather --size 65536 --permits off
  memonet suci run --nodes 44 --program broadcast --rules repaired
  memonet suci run --program burst --lose 1%
  memonet suci run --size 4 --library-cost counted             with the instructions of Suci's library")]
pub struct Args {
    /// Number of nodes on the switch; a ping-pong and a burst use two, the others are idle.
    #[arg(long, value_name = "COUNT", default_value_t = 2, value_parser = numbers::within::<u16>(2..=1024, "the number of nodes"))]
    nodes: u16,
    /// Communication pattern.
    #[arg(long, value_enum, value_name = "NAME", default_value = "pingpong")]
    program: Pattern,
    /// Bytes of a message. Default: several sizes from 4 B.
    #[arg(long, value_name = "BYTES", value_parser = message)]
    size: Option<usize>,
    /// Variant of the protocol.
    #[arg(long, value_enum, value_name = "NAME", default_value = "modern")]
    rules: Rules,
    /// Receivers limit the data in flight to them by permits.
    #[arg(long, value_enum, value_name = "WHICH", default_value = "on")]
    permits: Switch,
    /// Time in microseconds that node 0 of a gather computes before it reads.
    #[arg(long, value_name = "US", default_value_t = 0, value_parser = numbers::within::<u64>(0..=1_000_000, "the time in microseconds"))]
    asleep: u64,
    #[command(flatten)]
    library: library_cost::Args,
    /// Share of frames lost on links from nodes: 1%, 0.01%.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    lose: Option<u32>,
    /// Seed of the losses and of the endpoints' random choices.
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = numbers::number)]
    seed: u64,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// A communication pattern by its name on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
enum Pattern {
    /// Node 0 to node 1 and back.
    Pingpong,
    /// Node 0 to node 1, one message after the other.
    Burst,
    /// All nodes to node 0 simultaneously.
    Gather,
    /// Node 0 to all, along a binary tree.
    Broadcast,
}

impl Pattern {
    fn program(self) -> Program {
        match self {
            Pattern::Pingpong => Program::PingPong,
            Pattern::Burst => Program::Burst,
            Pattern::Gather => Program::Gather,
            Pattern::Broadcast => Program::Broadcast,
        }
    }

    /// Default message sizes in bytes: those of the paper.
    fn sizes(self) -> Vec<usize> {
        match self {
            Pattern::Pingpong | Pattern::Burst => (2..=19).map(|power| 1 << power).collect(),
            Pattern::Gather => (2..=16).step_by(2).map(|power| 1 << power).collect(),
            Pattern::Broadcast => (2..=18).step_by(2).map(|power| 1 << power).collect(),
        }
    }
}

/// A variant of the protocol by its name on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
enum Rules {
    /// The paper's rules as printed.
    Printed,
    /// The paper's rules with eleven repairs.
    Repaired,
    /// Memonet's own protocol.
    Modern,
}

impl Rules {
    fn rules(self) -> suci::Rules {
        match self {
            Rules::Printed => suci::Rules::PRINTED,
            Rules::Repaired => suci::Rules::REPAIRED,
            Rules::Modern => suci::Rules::MODERN,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Switch {
    On,
    Off,
}

/// Parses the bytes of a message.
fn message(text: &str) -> Result<usize, String> {
    const MOST: usize = 16 << 20;
    match count(text)? {
        0 => Err("the minimum is 1".to_string()),
        bytes if bytes > MOST => Err(format!("the maximum is {MOST}")),
        bytes => Ok(bytes),
    }
}

/// Maximum bytes of all messages of a round together; this computer holds them several times.
const MOST_AT_ONCE: usize = 256 << 20;

/// Runs the program for each size and prints the report.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    if let Some(size) = args.size.filter(|size| size * usize::from(args.nodes) > MOST_AT_ONCE) {
        let reason = format!("messages of {} nodes exceed {MOST_AT_ONCE} bytes together", args.nodes);
        return Err(usage::invalid("--size <BYTES>", size, reason));
    }
    let program = args.program.program();
    let setup = Setup {
        rules: args.rules.rules(),
        permits: args.permits == Switch::On,
        seed: args.seed,
        asleep: Duration::from_us(args.asleep),
    };
    let settings = Settings { library: args.library.cost(), ..Settings::default() };
    let sizes = args.size.map_or_else(|| args.program.sizes(), |size| vec![size]);
    let rates = Rates { loss: args.lose.unwrap_or(0), ..Rates::default() };
    let progress = machine_api::progress("suci", sizes.len() as u64, "sizes");
    let lines = machine_api::jobs::run(&sizes, &|| progress.inc(1), |&size| {
        let nics = Nics::<FastEthernet>::open(&Cards, args.nodes.into())?;
        let mut cluster = Cluster::with_switch(nics, &settings);
        cluster.set_faults(rates, args.seed);
        let messages = program.rounds(size);
        Ok(Line::of(size, messages, &over_suci::run(&mut cluster, program, size, messages, setup)?))
    })?;
    progress.finish_and_clear();
    let report = Report {
        head: Head::new("suci_run").seeded(args.seed),
        nodes: args.nodes,
        program: args.program,
        rules: args.rules,
        permits: setup.permits,
        asleep_us: args.asleep,
        lose: percent(rates.loss),
        library: args.library.chosen(true),
        sizes: lines,
    };
    output::print(&report, args.json)?;
    Ok(Outcome::Success)
}

/// Measurements of one message size.
#[derive(JsonSchema, Serialize)]
struct Line {
    /// Bytes of a message.
    bytes: usize,
    /// Messages that were measured; for a gather those of one node.
    messages: u32,
    /// Duration of all messages.
    elapsed_ps: u64,
    /// Data rate of one receiver in megabytes (10^6 bytes) per second.
    megabytes_per_second: f64,
    /// Data rate in percent of the link's 12.5 MB/s; headers and gaps are part of the 12.5 MB/s.
    link_percent: f64,
    /// Datagrams that endpoints sent.
    sent: u64,
    /// Packets that were assumed lost and retransmitted.
    again: u64,
    /// Time-outs of endpoints.
    timeouts: u64,
    /// Datagrams dropped because a socket's buffer was full.
    dropped_by_kernels: u64,
    /// Maximum memory of a socket's buffer in bytes, as the kernel charges it.
    most_charged_bytes: u64,
    /// Frames dropped because a port of the switch was full.
    dropped_by_switch: u64,
    /// Frames dropped because a card's ring or a driver's backlog was full.
    dropped_by_cards: u64,
    /// Frames lost on wires.
    lost_on_wires: u64,
    /// Time that all nodes spent in steps of Suci's library that have a cost; without its copies.
    library_ps: u64,
    /// Fingerprint of the run.
    fingerprint: String,
}

impl Line {
    fn of(bytes: usize, messages: u32, ran: &ProgramOutcome) -> Self {
        let Totals { sent, again, timeouts, dropped_by_kernels, most_charged, .. } = ran.counters;
        let Totals { dropped_by_switch, dropped_by_cards, lost_on_wires, .. } = ran.counters;
        Line {
            bytes,
            messages,
            elapsed_ps: ran.elapsed.ps(),
            megabytes_per_second: ran.megabytes_per_second(),
            link_percent: ran.percent_of_link(),
            sent,
            again,
            timeouts,
            dropped_by_kernels,
            most_charged_bytes: most_charged,
            dropped_by_switch,
            dropped_by_cards,
            lost_on_wires,
            library_ps: ran.library.ps(),
            fingerprint: ran.fingerprint.to_string(),
        }
    }
}

/// Report of `memonet suci run`.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// Number of nodes on the switch.
    nodes: u16,
    /// Communication pattern.
    program: Pattern,
    /// Variant of the protocol.
    rules: Rules,
    /// Receivers limited the data in flight to them by permits.
    permits: bool,
    /// Time that node 0 computed before it read.
    asleep_us: u64,
    /// Share of frames lost on links from nodes.
    lose: String,
    #[serde(flatten)]
    library: library_cost::Chosen,
    /// A run for each size.
    sizes: Vec<Line>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { nodes, program, rules, permits, lose, .. } = self;
        let typed = |value: Option<clap::builder::PossibleValue>| {
            value.map_or(String::new(), |value| value.get_name().to_string())
        };
        let (program, rules) = (typed(program.to_possible_value()), typed(rules.to_possible_value()));
        let permits = if *permits { "on" } else { "off" };
        writeln!(f, "{program}, {nodes} nodes at 100 Mbit/s, rules {rules}, permits {permits}, {lose} lost")?;
        writeln!(
            f,
            "{:>8}{:>12}{:>9}{:>7}{:>9}{:>7}{:>9}{:>9}{:>8}{:>8}  fingerprint",
            "bytes", "us", "MB/s", "link", "sent", "again", "timeouts", "kernels", "switch", "wires"
        )?;
        for line in &self.sizes {
            writeln!(
                f,
                "{:>8}{:>12.1}{:>9.3}{:>6.1}%{:>9}{:>7}{:>9}{:>9}{:>8}{:>8}  {}",
                line.bytes,
                line.elapsed_ps as f64 / 1e6,
                line.megabytes_per_second,
                line.link_percent,
                line.sent,
                line.again,
                line.timeouts,
                line.dropped_by_kernels,
                line.dropped_by_switch,
                line.lost_on_wires,
                line.fingerprint,
            )?;
        }
        if self.library.is_given() {
            for Line { bytes, library_ps, .. } in &self.sizes {
                writeln!(
                    f,
                    "library of all nodes, messages of {bytes} bytes: {} us",
                    output::us(*library_ps)
                )?;
            }
        }
        write!(f, "us: all messages of a size. kernels, switch, wires: frames that were lost there.")
    }
}
