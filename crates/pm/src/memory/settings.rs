//! Settings of a cluster in memory, and faults of its links.

use crate::software;

/// Settings of a cluster. Times are in ticks; a tick has no other meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Settings of each node.
    pub node: software::Settings,
    /// Ticks from sending a frame to its arrival.
    pub latency: u32,
    /// Fault injection of the links.
    pub faults: Faults,
    /// Seed of all random choices.
    pub seed: u64,
}

/// Faults of the links. Chances are per million.
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
    /// Most ticks by which a late frame is late.
    pub lateness: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { node: software::Settings::default(), latency: 10, faults: Faults::default(), seed: 1 }
    }
}
