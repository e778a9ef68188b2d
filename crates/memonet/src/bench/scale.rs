//! Speed of clusters of many nodes: node cycles per second of processor time.
//!
//! Only models are measured, and only after all nodes are initialised. Times are those of the thread, so
//! other load on the computer does not count. Memory is the growth of the process since before the nodes were
//! created, without their schedule; only the first cluster reports it, because the later ones reuse the
//! memory that it freed.

mod threads;

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use anyhow::Context;
use cluster::{AnyNic, Cluster, Time};
use hdl::Model;
use machine_api::Placement;
use rustix::time::ClockId;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;
use workload::{HotSpot, Length, Load, Pattern, Schedule, Setting};

use self::threads::Gain;
use super::processor;

use crate::cluster::shifted::ShiftedMessenger;
use crate::document::Head;
use crate::machines::{Built, Name, with_machine};
use crate::nic::Kind;

/// Each node sends 8 bytes to the next one every 10 us; a host polls its network interface every 2.5 us.
const SPARSE: &str = include_str!("../../../workload/examples/sparse.toml");

/// Virtual time that is measured.
const SLICE: cluster::Duration = cluster::Duration::from_us(100);

/// Speed of a cluster under one load.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
struct Row {
    /// Number of nodes.
    nodes: usize,
    /// `saturated`, `sparse` or `idle`.
    load: &'static str,
    /// Node cycles per second of processor time.
    node_cycles_per_second: f64,
    /// Processor time of a message, if all of them are sent in the measured time.
    message_us: Option<f64>,
    /// Memory of a node after creation and at the end.
    kilobytes_per_node: Option<[f64; 2]>,
}

/// Report of `memonet bench --nodes`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// Virtual time that is measured.
    slice_us: u64,
    /// Speeds of the clusters, each under three loads.
    rows: Vec<Row>,
    /// Speedup of the large clusters by two threads.
    threads: Vec<Gain>,
}

/// Load of the nodes.
const LOADS: [&str; 3] = ["saturated", "sparse", "idle"];

/// Minimum number of nodes for a measurement on two threads.
const MANY: usize = 128;

/// Measures clusters of these sizes.
pub fn measure(machine: Name, nodes: &[usize]) -> anyhow::Result<Report> {
    with_machine!(machine, M => {
        let many: Vec<_> = nodes.iter().copied().filter(|nodes| *nodes >= MANY).collect();
        let progress = machine_api::progress("bench", (LOADS.len() * nodes.len() + many.len()) as u64, "clusters");
        let mut rows = Vec::new();
        for &nodes in nodes {
            for load in LOADS {
                progress.set_message(format!("bench, {nodes} nodes, {load}"));
                rows.push(row::<M>(nodes, load, rows.is_empty())?);
                progress.inc(1);
            }
        }
        let mut threads = Vec::new();
        for nodes in many {
            progress.set_message(format!("bench, {nodes} nodes on two threads"));
            threads.push(threads::measure::<M>(nodes)?);
            progress.inc(1);
        }
        progress.finish_and_clear();
        let mut head = Head::on("bench_nodes", machine);
        head.nic = Some(Kind::Model);
        Ok(Report { head, slice_us: SLICE.ps() / 1_000_000, rows, threads })
    })
}

fn row<M: Built>(nodes: usize, load: &'static str, first: bool) -> anyhow::Result<Row> {
    let schedule = match load {
        "saturated" => Some(saturated::<M>(nodes, Length::Messages(400))?),
        "sparse" => Some(sparse::<M>(nodes)?),
        _ => None,
    };
    let schedule = schedule.map(Arc::new);
    let before = memory()?;
    let mut cluster = of_models::<M>(nodes)?;
    let made = memory()?;
    let begin = Time::ZERO + M::ready(nodes);
    if let Some(schedule) = &schedule {
        start(&mut cluster, schedule, begin);
    }
    let messages = schedule.map_or(0, |schedule| schedule.messages().len());
    cluster.run_until(begin)?;
    let from = processor::seconds(ClockId::ThreadCPUTime);
    cluster.run_until(begin + SLICE)?;
    let seconds = processor::seconds(ClockId::ThreadCPUTime) - from;
    let cycles = SLICE.ps() / M::CLOCKS.domain(0).period.ps();
    let per_node = |bytes: u64| bytes.saturating_sub(before) as f64 / 1024.0 / nodes as f64;
    Ok(Row {
        nodes,
        load,
        node_cycles_per_second: (cycles * nodes as u64) as f64 / seconds,
        message_us: (load == "sparse").then(|| seconds * 1e6 / messages as f64),
        kilobytes_per_node: first.then_some([per_node(made), per_node(memory()?)]),
    })
}

/// Runs the sparse load for some microseconds after the start of all nodes.
pub fn sparse_for<M: Built>(nodes: usize, microseconds: u64) -> anyhow::Result<()> {
    let schedule = Arc::new(sparse::<M>(nodes)?);
    let begin = Time::ZERO + M::ready(nodes);
    let mut cluster = of_models::<M>(nodes)?;
    start(&mut cluster, &schedule, begin);
    Ok(cluster.run_until(begin + cluster::Duration::from_us(microseconds))?)
}

/// Freshly reset nodes on one switch; on two cables if there are two nodes.
fn of_models<M: Built>(nodes: usize) -> anyhow::Result<Cluster<M>> {
    let nic = |_| Box::new(Model::new(M::Device::default())) as Box<AnyNic<M>>;
    let nics = (0..nodes).map(nic).collect();
    Ok(Cluster::<M>::new(M::topology(nodes), nics, &M::Settings::default())?)
}

/// Each node sends to the next one as fast as possible.
fn saturated<M: Built>(nodes: usize, length: Length) -> anyhow::Result<Schedule> {
    let load = Load { bytes: 8, share: 1.0, link: M::link_rate(), length, seed: 1, hot: HotSpot::default() };
    with_setting::<M, _>(nodes, |setting| Ok(Pattern::Neighbour.schedule(&load, setting)?))
}

/// Each node sends to the next one every 10 us.
fn sparse<M: Built>(nodes: usize) -> anyhow::Result<Schedule> {
    with_setting::<M, _>(nodes, |setting| Ok(Schedule::parse_toml(SPARSE, setting)?))
}

/// Passes the properties of a machine to the maker of a schedule.
fn with_setting<M: Built, T>(nodes: usize, schedule: impl FnOnce(&Setting<'_>) -> T) -> T {
    let names: Vec<_> = M::PRIMITIVES.iter().map(|(name, _)| *name).collect();
    let limits = |name: &str| -> Option<RangeInclusive<u64>> {
        M::PRIMITIVES.iter().find(|(known, _)| *known == name).map(|(_, most)| most.clone())
    };
    schedule(&Setting { nodes, primitive: names[0], primitives: &names, limits: &limits })
}

/// Starts the programs of a schedule on the cluster's local nodes.
fn start<M: Built>(cluster: &mut Cluster<M>, schedule: &Arc<Schedule>, begin: Time) {
    let plans = schedule.plans();
    let placement = Placement::new(plans.len(), 1);
    for node in cluster.here() {
        let plan = plans[node].clone();
        cluster.spawn(node, "workload", move |port| async move {
            let messenger = M::messenger(port, plan.clone(), placement).await;
            workload::drive(&mut ShiftedMessenger::begin(messenger, begin).await, &plan).await
        });
    }
}

/// Resident memory of this process in bytes.
fn memory() -> anyhow::Result<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").context("reading the size of this process")?;
    let pages: u64 =
        text.split(' ').nth(1).and_then(|pages| pages.parse().ok()).context("no number of pages")?;
    Ok(pages * rustix::param::page_size() as u64)
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let machine = self.head.machine.map_or("", Name::title);
        write!(f, "{machine}, model, one thread, {} us of virtual time", self.slice_us)?;
        write!(
            f,
            "\n{:>6}  {:10}{:>20}{:>16}{:>20}",
            "nodes", "load", "M node-cycles/s", "us a message", "KB a node, at end"
        )?;
        for row in &self.rows {
            let message = row.message_us.map_or("-".to_owned(), |us| format!("{us:.1}"));
            let kilobytes = row.kilobytes_per_node.map_or([const { String::new() }; 2], |kilobytes| {
                kilobytes.map(|kilobytes| format!("{kilobytes:.0}"))
            });
            let [made, end] = kilobytes;
            write!(
                f,
                "\n{:>6}  {:10}{:>20.2}{message:>16}{made:>12}{end:>8}",
                row.nodes,
                row.load,
                row.node_cycles_per_second / 1e6
            )?;
        }
        self.threads.iter().try_for_each(|gain| write!(f, "\n{gain}"))
    }
}
