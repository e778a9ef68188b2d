//! State that driver and card share: frames in memory, and the driver's actions for the next cycle.

use std::collections::VecDeque;

use cluster::{Duration, Time};

use crate::card::{In, RING};

/// The rings of a card, in the memory of its host.
#[derive(Debug, Default)]
pub struct Rings {
    /// Frames to send, including the one on the cable, each with the time from which the card has it.
    pub transmit: VecDeque<(Time, Vec<u8>)>,
    /// Frames that have arrived.
    pub receive: VecDeque<Vec<u8>>,
    /// Actions of the driver since the card's last cycle.
    told: In,
    /// Time of the first of them.
    since: Option<Time>,
}

impl Rings {
    /// Puts a frame into the transmit ring; returns false if the ring is full.
    pub fn post(&mut self, now: Time, fetch: Duration, frame: &[u8]) -> bool {
        let room = self.transmit.len() < usize::from(RING);
        if room {
            self.transmit.push_back((now + fetch, frame.to_vec()));
            self.told.posted += 1;
            self.touch(now);
        }
        room
    }

    /// Takes a frame out of the receive ring.
    pub fn take(&mut self, now: Time) -> Option<Vec<u8>> {
        let frame = self.receive.pop_front()?;
        self.told.taken += 1;
        self.touch(now);
        Some(frame)
    }

    /// Acknowledges the card's interrupt.
    pub fn acknowledge(&mut self, now: Time) {
        self.told.acknowledge = true;
        self.touch(now);
    }

    /// Wakes the card.
    pub fn touch(&mut self, now: Time) {
        self.since.get_or_insert(now);
    }

    /// Time of the first action that the card has not seen.
    pub fn since(&self) -> Option<Time> {
        self.since
    }

    /// Takes the actions of the driver.
    pub fn tell(&mut self) -> In {
        self.since = None;
        std::mem::take(&mut self.told)
    }
}
