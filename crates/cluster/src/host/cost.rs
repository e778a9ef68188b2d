//! What something costs a host, with its source.

use crate::Duration;

/// A cost with its source.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// What it is paid for.
    pub name: &'static str,
    /// How long it takes.
    pub duration: Duration,
    /// Where the number comes from.
    pub source: &'static str,
    /// Published measurements by which it was chosen; they do not count as reproduced.
    pub fitted_to: &'static [&'static str],
}

impl Cost {
    /// A cost that is published, or follows from what is.
    pub const fn new(name: &'static str, picoseconds: u64, source: &'static str) -> Self {
        Cost { name, duration: Duration::from_ps(picoseconds), source, fitted_to: &[] }
    }

    /// A cost that was chosen by published measurements.
    pub const fn fitted(
        name: &'static str,
        picoseconds: u64,
        source: &'static str,
        to: &'static [&'static str],
    ) -> Self {
        Cost { name, duration: Duration::from_ps(picoseconds), source, fitted_to: to }
    }
}
