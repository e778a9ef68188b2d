//! The PCI bus of a node, 33 MHz and 32 bits, which the processor and the card share.
//!
//! An access of the processor holds the bus from its address to its turnaround; the card, as master, from its grant until its last
//! word, because there is no latency timer (decision 0033). Arbitration is that of [`SharedBus`].

use std::cell::RefCell;
use std::rc::Rc;

use cluster::host::{BusAccess, BusAnswer, Granted, Memory, SharedBus};
use cluster::{Cpu, Duration, Time};
use gigae_pm::pins::{BusIn, BusOut, HostIn, Out};

use super::cost::{self, Costs};

/// Cycles from a read on the pins to its data (host port of the card).
const READ_LATENCY: u8 = 2;

/// The bus and the memory behind it.
#[derive(Debug)]
pub(super) struct Bus {
    costs: Costs,
    shared: SharedBus<HostIn>,
    /// Main memory: the pinned areas.
    pub memory: Memory,
}

impl Bus {
    pub fn new(costs: Costs) -> Self {
        Bus { costs, shared: SharedBus::default(), memory: Memory::default() }
    }

    /// Queues an access that the processor issues now, and returns its ticket.
    fn issue(&mut self, now: Time, pins: HostIn) -> u64 {
        self.shared.issue(now + self.costs.request_path, pins)
    }

    /// Takes the answer to an access, once the access is over and its data is there.
    fn take(&mut self, ticket: u64) -> Option<BusAnswer> {
        self.shared.take(ticket)
    }

    /// Time for which the bus was taken so far.
    pub fn busy(&self) -> Duration {
        self.shared.busy()
    }

    /// Adds time for which the bus was taken by accesses that were not simulated.
    pub fn add_busy(&mut self, busy: Duration) {
        self.shared.add_busy(busy);
    }

    /// Whether an access on a free bus takes its cost however long it waits for the next cycle.
    pub fn ignores_phase(&self) -> bool {
        let Costs { request_path, response_path, bus_read, bus_write, .. } = self.costs;
        let latest = request_path + cost::BUS_CYCLE;
        self.costs.read >= latest + bus_read + response_path && self.costs.write >= latest + bus_write
    }

    /// Whether a read awaits its data.
    pub fn is_reading(&self) -> bool {
        self.shared.is_reading()
    }

    /// Earliest instant at which the first access that waits gets the bus, unless the card has it then.
    pub fn next_event(&self) -> Option<Time> {
        self.shared.next_event()
    }

    /// The pins of the cycle that begins `now`, from the card's pins.
    pub fn pins(&mut self, now: Time, out: &Out) -> (HostIn, BusIn) {
        let granted = self.shared.cycle(now, out.bus.request, out.host.rdata);
        let grant = matches!(granted, Some(Granted::Device));
        let host = match granted {
            Some(Granted::Processor(access)) => self.begin(now, access),
            _ => HostIn::default(),
        };
        // No cycle is skipped while the card has the bus.
        if self.shared.is_device() {
            self.shared.add_busy(cost::BUS_CYCLE);
        }
        (host, self.transfer(grant, &out.bus))
    }

    /// Puts an access of the processor onto the bus.
    fn begin(&mut self, now: Time, access: BusAccess<HostIn>) -> HostIn {
        let BusAccess { arrival, pins, ticket } = access;
        let (occupied, cost, way_back, latency) = if pins.write {
            (self.costs.bus_write, self.costs.write, Duration::ZERO, None)
        } else {
            (self.costs.bus_read, self.costs.read, self.costs.response_path, Some(READ_LATENCY))
        };
        let issued = arrival.saturating_sub(self.costs.request_path);
        self.shared.answer(ticket, (issued + cost).max(now + occupied + way_back), latency);
        self.shared.begin(now, occupied);
        pins
    }

    /// The card as master: a word in each cycle after that of its grant.
    fn transfer(&mut self, grant: bool, out: &BusOut) -> BusIn {
        let ready = self.shared.is_device() && out.transfer;
        if ready && out.write {
            self.poke(out.address, &out.wdata.to_le_bytes());
        }
        let rdata = if ready && !out.write { self.word(out.address) } else { 0 };
        BusIn { rdata, grant, ready }
    }

    fn word(&self, address: u32) -> u32 {
        u32::from_le_bytes(std::array::from_fn(|i| self.memory.peek(u64::from(address) + i as u64)))
    }

    fn poke(&mut self, address: u32, bytes: &[u8]) {
        for (address, byte) in (u64::from(address)..).zip(bytes) {
            self.memory.poke(address, *byte);
        }
    }
}

/// A host as a program sees it: its processor, and the card on the PCI bus.
#[derive(Clone)]
pub struct BusHost {
    host: Cpu,
    bus: Rc<RefCell<Bus>>,
    costs: Costs,
}

impl BusHost {
    pub(super) fn new(host: Cpu, bus: Rc<RefCell<Bus>>) -> Self {
        let costs = bus.borrow().costs;
        BusHost { host, bus, costs }
    }

    /// Costs of its accesses.
    pub fn costs(&self) -> &Costs {
        &self.costs
    }

    /// The processor: time, marks, computing.
    pub fn processor(&self) -> &Cpu {
        &self.host
    }

    /// Writes a word to the card (C2). `address` is that in its aperture.
    pub async fn write(&self, address: u16, word: u32) {
        self.access(HostIn { wdata: word, address, enable: true, write: true, user: false }).await;
    }

    /// Reads a word from the card (C3), as the kernel.
    pub async fn read(&self, address: u16) -> u32 {
        self.access(HostIn { address, enable: true, ..HostIn::default() }).await
    }

    /// Reads a word of the window (C3), as a user process.
    pub async fn read_window(&self, word: u32) -> u32 {
        let address = 4 * word as u16;
        self.access(HostIn { address, enable: true, user: true, ..HostIn::default() }).await
    }

    /// Copies bytes into pinned memory (C1 for each word).
    pub async fn copy_to_memory(&self, address: u32, bytes: &[u8]) {
        self.host.compute(self.costs.copy * bytes.len().div_ceil(4) as u64).await;
        self.set_memory(address, bytes);
    }

    /// Sets bytes of pinned memory without a copy: programs build them in place.
    pub fn set_memory(&self, address: u32, bytes: &[u8]) {
        self.bus.borrow_mut().poke(address, bytes);
    }

    /// Bytes of pinned memory without a copy: programs use them in place.
    pub fn memory(&self, address: u32, length: usize) -> Vec<u8> {
        let bus = self.bus.borrow();
        (u64::from(address)..).take(length).map(|address| bus.memory.peek(address)).collect()
    }

    async fn access(&self, pins: HostIn) -> u32 {
        let now = self.host.now();
        let ticket = self.bus.borrow_mut().issue(now, pins);
        // On a free bus the access is over after this time; otherwise its answer is polled at every clock.
        self.host.compute(if pins.write { self.costs.write } else { self.costs.read }).await;
        loop {
            let answer = self.bus.borrow_mut().take(ticket);
            match answer {
                Some(answer) => {
                    if answer.done > self.host.now() {
                        self.host.compute(answer.done - self.host.now()).await;
                    }
                    return answer.data;
                }
                None => self.host.compute(cost::BUS_CYCLE).await,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COSTS: Costs = Costs::PUBLISHED;

    fn ns(ns: u64) -> Time {
        Time::from_ps(ns * 1_000)
    }

    fn write() -> HostIn {
        HostIn { enable: true, write: true, ..HostIn::default() }
    }

    fn card(request: bool, transfer: bool) -> Out {
        let mut out = Out::default();
        (out.bus.request, out.bus.transfer) = (request, transfer);
        out
    }

    #[test]
    fn access_on_a_free_bus_takes_what_table_1_charges() {
        for phase in 0..30 {
            let mut bus = Bus::new(COSTS);
            let ticket = bus.issue(ns(phase), write());
            for cycle in 0..20 {
                bus.pins(ns(30 * cycle), &Out::default());
            }
            assert_eq!(bus.take(ticket).unwrap().done, ns(phase + 250));
            let ticket = bus.issue(ns(600 + phase), HostIn { enable: true, ..HostIn::default() });
            for cycle in 20..45 {
                bus.pins(ns(30 * cycle), &Out::default());
            }
            assert_eq!(bus.take(ticket).unwrap().done, ns(600 + phase + 570));
        }
    }

    #[test]
    fn card_keeps_the_bus_and_then_the_processor_goes_first() {
        let mut bus = Bus::new(COSTS);
        let (_, pins) = bus.pins(ns(30), &card(true, false));
        assert!(pins.grant && !pins.ready);
        let ticket = bus.issue(ns(0), write());
        for cycle in 2..10 {
            let (host, pins) = bus.pins(ns(30 * cycle), &card(true, true));
            assert!(!host.enable && !pins.grant && pins.ready);
        }
        // The card is done; its next transfer has to wait.
        let (host, _) = bus.pins(ns(300), &card(false, false));
        assert!(host.enable);
        assert_eq!(bus.take(ticket).unwrap().done, ns(300 + 120));
        for cycle in 11..14 {
            assert!(!bus.pins(ns(30 * cycle), &card(true, false)).1.grant);
        }
        assert!(bus.pins(ns(420), &card(true, false)).1.grant);
    }

    #[test]
    fn bus_is_busy_while_the_processor_or_the_card_has_it() {
        let mut bus = Bus::new(COSTS);
        for cycle in 1..5 {
            bus.pins(ns(30 * cycle), &Out::default());
        }
        assert_eq!(bus.busy(), Duration::ZERO);
        // The card requests the bus during a write of the processor.
        bus.issue(ns(0), write());
        for cycle in 5..9 {
            assert!(!bus.pins(ns(30 * cycle), &card(cycle > 6, false)).1.grant);
        }
        assert_eq!(bus.busy(), COSTS.bus_write);
        // The grant of the card, then seven words.
        for cycle in 9..17 {
            bus.pins(ns(30 * cycle), &card(true, cycle > 9));
        }
        assert_eq!(bus.busy(), COSTS.bus_write + cost::BUS_CYCLE * 8);
        for cycle in 17..20 {
            bus.pins(ns(30 * cycle), &Out::default());
        }
        assert_eq!(bus.busy(), COSTS.bus_write + cost::BUS_CYCLE * 8);
        bus.issue(ns(600), HostIn { enable: true, ..HostIn::default() });
        bus.pins(ns(900), &Out::default());
        assert_eq!(bus.busy(), COSTS.bus_write + cost::BUS_CYCLE * 8 + COSTS.bus_read);
    }

    #[test]
    fn read_takes_the_data_of_two_cycles_later() {
        let mut bus = Bus::new(COSTS);
        let ticket = bus.issue(ns(0), HostIn { enable: true, ..HostIn::default() });
        for cycle in 4..10 {
            let mut out = Out::default();
            out.host.rdata = cycle;
            bus.pins(ns(30 * u64::from(cycle)), &out);
        }
        assert_eq!(bus.take(ticket).unwrap().data, 6);
    }
}
