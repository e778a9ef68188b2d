//! Demonstrations of a machine.

use std::ops::RangeInclusive;

use cluster::host::LibraryCost;
use cluster::{Captured, Cluster, Duration, Fingerprint, Machine, Time, UnitOf};

use crate::{Frames, Nics, Row, TimeLine, Traveled};

/// Limit of virtual time of a program; none takes a tenth of it.
pub(crate) const LIMIT: Duration = Duration::from_us(10_000_000);

/// A machine with a main job: one message, stage by stage.
pub trait Working: Machine {
    /// Name of the job's waveforms.
    const JOB: &'static str;
    /// Sizes of a message of the job in bytes.
    const BYTES: RangeInclusive<usize>;
    /// Default size in bytes.
    const SHORT: usize;
    /// Whether the job's data is drawn from a seed.
    const SEEDED: bool;
    /// Programs in addition to the main job.
    const PROGRAMS: &'static [Program<Self>];
    /// The library that programs of the main job and of workloads call; `None` if they use the board themselves.
    const LIBRARY: Option<HostLibrary<Self>> = None;
    /// Its frames in capture files; `None` if analysers of networks do not know their format.
    const FRAMES: Option<Frames<Self>>;

    /// Runs the main job on two nodes.
    fn work(job: &Job, nics: &dyn Nics<Self>) -> anyhow::Result<Account<Self>>;

    /// Transfers bytes from host 0 to host 1. `progress` is called from time to time with the number of bytes
    /// that have arrived.
    fn carry(bytes: Vec<u8>, nics: &dyn Nics<Self>, progress: &dyn Fn(u64)) -> anyhow::Result<Carried>;
}

/// A library on the hosts of a machine whose own steps have a cost.
pub struct HostLibrary<M: Machine> {
    /// Name in messages and reports.
    pub name: &'static str,
    /// Chooses the cost.
    pub set: fn(&mut M::Settings, LibraryCost),
    /// Time that a node has spent in steps with a cost; `None` if workloads use the network interface without it.
    pub spent: Option<fn(&M::Side) -> Duration>,
}

/// Settings of the main job.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// Length of a message in bytes.
    pub bytes: usize,
    /// Seed of the data.
    pub seed: u64,
    /// Whether link traffic is recorded.
    pub capture: bool,
    /// Whether to keep the run as short as possible, for waveforms, which grow with every cycle.
    pub brief: bool,
}

/// Result of the main job.
pub struct Account<M: Machine> {
    /// Description with sizes.
    pub about: String,
    /// Stages of a message, or of a message and its answer.
    pub line: TimeLine,
    /// Directions with the same number of stages each; empty for a message without an answer.
    pub ways: &'static [&'static str],
    /// Means over many messages: name and microseconds.
    pub means: Vec<(String, f64)>,
    /// Published numbers compared with our measurements.
    pub rows: Vec<Row>,
    /// Recorded link traffic.
    pub captured: Vec<Captured<UnitOf<M>>>,
    /// Time from which waveforms are worth recording.
    pub from: Time,
    /// Time of the end of the run.
    pub end: Time,
    /// Hash of the run's observable behaviour, equal for identical runs.
    pub fingerprint: Fingerprint,
}

/// Result of a transfer.
pub struct Carried {
    /// Received bytes.
    pub bytes: Vec<u8>,
    /// Time of the last byte's arrival.
    pub end: Time,
    /// Hash of the run's observable behaviour, equal for identical runs.
    pub fingerprint: Fingerprint,
}

/// A demonstration program. `With` is its argument: the seed of its data, or the MPI settings.
pub struct Program<M: Machine, With = u64> {
    /// Name on the command line.
    pub name: &'static str,
    /// Description for help.
    pub doc: &'static str,
    /// Number of processes.
    pub processes: usize,
    /// Runs the program on a cluster.
    pub run: fn(&mut Cluster<M>, With) -> anyhow::Result<Done>,
}

/// Result of a program.
pub struct Done {
    /// Description with sizes.
    pub about: String,
    /// Whether the result equals that computed by the host alone.
    pub right: bool,
    /// Durations of its parts.
    pub phases: Vec<(&'static str, Duration)>,
    /// Stages of one of its messages, if the program reports them.
    pub message: Option<Traveled>,
}
