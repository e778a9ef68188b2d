//! Results of runs: latencies, throughput and utilization of the network, as text, JSON, CSV and SVG.
//!
//! [`Deliveries`] joins the results of senders and receivers. A [`Run`] has the numbers of one load; a
//! [`Report`] presents several runs.

mod deliveries;
mod measured;
mod plot;
mod run;
mod statistics;
mod table;
#[cfg(test)]
mod tests;
mod text;

use schemars::JsonSchema;
use serde::Serialize;

use crate::measuring::{Knee, Repeated};

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
    /// Nodes on each host.
    pub per_host: usize,
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
    /// One entry for each load, size and seed.
    pub runs: Vec<Run>,
    /// Means over seeds, if there are several.
    pub repeated: Vec<Repeated>,
    /// Saturation points that were searched, one for each size.
    pub knees: Vec<KneeOfSize>,
}

/// Saturation point for messages of one size.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct KneeOfSize {
    /// Bytes of a message.
    pub bytes: u64,
    /// The saturation point.
    #[serde(flatten)]
    pub knee: Knee,
    /// Measured messages of a sender, in the shorter of the runs at these two loads.
    pub messages: u64,
}

impl KneeOfSize {
    /// Fewest measured messages of a sender: two of them may be in flight, which is 5 % of this number, the share by
    /// which a saturated network accepts less than it is offered.
    const ENOUGH: u64 = 40;

    /// The saturation point of messages of `bytes` bytes that these runs have found.
    pub fn of(bytes: u64, knee: Knee, runs: &[Run]) -> Self {
        let is_at = |run: &&Run| {
            run.point.load.is_some_and(|load| [knee.load, knee.saturated_at].contains(&Some(load)))
        };
        let measurements = runs.iter().filter(is_at).filter_map(|run| run.measurement.as_ref());
        let messages =
            measurements.map(|measurement| measurement.measured / measurement.senders.max(1)).min();
        KneeOfSize { bytes, knee, messages: messages.unwrap_or_default() }
    }
}

impl Report {
    /// A report of these runs, without repetitions and saturation points.
    pub fn of(heading: Heading, runs: Vec<Run>) -> Report {
        Report { heading, runs, repeated: Vec::new(), knees: Vec::new() }
    }
}
