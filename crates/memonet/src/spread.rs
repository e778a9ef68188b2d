//! How long a message takes over the phases of the receiver's poll loop: one phase alone is one sample.

use std::fmt;

use lab::PHASES;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

/// Mean, least and most, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Spread {
    /// How many phases there are samples of.
    phases: u64,
    /// The mean.
    mean_us: f64,
    /// The least.
    least_us: f64,
    /// The most.
    most_us: f64,
}

impl From<lab::Spread> for Spread {
    fn from(lab::Spread { mean, least, most }: lab::Spread) -> Self {
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
