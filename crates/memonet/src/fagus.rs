//! `memonet fagus`: programs that share memory, on modelled machines.

use std::fmt;
use std::time::Duration;

use ::fagus::carrier::machine::Ended;
use ::fagus::programs::latencies;
use ::fagus::programs::task::{Answer, Size, Task, Which};
use ::fagus::{Config, Stats};
use clap::ValueEnum;
use cluster::{Cluster, Rates};
use lab::{Medium, Nics, SharedRun, pace, share};
use schemars::JsonSchema;
use serde::Serialize;

use crate::document::Head;
use crate::machines::{Built, Name, with_machine};
use crate::nic::{Kind, Maker};
use crate::numbers;
use crate::output::{self, Outcome, us};
use crate::usage;
use crate::way;

/// Programs that share memory (Fagus), on the hosts of a modelled machine.
///
/// The same programs run over real UDP (docs/fagus.md). A result has the bits that one computer alone gives it; exit code 1 if it has not, or if a node is lost.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet fagus                                              Himeno on four boards of DIMMnet-2
  memonet fagus -n 4 --machine gigae_pm --program himeno     the same over PM
  memonet fagus -n 4 --machine gigae_pm --carrier udp --lose 1%
  memonet fagus -n 4 --machine hca --carrier ud --program sor --size xs
  memonet fagus -n 2 --program latencies                     what a miss, a lock and a barrier take
  memonet fagus -n 3 --nic lockstep --program lu")]
pub struct Args {
    /// Hosts, one node of Fagus on each.
    #[arg(long, short = 'n', value_name = "COUNT", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    nodes: u16,
    /// The machine.
    #[arg(long, value_enum, default_value_t)]
    machine: Name,
    /// What they compute.
    #[arg(long, value_enum, value_name = "NAME", default_value = "himeno")]
    program: Program,
    /// How much of it.
    #[arg(long, value_enum, value_name = "NAME", default_value = "tiny")]
    size: Extent,
    /// Iterations of Himeno and SOR, steps of Water.
    #[arg(long, value_name = "COUNT", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    iterations: u16,
    #[command(flatten)]
    way: way::Args,
    /// What stands behind the pins of the boards.
    #[arg(long, value_enum, default_value = "model")]
    nic: Kind,
    /// While a program computes, Fagus looks at the network so often, in microseconds.
    #[arg(long, value_name = "US", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    look: u64,
    /// Frames that links lose: 1%, 0.01%. Datagrams are sent again, and so is what PM and TCP carry.
    #[arg(long, value_name = "SHARE", value_parser = numbers::share)]
    lose: Option<u32>,
    /// Decides which frames are lost, and when nodes send again.
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = numbers::number)]
    seed: u64,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// A program, as it is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
enum Program {
    /// Poisson's equation by Jacobi iteration, the paper's program.
    Himeno,
    /// Successive over-relaxation.
    Sor,
    /// A product of matrices.
    Matmul,
    /// LU decomposition.
    Lu,
    /// Molecules.
    Water,
    /// No result: what calls take, asked by node 1.
    Latencies,
}

impl Program {
    /// A program with a result.
    fn which(self) -> Option<Which> {
        Some(match self {
            Program::Himeno => Which::Himeno,
            Program::Sor => Which::Sor,
            Program::Matmul => Which::Matmul,
            Program::Lu => Which::Lu,
            Program::Water => Which::Water,
            Program::Latencies => return None,
        })
    }
}

/// A size, as it is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
enum Extent {
    /// Himeno 18 x 9 x 9, squares of 20, 27 molecules.
    Tiny,
    /// Himeno 33 x 33 x 65, squares of 64, 64 molecules.
    Xs,
    /// Himeno 65 x 65 x 129, squares of 128, 216 molecules.
    Small,
}

impl Extent {
    fn size(self) -> Size {
        match self {
            Extent::Tiny => Size::Tiny,
            Extent::Xs => Size::Xs,
            Extent::Small => Size::Small,
        }
    }
}

fn typed(value: impl ValueEnum) -> String {
    value.to_possible_value().map_or(String::new(), |value| value.get_name().to_string())
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    with_machine!(args.machine, M => on::<M>(args))
}

fn on<M: Built>(args: &Args) -> anyhow::Result<Outcome> {
    let settings = args.way.settings::<M>()?;
    let medium = medium::<M>(&args.way)?;
    let nodes = usize::from(args.nodes);
    if nodes > medium.most_nodes() {
        let reason = format!("{} has room for {} at most", medium.name(), medium.most_nodes());
        return Err(usage::invalid("--nodes <COUNT>", nodes, reason));
    }
    if args.program == Program::Latencies && nodes < 2 {
        return Err(usage::invalid("--nodes <COUNT>", nodes, "node 1 asks and node 0 answers"));
    }
    let boards = Maker::<M>::new(args.nic, args.seed, again::<M>(args)).open(nodes)?;
    let mut cluster = Cluster::<M>::new(M::topology(nodes), boards, &settings)?;
    let loss = args.lose.unwrap_or(0);
    if loss > 0 {
        cluster.set_faults(Rates { loss, ..Rates::default() }, args.seed);
    }
    let config = Config { seed: args.seed, ..Config::default() };
    let pace = pace::<M>(&settings, cluster::Duration::from_us(args.look));
    let mut report = Report::new::<M>(args, medium.name());
    match args.program.which() {
        Some(program) => {
            let task = Task { program, size: args.size.size(), iterations: args.iterations.into() };
            let SharedRun { nodes } =
                share(&mut cluster, medium, config, pace, async move |dsm| task.run(&dsm).await)?;
            report.answer(task.alone(), &nodes);
            report.count(&nodes);
        }
        None => {
            let SharedRun { nodes } =
                share(&mut cluster, medium, config, pace, async |dsm| latencies::program(&dsm).await)?;
            let calls = nodes[1].value.iter();
            report.calls = calls.map(|(name, time)| Call { name, took_ps: ps(*time) }).collect();
            report.count(&nodes);
        }
    }
    report.head = report.head.until::<M>(cluster.now()).marked(cluster.fingerprint()?);
    output::print(&report, args.json)?;
    Ok(Outcome::from(report.same != Some(false)))
}

/// What carries messages of nodes: a carrier of MPI, or datagrams.
fn medium<M: Built>(way: &way::Args) -> anyhow::Result<Medium<M>> {
    let Some(name) = way.carrier() else { return Ok(Medium::Messages(way.of::<M>()?)) };
    if let Some(datagrams) = Medium::datagrams(name) {
        return Ok(datagrams);
    }
    let known = M::CARRIERS.iter().map(|carrier| carrier.name);
    let known: Vec<_> = known.chain(M::DATAGRAMS.iter().map(|datagrams| datagrams.name)).collect();
    if !known.contains(&name) {
        return Err(usage::invalid(
            "--carrier <NAME>",
            name,
            format!("{} has {}", M::TITLE, known.join(", ")),
        ));
    }
    Ok(Medium::Messages(way.of::<M>()?))
}

/// The command in lockstep, for a divergence.
fn again<M: Built>(args: &Args) -> String {
    let Args { nodes, program, size, iterations, way, look, lose, seed, .. } = args;
    let lose = lose.map_or(String::new(), |share| format!(" --lose {}", numbers::percent(share)));
    format!(
        "memonet fagus -n {nodes} --machine {} --program {} --size {} --iterations {iterations}{} --look {look}{lose} --seed {seed} --nic lockstep",
        M::NAME,
        typed(*program),
        typed(*size),
        way.typed()
    )
}

fn ps(time: Duration) -> u64 {
    time.as_nanos() as u64 * 1000
}

/// How a run went.
#[derive(JsonSchema, Serialize)]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// Nodes.
    nodes: u16,
    /// What carried what they told each other.
    carrier: &'static str,
    /// What they computed.
    program: Program,
    /// How much of it.
    size: Extent,
    /// How often.
    iterations: u16,
    /// Frames that links lost.
    lose: String,
    /// Himeno's Gosa, of others the sum of all elements.
    result: Option<f64>,
    /// All nodes have the bits that one computer alone has.
    same: Option<bool>,
    /// When the last program ended.
    time_ps: u64,
    /// What calls took, of the program that is for that.
    calls: Vec<Call>,
    /// What each node counted.
    counts: Vec<Counts>,
}

/// A call.
#[derive(JsonSchema, Serialize)]
struct Call {
    /// What it was.
    name: &'static str,
    /// From the call to its end.
    took_ps: u64,
}

/// What a node counted.
#[derive(JsonSchema, Serialize)]
struct Counts {
    /// How long its program waited in calls.
    waited_ps: u64,
    /// Copies that it sent.
    copies: u64,
    /// Times that it gave ownership away.
    grants: u64,
    /// Invalidations that it sent.
    invalidations: u64,
    /// Messages, or packets of datagrams, that left.
    packets_sent: u64,
    /// Those that came.
    packets_received: u64,
    /// Pieces that were sent again.
    resent: u64,
    /// Pieces that came once more.
    repeated: u64,
}

impl From<Stats> for Counts {
    fn from(stats: Stats) -> Self {
        Counts {
            waited_ps: ps(stats.waited),
            copies: stats.copies,
            grants: stats.grants,
            invalidations: stats.invalidations,
            packets_sent: stats.packets_sent,
            packets_received: stats.packets_received,
            resent: stats.comm.resent,
            repeated: stats.comm.repeated,
        }
    }
}

impl Report {
    fn new<M: Built>(args: &Args, carrier: &'static str) -> Self {
        Report {
            head: Head::of_run::<M>("fagus", args.nic).seeded(args.seed),
            nodes: args.nodes,
            carrier,
            program: args.program,
            size: args.size,
            iterations: args.iterations,
            lose: numbers::percent(args.lose.unwrap_or(0)),
            result: None,
            same: None,
            time_ps: 0,
            calls: Vec::new(),
            counts: Vec::new(),
        }
    }

    fn answer(&mut self, alone: Answer, nodes: &[Ended<Answer>]) {
        self.result = Some(nodes[0].value.number);
        self.same = Some(nodes.iter().all(|node| node.value.bits == alone.bits));
    }

    fn count<R>(&mut self, nodes: &[Ended<R>]) {
        self.time_ps = nodes.iter().map(|node| ps(node.time)).max().unwrap_or(0);
        self.counts = nodes.iter().map(|node| node.stats.into()).collect();
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { nodes, carrier, lose, .. } = self;
        let (machine, nic) = (self.head.machine.map_or("", Name::title), self.head.nic_name());
        let program = typed(self.program);
        write!(f, "{program}")?;
        if self.program != Program::Latencies {
            write!(f, ", size {}, {} iterations", typed(self.size), self.iterations)?;
        }
        writeln!(f, ", on {nodes} nodes of {machine} over {carrier}, nic {nic}, {lose} lost")?;
        for Call { name, took_ps } in &self.calls {
            writeln!(f, "  {name:24}{:>14} us", us(*took_ps))?;
        }
        writeln!(
            f,
            "{:>6}{:>16}{:>8}{:>8}{:>8}{:>10}{:>10}{:>8}",
            "node", "waited us", "copies", "grants", "inv", "sent", "received", "again"
        )?;
        for (node, counts) in self.counts.iter().enumerate() {
            writeln!(
                f,
                "{node:>6}{:>16}{:>8}{:>8}{:>8}{:>10}{:>10}{:>8}",
                us(counts.waited_ps),
                counts.copies,
                counts.grants,
                counts.invalidations,
                counts.packets_sent,
                counts.packets_received,
                counts.resent
            )?;
        }
        writeln!(f, "{} us", us(self.time_ps))?;
        if let Some(divergences) = self.head.divergences {
            writeln!(f, "{divergences} divergences")?;
        }
        if let (Some(result), Some(same)) = (self.result, self.same) {
            // Gosa has 32 bits.
            let number = if self.program == Program::Himeno {
                format!("Gosa {:e}", result as f32)
            } else {
                format!("sum {result:e}")
            };
            let same =
                if same { "bit-equal to one computer alone" } else { "NOT what one computer alone has" };
            writeln!(f, "{number}, {same}")?;
        }
        write!(f, "fingerprint {}", self.head.fingerprint())
    }
}
