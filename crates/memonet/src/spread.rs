//! Latency of a message over the phases of the receiver's poll loop; a single phase is one sample.

use std::fmt;

use machine_api::PHASES;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

/// Mean, minimum and maximum in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Spread {
    /// Number of sampled phases.
    phases: u64,
    /// Mean latency.
    mean_us: f64,
    /// Minimum latency.
    least_us: f64,
    /// Maximum latency.
    most_us: f64,
}

impl From<machine_api::Spread> for Spread {
    fn from(machine_api::Spread { mean, least, most }: machine_api::Spread) -> Self {
        let [mean_us, least_us, most_us] = [mean, least, most].map(|time| time.ps() as f64 / 1e6);
        Spread { phases: PHASES, mean_us, least_us, most_us }
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Spread { phases, mean_us, least_us, most_us } = self;
        write!(f, "over {phases} phases of the poll loop: mean {mean_us:.3} us, ")?;
        write!(f, "least {least_us:.3}, most {most_us:.3}")
    }
}
