//! Virtual time in integer picoseconds, and clock domains.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Mul, Sub};

use hdl::{Clock, Edges, MOST_CLOCKS};

/// A point in virtual time, in picoseconds since the cluster was switched on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Time(u64);

/// A length of virtual time in picoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration(u64);

impl Time {
    /// The instant at which the cluster is switched on.
    pub const ZERO: Time = Time(0);

    /// Later than any event.
    pub const END: Time = Time(u64::MAX);

    /// The instant `picoseconds` after the start.
    pub const fn from_ps(picoseconds: u64) -> Self {
        Time(picoseconds)
    }

    /// Picoseconds since the start.
    pub const fn ps(self) -> u64 {
        self.0
    }

    /// The instant `duration` earlier, but not before the start.
    pub const fn saturating_sub(self, duration: Duration) -> Time {
        Time(self.0.saturating_sub(duration.0))
    }
}

impl Duration {
    /// Zero length.
    pub const ZERO: Duration = Duration(0);

    /// A duration of `picoseconds`.
    pub const fn from_ps(picoseconds: u64) -> Self {
        Duration(picoseconds)
    }

    /// A duration of `nanoseconds`.
    pub const fn from_ns(nanoseconds: u64) -> Self {
        Duration(nanoseconds * 1_000)
    }

    /// A duration of `microseconds`.
    pub const fn from_us(microseconds: u64) -> Self {
        Duration(microseconds * 1_000_000)
    }

    /// Length in picoseconds.
    pub const fn ps(self) -> u64 {
        self.0
    }
}

// The engine compares times at each edge. Derived comparisons are three nested calls in builds that inline little.
impl Ord for Time {
    #[inline(always)]
    fn cmp(&self, other: &Time) -> Ordering {
        self.0.cmp(&other.0)
    }

    #[inline(always)]
    fn min(self, other: Time) -> Time {
        if other.0 < self.0 { other } else { self }
    }

    #[inline(always)]
    fn max(self, other: Time) -> Time {
        if other.0 > self.0 { other } else { self }
    }
}

impl PartialOrd for Time {
    #[inline(always)]
    fn partial_cmp(&self, other: &Time) -> Option<Ordering> {
        Some(self.cmp(other))
    }

    #[inline(always)]
    fn lt(&self, other: &Time) -> bool {
        self.0 < other.0
    }

    #[inline(always)]
    fn le(&self, other: &Time) -> bool {
        self.0 <= other.0
    }

    #[inline(always)]
    fn gt(&self, other: &Time) -> bool {
        self.0 > other.0
    }

    #[inline(always)]
    fn ge(&self, other: &Time) -> bool {
        self.0 >= other.0
    }
}

impl Add<Duration> for Time {
    type Output = Time;

    fn add(self, duration: Duration) -> Time {
        Time(self.0 + duration.0)
    }
}

impl AddAssign<Duration> for Time {
    fn add_assign(&mut self, duration: Duration) {
        self.0 += duration.0;
    }
}

impl Sub for Time {
    type Output = Duration;

    fn sub(self, earlier: Time) -> Duration {
        debug_assert!(earlier <= self, "a duration runs forward");
        Duration(self.0 - earlier.0)
    }
}

impl Add for Duration {
    type Output = Duration;

    fn add(self, other: Duration) -> Duration {
        Duration(self.0 + other.0)
    }
}

impl Sub for Duration {
    type Output = Duration;

    fn sub(self, other: Duration) -> Duration {
        debug_assert!(other <= self, "a duration is never negative");
        Duration(self.0 - other.0)
    }
}

impl Mul<u64> for Duration {
    type Output = Duration;

    fn mul(self, times: u64) -> Duration {
        Duration(self.0 * times)
    }
}

impl std::iter::Sum for Duration {
    fn sum<I: Iterator<Item = Duration>>(durations: I) -> Duration {
        durations.fold(Duration::ZERO, Add::add)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Duration(self.0).fmt(f)
    }
}

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:06} us", self.0 / 1_000_000, self.0 % 1_000_000)
    }
}

/// A clock with rising edges at `phase + k * period`, except at time 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockDomain {
    /// Time between rising edges.
    pub period: Duration,
    /// Offset of the edges within a period.
    pub phase: Duration,
}

impl ClockDomain {
    /// Number of edges up to and including `time`.
    #[inline]
    pub const fn edges_through(self, time: Time) -> u64 {
        if self.phase.0 == 0 {
            time.0 / self.period.0
        } else if time.0 < self.phase.0 {
            0
        } else {
            (time.0 - self.phase.0) / self.period.0 + 1
        }
    }

    /// Whether the clock rises at `time`.
    #[inline]
    pub const fn rises_at(self, time: Time) -> bool {
        time.0 > 0 && time.0 >= self.phase.0 && (time.0 - self.phase.0).is_multiple_of(self.period.0)
    }

    /// The first edge after `time`.
    #[inline]
    pub const fn next_after(self, time: Time) -> Time {
        self.edge(self.edges_through(time) + 1)
    }

    /// `time` if the clock rises then, or the first edge after it.
    #[inline]
    pub const fn at_or_after(self, time: Time) -> Time {
        if self.rises_at(time) { time } else { self.next_after(time) }
    }

    /// The last edge at or before `time`, if any.
    #[inline]
    pub const fn last_through(self, time: Time) -> Option<Time> {
        match self.edges_through(time) {
            0 => None,
            n => Some(self.edge(n)),
        }
    }

    /// Start of the cycle that ends at or after `time`: the last edge before `time`, or the start of time.
    #[inline]
    pub const fn cycle_before(self, time: Time) -> Time {
        match self.edges_through(Time(time.0.saturating_sub(1))) {
            0 => Time::ZERO,
            n => self.edge(n),
        }
    }

    /// Number of edges after `from` and before `to`.
    #[inline]
    pub const fn edges_inside(self, from: Time, to: Time) -> u64 {
        self.edges_through(Time(to.0.saturating_sub(1))).saturating_sub(self.edges_through(from))
    }

    /// The edge number `n`, counted from 1.
    #[inline]
    pub const fn edge(self, n: u64) -> Time {
        let first = if self.phase.0 == 0 { self.period.0 } else { self.phase.0 };
        Time(first + (n - 1) * self.period.0)
    }
}

/// The clocks of a device in virtual time, in the order of its table. Any of them may rise at the same
/// instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    domains: [ClockDomain; MOST_CLOCKS],
    count: usize,
}

impl Clocks {
    /// Clocks with the periods of a table, all in phase.
    pub const fn of(table: &[Clock]) -> Self {
        let mut domains = [ClockDomain { period: Duration(1), phase: Duration::ZERO }; MOST_CLOCKS];
        let mut clock = 0;
        while clock < table.len() {
            domains[clock].period = Duration(table[clock].period_ps);
            clock += 1;
        }
        Clocks { domains, count: table.len() }
    }

    /// The set of all clocks.
    #[inline]
    pub const fn all(&self) -> Edges {
        Edges::all(self.count)
    }

    /// Number of clocks.
    #[inline]
    pub const fn count(&self) -> usize {
        self.count
    }

    /// The clock with this index.
    #[inline]
    pub const fn domain(&self, clock: usize) -> ClockDomain {
        self.domains[clock]
    }

    /// All clocks, in the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = ClockDomain> {
        self.domains[..self.count].iter().copied()
    }

    /// The clocks that rise at `time`.
    #[inline]
    pub const fn edges_at(&self, time: Time) -> Edges {
        let (mut edges, mut clock) = (Edges::NONE, 0);
        while clock < self.count {
            if self.domains[clock].rises_at(time) {
                edges = edges.with(Edges::of(clock));
            }
            clock += 1;
        }
        edges
    }

    /// The first instant after `time` at which a clock rises.
    pub fn next_after(&self, time: Time) -> Time {
        let next = self.iter().map(|clock| clock.next_after(time)).min();
        next.expect("a device has a clock")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn clock(name: &'static str, period_ps: u64) -> Clock {
        Clock { name, port: "clk_i", period_ps, doc: "" }
    }

    const CLOCKS: Clocks = Clocks::of(&[clock("core", 10_000), clock("network", 8_000)]);
    const CORE: ClockDomain = CLOCKS.domain(0);
    const SHIFTED: ClockDomain =
        ClockDomain { period: Duration::from_ps(8_000), phase: Duration::from_ps(3_000) };

    #[test]
    fn clock_does_not_rise_at_time_zero() {
        assert!(!CORE.rises_at(Time::ZERO));
        assert_eq!(CORE.next_after(Time::ZERO), Time(10_000));
        assert_eq!(CORE.edges_through(Time(9_999)), 0);
        assert_eq!(SHIFTED.next_after(Time::ZERO), Time(3_000));
    }

    #[test]
    fn counted_edges_equal_enumerated_ones() {
        for clock in [CORE, SHIFTED] {
            let mut walked = 0;
            for ps in (1..100_000).step_by(500) {
                walked += (ps..ps + 500).filter(|&ps| clock.rises_at(Time(ps))).count() as u64;
                assert_eq!(clock.edges_through(Time(ps + 499)), walked);
            }
            assert_eq!(clock.edges_inside(clock.edge(2), clock.edge(5)), 2);
            assert_eq!(clock.at_or_after(clock.edge(4)), clock.edge(4));
            assert_eq!(clock.cycle_before(clock.edge(4)), clock.edge(3));
            assert_eq!(clock.cycle_before(clock.edge(1)), Time::ZERO);
        }
    }

    #[test]
    fn both_clocks_rise_together_every_40_ns() {
        let mut time = Time::ZERO;
        let mut instants = Vec::new();
        while time < Time(80_000) {
            time = CLOCKS.next_after(time);
            instants.push((time.ps(), CLOCKS.edges_at(time)));
        }
        assert_eq!(instants.len(), 16);
        let both: Vec<_> =
            instants.iter().filter(|(_, edges)| *edges == Edges::all(2)).map(|(t, _)| *t).collect();
        assert_eq!(both, [40_000, 80_000]);
    }

    #[test]
    fn times_print_in_microseconds() {
        assert_eq!(Time(1_820_005).to_string(), "1.820005 us");
    }
}
