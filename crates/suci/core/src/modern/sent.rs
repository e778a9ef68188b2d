//! Sent packets and their states.

use std::collections::VecDeque;

use super::packet::Part;
use crate::time::Instant;

/// Packets after which a lost packet is forgotten; until then it may turn out to be late.
const MOST_REMEMBERED: usize = 128;

/// State of a sent packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// Neither acknowledged nor lost.
    InFlight,
    /// Acknowledged.
    Arrived,
    /// Declared lost; may still turn out to be late.
    Lost,
}

/// A sent packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Packet {
    /// Time of sending.
    pub time: Instant,
    /// Datagram length in bytes; 0 if it does not elicit an acknowledgement.
    pub size: u16,
    /// In flight, acknowledged or lost.
    pub state: State,
    parts: u64,
    count: u16,
}

impl Packet {
    /// Whether it carries no parts of blocks.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// Sent packets in order of their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sent {
    first: u64,
    packets: VecDeque<Packet>,
    first_part: u64,
    parts: VecDeque<Part>,
    in_flight: usize,
}

impl Sent {
    /// Number of the next packet.
    pub fn next(&self) -> u64 {
        self.first + self.packets.len() as u64
    }

    /// Bytes in flight.
    pub fn in_flight(&self) -> usize {
        self.in_flight
    }

    /// Adds the next packet with the parts added since the mark `parts`.
    pub fn push(&mut self, time: Instant, size: usize, parts: u64) {
        let count = (self.first_part + self.parts.len() as u64 - parts) as u16;
        let state = if size > 0 { State::InFlight } else { State::Arrived };
        self.packets.push_back(Packet { time, size: size as u16, state, parts, count });
        self.in_flight += size;
        self.trim();
    }

    /// Mark before the parts of the next packet.
    pub fn mark(&self) -> u64 {
        self.first_part + self.parts.len() as u64
    }

    /// Adds a part to the next packet.
    pub fn carries(&mut self, part: Part) {
        self.parts.push_back(part);
    }

    pub fn get(&self, number: u64) -> Option<&Packet> {
        self.packets.get(usize::try_from(number.checked_sub(self.first)?).ok()?)
    }

    /// Part number `at` of a packet.
    pub fn part(&self, number: u64, at: u16) -> Option<Part> {
        let packet = self.get(number)?;
        if at >= packet.count {
            return None;
        }
        self.parts.get((packet.parts.checked_sub(self.first_part)? + u64::from(at)) as usize).copied()
    }

    /// Remembered packets of a range.
    pub fn within(&self, low: u64, high: u64) -> core::ops::Range<u64> {
        let end = self.next().min(high.saturating_add(1));
        low.clamp(self.first, end.max(self.first))..end.max(self.first)
    }

    /// Numbers of all remembered packets.
    pub fn all(&self) -> core::ops::Range<u64> {
        self.first..self.next()
    }

    /// Oldest packet in flight.
    pub fn oldest(&self) -> Option<(u64, &Packet)> {
        (self.first..).zip(&self.packets).find(|(_, packet)| packet.state == State::InFlight)
    }

    /// Sets the state of a packet.
    pub fn set(&mut self, number: u64, state: State) {
        let Some(packet) = number.checked_sub(self.first).and_then(|at| self.packets.get_mut(at as usize))
        else {
            return;
        };
        if packet.state == State::InFlight {
            self.in_flight -= usize::from(packet.size);
        }
        packet.state = state;
    }

    /// Releases unused memory.
    pub fn shrink(&mut self) {
        self.packets.shrink_to_fit();
        self.parts.shrink_to_fit();
    }

    /// Forgets acknowledged and old lost packets at the front.
    pub fn trim(&mut self) {
        while let Some(packet) = self.packets.front() {
            let keep = match packet.state {
                State::InFlight => true,
                State::Lost => self.packets.len() < MOST_REMEMBERED,
                State::Arrived => false,
            };
            if keep {
                break;
            }
            let after = packet.parts + u64::from(packet.count);
            self.packets.pop_front();
            self.first += 1;
            while self.first_part < after && self.parts.pop_front().is_some() {
                self.first_part += 1;
            }
        }
    }
}
