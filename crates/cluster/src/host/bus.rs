//! A bus that a processor and a device share: tickets of accesses, arbitration and the time for which the bus is taken.
//!
//! If processor and device want the bus at once, it goes to the one that did not have it last. The device, as master, keeps the bus
//! from its grant until its request falls. Costs and pins are the machine's.

use std::collections::VecDeque;

use crate::{Duration, Time};

/// Owner of the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Idle,
    /// The processor, until this instant.
    Processor(Time),
    Device,
}

/// An access of the processor; `A` is its pins.
#[derive(Clone, Debug)]
pub struct BusAccess<A> {
    /// Earliest instant at which the access is on the bus.
    pub arrival: Time,
    /// Pins of the device during the access.
    pub pins: A,
    /// Number of the access, in the order of issue.
    pub ticket: u64,
}

/// An access that has been on the bus.
#[derive(Clone, Copy, Debug)]
pub struct BusAnswer {
    ticket: u64,
    /// Instant at which the processor goes on.
    pub done: Time,
    /// Data of a read; 0 for a write.
    pub data: u32,
}

/// The master to which a cycle gives the bus.
#[derive(Clone, Debug)]
pub enum Granted<A> {
    /// The processor, for this access; the machine calls [`SharedBus::begin`].
    Processor(BusAccess<A>),
    /// The device, for one cycle of a transfer of its own.
    Device,
}

/// The arbiter of a bus, with the accesses that wait for it.
#[derive(Debug)]
pub struct SharedBus<A> {
    owner: Owner,
    device_was_last: bool,
    accesses: VecDeque<BusAccess<A>>,
    /// Ticket of the read whose data is awaited, and cycles until the device shows it.
    reading: Option<(u64, u8)>,
    answers: Vec<BusAnswer>,
    next_ticket: u64,
    busy: Duration,
}

impl<A> Default for SharedBus<A> {
    fn default() -> Self {
        SharedBus {
            owner: Owner::Idle,
            device_was_last: false,
            accesses: VecDeque::new(),
            reading: None,
            answers: Vec::new(),
            next_ticket: 0,
            busy: Duration::ZERO,
        }
    }
}

impl<A> SharedBus<A> {
    /// Queues an access that arrives at the bus at this instant or, if another is before it, later. Returns its ticket.
    pub fn issue(&mut self, arrival: Time, pins: A) -> u64 {
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        let before = self.accesses.back().map_or(Time::ZERO, |access| access.arrival);
        self.accesses.push_back(BusAccess { arrival: arrival.max(before), pins, ticket });
        ticket
    }

    /// Takes the answer to an access, once the access is over and its data is there.
    pub fn take(&mut self, ticket: u64) -> Option<BusAnswer> {
        if self.reading.is_some_and(|(reading, _)| reading == ticket) {
            return None;
        }
        let at = self.answers.iter().position(|answer| answer.ticket == ticket)?;
        Some(self.answers.swap_remove(at))
    }

    /// Accesses that were issued so far.
    pub fn issued(&self) -> u64 {
        self.next_ticket
    }

    /// Time for which the bus was taken so far. An access of the processor counts whole when it begins.
    pub fn busy(&self) -> Duration {
        self.busy
    }

    /// Adds time for which the bus was taken.
    pub fn add_busy(&mut self, busy: Duration) {
        self.busy = self.busy + busy;
    }

    /// Whether a read awaits its data.
    pub fn is_reading(&self) -> bool {
        self.reading.is_some()
    }

    /// Whether the device has the bus.
    pub fn is_device(&self) -> bool {
        self.owner == Owner::Device
    }

    /// Instant until which an access of the processor has the bus.
    pub fn processor_until(&self) -> Option<Time> {
        match self.owner {
            Owner::Processor(until) => Some(until),
            Owner::Idle | Owner::Device => None,
        }
    }

    /// Earliest instant at which the first access that waits gets the bus, unless the device has it then.
    pub fn next_event(&self) -> Option<Time> {
        let arrival = self.accesses.front()?.arrival;
        Some(match self.owner {
            Owner::Processor(until) => arrival.max(until),
            Owner::Idle | Owner::Device => arrival,
        })
    }

    /// The cycle that begins `now`, with the request of the device and the data on its pins.
    pub fn cycle(&mut self, now: Time, request: bool, rdata: u32) -> Option<Granted<A>> {
        if let Some((ticket, cycles)) = self.reading.as_mut() {
            *cycles -= 1;
            if *cycles == 0 {
                let ticket = *ticket;
                let answer = self.answers.iter_mut().find(|answer| answer.ticket == ticket);
                answer.expect("a read has an answer when it begins").data = rdata;
                self.reading = None;
            }
        }
        match self.owner {
            Owner::Processor(until) if now >= until => self.owner = Owner::Idle,
            Owner::Device if !request => self.owner = Owner::Idle,
            _ => {}
        }
        if self.owner != Owner::Idle {
            return None;
        }
        let processor = self.accesses.front().is_some_and(|access| access.arrival <= now);
        if request && !(processor && self.device_was_last) {
            (self.owner, self.device_was_last) = (Owner::Device, true);
            return Some(Granted::Device);
        }
        if !processor {
            return None;
        }
        self.device_was_last = false;
        self.accesses.pop_front().map(Granted::Processor)
    }

    /// The granted access takes the bus from `now` for `occupied`.
    pub fn begin(&mut self, now: Time, occupied: Duration) {
        self.owner = Owner::Processor(now + occupied);
        self.busy = self.busy + occupied;
    }

    /// The processor goes on at `done`. The device shows the data of a read after `latency` cycles.
    pub fn answer(&mut self, ticket: u64, done: Time, latency: Option<u8>) {
        self.reading = latency.map(|cycles| (ticket, cycles)).or(self.reading);
        self.answers.push(BusAnswer { ticket, done, data: 0 });
    }
}
