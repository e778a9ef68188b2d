//! Outgoing blocks: transmission, retransmission and acknowledgement of their parts.

use std::collections::VecDeque;

use super::packet::Part;
use crate::event::PRIORITIES;

/// Overhead of a block in bytes at either side, which limits the number of small blocks.
pub const BLOCK_OVERHEAD: usize = 64;

/// Emptied blocks kept for reuse, limited in number and in total capacity.
const SPARES: usize = 1 << 10;
const SPARE_BYTES: usize = 1 << 20;

/// Cost of a block against the receive window.
pub fn cost(length: usize) -> usize {
    length + BLOCK_OVERHEAD
}

/// State of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum State {
    Unsent,
    Sent,
    Lost,
    Arrived,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Block {
    bytes: Vec<u8>,
    parts: Vec<State>,
    unsent: u32,
    lost: u32,
    arrived: u32,
    begun: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Queue {
    /// Number of the first queued block.
    first: u64,
    blocks: VecDeque<Block>,
    /// Index of the first block with unsent parts.
    fresh: usize,
    /// Lost parts of all blocks in the queue.
    lost: u32,
}

/// Outgoing blocks of one peer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Outbox {
    queues: [Queue; PRIORITIES],
    /// Length of a part in bytes.
    part: usize,
    queued_bytes: usize,
    queued_blocks: usize,
    /// Cost of all blocks begun since the start.
    begun: u64,
    /// Flow control limit of `begun`, set by the receiver.
    limit: u64,
    /// Emptied blocks for reuse.
    spare: Vec<Block>,
    spare_bytes: usize,
}

/// Result of a search for data to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// A part can be sent.
    Part(Part),
    /// The next block waits for receive window.
    Blocked,
    /// The queue is empty.
    Nothing,
}

impl Outbox {
    pub fn new() -> Self {
        Self {
            queues: Default::default(),
            part: usize::MAX,
            queued_bytes: 0,
            queued_blocks: 0,
            begun: 0,
            limit: 0,
            spare: Vec::new(),
            spare_bytes: 0,
        }
    }

    /// Cost of the blocks not yet acknowledged.
    pub fn queued_bytes(&self) -> usize {
        self.queued_bytes
    }

    pub fn queued_blocks(&self) -> usize {
        self.queued_blocks
    }

    /// Raises the flow control limit. Limits never decrease, so a stale one does no harm.
    pub fn raise(&mut self, limit: u64) {
        self.limit = self.limit.max(limit);
    }

    /// Queues a block.
    pub fn push(&mut self, priority: u8, bytes: &[u8]) {
        let mut block = self.spare.pop().unwrap_or_default();
        self.spare_bytes -= block.bytes.capacity();
        block.bytes.extend_from_slice(bytes);
        self.queued_bytes += cost(bytes.len());
        self.queued_blocks += 1;
        Self::divide(&mut block, self.part);
        self.queues[usize::from(priority)].blocks.push_back(block);
    }

    fn divide(block: &mut Block, part: usize) {
        let parts = block.bytes.len().div_ceil(part);
        block.parts.clear();
        block.parts.resize(parts, State::Unsent);
        block.unsent = parts as u32;
    }

    /// Applies the peer's parameters: part size and largest block. Returns priority and length of blocks that
    /// exceed it.
    pub fn open(&mut self, part: usize, largest: usize) -> Vec<(u8, usize)> {
        self.part = part;
        let mut refused = Vec::new();
        for (priority, queue) in (0..).zip(&mut self.queues) {
            queue.blocks.retain_mut(|block| {
                let length = block.bytes.len();
                if length > largest {
                    refused.push((priority, length));
                    self.queued_bytes -= cost(length);
                    self.queued_blocks -= 1;
                } else {
                    Self::divide(block, part);
                }
                length <= largest
            });
        }
        refused
    }

    /// Releases unused memory.
    pub fn shrink(&mut self) {
        (self.spare, self.spare_bytes) = (Vec::new(), 0);
        self.queues.iter_mut().for_each(|queue| queue.blocks.shrink_to_fit());
    }

    /// Next part to send: the most urgent priority first, lost parts first within a priority.
    pub fn next(&mut self) -> Next {
        for (priority, queue) in (0..).zip(&mut self.queues) {
            if queue.lost > 0 {
                for (block, at) in queue.blocks.iter().zip(queue.first..) {
                    if block.lost > 0
                        && let Some(index) = block.parts.iter().position(|state| *state == State::Lost)
                    {
                        return Next::Part(Part { priority, block: at, index: index as u32 });
                    }
                }
            }
            while queue.blocks.get(queue.fresh).is_some_and(|block| block.unsent == 0) {
                queue.fresh += 1;
            }
            if let Some(block) = queue.blocks.get(queue.fresh) {
                // A block is begun only if the receiver has memory for all of it, so that every begun block
                // can be completed.
                if !block.begun && self.begun + cost(block.bytes.len()) as u64 > self.limit {
                    return Next::Blocked;
                }
                let index = block.parts.len() as u32 - block.unsent;
                return Next::Part(Part { priority, block: queue.first + queue.fresh as u64, index });
            }
        }
        Next::Nothing
    }

    fn block(&mut self, part: &Part) -> Option<(&mut Block, &mut u32)> {
        let queue = &mut self.queues[usize::from(part.priority)];
        let at = part.block.checked_sub(queue.first)?;
        Some((queue.blocks.get_mut(usize::try_from(at).ok()?)?, &mut queue.lost))
    }

    /// Length of a block and the bytes of one of its parts; `None` if the part has arrived.
    pub fn bytes(&self, part: &Part) -> Option<(u32, &[u8])> {
        let queue = &self.queues[usize::from(part.priority)];
        let at = part.block.checked_sub(queue.first)?;
        let block = queue.blocks.get(usize::try_from(at).ok()?)?;
        if *block.parts.get(part.index as usize)? == State::Arrived {
            return None;
        }
        let bytes = block.bytes.chunks(self.part).nth(part.index as usize)?;
        Some((block.bytes.len() as u32, bytes))
    }

    /// Records that a part was sent.
    pub fn sent(&mut self, part: &Part) {
        let Some((block, lost)) = self.block(part) else { return };
        let state = &mut block.parts[part.index as usize];
        match *state {
            State::Unsent => block.unsent -= 1,
            State::Lost => {
                block.lost -= 1;
                *lost -= 1;
            }
            State::Sent | State::Arrived => return,
        }
        *state = State::Sent;
        if !block.begun {
            block.begun = true;
            let cost = cost(block.bytes.len()) as u64;
            self.begun += cost;
        }
    }

    /// Records that a part was lost.
    pub fn lost(&mut self, part: &Part) {
        let Some((block, lost)) = self.block(part) else { return };
        let state = &mut block.parts[part.index as usize];
        if *state == State::Sent {
            *state = State::Lost;
            block.lost += 1;
            *lost += 1;
        }
    }

    /// Records that a part was acknowledged.
    pub fn arrived(&mut self, part: &Part) {
        let Some((block, lost)) = self.block(part) else { return };
        let state = &mut block.parts[part.index as usize];
        match *state {
            State::Arrived | State::Unsent => return,
            State::Lost => {
                block.lost -= 1;
                *lost -= 1;
            }
            State::Sent => {}
        }
        *state = State::Arrived;
        block.arrived += 1;
        if (block.arrived as usize) < block.parts.len() {
            return;
        }
        self.queued_bytes -= cost(self.block(part).map_or(0, |(block, _)| block.bytes.len()));
        self.queued_blocks -= 1;
        let queue = &mut self.queues[usize::from(part.priority)];
        while queue.blocks.front().is_some_and(|block| block.arrived as usize == block.parts.len()) {
            let mut block = queue.blocks.pop_front().unwrap_or_default();
            queue.first += 1;
            queue.fresh = queue.fresh.saturating_sub(1);
            let bytes = self.spare_bytes + block.bytes.capacity();
            if self.spare.len() < SPARES && bytes <= SPARE_BYTES {
                self.spare_bytes = bytes;
                block.bytes.clear();
                self.spare.push(Block { bytes: block.bytes, parts: block.parts, ..Block::default() });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outbox() -> Outbox {
        let mut outbox = Outbox::new();
        assert!(outbox.open(10, 1_000).is_empty());
        outbox.raise(10_000);
        outbox
    }

    fn part(priority: u8, block: u64, index: u32) -> Part {
        Part { priority, block, index }
    }

    #[test]
    fn urgent_block_overtakes_a_partly_sent_one() {
        let mut outbox = outbox();
        outbox.push(3, &[0; 20]);
        outbox.sent(&part(3, 0, 0));
        outbox.push(1, &[0; 10]);
        assert_eq!(outbox.next(), Next::Part(part(1, 0, 0)));
        outbox.sent(&part(1, 0, 0));
        assert_eq!(outbox.next(), Next::Part(part(3, 0, 1)));
    }

    #[test]
    fn lost_parts_are_sent_first_and_freed_once() {
        let mut outbox = outbox();
        outbox.push(0, &[0; 25]);
        for index in 0..2 {
            outbox.sent(&part(0, 0, index));
        }
        outbox.lost(&part(0, 0, 0));
        outbox.lost(&part(0, 0, 0));
        assert_eq!(outbox.next(), Next::Part(part(0, 0, 0)));
        outbox.sent(&part(0, 0, 0));
        assert_eq!(outbox.next(), Next::Part(part(0, 0, 2)));
        outbox.sent(&part(0, 0, 2));
        for index in [2, 0, 0, 1] {
            assert_eq!(outbox.queued_blocks(), 1);
            outbox.arrived(&part(0, 0, index));
        }
        assert_eq!((outbox.queued_blocks(), outbox.queued_bytes(), outbox.next()), (0, 0, Next::Nothing));
    }

    #[test]
    fn block_is_begun_only_with_window_for_all_of_it() {
        let mut outbox = Outbox::new();
        outbox.push(0, &[0; 30]);
        outbox.push(0, &[0; 2_000]);
        assert_eq!(outbox.open(10, 1_000), [(0, 2_000)]);
        outbox.raise(93);
        assert_eq!(outbox.next(), Next::Blocked);
        outbox.raise(94);
        // The window of a block that is begun is its own.
        for index in 0..3 {
            assert_eq!(outbox.next(), Next::Part(part(0, 0, index)));
            outbox.sent(&part(0, 0, index));
        }
        outbox.push(0, &[0; 10]);
        outbox.raise(94 + 73);
        assert_eq!(outbox.next(), Next::Blocked);
        outbox.raise(94 + 74);
        assert_eq!(outbox.next(), Next::Part(part(0, 1, 0)));
    }

    #[test]
    fn memory_of_blocks_is_kept_up_to_its_limit() {
        for (length, kept) in [(SPARE_BYTES, SPARE_BYTES), (SPARE_BYTES + 1, 0)] {
            let mut outbox = Outbox::new();
            assert!(outbox.open(2 * SPARE_BYTES, 2 * SPARE_BYTES).is_empty());
            outbox.raise(u64::MAX);
            outbox.push(0, &vec![0; length]);
            outbox.sent(&part(0, 0, 0));
            outbox.arrived(&part(0, 0, 0));
            assert_eq!((outbox.spare_bytes, outbox.spare.len()), (kept, usize::from(kept > 0)));
        }
    }
}
