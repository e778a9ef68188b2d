//! Blocks on their way in: put together part by part, handed over in order within their priority.

use std::collections::VecDeque;

use super::outbox::{BLOCK_OVERHEAD, cost};
use super::packet::Part;
use crate::counters::Dropped;
use crate::event::PRIORITIES;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Block {
    /// A part has come.
    begun: bool,
    bytes: Vec<u8>,
    /// Which parts have come; empty if one is all.
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
    /// Number of the block that is handed over next.
    next: u64,
    blocks: VecDeque<Block>,
}

/// Blocks from one peer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Inbox {
    queues: [Queue; PRIORITIES],
    /// Bytes of a part.
    part: usize,
    largest: usize,
    window: usize,
    /// Costs of blocks that were begun and those that the application has taken, since the start.
    begun: u64,
    taken: u64,
}

impl Inbox {
    pub fn new(part: usize, largest: usize, window: usize) -> Self {
        Self { queues: Default::default(), part, largest, window, begun: 0, taken: 0 }
    }

    /// Costs of blocks up to which the sender may send, since the start.
    pub fn limit(&self) -> u64 {
        self.taken + self.window as u64
    }

    /// The application has taken a block.
    pub fn take(&mut self, length: usize) {
        self.taken += cost(length) as u64;
    }

    /// What blocks cost that were begun and not taken.
    pub fn held(&self) -> usize {
        (self.begun - self.taken) as usize
    }

    /// Gives back memory that is not in use.
    pub fn shrink(&mut self) {
        self.queues.iter_mut().for_each(|queue| queue.blocks.shrink_to_fit());
    }

    /// Keeps a part. True if its block is whole now.
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
        // A sender that keeps to its limit has fewer blocks than this on the way.
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
                // Most small blocks: nothing is to be put together.
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

    /// The next block of a priority, if it is whole.
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
    fn blocks_come_out_in_order_however_their_parts_came() {
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
    fn what_a_sender_may_not_send_is_not_kept() {
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
}
