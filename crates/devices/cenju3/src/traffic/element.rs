//! A processor element around a NIF: local memory that stalls, and a program that fills queues and empties
//! rings.

use std::collections::VecDeque;

use hdl::Stimulus;

use super::layout::{self, POSITIONS, QUEUES, RINGS};
use crate::memory_map::{Addresses, Control, ENTRIES, ENTRY_BYTES, Kind};
use crate::pins::{HostIn, MemoryIn, Out};
use crate::registers::Register;

/// A transfer to send.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Its first word.
    pub control: Control,
    /// Its second word.
    pub addresses: Addresses,
    /// Words of the library.
    pub library: [u64; 4],
}

impl Entry {
    /// A transfer of the bytes at `source`; a message has no destination address.
    pub fn new(kind: Kind, pe: u8, length: u32, source: u32, destination: u32) -> Self {
        Self {
            control: Control { kind: kind.code(), pe, length },
            addresses: Addresses { source, destination },
            library: [0; 4],
        }
    }
}

/// A transfer that has arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Ring of the transfer.
    pub ring: u8,
    /// Processor element that sent it.
    pub source: u8,
    /// Byte address of the data.
    pub address: u32,
    /// Data of the transfer.
    pub bytes: Vec<u8>,
    /// Words of the library.
    pub library: [u64; 4],
}

/// A processor element.
#[derive(Clone, Debug)]
pub struct Element {
    memory: Vec<u64>,
    random: Stimulus,
    /// Memory is not ready once in `stalls` cycles on average; 0 for always ready.
    pub stalls: u64,
    /// The program reads the rings.
    pub reads_rings: bool,
    accesses: VecDeque<HostIn>,
    asked: Option<u16>,
    turn: usize,
    waiting: [VecDeque<Entry>; 2],
    /// Entry of each queue that is written next.
    pub write: [u8; 2],
    /// Entry of each queue that the NIF was seen to read next.
    pub read: [u8; 2],
    rings: [u8; 3],
    /// Transfers that have arrived, in order.
    pub arrivals: Vec<Arrival>,
    /// Register and answer of each read that a test has requested.
    pub answers: Vec<(u16, u32)>,
}

impl Element {
    /// Element number `pe`, whose program sets up its NIF first.
    pub fn new(pe: u8, seed: u64) -> Self {
        let mut element = Self {
            memory: vec![0; layout::BYTES as usize / 8],
            random: Stimulus::new(seed),
            stalls: 4,
            reads_rings: true,
            accesses: VecDeque::new(),
            asked: None,
            turn: 0,
            waiting: Default::default(),
            write: [0; 2],
            read: [0; 2],
            rings: [0; 3],
            arrivals: Vec::new(),
            answers: Vec::new(),
        };
        for (register, value) in layout::setup(pe) {
            element.set(register, value);
        }
        element
    }

    /// Queues a write of a register.
    pub fn set(&mut self, register: Register, value: u32) {
        self.access(register.info().offset, Some(value));
    }

    /// Queues an access of any offset: a write of a value, or a read.
    pub fn access(&mut self, address: u16, value: Option<u32>) {
        let wdata = value.unwrap_or_default();
        self.accesses.push_back(HostIn { wdata, address, enable: true, write: value.is_some() });
    }

    /// Queues a transfer.
    pub fn send(&mut self, queue: usize, entry: Entry) {
        self.waiting[queue].push_back(entry);
    }

    /// Whether the NIF has read all queued transfers.
    pub fn is_sent(&self) -> bool {
        self.waiting.iter().all(VecDeque::is_empty) && self.read == self.write && self.accesses.is_empty()
    }

    /// Transfers queued in the program.
    pub fn waits(&self) -> usize {
        self.waiting.iter().map(VecDeque::len).sum()
    }

    /// Bytes of memory.
    pub fn bytes(&self, address: u32, length: u32) -> Vec<u8> {
        (address..address + length).map(|byte| (self.word(byte & !7) >> (8 * (byte & 7))) as u8).collect()
    }

    /// Writes bytes into memory.
    pub fn put(&mut self, address: u32, bytes: &[u8]) {
        for (byte, &value) in (address..).zip(bytes) {
            let word = u64::from(value) << (8 * (byte & 7));
            self.store(byte & !7, word, 1 << (byte & 7));
        }
    }

    fn word(&self, address: u32) -> u64 {
        self.memory.get(address as usize / 8).copied().unwrap_or(u64::from(address) * 0x0101_0101)
    }

    fn store(&mut self, address: u32, word: u64, strobe: u8) {
        let Some(stored) = self.memory.get_mut(address as usize / 8) else { return };
        for byte in (0..8).filter(|byte| strobe >> byte & 1 == 1) {
            let mask = 0xff << (8 * byte);
            *stored = *stored & !mask | word & mask;
        }
    }

    /// Pins for the next edge.
    pub fn pins(&mut self, out: &Out) -> (HostIn, MemoryIn) {
        (self.host(out), self.local_memory(out))
    }

    fn local_memory(&mut self, out: &Out) -> MemoryIn {
        let memory = &out.memory;
        if !memory.request || self.stalls != 0 && self.random.one_in(self.stalls) {
            return MemoryIn::default();
        }
        debug_assert!(memory.address & 7 == 0, "memory has words of 8 bytes, none at {:#x}", memory.address);
        let rdata = self.word(memory.address);
        if memory.write {
            self.store(memory.address, memory.wdata, memory.strobe);
        }
        MemoryIn { rdata, ready: true }
    }

    fn host(&mut self, out: &Out) -> HostIn {
        if let Some(register) = self.asked.take() {
            self.answer(register, out.host.rdata);
        }
        let access = self.accesses.pop_front().or_else(|| self.next_access());
        if let Some(access) = access.filter(|access| !access.write) {
            self.asked = Some(access.address);
        }
        access.unwrap_or_default()
    }

    /// Lets an idle program fill queues and poll.
    fn next_access(&mut self) -> Option<HostIn> {
        if !self.random.one_in(4) {
            return None;
        }
        self.turn = (self.turn + 1) % 5;
        let read = match self.turn {
            queue @ (0 | 1) => {
                self.fill(queue);
                POSITIONS[queue].1
            }
            ring => RINGS[ring - 2].0,
        };
        self.access(read.info().offset, None);
        self.accesses.pop_front()
    }

    /// Writes entries while there is room, and then the position.
    fn fill(&mut self, queue: usize) {
        let mut filled = false;
        while (self.write[queue] + 1) % ENTRIES != self.read[queue] {
            let Some(entry) = self.waiting[queue].pop_front() else { break };
            let at = QUEUES[queue] + u32::from(self.write[queue]) * ENTRY_BYTES;
            let words = [entry.control.bits(), entry.addresses.bits()].into_iter().chain(entry.library);
            for (place, word) in (at..).step_by(8).zip(words) {
                self.store(place, word, 0xff);
            }
            self.write[queue] = (self.write[queue] + 1) % ENTRIES;
            filled = true;
        }
        if filled {
            self.set(POSITIONS[queue].0, self.write[queue].into());
        }
    }

    fn answer(&mut self, register: u16, value: u32) {
        let is = |candidate: Register| candidate.info().offset == register;
        if let Some(queue) = POSITIONS.iter().position(|(_, read)| is(*read)) {
            self.read[queue] = value as u8;
        } else if let Some(ring) = RINGS.iter().position(|(write, _)| is(*write)) {
            while self.reads_rings && self.rings[ring] != value as u8 {
                self.arrive(ring);
            }
        } else {
            self.answers.push((register, value));
        }
    }

    /// Reads a header and its data, and gives both back.
    fn arrive(&mut self, ring: usize) {
        let at = layout::HEADERS[ring] + u32::from(self.rings[ring]) * ENTRY_BYTES;
        let control = Control::from_bits(self.word(at));
        let address = Addresses::from_bits(self.word(at + 8)).source;
        self.arrivals.push(Arrival {
            ring: ring as u8,
            source: control.pe,
            address,
            bytes: self.bytes(address, control.length.min(layout::BYTES)),
            library: [16, 24, 32, 40].map(|offset| self.word(at + offset)),
        });
        self.rings[ring] = (self.rings[ring] + 1) % ENTRIES;
        self.set(RINGS[ring].1, self.rings[ring].into());
    }
}
