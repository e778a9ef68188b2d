//! `memonet fagus`: shared-memory programs on modelled machines.

mod report;

use ::fagus::Config;
use ::fagus::programs::latencies;
use ::fagus::programs::task::{Size, Task, Which};
use clap::ValueEnum;
use cluster::{Cluster, Rates};
use machine_api::{Medium, Nics, Placement, pace, share};
use schemars::JsonSchema;
use serde::Serialize;

use crate::carrier_options;
use crate::machines::{Built, Name, with_machine};
use crate::nic::{Kind, Maker};
use crate::numbers;
use crate::output::{self, Outcome};
use crate::per_node;
use crate::usage;
pub use report::Report;

/// Run a shared-memory program (Fagus) on a modelled machine.
///
/// The same programs also run over real UDP (docs/fagus.md). Results are compared bit by bit with those of a
/// single computer. Exit code 1 if they differ or a node is lost.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet fagus                                              Himeno on four boards of DIMMnet-2
  memonet fagus -n 2 --program latencies                     what a miss, a lock and a barrier take
  memonet fagus -n 3 --nic lockstep --program lu
  memonet fagus --library-cost counted                       with the instructions of Fagus and MPI
  memonet fagus -n 4 --per-node 2                            two Fagus nodes on each of two boards")]
pub struct Args {
    /// Number of Fagus nodes; each has a host of its own unless --per-node places more on one.
    #[arg(long, short = 'n', value_name = "COUNT", default_value_t = 4, value_parser = numbers::within::<u16>(1..=64, "the number of nodes"))]
    nodes: u16,
    /// Machine to simulate.
    #[arg(long, value_enum, default_value_t)]
    pub machine: Name,
    /// Program to run.
    #[arg(long, value_enum, value_name = "NAME", default_value = "himeno")]
    program: Program,
    /// Dimensions of the problem.
    #[arg(long, value_enum, value_name = "NAME", default_value = "tiny")]
    size: ProblemSize,
    /// Iterations of Himeno and SOR, time steps of Water.
    #[arg(long, value_name = "COUNT", default_value_t = 4, value_parser = numbers::within::<u16>(1..=10_000, "the number of iterations"))]
    iterations: u16,
    #[command(flatten)]
    per_node: per_node::Args,
    #[command(flatten)]
    way: carrier_options::Args,
    /// Implementation of the boards.
    #[arg(long, value_enum, default_value = "model")]
    nic: Kind,
    /// Interval in microseconds at which Fagus polls the network while a program computes.
    #[arg(long, value_name = "US", default_value_t = 100, value_parser = numbers::within::<u64>(1..=1_000_000, "the interval in microseconds"))]
    look: u64,
    /// Share of frames lost on links: 1%, 0.01%. Lost datagrams, PM packets and TCP segments are
    /// retransmitted.
    #[arg(long, value_name = "SHARE", value_parser = numbers::share)]
    lose: Option<u32>,
    /// Seed of losses and retransmission times.
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = numbers::number)]
    seed: u64,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// A program by its name on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
enum Program {
    /// Poisson's equation by Jacobi iteration, the paper's program.
    Himeno,
    /// Successive over-relaxation.
    Sor,
    /// Matrix product.
    Matmul,
    /// LU decomposition.
    Lu,
    /// Molecular dynamics of water.
    Water,
    /// Latencies of calls of node 1; no result.
    Latencies,
}

impl Program {
    /// The program in Fagus; `None` for `latencies`, which has no result.
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

/// A problem size by its name on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
enum ProblemSize {
    /// Himeno 18 x 9 x 9, matrices of 20 x 20, 27 molecules.
    Tiny,
    /// Himeno 33 x 33 x 65, matrices of 64 x 64, 64 molecules.
    Xs,
    /// Himeno 65 x 65 x 129, matrices of 128 x 128, 216 molecules.
    Small,
}

impl ProblemSize {
    fn size(self) -> Size {
        match self {
            ProblemSize::Tiny => Size::Tiny,
            ProblemSize::Xs => Size::Xs,
            ProblemSize::Small => Size::Small,
        }
    }
}

fn value_name(value: impl ValueEnum) -> String {
    value.to_possible_value().map_or(String::new(), |value| value.get_name().to_string())
}

/// Runs the program and prints the report.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    with_machine!(args.machine, M => on::<M>(args))
}

fn on<M: Built>(args: &Args) -> anyhow::Result<Outcome> {
    let settings = args.way.settings::<M>()?;
    args.per_node.check(args.machine)?;
    let nodes = usize::from(args.nodes);
    let placement = args.per_node.placement(nodes);
    let medium = medium::<M>(&args.way, placement)?;
    if nodes > medium.most_nodes() {
        let reason = format!("{} supports at most {} nodes", medium.name(), medium.most_nodes());
        return Err(usage::invalid("--nodes <COUNT>", nodes, reason));
    }
    if args.program == Program::Latencies && nodes < 2 {
        return Err(usage::invalid("--nodes <COUNT>", nodes, "`latencies` needs two nodes"));
    }
    let activity = machine_api::activity(format!("fagus, {}", value_name(args.program)));
    let hosts = placement.nodes();
    let boards = Maker::<M>::new(args.nic, args.seed, replay_command::<M>(args)).open(hosts)?;
    let mut cluster = Cluster::<M>::new(M::topology(hosts), boards, &settings)?;
    let loss = args.lose.unwrap_or(0);
    if loss > 0 {
        cluster.set_faults(Rates { loss, ..Rates::default() }, args.seed);
    }
    let config = Config { seed: args.seed, ..Config::default() };
    let pace = pace::<M>(&settings, medium, cluster::Duration::from_us(args.look));
    let mut report = Report::new::<M>(args, medium.name());
    match args.program.which() {
        Some(program) => {
            let task = Task { program, size: args.size.size(), iterations: args.iterations.into() };
            let nodes = share(&mut cluster, medium, config, pace, async move |dsm| task.run(&dsm).await)?;
            report.set_results(task.alone(), &nodes);
            report.set_counters(&nodes);
        }
        None => {
            let nodes =
                share(&mut cluster, medium, config, pace, async |dsm| latencies::program(&dsm).await)?;
            report.set_latencies(&nodes[1].value);
            report.set_counters(&nodes);
        }
    }
    let report = report.end::<M>(cluster.now(), cluster.fingerprint()?);
    drop(activity);
    output::print(&report, args.json)?;
    Ok(Outcome::from(report.is_right()))
}

/// The transport between nodes: a carrier of MPI packets, or datagrams.
fn medium<M: Built>(way: &carrier_options::Args, placement: Placement) -> anyhow::Result<Medium<M>> {
    let messages = || Ok(Medium::Messages(way.of::<M>()?.at(placement)));
    let Some(name) = way.carrier() else { return messages() };
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
    messages()
}

/// The command in lockstep, for the report of a divergence.
fn replay_command<M: Built>(args: &Args) -> String {
    let Args { nodes, per_node, program, size, iterations, way, look, lose, seed, .. } = args;
    let lose = lose.map_or(String::new(), |share| format!(" --lose {}", numbers::percent(share)));
    format!(
        "memonet fagus -n {nodes}{} --machine {} --program {} --size {} --iterations {iterations}{} --look {look}{lose} --seed {seed} --nic lockstep",
        per_node.typed(),
        M::NAME,
        value_name(*program),
        value_name(*size),
        way.typed()
    )
}
