//! Settings of a cluster in memory, and faults of its links.

use cluster::Rates;

use crate::software;

/// Settings of a cluster. Times are in ticks; a tick has no other meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Settings of each node.
    pub node: software::Settings,
    /// Ticks from sending a frame to its arrival.
    pub latency: u32,
    /// Fault injection of the links.
    pub faults: Rates,
    /// Most ticks by which a late frame is late.
    pub lateness: u32,
    /// Seed of all random choices.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            node: software::Settings::default(),
            latency: 10,
            faults: Rates::default(),
            lateness: 50,
            seed: 1,
        }
    }
}
