//! The PCI bus of a node, 33 MHz and 32 bits: the processor and the card take turns on it.
//!
//! An access of the processor holds the bus from its address to its turnaround; the card, as master, from its grant until its last
//! word, for there is no latency timer here (decision 0033). If both want it at once, the one goes that did not
//! have it last.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use gigae_pm::pins::{BusIn, BusOut, HostIn, Out};

use super::cost::{self, Costs};
use cluster::host::Memory;
use cluster::{Cpu, Duration, Time};

/// Cycles from a read on the pins to its data (host port of the card).
const READ_LATENCY: u8 = 2;

/// Who has the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Nobody,
    /// The processor, until then.
    Processor(Time),
    Card,
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
struct Answer {
    ticket: u64,
    /// When the processor may have it.
    done: Time,
    data: u32,
}

/// The bus and the memory behind it.
#[derive(Debug)]
pub(super) struct Bus {
    costs: Costs,
    owner: Owner,
    /// The card had the bus last.
    card_was_last: bool,
    accesses: VecDeque<Access>,
    /// Ticket of the read whose data is awaited, and cycles until it is there.
    reading: Option<(u64, u8)>,
    answers: Vec<Answer>,
    next_ticket: u64,
    /// For how long the bus was taken: all of an access of the processor counts when it begins.
    busy: Duration,
    /// Main memory: the areas that are pinned.
    pub memory: Memory,
}

impl Bus {
    pub fn new(costs: Costs) -> Self {
        Bus {
            costs,
            owner: Owner::Nobody,
            card_was_last: false,
            accesses: VecDeque::new(),
            reading: None,
            answers: Vec::new(),
            next_ticket: 0,
            busy: Duration::ZERO,
            memory: Memory::default(),
        }
    }

    /// Queues an access that the processor issues now.
    fn issue(&mut self, now: Time, pins: HostIn) -> u64 {
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        self.accesses.push_back(Access { arrival: now + self.costs.request_path, pins, ticket });
        ticket
    }

    /// The answer to an access, once it has been on the bus and its data is there.
    fn take(&mut self, ticket: u64) -> Option<Answer> {
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

    /// When the first access that waits can go onto the bus, unless the card has it then.
    pub fn next_event(&self) -> Option<Time> {
        let arrival = self.accesses.front()?.arrival;
        Some(match self.owner {
            Owner::Processor(until) => arrival.max(until),
            Owner::Nobody | Owner::Card => arrival,
        })
    }

    /// The pins of the cycle that begins `now`, out of the card's pins.
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
            Owner::Card if !out.bus.request => self.owner = Owner::Nobody,
            _ => {}
        }
        let mut host = HostIn::default();
        let mut grant = false;
        if self.owner == Owner::Nobody {
            let processor = self.accesses.front().is_some_and(|access| access.arrival <= now);
            if out.bus.request && !(processor && self.card_was_last) {
                (self.owner, self.card_was_last, grant) = (Owner::Card, true, true);
            } else if processor {
                host = self.begin(now);
                self.card_was_last = false;
            }
        }
        // While the card has the bus its cycles are walked, one by one.
        if self.owner == Owner::Card {
            self.busy = self.busy + cost::BUS_CYCLE;
        }
        (host, self.transfer(grant, &out.bus))
    }

    /// The first access goes onto the bus.
    fn begin(&mut self, now: Time) -> HostIn {
        let Access { arrival, pins, ticket } = self.accesses.pop_front().expect("an access has arrived");
        let (occupies, costs, way_back) = if pins.write {
            (self.costs.bus_write, self.costs.write, Duration::ZERO)
        } else {
            self.reading = Some((ticket, READ_LATENCY));
            (self.costs.bus_read, self.costs.read, self.costs.response_path)
        };
        let issued = arrival.saturating_sub(self.costs.request_path);
        let done = (issued + costs).max(now + occupies + way_back);
        self.answers.push(Answer { ticket, done, data: 0 });
        self.owner = Owner::Processor(now + occupies);
        self.busy = self.busy + occupies;
        pins
    }

    /// The card as master: a word a cycle from the one after its grant.
    fn transfer(&mut self, grant: bool, out: &BusOut) -> BusIn {
        let ready = self.owner == Owner::Card && out.transfer;
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

/// A host as a program sees it: its processor, and the card behind the PCI bus.
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

    /// What its accesses cost.
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

    /// Puts bytes into pinned memory. Programs build them where they lie.
    pub fn set_memory(&self, address: u32, bytes: &[u8]) {
        self.bus.borrow_mut().poke(address, bytes);
    }

    /// Looks at bytes of pinned memory. Programs use them where they lie.
    pub fn memory(&self, address: u32, length: usize) -> Vec<u8> {
        let bus = self.bus.borrow();
        (u64::from(address)..).take(length).map(|address| bus.memory.peek(address)).collect()
    }

    async fn access(&self, pins: HostIn) -> u32 {
        let now = self.host.now();
        let ticket = self.bus.borrow_mut().issue(now, pins);
        // An access that finds the bus free is over after this time; one that waits is looked for at every clock.
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
    fn card_keeps_the_bus_until_it_is_done_and_then_the_processor_goes_first() {
        let mut bus = Bus::new(COSTS);
        let (_, pins) = bus.pins(ns(30), &card(true, false));
        assert!(pins.grant && !pins.ready);
        let ticket = bus.issue(ns(0), write());
        for cycle in 2..10 {
            let (host, pins) = bus.pins(ns(30 * cycle), &card(true, true));
            assert!(!host.enable && !pins.grant && pins.ready);
        }
        // The card is done; another transfer of it would have to wait.
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
        // A write of the processor, in the midst of which the card asks.
        bus.issue(ns(0), write());
        for cycle in 5..9 {
            assert!(!bus.pins(ns(30 * cycle), &card(cycle > 6, false)).1.grant);
        }
        assert_eq!(bus.busy(), COSTS.bus_write);
        // Its grant, and then seven words.
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
