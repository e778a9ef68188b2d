//! Results of runs: latencies, throughput and utilization of the network, as text, JSON, CSV and SVG.
//!
//! [`Deliveries`] joins the results of senders and receivers. A [`Run`] has the numbers of one load; a
//! [`Report`] presents several runs.

mod deliveries;
mod plot;
mod run;
mod statistics;
mod table;
#[cfg(test)]
mod tests;
mod text;

use serde::Serialize;

pub use deliveries::{Deliveries, Delivery, RunError};
pub use run::{Point, Run, SizeRow, Throughput, Utilisation};
pub use statistics::Statistics;
pub use table::MessageTable;

/// Settings shared by all runs of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Heading {
    /// Name of the machine.
    pub machine: String,
    /// Number of nodes.
    pub nodes: usize,
    /// Name or file of the topology.
    pub topology: String,
    /// Pattern or file of the workload.
    pub workload: String,
    /// Primitive of messages that do not name one.
    pub primitive: String,
    /// Seed, if the workload or machine uses random numbers.
    pub seed: Option<u64>,
}

/// Runs of one cluster.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Settings shared by all runs.
    #[serde(flatten)]
    pub heading: Heading,
    /// One entry for each load and size.
    pub runs: Vec<Run>,
}
