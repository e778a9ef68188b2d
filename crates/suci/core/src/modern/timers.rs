//! Timers of many connections: the next one is known at once; a change takes O(log N).

use std::collections::BTreeSet;

use crate::time::Instant;

/// An optional time for each slot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Timers {
    times: Vec<Option<Instant>>,
    order: BTreeSet<(Instant, u32)>,
}

impl Timers {
    /// Sets the time of a slot.
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

    /// Earliest time.
    pub fn next(&self) -> Option<Instant> {
        self.order.first().map(|(time, _)| *time)
    }

    /// Removes and returns the slot with the earliest time if it has expired.
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
    fn slots_expire_once_in_order_of_their_times() {
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
