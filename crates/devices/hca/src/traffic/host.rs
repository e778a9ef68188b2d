//! A host that uses an adapter: memory, a PCI bus, rings, and polling for completions.
//!
//! It drives the pins as a driver and verbs would, as fast as the pins allow or with random pauses.
//! Instructions of the host take no time.

use std::collections::VecDeque;

use hdl::{Bundle, Stimulus, byte_mask};

use crate::contexts::{Attributes, Group, Key, Kind, Limit, MEMBERS, PAIRS, Queue, SharedQueue};
use crate::layout::{ReceiveWqe, SendWqe};
use crate::numbers::Numbers;
use crate::pins::{BusIn, BusOut, HostIn, Out};
use crate::registers::{Doorbell, Register};

/// Bytes of a host's memory.
pub const MEMORY: usize = 1 << 20;

/// A CQE, decoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cqe {
    /// Count of the WQE.
    pub index: u16,
    /// QPN.
    pub pair: u8,
    /// Operation of the CQE, as in `layout`; bit 7 marks a receive.
    pub operation: u8,
    /// How the WQE ended, a `layout::Status`.
    pub status: u8,
    /// QPN of the sender of a datagram.
    pub source: u32,
    /// LID of the sender or of the destination.
    pub source_lid: u16,
    /// Bytes received.
    pub bytes: u32,
    /// Immediate data.
    pub immediate: u32,
}

/// A host with its memory.
#[derive(Clone, Debug)]
pub struct Host {
    random: Stimulus,
    /// The bus grants, and transfers a word, once in `stalls` cycles on average.
    pub stalls: u64,
    /// Memory in words of 8 bytes; addresses beyond it read 0.
    pub memory: Vec<u64>,
    /// Writes of words beyond the end of memory.
    pub strays: u64,
    beats: VecDeque<HostIn>,
    /// Cycles to wait for the running command.
    rest: u32,
}

impl Host {
    /// A new host with its memory at 0.
    pub fn new(seed: u64) -> Self {
        Self {
            random: Stimulus::new(seed),
            stalls: 1,
            memory: vec![0; MEMORY / 8],
            strays: 0,
            beats: VecDeque::new(),
            rest: 0,
        }
    }

    /// Queues an access.
    pub fn access(&mut self, access: HostIn) {
        self.beats.push_back(HostIn { enable: true, ..access });
    }

    /// Queues a write of a register.
    pub fn write_register(&mut self, register: Register, wdata: u32) {
        self.access(HostIn { address: register.info().offset, wdata, write: true, ..HostIn::default() });
    }

    /// Resets a queue pair, in place of all queued accesses.
    pub fn quit(&mut self, pair: u8) {
        self.beats.clear();
        self.set_pair(pair, Attributes::default());
    }

    /// Queues a doorbell, as a user process rings it; `arm` is for completion queues.
    pub fn ring(&mut self, doorbell: Doorbell, queue: u8, count: u16, arm: bool) {
        let wdata = u32::from(count) << 16 | u32::from(arm) << 8 | u32::from(queue);
        let address = 0x1000 + doorbell.info().offset;
        self.access(HostIn { address, wdata, write: true, user: true, ..HostIn::default() });
    }

    fn command<B: Bundle>(&mut self, kind: Kind, row: u16, value: B) {
        let mut words = [0; 4];
        value.put(&mut words, 0, B::WIDTH);
        for i in 0..8 {
            let register = Register::write(0x40 + 4 * i).expect("there are eight of them");
            self.write_register(register, (words[usize::from(i) / 2] >> (32 * (i & 1))) as u32);
        }
        self.write_register(Register::Command, kind.word(row));
    }

    /// Sets up a queue pair.
    pub fn set_pair(&mut self, pair: u8, attributes: Attributes) {
        self.command(Kind::Pair, pair.into(), attributes);
    }

    /// Changes the state or other attributes of a queue pair; both of its queues go on.
    pub fn change_pair(&mut self, pair: u8, attributes: Attributes) {
        self.command(Kind::Change, pair.into(), attributes);
    }

    /// Changes the state or other attributes of a queue pair, whose send queue begins anew.
    pub fn start_sends(&mut self, pair: u8, attributes: Attributes) {
        self.command(Kind::Sender, pair.into(), attributes);
    }

    /// Requests the progress of a queue pair, which the adapter stores in the staging words.
    pub fn request_report(&mut self, pair: u8) {
        self.write_register(Register::Command, Kind::Report.word(pair.into()));
    }

    /// Sets up a completion queue.
    pub fn set_queue(&mut self, queue: u8, row: Queue) {
        self.command(Kind::Completion, queue.into(), row);
    }

    /// Sets up a shared receive queue.
    pub fn set_shared(&mut self, queue: u8, row: SharedQueue) {
        self.command(Kind::SharedQueue, queue.into(), row);
    }

    /// Sets the limit of a shared receive queue.
    pub fn set_limit(&mut self, queue: u8, limit: Limit) {
        self.command(Kind::Limit, queue.into(), limit);
    }

    /// Attaches queue pairs to a multicast group; others are detached.
    pub fn set_group(&mut self, group: u8, members: &Numbers) {
        for (pair, members) in PAIRS.step_by(MEMBERS).zip(members.words()) {
            self.command(Kind::Group, Group::row(group, pair), Group { members });
        }
    }

    /// Registers an area in the row of `key`.
    pub fn set_key(&mut self, key: u32, row: Key) {
        self.command(Kind::Area, Key::row_of(key), row);
    }

    /// Whether all accesses of the host have been made.
    pub fn is_quiet(&self) -> bool {
        self.beats.is_empty() && self.rest == 0
    }

    /// Writes bytes into memory.
    pub fn store(&mut self, address: u32, bytes: &[u8]) {
        for (at, &byte) in (address as usize..).zip(bytes) {
            let shift = 8 * (at % 8);
            let word = &mut self.memory[at / 8];
            *word = *word & !(0xff << shift) | u64::from(byte) << shift;
        }
    }

    /// Bytes of memory.
    pub fn load(&self, address: u32, bytes: usize) -> Vec<u8> {
        (address as usize..address as usize + bytes)
            .map(|at| (self.memory[at / 8] >> (8 * (at % 8))) as u8)
            .collect()
    }

    /// Writes a send WQE into a ring.
    pub fn put_send(&mut self, base: u32, log: u8, count: u16, wqe: &SendWqe) {
        let place = u32::from(count) & ((1 << log) - 1);
        for (at, word) in ((base + 64 * place) as usize / 8..).zip(wqe.words()) {
            self.memory[at] = word;
        }
    }

    /// Writes a receive WQE into a ring.
    pub fn put_receive(&mut self, base: u32, log: u8, count: u16, address: u32, length: u32, l_key: u32) {
        let place = u32::from(count) & ((1 << log) - 1);
        let at = (base + 16 * place) as usize / 8;
        self.memory[at..at + 2].copy_from_slice(&ReceiveWqe { l_key, address, length }.words());
    }

    /// CQE number `count`, if it has been written.
    pub fn poll(&self, base: u32, log: u8, count: u16) -> Option<Cqe> {
        let place = u32::from(count) & ((1 << log) - 1);
        let at = (base + 32 * place) as usize / 8;
        let lap = u64::from(u32::from(count) >> log & 1 == 0);
        let [first, second, third, fourth] = self.memory[at..at + 4] else { unreachable!("a slice of four") };
        (fourth & 1 == lap).then_some(Cqe {
            index: first as u16,
            pair: (first >> 16) as u8,
            operation: (first >> 24) as u8,
            status: (third >> 16) as u8,
            source: (first >> 32) as u32,
            source_lid: third as u16,
            bytes: second as u32,
            immediate: (second >> 32) as u32,
        })
    }

    /// Pins for the next edge; `out` are the present outputs of the adapter.
    pub fn pins(&mut self, out: &Out) -> (HostIn, BusIn) {
        let host =
            if self.rest == 0 { self.beats.pop_front().unwrap_or_default() } else { HostIn::default() };
        self.rest = self.rest.saturating_sub(1);
        // A command may wait for an engine to finish; a driver would poll the register until the command is
        // done.
        if host.enable && host.write && host.address == Register::Command.info().offset && !host.user {
            self.rest = 4_000;
        }
        (host, self.bus(&out.bus))
    }

    fn bus(&mut self, out: &BusOut) -> BusIn {
        let lucky = |random: &mut Stimulus, odds: u64| odds <= 1 || random.one_in(odds);
        let grant = out.request && lucky(&mut self.random, self.stalls);
        let ready = out.transfer && lucky(&mut self.random, self.stalls);
        let place = self.memory.get_mut(out.address as usize / 8);
        let rdata = place.as_deref().copied().unwrap_or(0);
        if ready && out.write {
            match place {
                Some(word) => {
                    let mask = byte_mask(out.byte_enable);
                    *word = *word & !mask | out.wdata & mask;
                }
                None => self.strays += 1,
            }
        }
        BusIn { rdata, grant, ready }
    }
}
