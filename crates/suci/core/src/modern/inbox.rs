//! Reassembly of incoming blocks, delivered in order within each priority.

use std::collections::VecDeque;

use super::outbox::{BLOCK_OVERHEAD, cost};
use super::packet::Part;
use crate::counters::Dropped;
use crate::event::PRIORITIES;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Block {
    /// Whether a part has arrived.
    begun: bool,
    bytes: Vec<u8>,
    /// Parts received; empty for a block of one part.
    parts: Vec<bool>,
    missing: u32,
}

impl Block {
    fn is_whole(&self) -> bool {
        self.begun && self.missing == 0
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Queue {
    /// Number of the next block to deliver.
    next: u64,
    blocks: VecDeque<Block>,
}

/// Incoming blocks of one peer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Inbox {
    queues: [Queue; PRIORITIES],
    /// Length of a part in bytes.
    part: usize,
    largest: usize,
    window: usize,
    /// Cost of all blocks begun, and of all blocks taken by the application, since the start.
    begun: u64,
    taken: u64,
}

impl Inbox {
    pub fn new(part: usize, largest: usize, window: usize) -> Self {
        Self { queues: Default::default(), part, largest, window, begun: 0, taken: 0 }
    }

    /// Flow control limit: cost of blocks that the sender may send since the start.
    pub fn limit(&self) -> u64 {
        self.taken + self.window as u64
    }

    /// Handles a block taken by the application.
    pub fn take(&mut self, length: usize) {
        self.taken += cost(length) as u64;
    }

    /// Cost of blocks begun and not taken.
    pub fn held(&self) -> usize {
        (self.begun - self.taken) as usize
    }

    /// Releases unused memory.
    pub fn shrink(&mut self) {
        self.queues.iter_mut().for_each(|queue| queue.blocks.shrink_to_fit());
    }

    /// Stores a part. Returns true if its block is complete.
    pub fn insert(&mut self, part: &Part, total: u32, bytes: &[u8]) -> Result<bool, Dropped> {
        let (total, index) = (total as usize, part.index as usize);
        if total == 0 || total > self.largest {
            return Err(Dropped::Malformed);
        }
        let parts = total.div_ceil(self.part);
        let start = index.saturating_mul(self.part);
        if index >= parts || bytes.len() != self.part.min(total - start) {
            return Err(Dropped::Malformed);
        }
        let queue = &mut self.queues[usize::from(part.priority)];
        let Some(ahead) = part.block.checked_sub(queue.next) else { return Err(Dropped::Repeated) };
        // A sender within its limit has fewer blocks in flight than this.
        if ahead >= (self.window / BLOCK_OVERHEAD) as u64 {
            return Err(Dropped::NoRoom);
        }
        let ahead = ahead as usize;
        let known = queue.blocks.get(ahead).is_some_and(|block| block.begun);
        if !known {
            let begun = self.begun + cost(total) as u64;
            if begun > self.taken + self.window as u64 {
                return Err(Dropped::NoRoom);
            }
            self.begun = begun;
            if queue.blocks.len() <= ahead {
                queue.blocks.resize_with(ahead + 1, Block::default);
            }
            let block = &mut queue.blocks[ahead];
            block.begun = true;
            if parts == 1 {
                // Most small blocks have one part, which needs no reassembly.
                block.bytes = bytes.to_vec();
                return Ok(true);
            }
            *block = Block {
                begun: true,
                bytes: vec![0; total],
                parts: vec![false; parts],
                missing: parts as u32,
            };
        }
        let block = &mut queue.blocks[ahead];
        if block.bytes.len() != total {
            return Err(Dropped::Malformed);
        }
        if block.is_whole() || block.parts[index] {
            return Err(Dropped::Repeated);
        }
        block.parts[index] = true;
        block.bytes[start..start + bytes.len()].copy_from_slice(bytes);
        block.missing -= 1;
        Ok(block.missing == 0)
    }

    /// Next block of a priority, if it is complete.
    pub fn pop(&mut self, priority: u8) -> Option<Vec<u8>> {
        let queue = &mut self.queues[usize::from(priority)];
        if !queue.blocks.front()?.is_whole() {
            return None;
        }
        queue.next += 1;
        queue.blocks.pop_front().map(|block| block.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(block: u64, index: u32) -> Part {
        Part { priority: 0, block, index }
    }

    #[test]
    fn blocks_are_delivered_in_order_for_any_order_of_parts() {
        let mut inbox = Inbox::new(2, 100, 1_000);
        assert_eq!(inbox.insert(&part(1, 0), 1, b"d"), Ok(true));
        assert_eq!(inbox.pop(0), None);
        assert_eq!(inbox.insert(&part(0, 1), 3, b"c"), Ok(false));
        assert_eq!(inbox.insert(&part(0, 1), 3, b"c"), Err(Dropped::Repeated));
        assert_eq!(inbox.insert(&part(0, 0), 3, b"ab"), Ok(true));
        assert_eq!((inbox.pop(0), inbox.pop(0)), (Some(b"abc".to_vec()), Some(b"d".to_vec())));
        assert_eq!(inbox.insert(&part(0, 0), 3, b"ab"), Err(Dropped::Repeated));
    }

    #[test]
    fn data_beyond_the_limit_is_not_stored() {
        let mut inbox = Inbox::new(2, 100, 200);
        assert_eq!(inbox.insert(&part(0, 0), 101, b"ab"), Err(Dropped::Malformed));
        assert_eq!(inbox.insert(&part(0, 0), 0, b""), Err(Dropped::Malformed));
        assert_eq!(inbox.insert(&part(0, 2), 4, b"ab"), Err(Dropped::Malformed));
        assert_eq!(inbox.insert(&part(0, u32::MAX), 4, b"ab"), Err(Dropped::Malformed));
        assert_eq!(inbox.insert(&part(0, 0), 4, b"a"), Err(Dropped::Malformed));
        assert_eq!(inbox.insert(&part(9, 0), 4, b"ab"), Err(Dropped::NoRoom));
        assert_eq!(inbox.insert(&part(0, 0), 100, b"ab"), Ok(false));
        assert_eq!(inbox.insert(&part(0, 1), 99, b"ab"), Err(Dropped::Malformed));
        assert_eq!(inbox.insert(&part(1, 0), 4, b"ab"), Err(Dropped::NoRoom));
    }

    #[test]
    fn limits_are_reached_exactly() {
        // Two blocks of 36 bytes cost 200 with their overhead; a third costs more than nothing.
        let mut inbox = Inbox::new(40, 40, 200);
        for block in 0..2 {
            assert_eq!(inbox.insert(&part(block, 0), 36, &[1; 36]), Ok(true), "block {block}");
        }
        assert_eq!(inbox.held(), 200);
        assert_eq!(inbox.insert(&part(2, 0), 1, b"x"), Err(Dropped::NoRoom));
        assert!(inbox.pop(0).is_some());
        assert_eq!(inbox.insert(&part(2, 0), 1, b"x"), Err(Dropped::NoRoom), "it is not taken yet");
        inbox.take(36);
        assert_eq!(inbox.insert(&part(2, 0), 36, &[1; 36]), Ok(true));
        let mut inbox = Inbox::new(40, 40, 199);
        assert_eq!(inbox.insert(&part(0, 0), 36, &[1; 36]), Ok(true));
        assert_eq!(inbox.insert(&part(1, 0), 36, &[1; 36]), Err(Dropped::NoRoom), "one byte is missing");
        // A window of three overheads: the third block from now is the last.
        let mut inbox = Inbox::new(40, 40, 3 * BLOCK_OVERHEAD);
        assert_eq!(inbox.insert(&part(3, 0), 1, b"x"), Err(Dropped::NoRoom));
        assert_eq!(inbox.insert(&part(2, 0), 1, b"x"), Ok(true));
        // The largest block, and its last part.
        let mut inbox = Inbox::new(20, 40, 1_000);
        assert_eq!(inbox.insert(&part(0, 1), 40, &[1; 20]), Ok(false));
        assert_eq!(inbox.insert(&part(0, 2), 40, &[1; 20]), Err(Dropped::Malformed));
        assert_eq!(inbox.insert(&part(0, 2), 40, &[]), Err(Dropped::Malformed));
        assert_eq!(inbox.insert(&part(1, 0), 41, &[1; 20]), Err(Dropped::Malformed));
        assert_eq!(inbox.insert(&part(0, 0), 40, &[1; 20]), Ok(true));
    }
}
