//! Paths of messages and their stages.

use std::ops::RangeInclusive;

use cluster::{Duration, Machine, Stage, Time};
use hdl::StateMachineTable;
use waveform::Pick;

use crate::Nics;

/// A way to transfer a message.
#[derive(Debug)]
pub struct Path {
    /// Name on the command line.
    pub name: &'static str,
    /// Description for help.
    pub doc: &'static str,
    /// Sizes of a message in bytes.
    pub bytes: RangeInclusive<usize>,
    /// Size of a short message in bytes.
    pub short: usize,
}

/// A machine whose messages have stages.
pub trait Traced: Machine {
    /// Ways to transfer a message.
    const PATHS: &'static [Path];
    /// Places of stages, in the order in which they are drawn.
    const LANES: &'static [&'static str];
    /// Stages in their order. Waveforms, time lines and traces use these names; the index of a stage is its code
    /// in waveforms and its `id` in traces. The first one stands for no message.
    const STAGES: &'static StateMachineTable;
    /// Signals that a waveform viewer shows first.
    const SHOWN: &'static [Pick];

    /// Time between two polls of a waiting receiver.
    const POLL: Duration;

    /// Sends `bytes` bytes from host 0 to host 1 and returns the stages, from the sender's first store until
    /// the receiver's poll sees the data. The sender starts later by `phase`, so that the message meets
    /// another phase of the receiver's poll loop.
    fn transfer(
        path: &'static Path,
        bytes: usize,
        phase: Duration,
        nics: &dyn Nics<Self>,
    ) -> anyhow::Result<TimeLine>;

    /// Duration of the transfer over the phases of the poll loop.
    fn spread(path: &'static Path, bytes: usize, nics: &dyn Nics<Self>) -> anyhow::Result<Spread> {
        let phase = |n| Duration::from_ps(Self::POLL.ps() * n / PHASES);
        let total = |n| Ok(Self::transfer(path, bytes, phase(n), nics)?.total());
        let totals = (0..PHASES).map(total).collect::<anyhow::Result<Vec<_>>>()?;
        let mean = Duration::from_ps(totals.iter().map(|total| total.ps()).sum::<u64>() / PHASES);
        let (least, most) = (totals.iter().min().copied(), totals.iter().max().copied());
        Ok(Spread { mean, least: least.unwrap_or_default(), most: most.unwrap_or_default() })
    }

    /// Path with this name.
    fn path(name: &str) -> Option<&'static Path> {
        Self::PATHS.iter().find(|path| path.name == name)
    }

    /// Code of a stage in waveforms.
    fn code(stage: &str) -> u64 {
        Self::STAGES.code(stage).expect("every stage is in the list")
    }
}

/// Number of measured phases of a poll loop.
pub const PHASES: u64 = 8;

/// Duration of a message over the [phases](PHASES) of the receiver's poll loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spread {
    /// Mean over the phases.
    pub mean: Duration,
    /// Shortest duration.
    pub least: Duration,
    /// Longest duration.
    pub most: Duration,
}

/// Stages of a message, without gaps or overlaps.
#[derive(Clone, Debug)]
pub struct TimeLine {
    /// Stages in order; times count from the beginning of the run.
    pub stages: Vec<Stage>,
}

impl TimeLine {
    /// Begin of the first stage.
    pub fn begin(&self) -> Time {
        self.stages.first().map_or(Time::ZERO, |stage| stage.begin)
    }

    /// Duration of all stages.
    pub fn total(&self) -> Duration {
        self.stages.iter().map(|stage| stage.duration).sum()
    }

    /// Duration of the stages for which `is` is true.
    pub fn of(&self, is: impl Fn(&Stage) -> bool) -> Duration {
        self.stages.iter().filter(|stage| is(stage)).map(|stage| stage.duration).sum()
    }
}
