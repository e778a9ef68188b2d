//! The engine: virtual time, nodes, and the network between them. It knows no device.
//!
//! A [`Cluster`] holds [nodes](Node) that meet in cables and switches. A node is a network interface behind its
//! pins, what is on those pins, and programs. What a node is made of, a [`Machine`] says. Time is an integer number of
//! picoseconds; whatever happens at one instant happens in a fixed order, so a run gives the same
//! [fingerprint](Fingerprint) on any machine, on any number of threads, whether idle stretches are ticked or skipped.
//!
//! [`run`] runs a cluster in parts, each on a thread of its own. [`Parts`] is for parts in other processes: they meet in
//! an [`Exchange`], and [`gather`] combines their results. The feature `distributed` runs them over a real MPI.

#[cfg(feature = "distributed")]
pub mod distributed;
mod engine;
mod fabric;
pub mod host;
mod launch;
mod look;
mod machine;
mod node;
mod time;

pub use engine::{
    Brought, CargoOf, Cluster, Exchange, ExchangeError, Parcel, Parts, Ran, Report, RunError, gather, run,
};
pub use fabric::{
    Cable, Captured, Crossing, Destination, Direction, End, Fault, Faults, Link, LinkCounters, LinkTiming,
    Rates, Routes, Switch, SwitchCounters, SwitchPort, Topology, TopologyError, Unit, stages, switch,
};
pub use host::{Cpu, Executor, Looking, Output, Signal, TaskReport, Waiting};
pub use launch::{Launch, WithoutMpi, refuse_copies, started_by_mpirun};
pub use look::{
    Event, Fingerprint, Log, Observation, Place, Predicate, Recorder as FingerprintRecorder, SAMPLE_CYCLES,
    Stage, StageError, Stages, Watch, WatchError,
};
pub use machine::{AnyNic, CableOf, In, Machine, Out, Side, Station, UnitOf};
pub use node::Node;
pub use time::{ClockDomain, Clocks, Duration, Time};
