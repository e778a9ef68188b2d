//! Locks of a window at its target: granted in the order of arrival. Independent of time and network.

use std::collections::VecDeque;

/// Whether several origins may hold a lock of one target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LockKind {
    /// Several ranks may hold shared locks at a time.
    Shared,
    /// One rank alone holds the lock.
    Exclusive,
}

/// Locks held and awaited by origins, by their ranks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LockQueue {
    holders: Vec<(usize, LockKind)>,
    waiting: VecDeque<(usize, LockKind)>,
}

impl LockQueue {
    /// Queues a request of `origin` and returns the origins whose locks are granted now.
    pub fn request(&mut self, origin: usize, kind: LockKind) -> Vec<usize> {
        self.waiting.push_back((origin, kind));
        self.grant()
    }

    /// Ends the lock or the request of `origin` and returns the origins whose locks are granted now.
    pub fn release(&mut self, origin: usize) -> Vec<usize> {
        self.holders.retain(|(holder, _)| *holder != origin);
        self.waiting.retain(|(other, _)| *other != origin);
        self.grant()
    }

    /// Whether `origin` holds a lock.
    pub fn is_held_by(&self, origin: usize) -> bool {
        self.holders.iter().any(|(holder, _)| *holder == origin)
    }

    /// Whether one origin holds the lock alone.
    pub fn is_exclusive(&self) -> bool {
        self.holders.iter().any(|(_, kind)| *kind == LockKind::Exclusive)
    }

    /// Whether no origin holds or awaits a lock.
    pub fn is_idle(&self) -> bool {
        self.holders.is_empty() && self.waiting.is_empty()
    }

    /// Grants locks from the front of the queue. A shared request behind an exclusive one waits too, so no
    /// request starves.
    fn grant(&mut self) -> Vec<usize> {
        let mut granted = Vec::new();
        while let Some(&(origin, kind)) = self.waiting.front() {
            let shared = |(_, held): &(usize, LockKind)| *held == LockKind::Shared;
            let free = match kind {
                LockKind::Exclusive => self.holders.is_empty(),
                LockKind::Shared => self.holders.iter().all(shared),
            };
            if !free {
                break;
            }
            self.waiting.pop_front();
            self.holders.push((origin, kind));
            granted.push(origin);
        }
        granted
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::LockKind::*;
    use super::*;

    #[test]
    fn locks_are_granted_in_the_order_of_arrival() {
        let mut locks = LockQueue::default();
        assert_eq!(locks.request(0, Shared), [0]);
        assert_eq!(locks.request(1, Shared), [1]);
        assert!(locks.request(2, Exclusive).is_empty());
        assert!(locks.request(3, Shared).is_empty(), "a later shared lock does not overtake");
        assert!(locks.release(0).is_empty());
        assert_eq!(locks.release(1), [2]);
        assert_eq!(locks.release(2), [3]);
        assert!(locks.release(3).is_empty() && locks.is_idle());
    }

    /// The lock of an origin, with its messages in flight.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    enum Phase {
        Idle,
        Asking,
        Waiting,
        Granted,
        Held,
        Releasing,
    }

    /// A target and its origins; each still takes `left` locks.
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
    struct World {
        locks: LockQueue,
        origins: Vec<(Phase, LockKind, u8)>,
    }

    impl World {
        /// Delivers the grants that the target sends.
        fn grant(&mut self, granted: Vec<usize>) {
            for origin in granted {
                assert_eq!(self.origins[origin].0, Phase::Waiting, "{self:?}");
                self.origins[origin].0 = Phase::Granted;
            }
        }

        /// The world after the next event of an origin or of its message; `None` if there is none.
        fn step(&self, origin: usize) -> Option<World> {
            let mut next = self.clone();
            let (phase, kind, left) = self.origins[origin];
            next.origins[origin].0 = match phase {
                Phase::Idle if left > 0 => Phase::Asking,
                Phase::Idle | Phase::Waiting => return None,
                Phase::Asking => {
                    next.origins[origin].0 = Phase::Waiting;
                    let granted = next.locks.request(origin, kind);
                    next.grant(granted);
                    return Some(next);
                }
                Phase::Granted => Phase::Held,
                Phase::Held => Phase::Releasing,
                Phase::Releasing => {
                    next.origins[origin] = (Phase::Idle, kind, left - 1);
                    let granted = next.locks.release(origin);
                    next.grant(granted);
                    return Some(next);
                }
            };
            Some(next)
        }
    }

    #[test]
    fn every_request_is_granted_and_exclusive_locks_exclude() {
        for kinds in
            [[Shared; 3], [Exclusive; 3], [Shared, Exclusive, Shared], [Exclusive, Shared, Exclusive]]
        {
            let origins = kinds.map(|kind| (Phase::Idle, kind, 2)).to_vec();
            let begin = World { locks: LockQueue::default(), origins };
            let (mut seen, mut open) = (BTreeSet::from([begin.clone()]), vec![begin]);
            while let Some(world) = open.pop() {
                let has = |(phase, ..): &&(Phase, LockKind, u8)| {
                    matches!(phase, Phase::Granted | Phase::Held | Phase::Releasing)
                };
                let holders: Vec<_> = world.origins.iter().filter(has).collect();
                let alone = holders.len() == 1 || holders.iter().all(|(_, kind, _)| *kind == Shared);
                assert!(alone, "{world:?}");
                let next: Vec<_> = (0..3).filter_map(|origin| world.step(origin)).collect();
                let is_over =
                    world.origins.iter().all(|(phase, _, left)| (*phase, *left) == (Phase::Idle, 0));
                assert!(
                    !next.is_empty() || is_over && world.locks.is_idle(),
                    "a request waits for ever: {world:?}"
                );
                open.extend(next.into_iter().filter(|next| seen.insert(next.clone())));
            }
            assert!(seen.len() > 200, "{}", seen.len());
        }
    }

    #[test]
    fn withdrawn_request_unblocks_those_behind_it() {
        let mut locks = LockQueue::default();
        locks.request(0, Shared);
        locks.request(1, Exclusive);
        locks.request(2, Shared);
        assert_eq!(locks.release(1), [2]);
    }
}
