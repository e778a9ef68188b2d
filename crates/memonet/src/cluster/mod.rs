//! `memonet cluster`: workloads on many nodes.

mod counted;
mod part;
mod place;
mod play;
pub mod shifted;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use cluster::SwitchPort;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;
use workload::{
    Deliveries, Heading, Length, Load, MessageTable, Pattern, Point, Report, Run, Schedule, Setting,
    Topology, parse_duration,
};

use crate::document::Head;
use crate::machines::{Built, Name, with_machine};
use crate::nic::Kind;
use crate::numbers;
use crate::output::{self, Outcome};
use crate::usage;
use place::Place;
use play::{Scene, play};

/// Many nodes and what they send each other: latencies, throughput, how busy links and buses are.
///
/// A workload is a pattern of traffic, run for each size and load, or a file that lists who sends what to whom when
/// (docs/workloads.md). The network is the machine's own, or what a topology file says (docs/topologies.md). The same command and seed
/// print the same fingerprint for any number of threads.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet cluster --nodes 16 --workload neighbour
  memonet cluster --nodes 64 --workload uniform --size 8,64,496 --load 0.1,0.5,1.0 --svg load.svg
  memonet cluster --nodes 3071 --workload neighbour --threads 2
  memonet cluster --nodes 32 --workload all-to-all --primitive lhs --size 48 --poll 2us
  memonet cluster --nodes 1024 --workload crates/workload/examples/sparse.toml --json
  memonet cluster --nodes 64 --topology crates/workload/examples/two-level.toml --workload all-to-all
  memonet cluster --nodes 4 --workload uniform --nic lockstep

Built with --features distributed, `mpirun -n 4 memonet cluster ...` runs a part in each process (docs/distributed.md).")]
pub struct Args {
    /// The machine.
    #[arg(long, value_enum, default_value_t)]
    machine: Name,
    /// Nodes.
    #[arg(long, default_value_t = 16, value_parser = numbers::count)]
    nodes: usize,
    /// one-switch, back-to-back, multistage on cenju3, or a topology file. If not given, what the machine has: stages of 4x4 switches on cenju3, one switch on
    /// the others.
    #[arg(long)]
    topology: Option<String>,
    /// uniform, neighbour, incast, all-to-all, transpose, or a workload file (TOML or CSV).
    #[arg(long)]
    workload: String,
    /// Bytes of a message, of patterns.
    #[arg(long, value_delimiter = ',', default_value = "8", value_parser = numbers::number)]
    size: Vec<u64>,
    /// What carries messages that name no primitive: botf, rvs, ipush or lhs on DIMMnet-2, pm on GigaE PM, rc on the channel adapter. Otherwise the
    /// first of these.
    #[arg(long, value_name = "NAME")]
    primitive: Option<String>,
    /// Share of its link's bytes that each sender of a pattern offers.
    #[arg(long, value_delimiter = ',', default_value = "0.1")]
    load: Vec<f64>,
    /// Messages of each sender of a pattern.
    #[arg(long, default_value_t = 16, conflicts_with = "time", value_parser = numbers::positive)]
    messages: u64,
    /// In place of a number of messages, for how long senders of a pattern go on: 200us, 1ms.
    #[arg(long)]
    time: Option<String>,
    /// For how long a host computes between two looks at its network interface: 2us. Otherwise it looks all the time, or as
    /// the file says.
    #[arg(long)]
    poll: Option<String>,
    /// Frames that links from nodes lose: 1%, 0.01%.
    #[arg(long, value_name = "SHARE", value_parser = numbers::share)]
    lose: Option<u32>,
    /// Seed of patterns and of losses.
    #[arg(long, default_value_t = 1, value_parser = numbers::number)]
    seed: u64,
    /// What stands behind the pins of all nodes.
    #[arg(long, value_enum, default_value = "model")]
    nic: Kind,
    /// Threads at most; few nodes run on fewer where that is faster.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Virtual time after which a run is given up.
    #[arg(long, default_value = "10s")]
    limit: String,
    /// File for a row for each load and size.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// File for a row for each message.
    #[arg(long, value_name = "FILE")]
    messages_csv: Option<PathBuf>,
    /// File for curves: latency over load, and distributions.
    #[arg(long, value_name = "FILE", value_parser = output::svg_file())]
    svg: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Runs `memonet cluster`.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let place = Place::find(args.threads.into())?;
    let checked = place.check(args.threads.into());
    let report = checked.and_then(|()| with_machine!(args.machine, M => on::<M>(args, &place)));
    if let Some(report) = place.once(report)? {
        output::print(&report, args.json)?;
    }
    Ok(Outcome::Success)
}

/// Runs of one command.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ClusterReport {
    #[serde(flatten)]
    head: Head,
    /// Nodes.
    nodes: usize,
    /// The topology: its name or its file.
    topology: String,
    /// The load: a pattern or a file.
    workload: String,
    /// What sends messages that name no primitive.
    primitive: String,
    /// One for each size and load. The head has the time and the fingerprint of a single one.
    runs: Vec<Ran>,
    /// Files that were written.
    wrote: Vec<PathBuf>,
    /// As people read it.
    #[serde(skip)]
    report: Report,
}

/// A run with what says that it was the same.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
struct Ran {
    #[serde(flatten)]
    run: Run,
    /// Virtual time of the run.
    simulated_ps: u64,
    /// Fingerprint of the run.
    fingerprint: String,
}

/// One load of a workload.
struct Part {
    point: Point,
    schedule: Arc<Schedule>,
}

/// Runs all loads; of several processes the first one tells.
fn on<M: Built>(args: &Args, place: &Place) -> anyhow::Result<Option<ClusterReport>> {
    let topology = topology::<M>(args)?;
    let primitive = primitive::<M>(args)?;
    let parts = schedules::<M>(args, primitive)?;
    let command = format!(
        "memonet cluster --machine {} --nodes {} --workload {} --seed {} --nic {}",
        args.machine.folder(),
        args.nodes,
        args.workload,
        args.seed,
        args.nic.name()
    );
    let messages_of = |part: &Part| part.schedule.messages().len() as u64;
    let progress = lab::progress("cluster", parts.iter().map(messages_of).sum(), "messages");
    let scene = Scene {
        progress: &progress,
        topology: &topology,
        nic: args.nic,
        place,
        loss: args.lose.unwrap_or(0),
        seed: args.seed,
        limit: duration("--limit <LIMIT>", &args.limit)?,
        command: &command,
    };
    let is_pattern = Pattern::named(&args.workload).is_some();
    let heading = Heading {
        machine: M::TITLE.to_owned(),
        nodes: args.nodes,
        topology: topology_name::<M>(args).to_owned(),
        workload: args.workload.clone(),
        primitive: primitive.to_owned(),
        seed: (is_pattern || args.lose.is_some()).then_some(args.seed),
    };
    let about = |path: &Path| format!("writing {}", path.display());
    let mut messages = match &args.messages_csv {
        Some(path) => Some(MessageTable::create(path).with_context(|| about(path))?),
        None => None,
    };
    let head = Head::of_run::<M>("cluster", args.nic).seeded(heading.seed);
    let mut report = ClusterReport {
        head: head.clone(),
        nodes: args.nodes,
        topology: topology_name::<M>(args).to_owned(),
        workload: args.workload.clone(),
        primitive: primitive.to_owned(),
        runs: Vec::new(),
        wrote: Vec::new(),
        report: Report { heading, runs: Vec::new() },
    };
    for Part { point, schedule } in parts {
        progress.set_message(step(&point));
        let Some(played) = play::<M>(&schedule, &scene)? else { continue };
        let deliveries = Deliveries::of(&schedule, &played.outcomes)?;
        if let Some(table) = &mut messages {
            table.add(point, &schedule, &deliveries)?;
        }
        let run = Run::new(point, &schedule, &deliveries, played.utilisation)?;
        report.report.runs.push(run.clone());
        let (simulated_ps, fingerprint) = (played.end.ps(), played.fingerprint.to_string());
        report.runs.push(Ran { run, simulated_ps, fingerprint });
        // Of several runs there is no time and no fingerprint of all.
        report.head = match report.runs.len() {
            1 => head.clone().until::<M>(played.end).marked(played.fingerprint),
            _ => head.clone(),
        };
    }
    progress.finish_and_clear();
    if report.report.runs.is_empty() {
        return Ok(None);
    }
    if let (Some(table), Some(path)) = (messages, &args.messages_csv) {
        table.finish().with_context(|| about(path))?;
        report.wrote.push(path.clone());
    }
    if let Some(path) = &args.csv {
        report.report.write_csv(path).with_context(|| about(path))?;
        report.wrote.push(path.clone());
    }
    if let Some(path) = &args.svg {
        report.report.write_svg(path).with_context(|| about(path))?;
        report.wrote.push(path.clone());
    }
    Ok(Some(report))
}

/// What a run is called while it runs.
fn step(point: &Point) -> String {
    let load = point.load.map(|load| format!(", load {load}"));
    let bytes = point.bytes.map(|bytes| format!(", {bytes} bytes"));
    ["cluster".to_owned()].into_iter().chain(load).chain(bytes).collect()
}

/// The network of machines whose own one has stages of switches.
const MULTISTAGE: &str = "multistage";

fn has_stages<M: Built>(nodes: usize) -> bool {
    M::topology(nodes) != cluster::Topology::star(nodes)
}

/// The network that was typed, or the one that the machine has.
fn topology_name<M: Built>(args: &Args) -> &str {
    let own = if has_stages::<M>(args.nodes) { MULTISTAGE } else { Topology::ONE_SWITCH };
    args.topology.as_deref().unwrap_or(own)
}

/// The network, as the engine takes it.
fn topology<M: Built>(args: &Args) -> anyhow::Result<cluster::Topology> {
    if args.nodes == 0 || args.nodes > M::MOST_NODES {
        let reason = format!("{} has addresses for 1 to {} nodes", M::TITLE, M::MOST_NODES);
        return Err(usage::invalid("--nodes <NODES>", args.nodes, reason));
    }
    let name = topology_name::<M>(args);
    if name == MULTISTAGE && has_stages::<M>(args.nodes) {
        return Ok(M::topology(args.nodes));
    }
    let found = Topology::open(name, args.nodes)
        .map_err(|error| usage::invalid("--topology <TOPOLOGY>", name, error))?;
    let (graph, routes) = match found {
        Topology::BackToBack => return Ok(cluster::Topology::back_to_back()),
        Topology::Switches { graph, routes } => (graph, routes),
    };
    let port = |(switch, port)| SwitchPort { switch, port };
    let nodes: Vec<_> = graph.nodes.iter().copied().map(port).collect();
    let cables: Vec<_> = graph.cables.iter().map(|&(one, other)| [port(one), port(other)]).collect();
    let route = |switch, node| routes.port(switch, node);
    Ok(cluster::Topology::of_switches(graph.switches.len(), &nodes, &cables, route)?)
}

fn primitive<M: Built>(args: &Args) -> anyhow::Result<&str> {
    let Some(name) = &args.primitive else { return Ok(M::PRIMITIVES[0].0) };
    if M::PRIMITIVES.iter().any(|(known, _)| known == name) {
        return Ok(name);
    }
    let known: Vec<_> = M::PRIMITIVES.iter().map(|(name, _)| *name).collect();
    let known = match known.as_slice() {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        names => names.concat(),
    };
    let reason = format!("{} carries messages by {known}", M::TITLE);
    Err(usage::invalid("--primitive <NAME>", name, reason))
}

/// The workload: one schedule from a file, or one for each size and load.
fn schedules<M: Built>(args: &Args, primitive: &str) -> anyhow::Result<Vec<Part>> {
    let names: Vec<_> = M::PRIMITIVES.iter().map(|(name, _)| *name).collect();
    let limits =
        |name: &str| M::PRIMITIVES.iter().find(|(known, _)| *known == name).map(|(_, most)| most.clone());
    let setting = Setting { nodes: args.nodes, primitive, primitives: &names, limits: &limits };
    let wrong = |error: &dyn fmt::Display| usage::invalid("--workload <WORKLOAD>", &args.workload, error);
    let poll = args.poll.as_ref().map(|text| duration("--poll <POLL>", text)).transpose()?;
    let polled = |schedule: Schedule| {
        M::begin(&schedule).map_err(|error| wrong(&error))?;
        Ok::<_, anyhow::Error>(Arc::new(poll.into_iter().fold(schedule, Schedule::with_poll)))
    };
    let Some(pattern) = Pattern::named(&args.workload) else {
        let schedule = Schedule::read(Path::new(&args.workload), &setting).map_err(|error| wrong(&error))?;
        return Ok(vec![Part { point: Point::default(), schedule: polled(schedule)? }]);
    };
    let length = match &args.time {
        Some(text) => Length::Time(duration("--time <TIME>", text)?),
        None => Length::Messages(args.messages),
    };
    let mut parts = Vec::new();
    for &bytes in &args.size {
        for &share in &args.load {
            let load = Load { bytes, share, link: M::link_rate(), length, seed: args.seed };
            let schedule = pattern.schedule(&load, &setting).map_err(|error| wrong(&error))?;
            parts.push(Part {
                point: Point { load: Some(share), bytes: Some(bytes) },
                schedule: polled(schedule)?,
            });
        }
    }
    Ok(parts)
}

fn duration(argument: &str, text: &str) -> anyhow::Result<cluster::Duration> {
    parse_duration(text).map_err(|error| usage::invalid(argument, text, error))
}

impl fmt::Display for ClusterReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "nic {}; {}", self.head.nic_name(), self.report)?;
        writeln!(f)?;
        for path in &self.wrote {
            writeln!(f, "wrote {}", path.display())?;
        }
        if let Some(divergences) = self.head.divergences {
            writeln!(f, "{divergences} divergences")?;
        }
        let line = |Ran { simulated_ps, fingerprint, .. }: &Ran| {
            format!("{} us simulated, fingerprint {fingerprint}", output::us(*simulated_ps))
        };
        let lines: Vec<_> = self.runs.iter().map(line).collect();
        write!(f, "{}", lines.join("\n"))
    }
}
