//! What comes out of a run: latencies, throughput and how busy the network was, as text, JSON, CSV and SVG.
//!
//! [`Deliveries`] joins what senders and receivers tell. A [`Run`] has the numbers of one load; a [`Report`] has runs and
//! shows them.

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

/// What all runs of a report have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Heading {
    /// The machine.
    pub machine: String,
    /// Nodes.
    pub nodes: usize,
    /// The topology: its name or its file.
    pub topology: String,
    /// The load: a pattern or a file.
    pub workload: String,
    /// What sends messages that name no primitive.
    pub primitive: String,
    /// Decides what is random, if something is.
    pub seed: Option<u64>,
}

/// Runs of one cluster.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// What they have in common.
    #[serde(flatten)]
    pub heading: Heading,
    /// The runs.
    pub runs: Vec<Run>,
}
