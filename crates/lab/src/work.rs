//! What a machine does when somebody just wants to see it run.

use std::ops::RangeInclusive;

use cluster::{Captured, Cluster, Duration, Fingerprint, Machine, Time, UnitOf};

use crate::{Nics, Row, TimeLine, Traveled};

/// Limit of virtual time of a program; none takes a tenth of it.
pub(crate) const LIMIT: Duration = Duration::from_us(10_000_000);

/// The bytes of a frame out of what a link carried.
pub type FrameBytes<M> = fn(&[UnitOf<M>]) -> Vec<u8>;

/// A machine with a main job: one message, stage by stage.
pub trait Working: Machine {
    /// What waveforms of the job are called.
    const JOB: &'static str;
    /// Bytes of data that one message of the job carries.
    const BYTES: RangeInclusive<usize>;
    /// Bytes if nobody says how many.
    const SHORT: usize;
    /// The job's data is drawn from a seed.
    const SEEDED: bool;
    /// Programs beside the main job.
    const PROGRAMS: &'static [Program<Self>];
    /// The bytes of an Ethernet frame out of what a link carried; none where links carry something else.
    const FRAME: Option<FrameBytes<Self>>;

    /// Does the main job on two nodes.
    fn work(job: &Job, nics: &dyn Nics<Self>) -> anyhow::Result<Account<Self>>;

    /// Carries bytes from host 0 to host 1. `told` hears now and then how many have arrived.
    fn carry(bytes: Vec<u8>, nics: &dyn Nics<Self>, told: &dyn Fn(u64)) -> anyhow::Result<Carried>;
}

/// The main job.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// Bytes of data in a message.
    pub bytes: usize,
    /// Seed of the data.
    pub seed: u64,
    /// What passes on cables is kept.
    pub capture: bool,
    /// As short as it can be: for waveforms, which grow with every cycle.
    pub brief: bool,
}

/// How the main job went.
pub struct Account<M: Machine> {
    /// What was done, with its sizes.
    pub about: String,
    /// One message, or a message and its answer.
    pub line: TimeLine,
    /// Which ways it went, each for the same number of stages; empty for a message without an answer.
    pub ways: &'static [&'static str],
    /// Means over many messages: what of, and microseconds.
    pub means: Vec<(String, f64)>,
    /// Published numbers beside ours.
    pub rows: Vec<Row>,
    /// What passed on cables.
    pub captured: Vec<Captured<UnitOf<M>>>,
    /// From when on waveforms are worth recording.
    pub from: Time,
    /// When the run ended.
    pub end: Time,
    /// Of the run.
    pub fingerprint: Fingerprint,
}

/// Bytes that went from host to host.
pub struct Carried {
    /// What came.
    pub bytes: Vec<u8>,
    /// When it was all there.
    pub end: Time,
    /// Of the run.
    pub fingerprint: Fingerprint,
}

/// A program that shows what a machine is for; `With` is what it is told: the seed of its data, or how MPI goes.
pub struct Program<M: Machine, With = u64> {
    /// As it is typed.
    pub name: &'static str,
    /// What it does.
    pub doc: &'static str,
    /// Nodes that it runs on.
    pub nodes: usize,
    /// Runs it.
    pub run: fn(&mut Cluster<M>, With) -> anyhow::Result<Done>,
}

/// What a program says about its run.
pub struct Done {
    /// What it did, with its sizes.
    pub about: String,
    /// The result is what the host computes by itself.
    pub right: bool,
    /// Its parts.
    pub phases: Vec<(&'static str, Duration)>,
    /// One of its messages, if it shows where the time of one goes.
    pub message: Option<Traveled>,
}
