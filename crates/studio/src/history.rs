//! Changes of states over time, bounded.

use std::collections::VecDeque;

use crate::protocol::Event;

/// Most nodes whose states are recorded: recording samples each of them at every instant.
pub const RECORDED: usize = 4;

/// Most events that are kept; the oldest are dropped first.
const MOST_EVENTS: usize = 100_000;

/// The events of the lanes, also those after the present time once the run has gone back.
///
/// While the run repeats recorded time, its events are compared with the recorded ones. The first difference, for
/// example after a fault, makes the rest void.
#[derive(Default)]
pub struct History {
    events: VecDeque<Event>,
    /// Number of the first event that is kept, counted since the beginning.
    first: u64,
    /// Index of the event that comes next.
    cursor: usize,
    horizon_ps: u64,
    /// Number of times that recorded events became void.
    generation: u64,
}

impl History {
    /// Latest recorded time.
    pub fn horizon_ps(&self) -> u64 {
        self.horizon_ps
    }

    /// Number of times that recorded events became void.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The run has returned to `now_ps`.
    pub fn back_to(&mut self, now_ps: u64) {
        self.cursor = self.events.partition_point(|event| event.time_ps <= now_ps);
    }

    /// The run has come to `now_ps` without any other event.
    pub fn come_to(&mut self, now_ps: u64) {
        if self.events.get(self.cursor).is_some_and(|event| event.time_ps <= now_ps) {
            self.cut(now_ps);
        }
        self.horizon_ps = self.horizon_ps.max(now_ps);
    }

    /// Adds an event, or confirms it.
    pub fn add(&mut self, event: Event) {
        if self.events.get(self.cursor) == Some(&event) {
            self.cursor += 1;
            return;
        }
        self.cut(event.time_ps);
        if self.events.len() == MOST_EVENTS {
            self.events.pop_front();
            self.first += 1;
        }
        self.events.push_back(event);
        self.cursor = self.events.len();
        self.horizon_ps = self.horizon_ps.max(event.time_ps);
    }

    /// The events from the one with number `next` on, at most `most`; and the number after the last of them.
    pub fn since(&self, next: u64, most: usize) -> (Vec<Event>, u64) {
        let skip = next.saturating_sub(self.first) as usize;
        let events: Vec<_> = self.events.iter().skip(skip).take(most).copied().collect();
        let end = next.max(self.first) + events.len() as u64;
        (events, end)
    }

    /// Removes the events that did not happen this time.
    fn cut(&mut self, now_ps: u64) {
        if self.cursor < self.events.len() {
            self.events.truncate(self.cursor);
            self.generation += 1;
            self.horizon_ps = now_ps;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(time_ps: u64, code: u64) -> Event {
        Event { time_ps, node: 0, lane: 0, code }
    }

    fn recorded() -> History {
        let mut history = History::default();
        [at(10, 1), at(20, 2), at(30, 3)].into_iter().for_each(|event| history.add(event));
        history.come_to(40);
        history
    }

    #[test]
    fn equal_repetition_keeps_the_future() {
        let mut history = recorded();
        history.back_to(15);
        history.add(at(20, 2));
        history.come_to(25);
        assert_eq!((history.horizon_ps(), history.generation()), (40, 0));
        assert_eq!(history.since(0, 9), (vec![at(10, 1), at(20, 2), at(30, 3)], 3));
    }

    #[test]
    fn another_course_voids_the_future() {
        let mut other = recorded();
        other.back_to(15);
        other.add(at(20, 7));
        assert_eq!((other.horizon_ps(), other.generation()), (20, 1));
        assert_eq!(other.since(1, 9), (vec![at(20, 7)], 2));

        let mut missing = recorded();
        missing.back_to(15);
        missing.come_to(25);
        assert_eq!(missing.since(0, 9), (vec![at(10, 1)], 1));
        assert_eq!((missing.horizon_ps(), missing.generation()), (25, 1));
    }

    #[test]
    fn oldest_events_are_dropped() {
        let mut history = History::default();
        (0..MOST_EVENTS as u64 + 5).for_each(|time| history.add(at(time, time)));
        assert_eq!(history.since(0, 1), (vec![at(5, 5)], 6));
    }
}
