//! `memonet cluster`: workloads on many nodes.

mod blame;
mod counting;
mod executor;
mod measuring;
mod part;
mod play;
pub mod shifted;
mod written;

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use clap::ValueEnum;
use clap::builder::{OsStringValueParser, TypedValueParser};
use machine_api::{NetworkError, Placement};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;
use workload::{
    ClosedLoop, Deliveries, Heading, KneeOfSize, Length, Load, Measurement, MessageTable, Pattern, Point,
    ReadError, Repeated, Report, Run, Schedule, Setting, find_knee, parse_duration,
};

use crate::document::Head;
use crate::library_cost;
use crate::machines::{Built, Name, with_machine};
use crate::nic::Kind;
use crate::numbers;
use crate::output::{self, Outcome};
use crate::per_node;
use crate::shell_words::{quoted, text};
use crate::usage;
use executor::Executor;
use measuring::MeasuringArgs;
use play::{Conditions, play};

/// Run a workload on many nodes; report latency and throughput.
///
/// The report also shows the utilisation of links and buses. A workload is a traffic pattern, run for each
/// size and load, or a file that lists messages (docs/workloads.md). The network is the machine's own or
/// comes from a topology file (docs/topologies.md). The same command and seed print the same fingerprint for
/// any number of threads.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet cluster --nodes 16 --workload neighbour
  memonet cluster --nodes 64 --workload uniform --size 8,64,496 --load 0.1,0.5,1.0 --svg load.svg
  memonet cluster --nodes 16 --workload uniform --knee --svg knee.svg
  memonet cluster --nodes 16 --workload uniform --load 0.005 --measure 200us --repeat 5
  memonet cluster --nodes 3071 --workload neighbour --threads 2
  memonet cluster --nodes 32 --workload all-to-all --primitive lhs --size 48 --poll 2us
  memonet cluster --nodes 1024 --workload crates/workload/examples/sparse.toml --json
  memonet cluster --nodes 64 --topology crates/workload/examples/two-level.toml --workload all-to-all
  memonet cluster --nodes 4 --workload uniform --nic lockstep
  memonet cluster --nodes 8 --per-node 2 --workload all-to-all    eight processes on four boards

Built with --features distributed, `mpirun -n 4 memonet cluster ...` runs a part in each process (docs/distributed.md).")]
pub struct Args {
    /// Machine to simulate.
    #[arg(long, value_enum, default_value_t)]
    pub machine: Name,
    /// Number of nodes of the workload; each has a host of its own unless --per-node places more on one.
    #[arg(long, default_value_t = 16, value_parser = numbers::count)]
    nodes: usize,
    #[command(flatten)]
    per_node: per_node::Args,
    /// Topology: one-switch, back-to-back, multistage, or a topology file. Default: the machine's
    /// own network.
    #[arg(long, value_parser = non_empty())]
    topology: Option<OsString>,
    /// Workload: uniform, neighbour, incast, all-to-all, hot-spot, tornado, bit-complement, bit-reversal,
    /// transpose, or a workload file (TOML, CSV or GOAL).
    #[arg(long, value_parser = non_empty())]
    workload: OsString,
    /// Bytes of a message, for patterns. Default: 8.
    #[arg(long, value_delimiter = ',', value_parser = numbers::number)]
    size: Vec<u64>,
    /// Primitive for messages that name none: botf, rvs, ipush or lhs on DIMMnet-2, pm on GigaE PM, message on
    /// Cenju-3, rc on the channel adapter. Default: the machine's first one.
    #[arg(long, value_name = "NAME")]
    primitive: Option<String>,
    /// Load that each sender of a pattern offers, as a share of its link's byte rate. Default: 0.1.
    #[arg(long, value_delimiter = ',', allow_negative_numbers = true, value_parser = numbers::load)]
    load: Vec<f64>,
    #[command(flatten)]
    measuring: MeasuringArgs,
    #[command(flatten)]
    library: library_cost::Args,
    /// Time that a host computes between two polls of its network interface: 2us. Default: the file's value,
    /// or continuous polling.
    #[arg(long)]
    poll: Option<String>,
    /// Share of frames lost on links from nodes: 1%, 0.01%.
    #[arg(long, value_name = "SHARE", value_parser = numbers::share)]
    lose: Option<u32>,
    /// Seed of patterns and losses.
    #[arg(long, default_value_t = 1, value_parser = numbers::number)]
    seed: u64,
    /// Implementation of all boards.
    #[arg(long, value_enum, default_value = "model")]
    nic: Kind,
    /// Maximum number of threads; small clusters run on fewer if that is faster.
    #[arg(long, default_value_t = 1, value_parser = numbers::within::<u16>(1..=256, "the number of threads"))]
    threads: u16,
    /// Virtual time after which a run is aborted.
    #[arg(long, default_value = "10s")]
    limit: String,
    /// CSV file with a row for each load or window, size and seed.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// CSV file with a row for each message.
    #[arg(long, value_name = "FILE")]
    messages_csv: Option<PathBuf>,
    /// SVG file with latency over load and latency distributions. Without --csv, the table gets the same name.
    #[arg(long, value_name = "FILE", value_parser = output::svg_file())]
    svg: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

impl Args {
    fn sizes(&self) -> Vec<u64> {
        if self.size.is_empty() { vec![8] } else { self.size.clone() }
    }

    /// Hosts of the workload's nodes.
    fn placement(&self) -> Placement {
        self.per_node.placement(self.nodes)
    }
}

/// Names of arguments in errors.
const NODES: &str = "--nodes <NODES>";
const WORKLOAD: &str = "--workload <WORKLOAD>";

/// Runs `memonet cluster`.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let executor = Executor::find(args.threads.into())?;
    let checked = executor.check(args.threads.into());
    let report = checked.and_then(|()| with_machine!(args.machine, M => on::<M>(args, &executor)));
    if let Some(report) = executor.report_once(report)? {
        output::print(&report, args.json)?;
    }
    Ok(Outcome::Success)
}

/// Report of `memonet cluster`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ClusterReport {
    #[serde(flatten)]
    head: Head,
    /// Number of nodes.
    nodes: usize,
    /// Nodes of the workload on each host, of which the last one may have fewer; `null` for 1.
    per_node: Option<usize>,
    /// Name or file of the topology.
    topology: String,
    /// Pattern or file of the workload.
    workload: String,
    /// Primitive of messages that name none.
    primitive: String,
    #[serde(flatten)]
    library: library_cost::Chosen,
    /// A run for each size, load and seed. The head has the time and the fingerprint only if there is a single run.
    runs: Vec<RunReport>,
    /// Means over seeds for each size and load, with `--repeat`.
    repeated: Vec<Repeated>,
    /// Saturation points of each size, with `--knee`.
    knees: Vec<KneeOfSize>,
    /// Files that were written.
    #[serde(serialize_with = "crate::shell_words::paths")]
    wrote: Vec<PathBuf>,
    /// The report as text.
    #[serde(skip)]
    report: Report,
}

/// A run, its virtual time and its fingerprint.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
struct RunReport {
    #[serde(flatten)]
    run: Run,
    /// Virtual time of the run.
    simulated_ps: u64,
    /// Time that all hosts spent in steps of their library that have a cost.
    library_ps: u64,
    /// Fingerprint of the run.
    fingerprint: String,
}

/// A load of a workload, ready to run.
struct Part {
    point: Point,
    schedule: Arc<Schedule>,
    seed: u64,
    /// Conditions of the measurement of a pattern.
    measured: Option<workload::Conditions>,
}

/// Runs all loads. Of several processes, only the first returns a report.
fn on<M: Built>(args: &Args, executor: &Executor) -> anyhow::Result<Option<ClusterReport>> {
    let limit = usage::duration("--limit <LIMIT>", &args.limit)?;
    written::check(args)?;
    args.per_node.check(args.machine)?;
    let topology = topology::<M>(args)?;
    let primitive = primitive::<M>(args)?;
    if args.measuring.knee {
        executor.check_alone("--knee")?;
    }
    let parts = schedules::<M>(args, primitive)?;
    let command = command_line(args);
    let messages_of = |part: &Part| part.schedule.messages().len() as u64;
    let progress = machine_api::progress("cluster", parts.iter().map(messages_of).sum(), "messages");
    let settings = args.library.settings_of_workload::<M>()?;
    let conditions = Conditions {
        settings: &settings,
        progress: &progress,
        topology: &topology,
        placement: args.placement(),
        nic: args.nic,
        executor,
        loss: args.lose.unwrap_or(0),
        seed: args.seed,
        limit,
        command: &command,
    };
    let heading = heading::<M>(args, primitive);
    let mut messages = match &args.messages_csv {
        Some(path) => Some(MessageTable::create(path).with_context(|| written::about(path))?),
        None => None,
    };
    let head = Head::of_run::<M>("cluster", args.nic).seeded(heading.seed);
    let mut report = ClusterReport {
        head: head.clone(),
        nodes: args.nodes,
        per_node: args.per_node.given(),
        topology: text(topology_name::<M>(args)),
        workload: text(&args.workload),
        primitive: primitive.to_owned(),
        library: args.library.chosen(library_cost::is_in_workloads::<M>()),
        runs: Vec::new(),
        repeated: Vec::new(),
        knees: Vec::new(),
        wrote: Vec::new(),
        report: Report::of(heading, Vec::new()),
    };
    let mut measure = |part: Part, report: &mut ClusterReport| -> anyhow::Result<bool> {
        let Part { point, schedule, seed, measured } = part;
        progress.set_message(format!("cluster, {point}").trim_end_matches(", ").to_owned());
        let Some(results) = play::<M>(&schedule, &Conditions { seed, ..conditions })? else {
            return Ok(false);
        };
        let deliveries = Deliveries::of(&schedule, &results.outcomes)?;
        if let Some(table) = &mut messages {
            table.add(point, seed, &schedule, &deliveries)?;
        }
        let measurement = measured.and_then(|measured| Measurement::of(&measured, &schedule, &deliveries));
        let saturated = measurement.as_ref().is_some_and(|measurement| measurement.saturated);
        if args.measuring.knee && measurement.is_none() {
            anyhow::bail!("no message was measured at {point}; take a longer time");
        }
        let run = Run::new(point, &schedule, &deliveries, results.utilisation)?.with_measurement(measurement);
        report.report.runs.push(run.clone());
        let (simulated_ps, fingerprint) = (results.end.ps(), results.fingerprint.to_string());
        let library_ps = results.library.ps();
        report.runs.push(RunReport { run, simulated_ps, library_ps, fingerprint });
        // Several runs have no common time or fingerprint.
        report.head = match report.runs.len() {
            1 => head.clone().until::<M>(results.end).marked(results.fingerprint),
            _ => head.clone(),
        };
        Ok(saturated)
    };
    if args.measuring.knee {
        for bytes in args.sizes() {
            let first = report.runs.len();
            let mut tried = Vec::new();
            let mut run = |load| {
                let part = part::<M>(args, primitive, at_load(load, bytes), args.seed)?;
                progress.inc_length(messages_of(&part));
                measure(part, &mut report)
            };
            let knee = find_knee(|load| {
                tried.push(load);
                run(load)
            })?;
            for load in knee.curve().into_iter().filter(|load| !tried.contains(load)) {
                run(load)?;
            }
            let by_load =
                |a: &Run, b: &Run| a.point.load.unwrap_or(0.0).total_cmp(&b.point.load.unwrap_or(0.0));
            report.report.runs[first..].sort_by(by_load);
            report.runs[first..].sort_by(|a, b| by_load(&a.run, &b.run));
            report.knees.push(KneeOfSize::of(bytes, knee, &report.report.runs[first..]));
        }
    }
    for part in parts {
        measure(part, &mut report)?;
    }
    progress.finish_and_clear();
    if args.measuring.repeat > 1 {
        let runs = report.report.runs.chunks(args.measuring.repeat as usize);
        report.repeated = runs.filter_map(Repeated::of).collect();
    }
    report.report.repeated = report.repeated.clone();
    report.report.knees = report.knees.clone();
    if report.report.runs.is_empty() {
        return Ok(None);
    }
    if let (Some(table), Some(path)) = (messages, &args.messages_csv) {
        table.finish().with_context(|| written::about(path))?;
        report.wrote.push(path.clone());
    }
    written::write(args, &mut report)?;
    Ok(Some(report))
}

/// Settings that all runs share.
fn heading<M: Built>(args: &Args, primitive: &str) -> Heading {
    Heading {
        machine: M::TITLE.to_owned(),
        nodes: args.nodes,
        per_host: args.per_node.count(),
        topology: text(topology_name::<M>(args)),
        workload: text(&args.workload),
        primitive: primitive.to_owned(),
        seed: (pattern(args).is_some() || args.lose.is_some()).then_some(args.seed),
    }
}

/// The command that repeats the run.
fn command_line(args: &Args) -> String {
    format!(
        "memonet cluster --machine {} --nodes {}{} --workload {} --seed {}{} --nic {}",
        args.machine.folder(),
        args.nodes,
        args.per_node.typed(),
        quoted(&args.workload),
        args.seed,
        args.library.typed(),
        args.nic.name()
    )
}

/// The machines whose own network has stages of switches.
fn multistage() -> String {
    let machines = Name::value_variants().iter().copied();
    let machines = machines.filter(|machine| with_machine!(*machine, M => machine_api::is_multistage::<M>()));
    machines.map(|machine| format!("--machine {}", machine.folder())).collect::<Vec<_>>().join(" or ")
}

/// The requested topology, or the machine's own.
fn topology_name<M: Built>(args: &Args) -> &OsStr {
    args.topology.as_deref().unwrap_or(machine_api::own_network::<M>(args.placement().nodes()).as_ref())
}

/// The topology in the engine's representation.
fn topology<M: Built>(args: &Args) -> anyhow::Result<cluster::Topology> {
    if args.nodes == 0 || args.nodes > M::MOST_NODES {
        let reason = format!("{} has addresses for 1 to {} nodes", M::TITLE, M::MOST_NODES);
        return Err(usage::invalid(NODES, args.nodes, reason));
    }
    let name = topology_name::<M>(args);
    machine_api::network::<M>(name, args.placement().nodes()).map_err(|error| match error {
        NetworkError::Engine(error) => error.into(),
        NetworkError::OneSwitch(_) => {
            refused(name, &format_args!("{} has one switch; {} has stages of them", M::TITLE, multistage()))
        }
        NetworkError::Topology(error) => refused(name, &error),
    })
}

/// The error of a topology that cannot be had.
fn refused(name: &OsStr, reason: &dyn fmt::Display) -> anyhow::Error {
    usage::invalid("--topology <TOPOLOGY>", text(name), reason)
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

/// A parser of names, which are not empty.
fn non_empty() -> impl TypedValueParser<Value = OsString> {
    OsStringValueParser::new()
        .try_map(|name| if name.is_empty() { Err("a name is not empty") } else { Ok(name) })
}

/// The pattern of the workload, if it is not a file.
fn pattern(args: &Args) -> Option<Pattern> {
    args.workload.to_str().and_then(Pattern::named)
}

/// The workload: one schedule from a file, or one for each size, load and seed. A search for the knee has none
/// in advance, but its highest load is checked.
fn schedules<M: Built>(args: &Args, primitive: &str) -> anyhow::Result<Vec<Part>> {
    args.measuring.check(pattern(args))?;
    if pattern(args).is_none() {
        let of_points = [(!args.size.is_empty(), "--size"), (!args.load.is_empty(), "--load")];
        let of_points = of_points.into_iter().find_map(|(is_given, name)| is_given.then_some(name));
        if let Some(option) = args.measuring.of_patterns().or(of_points) {
            let names = Pattern::ALL.map(Pattern::name).join(", ");
            return Err(usage::invalid(
                WORKLOAD,
                text(&args.workload),
                format_args!("{option} is for patterns: {names}"),
            ));
        }
        return Ok(vec![part::<M>(args, primitive, Point::default(), args.seed)?]);
    }
    let mut parts = Vec::new();
    for bytes in args.sizes() {
        if args.measuring.knee {
            part::<M>(args, primitive, at_load(1.0, bytes), args.seed)?;
            continue;
        }
        for point in args.measuring.points(&args.load, bytes) {
            for number in 0..args.measuring.repeat {
                parts.push(part::<M>(args, primitive, point, args.seed.wrapping_add(number))?);
            }
        }
    }
    Ok(parts)
}

fn at_load(load: f64, bytes: u64) -> Point {
    Point { load: Some(load), window: None, bytes: Some(bytes) }
}

/// The workload file, or the pattern with messages of a size at a load or window.
fn part<M: Built>(args: &Args, primitive: &str, point: Point, seed: u64) -> anyhow::Result<Part> {
    let names: Vec<_> = M::PRIMITIVES.iter().map(|(name, _)| *name).collect();
    let limits =
        |name: &str| M::PRIMITIVES.iter().find(|(known, _)| *known == name).map(|(_, most)| most.clone());
    let setting = Setting { nodes: args.nodes, primitive, primitives: &names, limits: &limits };
    let wrong = |error: &dyn fmt::Display| usage::invalid(WORKLOAD, text(&args.workload), error);
    let poll = args
        .poll
        .as_ref()
        .map(|text| parse_duration(text).map_err(|error| usage::invalid("--poll <POLL>", text, error)));
    let poll = poll.transpose()?;
    let polled = |schedule: Schedule| {
        M::begin(&schedule, args.placement()).map_err(|error| wrong(&error))?;
        Ok::<_, anyhow::Error>(Arc::new(poll.into_iter().fold(schedule, Schedule::with_poll)))
    };
    let Some(pattern) = pattern(args) else {
        let schedule = Schedule::read(Path::new(&args.workload), &setting).map_err(|error| match error {
            ReadError::Kind { .. } => wrong(&format_args!(
                "a workload is {}, or a file whose name ends in .toml, .csv or .goal",
                Pattern::ALL.map(Pattern::name).join(", ")
            )),
            error => wrong(&error),
        })?;
        return Ok(Part { point, schedule: polled(schedule)?, seed, measured: None });
    };
    let (bytes, share) = (point.bytes.unwrap_or_default(), point.load.unwrap_or_default());
    let length = args.measuring.length()?;
    let hot = args.measuring.hot_spot();
    let link = M::link_rate();
    let schedule = match point.window {
        Some(window) => {
            let messages = args.measuring.messages();
            pattern.closed(&ClosedLoop { bytes, window, messages, seed, hot }, &setting)
        }
        None => pattern.schedule(&Load { bytes, share, link, length, seed, hot }, &setting),
    };
    let schedule = schedule.map_err(|error| blame::refused(args, bytes, share, &error))?;
    let sending = match length {
        Length::Time(time) => Some(time),
        Length::Messages(_) => None,
    };
    let lengths = args.measuring.phases()?;
    Ok(Part {
        point,
        schedule: polled(schedule)?,
        seed,
        measured: Some(workload::Conditions { lengths, sending, link, seed }),
    })
}

impl fmt::Display for ClusterReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "nic {}; {}", self.head.nic_name(), self.report)?;
        writeln!(f)?;
        for path in &self.wrote {
            writeln!(f, "wrote {}", path.display())?;
        }
        if let Some(comparison) = self.head.comparison() {
            writeln!(f, "{comparison}")?;
        }
        let line = |RunReport { simulated_ps, library_ps, fingerprint, .. }: &RunReport| {
            let library = match library_ps {
                0 => String::new(),
                ps => format!(", library {} us of all hosts", output::us(*ps)),
            };
            format!("{} us simulated{library}, fingerprint {fingerprint}", output::us(*simulated_ps))
        };
        let lines: Vec<_> = self.runs.iter().map(line).collect();
        write!(f, "{}", lines.join("\n"))
    }
}
