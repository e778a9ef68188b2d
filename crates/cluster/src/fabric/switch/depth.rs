//! Greatest depth of an output queue.

use std::collections::VecDeque;

use crate::Time;

/// Counts in the order of time, independently of the order in which arrivals become known.
#[derive(Clone, Debug, Default)]
pub struct Depth {
    /// Arrivals that have not been counted, in order of time.
    comes: VecDeque<Time>,
    leaves: VecDeque<Time>,
    present: u64,
    most: u64,
}

impl Depth {
    /// Records an arrival at `at`.
    pub fn comes(&mut self, at: Time) {
        // Arrivals from another part of a cluster may be out of order.
        if self.comes.back().is_none_or(|last| *last <= at) {
            self.comes.push_back(at);
        } else {
            let place = self.comes.partition_point(|other| *other <= at);
            self.comes.insert(place, at);
        }
    }

    /// Records that the next entry leaves at `at`; times of departure ascend.
    pub fn leaves(&mut self, at: Time) {
        debug_assert!(self.leaves.back().is_none_or(|last| *last <= at), "one leaves after the other");
        self.leaves.push_back(at);
    }

    /// Counts all events before `now`; no other event before that time will be recorded.
    pub fn count(&mut self, now: Time) {
        loop {
            match (self.comes.front(), self.leaves.front()) {
                (Some(come), leave) if *come < now && leave.is_none_or(|leave| come <= leave) => {
                    self.comes.pop_front();
                    self.present += 1;
                    self.most = self.most.max(self.present);
                }
                (_, Some(leave)) if *leave < now => {
                    self.leaves.pop_front();
                    self.present -= 1;
                }
                _ => return,
            }
        }
    }

    /// Greatest number of entries at the same time, including recorded events that have not been counted.
    pub fn most(&self) -> u64 {
        let mut all = self.clone();
        all.count(Time::END);
        all.most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(comes: &[u64], leaves: &[u64]) -> u64 {
        let mut depth = Depth::default();
        comes.iter().for_each(|at| depth.comes(Time::from_ps(*at)));
        leaves.iter().for_each(|at| depth.leaves(Time::from_ps(*at)));
        depth.most()
    }

    #[test]
    fn entry_counts_until_it_leaves() {
        assert_eq!(depth(&[1, 9], &[5, 9]), 1);
        assert_eq!(depth(&[1, 5], &[5, 9]), 2, "one comes as the other leaves");
        assert_eq!(depth(&[1, 2, 3, 8, 9], &[4, 5, 6, 8, 9]), 3);
        assert_eq!(depth(&[7], &[]), 1);
    }

    #[test]
    fn order_of_recording_does_not_matter() {
        assert_eq!(depth(&[3, 1, 2], &[2, 4, 6]), depth(&[1, 2, 3], &[2, 4, 6]));
        let mut depth = Depth::default();
        for at in [10, 20, 15, 30, 25] {
            depth.comes(Time::from_ps(at));
        }
        depth.leaves(Time::from_ps(12));
        depth.count(Time::from_ps(15));
        depth.comes(Time::from_ps(15));
        for at in [26, 27, 28, 29, 30] {
            depth.leaves(Time::from_ps(at));
        }
        assert_eq!((depth.most(), depth.present), (4, 0));
    }
}
