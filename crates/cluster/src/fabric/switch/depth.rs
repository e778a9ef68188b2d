//! How much waits at an output at most.

use std::collections::VecDeque;

use crate::Time;

/// Counts in the order of time, whatever the order in which comings become known, and how early.
#[derive(Clone, Debug, Default)]
pub struct Depth {
    /// What is not counted yet, in the order of time.
    comes: VecDeque<Time>,
    leaves: VecDeque<Time>,
    present: u64,
    most: u64,
}

impl Depth {
    /// Something comes at `at`.
    pub fn comes(&mut self, at: Time) {
        // It comes last, but where another part of a cluster sent it.
        if self.comes.back().is_none_or(|last| *last <= at) {
            self.comes.push_back(at);
        } else {
            let place = self.comes.partition_point(|other| *other <= at);
            self.comes.insert(place, at);
        }
    }

    /// What comes next leaves at `at`; nothing leaves before what left before it.
    pub fn leaves(&mut self, at: Time) {
        debug_assert!(self.leaves.back().is_none_or(|last| *last <= at), "one leaves after the other");
        self.leaves.push_back(at);
    }

    /// Counts all before `now`; nothing else is going to become known of that time.
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

    /// Most that were there at once, of all that is known.
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
    fn what_comes_is_there_until_it_leaves() {
        assert_eq!(depth(&[1, 9], &[5, 9]), 1);
        assert_eq!(depth(&[1, 5], &[5, 9]), 2, "one comes as the other leaves");
        assert_eq!(depth(&[1, 2, 3, 8, 9], &[4, 5, 6, 8, 9]), 3);
        assert_eq!(depth(&[7], &[]), 1);
    }

    #[test]
    fn order_in_which_comings_become_known_does_not_matter() {
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
