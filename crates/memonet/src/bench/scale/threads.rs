//! Speedup of a cluster by two threads, compared with the speedup of an arithmetic loop.
//!
//! Parallel speedup exists in real time only, so real time is measured. All four measurements alternate, and
//! each round compares its own four, so that other load on the computer affects all of them.

use std::fmt;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use cluster::{AnyNic, Cluster, Duration, Fingerprint, Time};
use hdl::{Model, Stimulus};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;
use workload::{Length, Schedule};

use super::{saturated, start};
use crate::machines::Built;

/// Rounds; the medians are reported.
const TURNS: usize = 9;

/// Messages of all nodes together in a run, and the minimum for each node.
const MESSAGES: usize = 1 << 14;
const LEAST: usize = 8;

/// Steps of the arithmetic loop.
const STEPS: u64 = 1 << 27;

/// Speed of two threads relative to one.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Gain {
    /// Number of nodes.
    nodes: usize,
    /// Speedup of the cluster.
    cluster: f64,
    /// Speedup of an arithmetic loop without memory accesses.
    arithmetic_loop: f64,
}

/// Compares two threads with one for a saturated cluster.
pub fn measure<M: Built>(nodes: usize) -> anyhow::Result<Gain> {
    let each = (MESSAGES / nodes).max(LEAST);
    let schedule = Arc::new(saturated::<M>(nodes, Length::Messages(each as u64))?);
    let (mut cluster, mut arithmetic_loop) = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        let (one, first) = run::<M>(nodes, &schedule, 1)?;
        let (two, second) = run::<M>(nodes, &schedule, 2)?;
        anyhow::ensure!(first == second, "fingerprints on one and on two threads differ");
        cluster.push(one / two);
        arithmetic_loop.push(steps(1) / steps(2));
    }
    Ok(Gain { nodes, cluster: median(cluster), arithmetic_loop: median(arithmetic_loop) })
}

/// Seconds for creating and running a cluster, and its fingerprint.
fn run<M: Built>(
    nodes: usize,
    schedule: &Arc<Schedule>,
    threads: usize,
) -> anyhow::Result<(f64, Fingerprint)> {
    let begin = Time::ZERO + M::ready(nodes);
    let nic = |_| Ok(Box::new(Model::new(M::Device::default())) as Box<AnyNic<M>>);
    let from = Instant::now();
    let ran = cluster::run::<M, _, _>(
        &M::topology(nodes),
        &M::Settings::default(),
        threads,
        M::ready(nodes) + Duration::from_us(100_000),
        nic,
        |part: &mut Cluster<M>| start(part, schedule, begin),
        |_, _| (),
    )
    .context("running a cluster on threads")?;
    Ok((from.elapsed().as_secs_f64(), ran.fingerprint))
}

/// Seconds for the arithmetic loop, its steps divided among `threads` threads.
fn steps(threads: u64) -> f64 {
    let from = Instant::now();
    std::thread::scope(|scope| {
        for seed in 0..threads {
            scope.spawn(move || {
                let mut random = Stimulus::new(seed);
                black_box((0..STEPS / threads).fold(0, |sum: u64, _| sum.wrapping_add(random.word())))
            });
        }
    });
    from.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

impl fmt::Display for Gain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Gain { nodes, cluster, arithmetic_loop } = self;
        write!(
            f,
            "{nodes:>6}  saturated, two threads: {cluster:.2} times as fast as one; a loop: {arithmetic_loop:.2}; {:.2} of that",
            cluster / arithmetic_loop
        )
    }
}
