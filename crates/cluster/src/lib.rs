//! The simulation engine: virtual time, nodes, and the network between them. It depends on no device.
//!
//! A [`Cluster`] holds [nodes](Node) that interact through cables and switches. A node consists of a network
//! interface, the environment at its pins, and programs; a [`Machine`] defines all of them. Time is an
//! integer number of picoseconds. Events of one instant happen in a fixed order, so a run has the same
//! [fingerprint](Fingerprint) on any computer, on any number of threads, and whether idle stretches are
//! executed or skipped.
//!
//! [`run`] runs a cluster in parts, each on a thread of its own. [`Parts`] is for parts that run elsewhere,
//! for example in other processes: they meet in an [`Exchange`], and [`gather`] combines their results.
//! The feature `distributed` runs parts over a real MPI.

#[cfg(feature = "distributed")]
pub mod distributed;
mod engine;
mod fabric;
pub mod host;
mod launch;
mod look;
mod machine;
mod node;
mod packets;
mod time;

pub use engine::{
    Brought, CargoOf, Cluster, Exchange, ExchangeError, Parcel, Parts, Ran, Report, RunError, gather, run,
};
pub use fabric::{
    Cable, Captured, Crossing, Destination, Direction, End, Fault, Faults, Head, Link, LinkCounters,
    LinkTiming, Rates, Routes, Switch, SwitchCounters, SwitchPort, Topology, TopologyError, Unit, stages,
    switch,
};
pub use host::{Cpu, Executor, Looking, Output, Signal, TaskReport, Waiting};
pub use launch::{Launch, WithoutMpi, refuse_copies, started_by_mpirun};
pub use look::{
    Event, Fingerprint, Log, Observation, Place, Predicate, Recorder as FingerprintRecorder, SAMPLE_CYCLES,
    Stage, StageError, Stages, Watch, WatchError,
};
pub use machine::{AnyNic, CableOf, In, Machine, Out, Side, Station, UnitOf};
pub use node::{Node, NodeId};
pub use packets::PacketTrace;
pub use time::{ClockDomain, Clocks, Duration, Time};
