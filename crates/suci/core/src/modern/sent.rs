//! Packets that were sent and what is known of them.

use std::collections::VecDeque;

use super::packet::Part;
use crate::time::Instant;

/// Packets among which one that counts as lost is remembered, should it only be late.
const MOST_REMEMBERED: usize = 128;

/// What is known of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// Nothing yet.
    InFlight,
    /// It has arrived.
    Arrived,
    /// It counts as lost; it may still turn out to be late.
    Lost,
}

/// A packet that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Packet {
    /// When.
    pub time: Instant,
    /// Bytes of the datagram; 0 if it wants no answer.
    pub size: u16,
    /// What is known of it.
    pub state: State,
    parts: u64,
    count: u16,
}

impl Packet {
    /// It carries no part of a block.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// Packets that were sent, in order of their numbers.
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

    /// Bytes on their way.
    pub fn in_flight(&self) -> usize {
        self.in_flight
    }

    /// Adds the next packet, with the parts that were added to it by `carries`.
    pub fn push(&mut self, time: Instant, size: usize, parts: u64) {
        let count = (self.first_part + self.parts.len() as u64 - parts) as u16;
        let state = if size > 0 { State::InFlight } else { State::Arrived };
        self.packets.push_back(Packet { time, size: size as u16, state, parts, count });
        self.in_flight += size;
        self.trim();
    }

    /// Where parts of the next packet begin.
    pub fn mark(&self) -> u64 {
        self.first_part + self.parts.len() as u64
    }

    /// The next packet carries this part.
    pub fn carries(&mut self, part: Part) {
        self.parts.push_back(part);
    }

    pub fn get(&self, number: u64) -> Option<&Packet> {
        self.packets.get(usize::try_from(number.checked_sub(self.first)?).ok()?)
    }

    /// The `at`th part of a packet.
    pub fn part(&self, number: u64, at: u16) -> Option<Part> {
        let packet = self.get(number)?;
        if at >= packet.count {
            return None;
        }
        self.parts.get((packet.parts.checked_sub(self.first_part)? + u64::from(at)) as usize).copied()
    }

    /// Packets of a range that are remembered.
    pub fn within(&self, low: u64, high: u64) -> core::ops::Range<u64> {
        let end = self.next().min(high.saturating_add(1));
        low.clamp(self.first, end.max(self.first))..end.max(self.first)
    }

    /// Numbers from the oldest remembered packet on.
    pub fn all(&self) -> core::ops::Range<u64> {
        self.first..self.next()
    }

    /// The oldest packet on its way.
    pub fn oldest(&self) -> Option<(u64, &Packet)> {
        (self.first..).zip(&self.packets).find(|(_, packet)| packet.state == State::InFlight)
    }

    /// Something became known of a packet.
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

    /// Gives back memory that is not in use.
    pub fn shrink(&mut self) {
        self.packets.shrink_to_fit();
        self.parts.shrink_to_fit();
    }

    /// Forgets what is no longer of use at the front.
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
