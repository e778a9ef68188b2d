//! One run in numbers.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::deliveries::{Deliveries, Delivery, RunError};
use super::statistics::Statistics;
use crate::schedule::Schedule;

/// What a run was for, among the runs of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema, Serialize)]
pub struct Point {
    /// The share of a link that each sender offers, if the load is a pattern.
    pub load: Option<f64>,
    /// Bytes of the messages, if the load is a pattern.
    pub bytes: Option<u64>,
}

/// How busy a link or a switch was.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Utilisation {
    /// Its name.
    pub name: String,
    /// The part of the time in which it was.
    pub fraction: f64,
    /// Mean depth of the queue before it.
    pub queue_mean: f64,
    /// The most that were in that queue.
    pub queue_most: u64,
}

/// Bytes that arrived, over the time from the first store of all to the last look that saw a message.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Throughput {
    /// The bytes.
    pub bytes: u64,
    /// The time.
    pub time_ps: u64,
    /// Bytes in a second, all nodes together.
    pub bytes_per_second: f64,
    /// The mean of what the nodes received in a second.
    pub node_mean: f64,
    /// The node that received least.
    pub node_least: f64,
    /// The node that received most.
    pub node_most: f64,
}

/// Messages of one size, or all.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct SizeRow {
    /// Bytes of a message; `None` where messages of several sizes are taken together.
    pub bytes: Option<u64>,
    /// Messages that arrived.
    pub messages: u64,
    /// From the sender's first store to the look that saw the message.
    pub latency: Statistics,
    /// By how much latency depends on the phase at which a message falls into the receiver's poll period: that period.
    pub phases: Statistics,
    /// How much later than it should the sender began, because it was busy or had no room.
    pub late: Statistics,
    /// What arrived.
    pub throughput: Throughput,
}

/// A run.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Run {
    /// What it was for.
    #[serde(flatten)]
    pub point: Point,
    /// Messages that have not arrived.
    pub undelivered: u64,
    /// All messages, and then those of each size if there are several.
    pub rows: Vec<SizeRow>,
    /// Links and switches.
    pub utilisation: Vec<Utilisation>,
    /// Latencies in picoseconds, each with the part of the messages that took no longer.
    #[serde(skip)]
    pub(super) distribution: Vec<(u64, f64)>,
}

/// Points of a distribution.
const STEPS: usize = 400;

impl Run {
    /// What a run was like in which these messages of a schedule were delivered.
    pub fn new(
        point: Point,
        schedule: &Schedule,
        deliveries: &Deliveries,
        utilisation: Vec<Utilisation>,
    ) -> Result<Run, RunError> {
        let Deliveries { delivered, undelivered } = deliveries;
        let begin = delivered.iter().map(|delivery| delivery.first_store).min().ok_or(RunError::Nothing)?;
        let end = delivered.iter().map(|delivery| delivery.seen).max().ok_or(RunError::Nothing)?;
        let time_ps = (end - begin).ps();
        let mut sizes: BTreeMap<u64, Vec<Delivery>> = BTreeMap::new();
        for delivery in delivered {
            sizes.entry(schedule.messages()[delivery.message as usize].bytes).or_default().push(*delivery);
        }
        let (all, sorted) = SizeRow::of(None, schedule, delivered, time_ps).ok_or(RunError::Nothing)?;
        let by_size = sizes
            .iter()
            .filter_map(|(bytes, deliveries)| SizeRow::of(Some(*bytes), schedule, deliveries, time_ps))
            .map(|(row, _)| row);
        let rows =
            if sizes.len() == 1 { by_size.collect() } else { [all].into_iter().chain(by_size).collect() };
        Ok(Run { point, undelivered: *undelivered, rows, utilisation, distribution: distribution(&sorted) })
    }
}

impl SizeRow {
    /// The row of these messages, if there are any, and their latencies in order.
    fn of(
        bytes: Option<u64>,
        schedule: &Schedule,
        deliveries: &[Delivery],
        time_ps: u64,
    ) -> Option<(SizeRow, Vec<u64>)> {
        let sorted = |value: fn(&Delivery) -> u64| {
            let mut values: Vec<_> = deliveries.iter().map(value).collect();
            values.sort_unstable();
            values
        };
        let latencies = sorted(Delivery::latency_ps);
        let row = SizeRow {
            bytes,
            messages: deliveries.len() as u64,
            latency: Statistics::of(&latencies)?,
            phases: Statistics::of(&sorted(Delivery::period_ps))?,
            late: Statistics::of(&sorted(Delivery::late_ps))?,
            throughput: Throughput::of(schedule, deliveries, time_ps),
        };
        Some((row, latencies))
    }
}

impl Throughput {
    fn of(schedule: &Schedule, deliveries: &[Delivery], time_ps: u64) -> Throughput {
        let mut nodes = vec![0; schedule.nodes()];
        for delivery in deliveries {
            let message = &schedule.messages()[delivery.message as usize];
            nodes[message.to as usize] += message.bytes;
        }
        let bytes: u64 = nodes.iter().sum();
        // No look takes no time, but what is handed in may.
        let rate = |bytes: u64| bytes as f64 * 1e12 / time_ps.max(1) as f64;
        Throughput {
            bytes,
            time_ps,
            bytes_per_second: rate(bytes),
            node_mean: rate(bytes) / nodes.len() as f64,
            node_least: rate(nodes.iter().copied().min().unwrap_or_default()),
            node_most: rate(nodes.iter().copied().max().unwrap_or_default()),
        }
    }
}

/// Some of the sorted values, with the part of all that is not above each.
fn distribution(sorted: &[u64]) -> Vec<(u64, f64)> {
    let steps = sorted.len().min(STEPS);
    let point = |step: usize| {
        let upto = sorted.len() * step / steps;
        (sorted[upto - 1], upto as f64 / sorted.len() as f64)
    };
    (1..=steps).map(point).collect()
}
