//! The bus that processor and adapter share, with memory behind it.
//!
//! An access of the processor holds the bus for its clocks; the adapter, as master, holds it from its grant
//! until its request falls. Arbitration is that of [`SharedBus`]. The adapter's pins run at 125 MHz; a word is
//! ready in the first cycle of the adapter after the bus has transferred it.

use cluster::host::{BusAccess, BusAnswer, Granted, Memory, SharedBus};
use cluster::{Duration, Time};
use hca::pins::{BusIn, BusOut, HostIn, Out};
use hdl::byte_mask;

use crate::Settings;
use crate::clocks::{CLOCKS, CORE};
use crate::cost::Costs;
use crate::stamps::Stamps;
use crate::windows::Windows;

/// Cycles from a read on the pins to its data.
const READ_LATENCY: u8 = 1;

/// Bytes of host memory. Reads beyond its end return 0; writes there are dropped.
pub const MEMORY_BYTES: u32 = 512 << 20;

/// The bus and the memory behind it.
#[derive(Debug)]
pub struct Bus {
    settings: Settings,
    shared: SharedBus<HostIn>,
    /// Instant of the adapter's next word while the adapter has the bus.
    next_word: Time,
    /// Instant up to which the time of the adapter on the bus is counted.
    counted: Time,
    /// Instant until which the adapter, whose request is up, waits for its grant or for a word.
    waits_until: Option<Time>,
    /// Main memory.
    pub memory: Memory,
    /// Bus addresses beyond main memory that lead to memory of a process.
    pub windows: Windows,
    /// When the adapter wrote the blocks of memory that a driver asks about.
    pub stamps: Stamps,
    /// The adapter requests an interrupt.
    pub interrupt: bool,
}

impl Bus {
    /// An idle bus.
    pub fn new(settings: Settings) -> Self {
        Bus {
            settings,
            shared: SharedBus::default(),
            next_word: Time::ZERO,
            counted: Time::ZERO,
            waits_until: None,
            memory: Memory::default(),
            windows: Windows::default(),
            stamps: Stamps::default(),
            interrupt: false,
        }
    }

    /// Settings of the run.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Costs of accesses.
    pub fn costs(&self) -> &Costs {
        &self.settings.costs
    }

    /// Queues an access that the processor issues now, and returns its ticket. An access with `user` rings a
    /// doorbell, whose path has a latency of its own; no access overtakes another.
    pub fn issue(&mut self, now: Time, pins: HostIn) -> u64 {
        let path = if pins.user { self.costs().doorbell_path } else { self.costs().request_path };
        self.shared.issue(now + path, pins)
    }

    /// Takes the answer to a read, once its data is there.
    pub fn take(&mut self, ticket: u64) -> Option<BusAnswer> {
        self.shared.take(ticket)
    }

    /// Time for which the bus was occupied so far.
    pub fn busy(&self) -> Duration {
        self.shared.busy()
    }

    /// Adds time for which accesses that were not simulated occupied the bus.
    pub fn add_busy(&mut self, busy: Duration) {
        self.shared.add_busy(busy);
    }

    /// Accesses that the processor has issued so far.
    pub fn accesses(&self) -> u64 {
        self.shared.issued()
    }

    /// Whether a read awaits its data.
    pub fn is_reading(&self) -> bool {
        self.shared.is_reading()
    }

    /// Whether the adapter's request is up and the bus does nothing for it in the present cycle.
    pub fn keeps_waiting(&self) -> bool {
        self.waits_until.is_some()
    }

    /// Earliest instant at which the bus does something for the processor, or for an adapter that waits.
    pub fn next_event(&self) -> Option<Time> {
        let access = if self.shared.is_device() { None } else { self.shared.next_event() };
        access.into_iter().chain(self.waits_until).min()
    }

    /// The pins of the cycle that begins `now`, from the adapter's pins.
    pub fn pins(&mut self, now: Time, out: &Out) -> (HostIn, BusIn) {
        let (mut host, mut grant) = (HostIn::default(), false);
        match self.shared.cycle(now, out.bus.request, out.host.rdata) {
            Some(Granted::Processor(access)) => host = self.begin(now, access),
            Some(Granted::Device) => {
                let Costs { master_read, master_write, .. } = *self.costs();
                self.next_word = now + if out.bus.write { master_write } else { master_read };
                self.counted = now;
                grant = true;
            }
            None => {}
        }
        let bus = self.transfer(now, grant, &out.bus);
        self.waits_until = match self.shared.is_device() {
            true => (out.bus.transfer && !bus.ready).then_some(self.next_word),
            false => self.shared.processor_until().filter(|_| out.bus.request),
        };
        (host, bus)
    }

    /// Puts an access of the processor onto the bus.
    fn begin(&mut self, now: Time, access: BusAccess<HostIn>) -> HostIn {
        let BusAccess { pins, ticket, .. } = access;
        let Costs { bus_write, bus_read, response_path, .. } = *self.costs();
        let once = if pins.write { bus_write } else { bus_read };
        let occupied = once * self.settings.bus.clocks();
        // Writes are posted: the processor takes no answer.
        if !pins.write {
            self.shared.answer(ticket, now + occupied + response_path, Some(READ_LATENCY));
        }
        self.shared.begin(now, occupied);
        pins
    }

    /// The adapter as master: transfers a word in a cycle if the bus has transferred one by then.
    fn transfer(&mut self, now: Time, grant: bool, out: &BusOut) -> BusIn {
        if !self.shared.is_device() {
            return BusIn::default();
        }
        let cycle = CLOCKS.domain(CORE).period;
        // Cycles in which the adapter waits are left out.
        self.shared.add_busy(now + cycle - self.counted);
        self.counted = now + cycle;
        let ready = out.transfer && self.next_word <= now;
        if ready {
            // A bus that is faster than the adapter is a word ahead at most.
            self.next_word = self.next_word.max(now.saturating_sub(cycle)) + self.settings.bus.word();
        }
        if ready && out.write {
            self.stamps.note(out.address, now);
            self.set_word(out.address, out.wdata, byte_mask(out.byte_enable));
        }
        let rdata = if ready && !out.write { self.word(out.address) } else { 0 };
        BusIn { rdata, grant, ready }
    }

    fn word(&mut self, address: u32) -> u64 {
        let address = address & !7;
        if address < MEMORY_BYTES {
            return u64::from_le_bytes(self.memory.read(address.into()));
        }
        let mut bytes = [0; 8];
        self.windows.read(address, &mut bytes);
        u64::from_le_bytes(bytes)
    }

    fn set_word(&mut self, address: u32, word: u64, mask: u64) {
        let address = address & !7;
        if address < MEMORY_BYTES {
            let merged = self.word(address) & !mask | word & mask;
            self.poke(address, &merged.to_le_bytes());
            return;
        }
        for (place, byte) in (0..).zip(word.to_le_bytes()) {
            if mask >> (8 * place) & 1 == 1 {
                self.windows.write(address + place, &[byte]);
            }
        }
    }

    /// Bytes of memory. Takes no virtual time.
    pub fn peek(&self, address: u32, length: usize) -> Vec<u8> {
        (u64::from(address)..).take(length).map(|address| self.memory.peek(address)).collect()
    }

    /// Sets bytes of memory. Takes no virtual time.
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

    /// Cycles from the request to the end of a burst of `words`.
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
    fn burst_takes_an_access_then_a_word_per_bus_time() {
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
    fn posted_writes_keep_their_order() {
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
        // The processor was last now.
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
