//! `memonet fagus`: programs that share memory, on modelled machines.

mod report;

use ::fagus::Config;
use ::fagus::programs::latencies;
use ::fagus::programs::task::{Size, Task, Which};
use clap::ValueEnum;
use cluster::{Cluster, Rates};
use lab::{Medium, Nics, pace, share};
use schemars::JsonSchema;
use serde::Serialize;

use crate::machines::{Built, Name, with_machine};
use crate::nic::{Kind, Maker};
use crate::numbers;
use crate::output::{self, Outcome};
use crate::usage;
use crate::way;
pub use report::Report;

/// Programs that share memory (Fagus), on the hosts of a modelled machine.
///
/// The same programs run over real UDP (docs/fagus.md). A result has the bits that one computer alone gives it; exit code 1 if it has not, or if a node is lost.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet fagus                                              Himeno on four boards of DIMMnet-2
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
            let nodes = share(&mut cluster, medium, config, pace, async move |dsm| task.run(&dsm).await)?;
            report.answer(task.alone(), &nodes);
            report.count(&nodes);
        }
        None => {
            let nodes =
                share(&mut cluster, medium, config, pace, async |dsm| latencies::program(&dsm).await)?;
            report.call(&nodes[1].value);
            report.count(&nodes);
        }
    }
    let report = report.end::<M>(cluster.now(), cluster.fingerprint()?);
    output::print(&report, args.json)?;
    Ok(Outcome::from(report.is_right()))
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
