//! The next edge of each clock of a node that is awake.
//!
//! Loops count by hand: they run several times an instant, and an iterator over a range is several calls per clock in
//! builds that inline little.

use hdl::{Edges, MOST_CLOCKS};

use crate::{Clocks, Time};

/// Instants of the next edges, and the clocks whose edges are not executed.
pub(super) struct NextEdges {
    clocks: Clocks,
    at: [Time; MOST_CLOCKS],
    /// Clocks whose edges change nothing until their pins change.
    resting: Edges,
}

impl NextEdges {
    /// The first edges after time 0, of all clocks.
    pub fn new(clocks: Clocks) -> NextEdges {
        let mut edges = NextEdges { clocks, at: [Time::ZERO; MOST_CLOCKS], resting: Edges::NONE };
        for clock in 0..clocks.count() {
            edges.at[clock] = clocks.domain(clock).next_after(Time::ZERO);
        }
        edges
    }

    /// Clocks whose edges are not executed.
    pub fn resting(&self) -> Edges {
        self.resting
    }

    /// Sets the clocks whose edges are not executed.
    pub fn rest(&mut self, resting: Edges) {
        self.resting = resting;
    }

    /// A resting clock continues with its edge at `at`.
    pub fn resume(&mut self, clock: usize, at: Time) {
        self.at[clock] = at;
        self.resting = self.resting.without(Edges::of(clock));
    }

    /// All clocks continue with their first edges at or after `now`.
    pub fn restart(&mut self, now: Time) {
        for clock in 0..self.clocks.count() {
            self.at[clock] = self.clocks.domain(clock).at_or_after(now);
        }
    }

    /// Instant of the next edge of a clock that does not rest.
    #[inline]
    pub fn first(&self) -> Time {
        let (mut first, mut clock) = (Time::END, 0);
        while clock < self.clocks.count() {
            if !self.resting.meets(Edges::of(clock)) {
                first = first.min(self.at[clock]);
            }
            clock += 1;
        }
        first
    }

    /// The clocks that rise at `now`; their next edges follow a period later.
    #[inline]
    pub fn rise(&mut self, now: Time) -> Edges {
        let (mut edges, mut clock) = (Edges::NONE, 0);
        while clock < self.clocks.count() {
            if self.at[clock] == now && !self.resting.meets(Edges::of(clock)) {
                edges = edges.with(Edges::of(clock));
                self.at[clock] += self.clocks.domain(clock).period;
            }
            clock += 1;
        }
        edges
    }
}

#[cfg(test)]
mod tests {
    use hdl::Clock;

    use super::*;

    const fn clock(name: &'static str, period_ps: u64) -> Clock {
        Clock { name, port: "clk_i", period_ps, doc: "" }
    }

    const CLOCKS: Clocks = Clocks::of(&[clock("core", 10), clock("network", 8)]);

    /// Executes all edges before `end` and returns their instants.
    fn walk(edges: &mut NextEdges, end: u64) -> Vec<(u64, u8)> {
        let mut walked = Vec::new();
        while edges.first() < Time::from_ps(end) {
            let now = edges.first();
            walked.push((now.ps(), edges.rise(now).bits()));
        }
        walked
    }

    #[test]
    fn edges_of_resting_clocks_are_left_out_until_they_resume() {
        let mut edges = NextEdges::new(CLOCKS);
        assert_eq!(walk(&mut edges, 21), [(8, 2), (10, 1), (16, 2), (20, 1)]);
        edges.rest(Edges::of(1));
        assert_eq!(walk(&mut edges, 41), [(30, 1), (40, 1)]);
        edges.resume(1, Time::from_ps(48));
        assert_eq!(walk(&mut edges, 51), [(48, 2), (50, 1)]);
        edges.restart(Time::from_ps(80));
        assert_eq!(walk(&mut edges, 89), [(80, 3), (88, 2)]);
        assert_eq!(walk(&mut edges, 105), [(90, 1), (96, 2), (100, 1), (104, 2)]);
    }
}
