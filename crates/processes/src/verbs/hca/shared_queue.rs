//! Shared receive queues and their rings.

use std::collections::BTreeMap;

use super::queue_pair::Receive;

/// A shared receive queue, from which several queue pairs take receive requests.
#[derive(Clone, Debug)]
pub(super) struct SharedQueue {
    pub domain: u8,
    /// Address of the ring in host memory.
    pub base: u32,
    pub log: u8,
    /// Scatter/gather elements of a request at most.
    pub pieces: u32,
    /// Requests posted, modulo 2^16.
    pub posted: u16,
    /// Requests without a completion, by their count. The adapter takes them in order; they complete in any order.
    pub requests: BTreeMap<u16, Receive>,
    /// An event is due when fewer requests are left; 0 for none.
    pub limit: u32,
}

impl SharedQueue {
    pub fn new(domain: u8, pieces: u32, (base, log): (u32, u8)) -> Self {
        SharedQueue { domain, base, log, pieces, posted: 0, requests: BTreeMap::new(), limit: 0 }
    }

    /// Requests that it holds.
    pub fn most(&self) -> usize {
        1 << self.log
    }

    /// A request of which a long message arrives may keep its count until the counter comes round.
    pub fn has_room(&self) -> bool {
        self.requests.len() < self.most() && !self.requests.contains_key(&self.posted)
    }

    /// Puts a request behind the others; its count.
    pub fn push(&mut self, request: Receive) -> u16 {
        let count = self.posted;
        self.requests.insert(count, request);
        self.posted = count.wrapping_add(1);
        count
    }

    /// Index in the ring of the request of this count. The adapter has copied the request that was there: it takes
    /// requests in order, so all that are older than a complete one are taken.
    pub fn index(&self, count: u16) -> u32 {
        u32::from(count) & ((1 << self.log) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_for_requests_without_a_completion_in_any_order() {
        let mut queue = SharedQueue::new(1, 1, (0, 4));
        for id in 0..16 {
            assert!(queue.has_room());
            queue.push(Receive { id, ..Receive::default() });
        }
        assert!(!queue.has_room());
        // The first one stays: its message is long.
        queue.requests.remove(&7);
        assert!(queue.has_room());
        assert_eq!(queue.push(Receive { id: 16, ..Receive::default() }), 16);
        assert!(!queue.has_room());
        assert_eq!((queue.index(16), queue.requests[&0].id, queue.requests[&16].id), (0, 0, 16));
    }

    #[test]
    fn count_that_is_in_use_is_not_given_again() {
        let mut queue = SharedQueue::new(1, 1, (0, 4));
        queue.push(Receive::default());
        queue.posted = 0;
        assert!(!queue.has_room());
    }
}
