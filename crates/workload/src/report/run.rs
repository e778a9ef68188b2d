//! Numbers of one run.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use super::deliveries::{Deliveries, Delivery, RunError};
use super::statistics::Statistics;
use crate::measuring::Measurement;
use crate::schedule::Schedule;

/// Load or window of a run within a report, and its size.
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema, Serialize)]
pub struct Point {
    /// The share of a link that each sender offers, if the load is a pattern.
    pub load: Option<f64>,
    /// Messages that each sender may have without answer, if the loop is closed.
    pub window: Option<u64>,
    /// Bytes of the messages, if the load is a pattern.
    pub bytes: Option<u64>,
}

impl fmt::Display for Point {
    /// Load or window and size; nothing for a file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let load = self.load.map(|load| format!("load {load}"));
        let window = self.window.map(|window| format!("window {window}"));
        let bytes = self.bytes.map(|bytes| format!("{bytes} bytes"));
        let parts: Vec<_> = [load, window, bytes].into_iter().flatten().collect();
        f.write_str(&parts.join(", "))
    }
}

impl Point {
    /// Whether the run is of a pattern and not of a file.
    pub(super) fn is_pattern(&self) -> bool {
        self.load.is_some() || self.window.is_some()
    }

    /// Load or window as text; a dash for a file.
    pub(super) fn text(&self) -> String {
        let load = self.load.map(|load| load.to_string());
        load.or_else(|| self.window.map(|window| window.to_string())).unwrap_or_else(|| "-".into())
    }
}

/// Utilization of a link or switch.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Utilisation {
    /// Name of the link or switch.
    pub name: String,
    /// Fraction of the time in which it was busy.
    pub fraction: f64,
    /// Mean length of its queue.
    pub queue_mean: f64,
    /// Largest length of its queue.
    pub queue_most: u64,
}

/// Received bytes, over the time from the first store of all to the last poll that found a message.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Throughput {
    /// Received data in bytes.
    pub bytes: u64,
    /// From the first store of all to the last poll that found a message.
    pub time_ps: u64,
    /// Sum of the throughput of all nodes.
    pub bytes_per_second: f64,
    /// Mean receive throughput of a node in bytes per second.
    pub node_mean: f64,
    /// Receive throughput of the slowest node in bytes per second.
    pub node_least: f64,
    /// Receive throughput of the fastest node in bytes per second.
    pub node_most: f64,
}

/// Results of messages of one size, or of all.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct SizeRow {
    /// Bytes of a message; `None` where messages of several sizes are taken together.
    pub bytes: Option<u64>,
    /// Messages that arrived.
    pub messages: u64,
    /// From the sender's first store to the poll that found the message.
    pub latency: Statistics,
    /// Poll periods of the receiver in which messages arrived: the range by which latency depends on the
    /// phase of the arrival.
    pub phases: Statistics,
    /// Delay of the first store after the due time, because the sender was busy or had no room.
    pub late: Statistics,
    /// Receive throughput of these messages.
    pub throughput: Throughput,
}

/// Results of a run.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Run {
    /// Load and size of the run.
    #[serde(flatten)]
    pub point: Point,
    /// Messages that have not arrived.
    pub undelivered: u64,
    /// All messages, and then those of each size if there are several.
    pub rows: Vec<SizeRow>,
    /// One entry for each link and switch.
    pub utilisation: Vec<Utilisation>,
    /// Results of the measurement phase, for patterns. `None` if no message was created in it.
    pub measurement: Option<Measurement>,
    /// Latencies in picoseconds, each with the fraction of messages that were not slower.
    #[serde(skip)]
    pub(super) distribution: Vec<(u64, f64)>,
}

/// Largest number of points of a distribution.
const STEPS: usize = 400;

impl Run {
    /// Results of a run with these deliveries.
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
        Ok(Run {
            point,
            undelivered: *undelivered,
            rows,
            utilisation,
            measurement: None,
            distribution: distribution(&sorted),
        })
    }

    /// The same run with the results of its measurement phase.
    pub fn with_measurement(self, measurement: Option<Measurement>) -> Run {
        Run { measurement, ..self }
    }
}

impl SizeRow {
    /// Row of these messages and their sorted latencies; `None` without messages.
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
        // The time may be 0 in results from elsewhere.
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

/// Points of the cumulative distribution: some of the sorted values, each with the fraction of values not
/// above it.
fn distribution(sorted: &[u64]) -> Vec<(u64, f64)> {
    let steps = sorted.len().min(STEPS);
    let point = |step: usize| {
        let upto = sorted.len() * step / steps;
        (sorted[upto - 1], upto as f64 / sorted.len() as f64)
    };
    (1..=steps).map(point).collect()
}
