//! Time as the caller tells it.

use core::ops::Add;
use core::time::Duration;

/// A moment, in nanoseconds since one that the caller chose.
///
/// Suci has no clock. A program gives it the time of a monotonic clock, a simulation virtual time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(u64);

impl Instant {
    /// The moment that the caller chose.
    pub const ZERO: Self = Self(0);

    /// The moment so many nanoseconds after [`Instant::ZERO`].
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    /// Nanoseconds since [`Instant::ZERO`].
    pub const fn nanos(self) -> u64 {
        self.0
    }

    /// Time since an earlier moment, none if that is later.
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }

    /// The same moment, counted from another one; [`Instant::ZERO`] if it lies before that.
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
