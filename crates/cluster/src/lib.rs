//! Everything around a network interface, in virtual time.
//!
//! A [`Cluster`] holds [nodes](Node) that meet in a switch or on one cable. A node is a network interface behind its
//! pins, two SO-DIMMs, a memory bus and the [programs](Host) of its host. Time is an integer number of
//! picoseconds; whatever happens at one instant happens in a fixed order, so a run gives the same
//! [fingerprint](Fingerprint) on any machine, whether idle stretches are ticked or skipped.

mod cluster;
mod fault;
mod fingerprint;
pub mod gigae;
pub mod host;
mod inspection;
mod link;
mod memory;
mod node;
pub mod programs;
mod stages;
mod switch;
mod time;
mod timeline;
mod transport;

pub use cluster::Cluster;
pub use fault::{Fault, Faults};
pub use fingerprint::{Fingerprint, Recorder as FingerprintRecorder, SAMPLE_CYCLES};
pub use host::{Buffer, Host, Output, Signal, TaskReport, Waiting};
pub use link::{Link, LinkTiming};
pub use memory::{SoDimm, Stalls};
pub use node::{AnyNic, Node};
pub use stages::{Event, Observation, Place, Predicate, Stage, StageError, Stages, Watch, WatchError};
pub use switch::{Switch, SwitchCounters, destination};
pub use time::{ClockDomain, Clocks, Duration, Time};
pub use timeline::RunError;
pub use transport::{Transport, TransportCounters};
