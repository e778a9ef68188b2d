//! What a cluster in memory is made of, and how bad its wires are.

use crate::software;

/// Numbers of a cluster. Times are in ticks; a tick has no other meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Of each node.
    pub node: software::Settings,
    /// Ticks that a frame is on its way.
    pub latency: u32,
    /// What the wires do to frames.
    pub faults: Faults,
    /// Seed of all that is random.
    pub seed: u64,
}

/// What wires do to frames. Chances are per million.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Chance that a frame is lost, and with it those that follow in a burst.
    pub loss: u32,
    /// Frames lost at a time; 0 counts as 1.
    pub burst: u32,
    /// Chance that a frame arrives twice.
    pub duplication: u32,
    /// Chance that a frame is late.
    pub reordering: u32,
    /// Most ticks that a late frame is late by.
    pub lateness: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { node: software::Settings::default(), latency: 10, faults: Faults::default(), seed: 1 }
    }
}
