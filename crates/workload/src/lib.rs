//! What runs on a cluster, and what comes out of it, whatever its machines are.
//!
//! A [`Schedule`] is a list of messages: read from a file ([`Schedule::read`], `docs/workloads.md`) or drawn from a
//! [`Pattern`]. A [`Topology`] says how switches and cables join the nodes (`docs/topologies.md`). Each node runs
//! [`drive`], which sends its part of the schedule and takes what comes for it, over whatever [`Messenger`] the node's
//! machine offers. From what the nodes return a [`Run`] has latencies and throughput, and a [`Report`] shows runs as
//! text, JSON, CSV and SVG.

mod driver;
mod duration;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod fuzz;
mod lines;
mod nodes;
mod pattern;
mod ps;
mod quote;
mod report;
mod schedule;
mod topology;
mod values;

pub use driver::{Arrival, DriveError, Messenger, NodeOutcome, Seen, SendError, Sent, drive};
pub use duration::{DurationError, LONGEST, parse_duration};
pub use files::FileError;

/// The longest CSV file that is read: 64 MB, room for the most messages of a schedule.
pub const MOST_CSV_BYTES: u64 = 64 << 20;
/// The longest TOML file that is read: 16 MB. Its parser takes up to 80 times as much memory.
pub const MOST_TOML_BYTES: u64 = 16 << 20;
pub use nodes::{MOST_NODES, NodesError};
pub use pattern::{Length, Load, Pattern, PatternError};
pub use report::{
    Deliveries, Delivery, Heading, MessageTable, Point, Report, Run, RunError, SizeRow, Statistics,
    Throughput, Utilisation,
};
pub use schedule::{MOST_MESSAGES, Message, NodePlan, Problem, ReadError, Schedule, Setting};
pub use topology::{Cable, Graph, GraphError, Port, Routes, SwitchInfo, Topology, TopologyError};
