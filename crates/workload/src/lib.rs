//! What runs on a cluster, and what comes out of it, whatever its machines are.
//!
//! A [`Schedule`] is a list of messages, read from a file ([`Schedule::read`]) or drawn from a [`Pattern`].
//! A [`Topology`] says how switches and cables join the nodes.
//! Each node runs [`drive`] over whatever [`Messenger`] its machine offers.

mod driver;
mod duration;
mod file;
#[cfg(test)]
mod fuzz;
mod lines;
mod nodes;
mod pattern;
mod ps;
mod quote;
mod schedule;
mod topology;
mod values;

pub use driver::{Arrival, DriveError, Messenger, NodeOutcome, Seen, SendError, Sent, drive};
pub use duration::{DurationError, LONGEST, parse_duration};
pub use file::{FileError, MOST_CSV_BYTES, MOST_TOML_BYTES};
pub use nodes::{MOST_NODES, NodesError};
pub use pattern::{Length, Load, Pattern, PatternError};
pub use schedule::{MOST_MESSAGES, Message, NodePlan, Problem, ReadError, Schedule, Setting};
pub use topology::{Cable, Graph, GraphError, Port, Routes, SwitchInfo, Topology, TopologyError};
