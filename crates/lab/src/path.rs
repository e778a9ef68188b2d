//! How a message travels, stage by stage.

use std::ops::RangeInclusive;

use cluster::{Duration, Machine, Stage, Time};
use hdl::MachineTable;
use waveform::Pick;

use crate::Nics;

/// A way for a message to travel.
#[derive(Debug)]
pub struct Path {
    /// As it is typed.
    pub name: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// How many bytes fit into one message.
    pub bytes: RangeInclusive<usize>,
    /// Bytes of a short message.
    pub short: usize,
}

/// A machine whose messages can be taken apart.
pub trait Traced: Machine {
    /// Ways for a message to travel.
    const PATHS: &'static [Path];
    /// Where stages take place, in the order in which they are drawn.
    const LANES: &'static [&'static str];
    /// Stages in the order in which they follow each other. Waveforms, time lines and traces name them like this; a stage's place
    /// in the list is its code in waveforms and its `id` in traces. The first one stands for no message.
    const STAGES: &'static MachineTable;
    /// What a waveform viewer shows first.
    const SHOWN: &'static [Pick];

    /// From one look of a waiting receiver to the next.
    const POLL: Duration;

    /// Sends so many bytes from host 0 to host 1 and takes the time apart, from the first store of the sender to the sight of the receiver. The
    /// sender begins later by `phase`, so that the message meets the receiver's poll loop elsewhere.
    fn transfer(
        path: &'static Path,
        bytes: usize,
        phase: Duration,
        nics: &dyn Nics<Self>,
    ) -> anyhow::Result<TimeLine>;

    /// How long the transfer takes over the phases of the poll loop.
    fn spread(path: &'static Path, bytes: usize, nics: &dyn Nics<Self>) -> anyhow::Result<Spread> {
        let phase = |n| Duration::from_ps(Self::POLL.ps() * n / PHASES);
        let total = |n| Ok(Self::transfer(path, bytes, phase(n), nics)?.total());
        let totals = (0..PHASES).map(total).collect::<anyhow::Result<Vec<_>>>()?;
        let mean = Duration::from_ps(totals.iter().map(|total| total.ps()).sum::<u64>() / PHASES);
        let (least, most) = (totals.iter().min().copied(), totals.iter().max().copied());
        Ok(Spread { mean, least: least.unwrap_or_default(), most: most.unwrap_or_default() })
    }

    /// The path of that name.
    fn path(name: &str) -> Option<&'static Path> {
        Self::PATHS.iter().find(|path| path.name == name)
    }

    /// Code of a stage.
    fn code(stage: &str) -> u64 {
        Self::STAGES.code(stage).expect("every stage is in the list")
    }
}

/// Phases of a poll loop that are tried.
pub const PHASES: u64 = 8;

/// How long a message takes, over the [phases](PHASES) of the receiver's poll loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spread {
    /// Their mean.
    pub mean: Duration,
    /// The shortest.
    pub least: Duration,
    /// The longest.
    pub most: Duration,
}

/// The stages of one message, which follow each other without gap or overlap.
#[derive(Clone, Debug)]
pub struct TimeLine {
    /// In the order of time, which counts from the beginning of the run.
    pub stages: Vec<Stage>,
}

impl TimeLine {
    /// When the first stage begins.
    pub fn begin(&self) -> Time {
        self.stages.first().map_or(Time::ZERO, |stage| stage.begin)
    }

    /// From the beginning of the first stage to the end of the last.
    pub fn total(&self) -> Duration {
        self.stages.iter().map(|stage| stage.duration).sum()
    }

    /// The sum of these stages.
    pub fn of(&self, is: impl Fn(&Stage) -> bool) -> Duration {
        self.stages.iter().filter(|stage| is(stage)).map(|stage| stage.duration).sum()
    }
}
