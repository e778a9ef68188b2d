//! When something is due for each of many connections. What the next is, is known at once; to change one takes O(log N).

use std::collections::BTreeSet;

use crate::time::Instant;

/// A time for each place, or none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Timers {
    times: Vec<Option<Instant>>,
    order: BTreeSet<(Instant, u32)>,
}

impl Timers {
    /// Sets the time of a place.
    pub fn set(&mut self, place: u32, time: Option<Instant>) {
        if self.times.len() <= place as usize {
            self.times.resize(place as usize + 1, None);
        }
        let known = &mut self.times[place as usize];
        if *known == time {
            return;
        }
        if let Some(before) = known.take() {
            self.order.remove(&(before, place));
        }
        if let Some(time) = time {
            self.order.insert((time, place));
        }
        *known = time;
    }

    /// The earliest time.
    pub fn next(&self) -> Option<Instant> {
        self.order.first().map(|(time, _)| *time)
    }

    /// Takes the place with the earliest time off, if that has come.
    pub fn due(&mut self, now: Instant) -> Option<u32> {
        let (time, place) = *self.order.first()?;
        if time > now {
            return None;
        }
        self.set(place, None);
        Some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_due_in_order_of_their_times_and_once() {
        let at = Instant::from_nanos;
        let mut timers = Timers::default();
        for (place, time) in [(0, 30), (1, 10), (2, 20), (3, 10)] {
            timers.set(place, Some(at(time)));
        }
        timers.set(1, Some(at(25)));
        timers.set(2, None);
        assert_eq!(timers.next(), Some(at(10)));
        let due: Vec<_> = core::iter::from_fn(|| timers.due(at(25))).collect();
        assert_eq!((due, timers.next()), (vec![3, 1], Some(at(30))));
    }
}
