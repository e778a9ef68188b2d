//! Time supplied by the caller.

use core::ops::Add;
use core::time::Duration;

/// A time in nanoseconds since an origin of the caller's choice.
///
/// Suci has no clock. Programs pass the time of a monotonic clock, simulations virtual time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(u64);

impl Instant {
    /// Origin of the caller's time.
    pub const ZERO: Self = Self(0);

    /// Time `nanos` after [`Instant::ZERO`].
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    /// Nanoseconds since [`Instant::ZERO`].
    pub const fn nanos(self) -> u64 {
        self.0
    }

    /// Time since `earlier`; zero if that is later.
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }

    /// The same time relative to another one; [`Instant::ZERO`] if it is earlier.
    pub(crate) const fn counted_from(self, start: Self) -> Self {
        Self(self.0.saturating_sub(start.0))
    }
}

impl Add<Duration> for Instant {
    type Output = Self;

    fn add(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)))
    }
}
