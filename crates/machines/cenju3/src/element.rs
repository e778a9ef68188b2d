//! A processor element without its NIF: local memory, cache, and accesses in flight to the registers.
//!
//! The NIF reads and writes local memory, not the cache: software alone keeps the two coherent (paper, section 3).

use std::collections::VecDeque;

use cluster::Time;
use cluster::host::Memory;

use crate::cache::Cache;
use crate::cost::Costs;
use crate::layout;

/// An access of the processor to a register of the NIF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Byte address of the register.
    pub address: u16,
    /// Value to write; none for a read.
    pub write: Option<u32>,
    /// Earliest instant at which the access is at the pins.
    pub arrival: Time,
    /// Number of the access, by which its answer is found.
    ticket: u64,
}

/// Memory, cache, and accesses of registers.
#[derive(Debug)]
pub struct Element {
    /// Local memory.
    pub memory: Memory,
    /// The second-level cache.
    pub cache: Cache,
    /// Costs of accesses.
    pub costs: Costs,
    /// Page frames of the user.
    frames: Vec<u32>,
    accesses: VecDeque<Access>,
    /// Answers by ticket: data of reads, 0 for writes.
    answers: Vec<(u64, u32)>,
    tickets: u64,
}

impl Element {
    /// The element of a PE with memory of zeros and an empty cache.
    pub fn new(pe: usize, costs: Costs) -> Self {
        Element {
            memory: Memory::default(),
            cache: Cache::default(),
            costs,
            frames: layout::frames(pe),
            accesses: VecDeque::new(),
            answers: Vec::new(),
            tickets: 0,
        }
    }

    /// Queues an access for the pins, from `arrival` on and behind those before, and returns its ticket.
    pub fn issue(&mut self, arrival: Time, address: u16, write: Option<u32>) -> u64 {
        let ticket = self.tickets;
        self.tickets += 1;
        self.accesses.push_back(Access { address, write, arrival, ticket });
        ticket
    }

    /// The next access for the pins, if any.
    pub fn next(&self) -> Option<Access> {
        self.accesses.front().copied()
    }

    /// Completes the next access with the data that it read.
    pub fn answer(&mut self, data: u32) {
        if let Some(access) = self.accesses.pop_front() {
            self.answers.push((access.ticket, data));
        }
    }

    /// Takes the answer to an access, once there is one.
    pub fn take(&mut self, ticket: u64) -> Option<u32> {
        let at = self.answers.iter().position(|(answered, _)| *answered == ticket)?;
        Some(self.answers.swap_remove(at).1)
    }

    /// Page frame of a page of the user. Pages beyond memory have frames of their own, as if they were swapped in.
    pub fn frame(&self, page: u32) -> u32 {
        self.frames[page as usize % self.frames.len()]
    }

    /// A word of memory as the NIF reads it: 8 bytes, little endian.
    pub fn word(&self, address: u32) -> u64 {
        u64::from_le_bytes(self.memory.read(u64::from(address & !7)))
    }

    /// Writes the bytes of a word that `mask` selects, as the NIF does.
    pub fn set_word(&mut self, address: u32, word: u64, mask: u8) {
        for (i, byte) in word.to_le_bytes().into_iter().enumerate() {
            if mask >> i & 1 == 1 {
                self.memory.poke(u64::from(address & !7) + i as u64, byte);
            }
        }
    }

    /// Bytes of memory. Takes no virtual time.
    pub fn peek(&self, address: u32, length: usize) -> Vec<u8> {
        (u64::from(address)..).take(length).map(|address| self.memory.peek(address)).collect()
    }

    /// Sets bytes of memory. Takes no virtual time.
    pub fn poke(&mut self, address: u32, bytes: &[u8]) {
        for (address, byte) in (u64::from(address)..).zip(bytes) {
            self.memory.poke(address, *byte);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accesses_are_answered_in_their_order() {
        let mut element = Element::new(0, Costs::PUBLISHED);
        let [first, second] =
            [(3, None), (4, Some(9))].map(|(at, write)| element.issue(Time::ZERO, at, write));
        assert_eq!(element.next().map(|access| access.address), Some(3));
        element.answer(7);
        assert_eq!((element.take(second), element.take(first)), (None, Some(7)));
        assert_eq!(element.next().and_then(|access| access.write), Some(9));
        element.answer(0);
        assert_eq!((element.take(second), element.next()), (Some(0), None));
    }

    #[test]
    fn nif_writes_the_bytes_of_a_word_that_it_names() {
        let mut element = Element::new(0, Costs::PUBLISHED);
        element.set_word(16, 0x8877_6655_4433_2211, 0xff);
        element.set_word(16, 0, 0b0000_1100);
        assert_eq!(element.word(16), 0x8877_6655_0000_2211);
        assert_eq!(element.peek(16, 2), [0x11, 0x22]);
    }
}
