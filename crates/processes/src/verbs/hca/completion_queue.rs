//! Completion queues: rings of completions in host memory, and completions that the driver makes.

use std::collections::VecDeque;

use cluster::Time;
use hca::layout::{CQE_BYTES, RECEIVED, WRITTEN};

use crate::verbs::call::Completion;

/// A ring of completions in host memory.
#[derive(Clone, Debug)]
pub(super) struct CompletionQueue {
    pub base: u32,
    pub log: u8,
    /// Completions consumed, modulo 2^16.
    pub consumed: u16,
    /// Consumed completions that a doorbell has reported, modulo 2^16.
    pub reported: u16,
    /// Completions that the driver has looked at for errors, modulo 2^16; at least `consumed`.
    pub inspected: u16,
    /// Completions of the driver, each behind this count of the ring: of flushed requests, and of entries that have left
    /// the ring.
    pub own: VecDeque<OwnCompletion>,
    /// Completions that the driver has added so far.
    pub added: u64,
    /// The next completion is an event if it is behind these counts of the ring and of the driver's completions.
    pub armed: Option<(u16, u64)>,
    /// Time at which its event reaches the program.
    pub event: Option<Time>,
    /// The queue has overflowed.
    pub is_broken: bool,
}

/// A completion that the driver has made.
#[derive(Clone, Debug)]
pub(super) struct OwnCompletion {
    /// Completions of the ring that come before it.
    pub behind: u16,
    /// Requests of the ring of the queue pair that are complete with it.
    pub completed: u16,
    pub completion: Completion,
}

impl CompletionQueue {
    pub fn new(base: u32, log: u8) -> Self {
        CompletionQueue {
            base,
            log,
            consumed: 0,
            reported: 0,
            inspected: 0,
            own: VecDeque::new(),
            added: 0,
            armed: None,
            event: None,
            is_broken: false,
        }
    }

    /// Address of the entry of this count.
    pub fn address(&self, count: u16) -> u32 {
        self.base + u32::from(CQE_BYTES) * (u32::from(count) & ((1 << self.log) - 1))
    }

    /// Takes the driver's first completion, if those of the ring before it have been consumed.
    pub fn take_own(&mut self) -> Option<OwnCompletion> {
        let front = self.own.front()?;
        let is_due = self.consumed.wrapping_sub(front.behind) as i16 >= 0;
        if is_due { self.own.pop_front() } else { None }
    }
}

/// An entry of the ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Count of the request in its ring.
    pub index: u16,
    pub pair: u8,
    pub operation: u8,
    pub status: u8,
    pub bytes: u32,
    pub immediate: u32,
    pub source: u32,
    pub source_lid: u16,
    /// Time at which the adapter wrote it.
    pub time: Time,
}

/// Bits of the first word of an entry that hold the number of its queue pair.
pub(super) const PAIR_BITS: u64 = 0xff << 16;

impl Entry {
    /// The entry of these words (`hca::layout`), written at this time.
    pub fn of([first, second, third]: [u64; 3], time: Time) -> Self {
        Entry {
            index: first as u16,
            pair: (first >> 16) as u8,
            operation: (first >> 24) as u8,
            status: (third >> 16) as u8,
            bytes: second as u32,
            immediate: (second >> 32) as u32,
            source: (first >> 32) as u32 & 0xff_ffff,
            source_lid: third as u16,
            time,
        }
    }

    pub fn is_receive(&self) -> bool {
        self.operation & RECEIVED != 0
    }

    pub fn is_of_write(&self) -> bool {
        self.is_receive() && self.operation & WRITTEN != 0
    }

    pub fn has_immediate(&self) -> bool {
        self.is_receive() && self.operation & 1 != 0
    }
}
