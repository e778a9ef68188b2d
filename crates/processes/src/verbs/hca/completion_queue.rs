//! Completion queues: rings of completions in host memory.

use cluster::Time;
use hca::layout::CQE_BYTES;

/// A ring of completions in host memory.
#[derive(Clone, Debug)]
pub(super) struct CompletionQueue {
    pub base: u32,
    pub log: u8,
    /// Completions consumed, modulo 2^16.
    pub consumed: u16,
    /// Consumed completions that a doorbell has reported, modulo 2^16.
    pub reported: u16,
    /// Count of the completion that is an event.
    pub armed: Option<u16>,
    /// Time at which its event reaches the program.
    pub event: Option<Time>,
}

impl CompletionQueue {
    /// Address of the entry of this count.
    pub fn address(&self, count: u16) -> u32 {
        self.base + u32::from(CQE_BYTES) * (u32::from(count) & ((1 << self.log) - 1))
    }
}
