//! Clusters of many nodes: how many cycles of how many nodes pass in a second of processor time.
//!
//! Only the model, and only what passes after all nodes are set up. Times are those of the thread, so that other work on the
//! machine does not count; memory is what the process holds more than before the nodes were made.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use anyhow::Context;
use cluster::{AnyNic, Cluster, Time, Topology};
use hdl::Model;
use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;
use workload::{Length, Load, Pattern, Schedule, Setting};

use crate::cluster::shifted::Shifted;
use crate::machines::{Built, Name, with_machine};

/// Each node sends 8 bytes to the next one every 10 us; a host looks at its network interface every 2.5 us.
const SPARSE: &str = include_str!("../../../workload/examples/sparse.toml");

/// Virtual time that is measured.
const SLICE: cluster::Duration = cluster::Duration::from_us(100);

/// A cluster under one load.
#[derive(Serialize)]
struct Row {
    nodes: usize,
    load: &'static str,
    /// Cycles of nodes in a second of processor time.
    node_cycles_per_second: f64,
    /// Processor time of a message, where all of them fall into the time that is measured.
    us_per_message: Option<f64>,
    /// Memory of a node when it is made and at the end.
    kilobytes_per_node: [f64; 2],
}

/// Clusters of these sizes.
#[derive(Serialize)]
pub struct Report {
    machine: Name,
    slice_us: u64,
    rows: Vec<Row>,
}

/// Measures clusters of so many nodes.
pub fn measure(machine: Name, nodes: &[usize]) -> anyhow::Result<Report> {
    with_machine!(machine, M => {
        let mut rows = Vec::new();
        for &nodes in nodes {
            for load in ["saturated", "sparse", "idle"] {
                rows.push(row::<M>(nodes, load)?);
            }
        }
        Ok(Report { machine, slice_us: SLICE.ps() / 1_000_000, rows })
    })
}

fn row<M: Built>(nodes: usize, load: &'static str) -> anyhow::Result<Row> {
    let before = memory()?;
    let nic = |_| Box::new(Model::new(M::Device::default())) as Box<AnyNic<M>>;
    let nics = (0..nodes).map(nic).collect();
    let mut cluster = Cluster::<M>::new(Topology::star(nodes), nics, &M::Settings::default())?;
    let made = memory()?;
    let begin = Time::ZERO + M::ready(nodes);
    let messages = match load {
        "idle" => 0,
        _ => spawn(&mut cluster, &schedule::<M>(nodes, load)?, begin),
    };
    cluster.run_until(begin)?;
    let from = processor_time();
    cluster.run_until(begin + SLICE)?;
    let seconds = processor_time() - from;
    let cycles = SLICE.ps() / M::CLOCKS.domain(0).period.ps();
    let per_node = |bytes: u64| bytes.saturating_sub(before) as f64 / 1024.0 / nodes as f64;
    Ok(Row {
        nodes,
        load,
        node_cycles_per_second: (cycles * nodes as u64) as f64 / seconds,
        us_per_message: (load == "sparse").then(|| seconds * 1e6 / messages as f64),
        kilobytes_per_node: [per_node(made), per_node(memory()?)],
    })
}

/// Messages for all nodes, for as long as is measured and longer.
fn schedule<M: Built>(nodes: usize, load: &str) -> anyhow::Result<Schedule> {
    let names: Vec<_> = M::PRIMITIVES.iter().map(|(name, _)| *name).collect();
    let limits = |name: &str| -> Option<RangeInclusive<u64>> {
        M::PRIMITIVES.iter().find(|(known, _)| *known == name).map(|(_, most)| most.clone())
    };
    let setting = Setting { nodes, primitive: names[0], primitives: &names, limits: &limits };
    if load == "sparse" {
        return Ok(Schedule::parse_toml(SPARSE, &setting)?);
    }
    let load = Load { bytes: 8, share: 1.0, link: M::link_rate(), length: Length::Messages(400), seed: 1 };
    Ok(Pattern::Neighbour.schedule(&load, &setting)?)
}

/// Starts the programs of a schedule; how many messages it has.
fn spawn<M: Built>(cluster: &mut Cluster<M>, schedule: &Schedule, begin: Time) -> usize {
    let schedule = Arc::new(schedule.clone());
    for (node, plan) in schedule.plans().into_iter().enumerate() {
        let primitives = schedule.primitives().to_vec();
        cluster.spawn(node, "workload", move |port| async move {
            let messenger = M::messenger(port, primitives).await;
            workload::drive(&mut Shifted::begin(messenger, begin).await, &plan).await
        });
    }
    schedule.messages().len()
}

/// Seconds of processor time of this thread.
fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Bytes that this process holds.
fn memory() -> anyhow::Result<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").context("reading the size of this process")?;
    let pages: u64 =
        text.split(' ').nth(1).and_then(|pages| pages.parse().ok()).context("no number of pages")?;
    Ok(pages * rustix::param::page_size() as u64)
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, model, one thread, {} us of virtual time", self.machine.title(), self.slice_us)?;
        write!(
            f,
            "\n{:>6}  {:10}{:>20}{:>16}{:>20}",
            "nodes", "load", "M node-cycles/s", "us a message", "KB a node, at end"
        )?;
        for row in &self.rows {
            let message = row.us_per_message.map_or("-".to_owned(), |us| format!("{us:.1}"));
            let [made, end] = row.kilobytes_per_node;
            write!(
                f,
                "\n{:>6}  {:10}{:>20.2}{message:>16}{made:>12.0}{end:>8.0}",
                row.nodes,
                row.load,
                row.node_cycles_per_second / 1e6
            )?;
        }
        Ok(())
    }
}
