//! The bus of the adapter: processor and adapter take turns on it, and memory is behind it.
//!
//! An access of the processor holds the bus for its clocks; the adapter, as master, from its grant until its request falls. If both want it at once,
//! the one goes that did not have it last. The adapter's pins run at 125 MHz; a word is ready in the first of its cycles in which the bus has brought it.

use std::collections::VecDeque;

use cluster::host::Memory;
use cluster::{Duration, Time};
use hca::pins::{BusIn, BusOut, HostIn, Out};
use hdl::byte_mask;

use crate::Settings;
use crate::cost::Costs;
use crate::machine::{CLOCKS, CORE};

/// Cycles from a read on the pins to its data.
const READ_LATENCY: u8 = 1;

/// Bytes of host memory; what lies behind them reads 0 and is not written.
pub const MEMORY_BYTES: u32 = 512 << 20;

/// Who has the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Nobody,
    /// The processor, until then.
    Processor(Time),
    /// The adapter; its next word is there then.
    Adapter(Time),
}

#[derive(Clone, Debug)]
struct Access {
    /// When it reaches the bus, at the earliest.
    arrival: Time,
    pins: HostIn,
    ticket: u64,
}

/// An access that has been on the bus.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    ticket: u64,
    /// When the processor may have it.
    pub done: Time,
    /// What it read.
    pub data: u32,
}

/// The bus and the memory behind it.
#[derive(Debug)]
pub struct Bus {
    settings: Settings,
    owner: Owner,
    /// The adapter had the bus last.
    adapter_was_last: bool,
    accesses: VecDeque<Access>,
    /// Ticket of the read whose data is awaited, and cycles until it is there.
    reading: Option<(u64, u8)>,
    answers: Vec<Answer>,
    next_ticket: u64,
    /// For how long the bus was taken.
    busy: Duration,
    /// Main memory.
    pub memory: Memory,
}

impl Bus {
    /// A bus on which nothing happens.
    pub fn new(settings: Settings) -> Self {
        Bus {
            settings,
            owner: Owner::Nobody,
            adapter_was_last: false,
            accesses: VecDeque::new(),
            reading: None,
            answers: Vec::new(),
            next_ticket: 0,
            busy: Duration::ZERO,
            memory: Memory::default(),
        }
    }

    /// What accesses cost.
    pub fn costs(&self) -> &Costs {
        &self.settings.costs
    }

    /// Queues an access that the processor issues now. Those of users are doorbells, whose way is their own; none overtakes another.
    pub fn issue(&mut self, now: Time, pins: HostIn) -> u64 {
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        let path = if pins.user { self.costs().doorbell_path } else { self.costs().request_path };
        let before = self.accesses.back().map_or(Time::ZERO, |access| access.arrival);
        self.accesses.push_back(Access { arrival: before.max(now + path), pins, ticket });
        ticket
    }

    /// The answer to a read, once it has been on the bus and its data is there.
    pub fn take(&mut self, ticket: u64) -> Option<Answer> {
        if self.reading.is_some_and(|(reading, _)| reading == ticket) {
            return None;
        }
        let at = self.answers.iter().position(|answer| answer.ticket == ticket)?;
        Some(self.answers.swap_remove(at))
    }

    /// For how much of the time so far the bus was taken.
    pub fn busy(&self) -> Duration {
        self.busy
    }

    /// It was taken for so long by accesses that were not simulated.
    pub fn add_busy(&mut self, busy: Duration) {
        self.busy = self.busy + busy;
    }

    /// Whether data is awaited.
    pub fn is_reading(&self) -> bool {
        self.reading.is_some()
    }

    /// When the first access that waits can go onto the bus, unless the adapter has it then.
    pub fn next_event(&self) -> Option<Time> {
        let arrival = self.accesses.front()?.arrival;
        Some(match self.owner {
            Owner::Processor(until) => arrival.max(until),
            Owner::Nobody | Owner::Adapter(_) => arrival,
        })
    }

    /// The pins of the cycle that begins `now`, out of the adapter's pins.
    pub fn pins(&mut self, now: Time, out: &Out) -> (HostIn, BusIn) {
        if let Some((ticket, cycles)) = self.reading.as_mut() {
            *cycles -= 1;
            if *cycles == 0 {
                let ticket = *ticket;
                let answer = self.answers.iter_mut().find(|answer| answer.ticket == ticket);
                answer.expect("a read has an answer when it is on the bus").data = out.host.rdata;
                self.reading = None;
            }
        }
        match self.owner {
            Owner::Processor(until) if now >= until => self.owner = Owner::Nobody,
            Owner::Adapter(_) if !out.bus.request => self.owner = Owner::Nobody,
            _ => {}
        }
        let mut host = HostIn::default();
        let mut grant = false;
        if self.owner == Owner::Nobody {
            let processor = self.accesses.front().is_some_and(|access| access.arrival <= now);
            if out.bus.request && !(processor && self.adapter_was_last) {
                let Costs { master_read, master_write, .. } = *self.costs();
                let first = if out.bus.write { master_write } else { master_read };
                self.owner = Owner::Adapter(now + first);
                (self.adapter_was_last, grant) = (true, true);
            } else if processor {
                host = self.begin(now);
                self.adapter_was_last = false;
            }
        }
        (host, self.transfer(now, grant, &out.bus))
    }

    /// The first access goes onto the bus.
    fn begin(&mut self, now: Time) -> HostIn {
        let Access { pins, ticket, .. } = self.accesses.pop_front().expect("an access has arrived");
        let Costs { bus_write, bus_read, response_path, .. } = *self.costs();
        let once = if pins.write { bus_write } else { bus_read };
        let occupies = once * self.settings.bus.clocks();
        // Nobody waits for a write: it is posted.
        if !pins.write {
            self.reading = Some((ticket, READ_LATENCY));
            self.answers.push(Answer { ticket, done: now + occupies + response_path, data: 0 });
        }
        self.owner = Owner::Processor(now + occupies);
        self.busy = self.busy + occupies;
        pins
    }

    /// The adapter as master: a word in a cycle by which the bus has brought one.
    fn transfer(&mut self, now: Time, grant: bool, out: &BusOut) -> BusIn {
        let Owner::Adapter(next) = self.owner else { return BusIn::default() };
        let cycle = CLOCKS.domain(CORE).period;
        self.busy = self.busy + cycle;
        let ready = out.transfer && next <= now;
        if ready {
            // A bus that is faster than the adapter is a word ahead at most.
            self.owner = Owner::Adapter(next.max(now.saturating_sub(cycle)) + self.settings.bus.word());
        }
        if ready && out.write {
            self.set_word(out.address, out.wdata, byte_mask(out.byte_enable));
        }
        let rdata = if ready && !out.write { self.word(out.address) } else { 0 };
        BusIn { rdata, grant, ready }
    }

    fn word(&self, address: u32) -> u64 {
        let address = address & !7;
        if address < MEMORY_BYTES { u64::from_le_bytes(self.memory.read(address.into())) } else { 0 }
    }

    fn set_word(&mut self, address: u32, word: u64, mask: u64) {
        let merged = self.word(address) & !mask | word & mask;
        self.poke(address & !7, &merged.to_le_bytes());
    }

    /// Bytes of memory, without taking time.
    pub fn peek(&self, address: u32, length: usize) -> Vec<u8> {
        (u64::from(address)..).take(length).map(|address| self.memory.peek(address)).collect()
    }

    /// Sets bytes of memory, without taking time.
    pub fn poke(&mut self, address: u32, bytes: &[u8]) {
        for (address, byte) in (u64::from(address)..u64::from(MEMORY_BYTES)).zip(bytes) {
            self.memory.poke(address, *byte);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings;

    const COSTS: Costs = Costs::PUBLISHED;

    fn bus(bus: settings::Bus) -> Bus {
        Bus::new(Settings { bus, ..Settings::default() })
    }

    fn at(cycle: u64) -> Time {
        Time::from_ps(8_000 * cycle)
    }

    fn adapter(transfer: bool, write: bool) -> Out {
        let mut out = Out::default();
        (out.bus.request, out.bus.transfer, out.bus.write) = (true, transfer, write);
        out
    }

    /// Cycles from the request to the end of so many words of a burst.
    fn cycles(bus: &mut Bus, words: usize, write: bool) -> u64 {
        let mut left = words;
        (0..)
            .find(|cycle| {
                let (_, pins) = bus.pins(at(*cycle), &adapter(*cycle > 0, write));
                left -= usize::from(pins.ready);
                left == 0
            })
            .expect("a burst ends")
    }

    #[test]
    fn burst_takes_its_first_access_and_then_a_word_each_time_of_the_bus() {
        let first = COSTS.master_read.ps().div_ceil(8_000);
        assert_eq!(cycles(&mut bus(settings::Bus::PciX), 101, false), first + 100);
        assert_eq!(
            cycles(&mut bus(settings::Bus::Pci66), 101, false),
            first + (100 * 15_000_u64).div_ceil(8_000)
        );
        assert_eq!(cycles(&mut bus(settings::Bus::Pci33), 11, false), first + 75);
        assert_eq!(cycles(&mut bus(settings::Bus::PciX), 1, true), COSTS.master_write.ps().div_ceil(8_000));
    }

    #[test]
    fn posted_writes_reach_the_adapter_in_their_order_whatever_their_ways() {
        let mut bus = bus(settings::Bus::PciX);
        for (address, user) in [(1, true), (2, false), (3, true)] {
            bus.issue(Time::ZERO, HostIn { address, user, enable: true, write: true, ..HostIn::default() });
        }
        let mut seen = Vec::new();
        for cycle in 0..2_000 {
            let (host, _) = bus.pins(at(cycle), &Out::default());
            if host.enable {
                seen.push((host.address, at(cycle)));
            }
        }
        assert_eq!(seen.iter().map(|(address, _)| *address).collect::<Vec<_>>(), [1, 2, 3]);
        assert!(seen[0].1 >= Time::ZERO + COSTS.doorbell_path);
        assert_eq!(bus.next_event(), None);
    }

    #[test]
    fn read_brings_the_word_of_the_next_cycle_when_it_is_back() {
        let mut bus = bus(settings::Bus::PciX);
        let ticket = bus.issue(Time::ZERO, HostIn { enable: true, ..HostIn::default() });
        let mut out = Out::default();
        for cycle in 0..60 {
            out.host.rdata = cycle as u32;
            bus.pins(at(cycle), &out);
        }
        let answer = bus.take(ticket).unwrap();
        let begun = COSTS.request_path.ps().div_ceil(8_000);
        assert_eq!(u64::from(answer.data), begun + 1);
        assert_eq!(answer.done, at(begun) + COSTS.bus_read + COSTS.response_path);
    }

    #[test]
    fn adapter_and_processor_take_turns() {
        let mut bus = bus(settings::Bus::PciX);
        assert!(bus.pins(at(0), &adapter(false, false)).1.grant);
        bus.issue(Time::ZERO, HostIn { enable: true, write: true, ..HostIn::default() });
        for cycle in 1..50 {
            let (host, pins) = bus.pins(at(cycle), &adapter(true, false));
            assert!(!host.enable && !pins.grant);
        }
        assert!(bus.pins(at(50), &Out::default()).0.enable);
        // Now the processor was last.
        assert!((51..60).any(|cycle| bus.pins(at(cycle), &adapter(false, false)).1.grant));
    }

    #[test]
    fn memory_ends_where_it_ends() {
        let mut bus = bus(settings::Bus::PciX);
        bus.set_word(MEMORY_BYTES - 8, u64::MAX, u64::MAX);
        bus.set_word(MEMORY_BYTES, u64::MAX, u64::MAX);
        bus.set_word(16, u64::MAX, byte_mask(0b1100));
        assert_eq!([MEMORY_BYTES - 8, MEMORY_BYTES, 16].map(|at| bus.word(at)), [u64::MAX, 0, 0xffff_0000]);
    }
}
