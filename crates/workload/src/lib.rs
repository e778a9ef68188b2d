//! Workloads of a cluster and their results, independent of its machines.
//!
//! A [`Schedule`] is a list of messages, read from a file ([`Schedule::read`], `docs/workloads.md`) or
//! generated from a [`Pattern`]. A [`Topology`] connects the nodes by switches and cables
//! (`docs/topologies.md`). Each node runs [`drive`], which sends and receives its part of the schedule
//! through the [`Messenger`] of its machine. A [`Run`] computes latencies and throughput from the results of
//! the nodes, and a [`Measurement`] judges its steady part; a [`Report`] presents runs as text, JSON, CSV and
//! SVG.

mod driver;
mod duration;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod fuzz;
mod lines;
mod measuring;
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

/// Largest CSV file in bytes: 64 MB, enough for the longest schedule.
pub const MOST_CSV_BYTES: u64 = 64 << 20;
/// Largest GOAL file in bytes: 64 MB, two million operations.
pub const MOST_GOAL_BYTES: u64 = 64 << 20;
/// Largest TOML file in bytes: 16 MB. The parser needs up to 80 times as much memory.
pub const MOST_TOML_BYTES: u64 = 16 << 20;
pub use measuring::{
    Conditions, Interval, Knee, Measurement, PhaseLengths, Phases, Rate, Repeated, WarmUp, find_knee,
};
pub use nodes::{MOST_NODES, NodesError};
pub use pattern::{ClosedLoop, HotSpot, Length, Load, Pattern, PatternError};
pub use report::{
    Deliveries, Delivery, Heading, KneeOfSize, MessageTable, Point, Report, Run, RunError, SizeRow,
    Statistics, Throughput, Utilisation,
};
pub use schedule::{MOST_MESSAGES, Message, NodePlan, Problem, ReadError, Schedule, Setting};
pub use topology::{Cable, Graph, GraphError, Port, Routes, SwitchInfo, Topology, TopologyError};
