//! What driver and card have in common: frames in memory, and what the driver tells the card in the next cycle.

use std::collections::VecDeque;

use cluster::{Duration, Time};

use crate::card::{In, RING};

/// The rings of a card, in the memory of its host.
#[derive(Debug, Default)]
pub struct Rings {
    /// Frames to send, the one on the cable included, and from when on the card has them.
    pub transmit: VecDeque<(Time, Vec<u8>)>,
    /// Frames that arrived.
    pub receive: VecDeque<Vec<u8>>,
    /// What the driver has done since the card looked last.
    told: In,
    /// When it did so first.
    since: Option<Time>,
}

impl Rings {
    /// Puts a frame into the transmit ring; false if that is full.
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

    /// Tells the card that its interrupt was seen.
    pub fn acknowledge(&mut self, now: Time) {
        self.told.acknowledge = true;
        self.touch(now);
    }

    /// Wakes the card, so that it looks what there is to do.
    pub fn touch(&mut self, now: Time) {
        self.since.get_or_insert(now);
    }

    /// When the driver did something that the card has not seen.
    pub fn since(&self) -> Option<Time> {
        self.since
    }

    /// What it did.
    pub fn tell(&mut self) -> In {
        self.since = None;
        std::mem::take(&mut self.told)
    }
}
