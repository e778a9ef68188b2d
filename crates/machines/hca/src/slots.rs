//! The receive ring of the paper on Fagus (section 3.2.3) in the hands of a program: slots are posted and completions pulled one by one, and a slot can be looked
//! at whether its completion was pulled or not.

use std::collections::VecDeque;

use hca::contexts::Kind;
use hca::layout::{GRH_BYTES, Status};
use hca::registers::Register;

use crate::layout::{self, DATAGRAMS, RING};
use crate::{LONGEST_DATAGRAM, Port};

/// What a slot has before any packet came.
const EMPTY: u8 = 0xff;

/// A completion of the ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pulled {
    /// The slot.
    pub slot: usize,
    /// Who sent the packet; or why there is none.
    pub from: Result<usize, Status>,
}

/// A ring of slots for datagrams.
pub struct Slots {
    port: Port,
    count: usize,
    /// A slot has room for the Global Route Header in front of a packet.
    room: bool,
    /// Slots whose completion was not pulled, in order.
    posted: VecDeque<usize>,
}

impl Slots {
    /// Sets the adapter up for datagrams alone, with so many slots, 16 at most, all of which are posted.
    pub async fn open(port: Port, count: usize, room: bool) -> Slots {
        assert!((1..=usize::from(RING)).contains(&count), "a ring has 1 to {RING} slots");
        port.open_without_pairs().await;
        port.host().write_row(Kind::Pair, DATAGRAMS, port.verbs().attributes(DATAGRAMS)).await;
        let mut slots = Slots { port, count, room, posted: VecDeque::new() };
        for slot in 0..count {
            let bytes = [EMPTY; LONGEST_DATAGRAM + GRH_BYTES as usize];
            slots.port.host().set_memory(layout::receive_buffer(DATAGRAMS, slot as u16), &bytes);
            slots.post(slot).await;
        }
        slots.port.begin().await;
        slots
    }

    /// Slots that there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Posts a slot again.
    pub async fn post(&mut self, slot: usize) {
        let room = if self.room { GRH_BYTES } else { 0 };
        let buffer = layout::receive_buffer(DATAGRAMS, slot as u16);
        self.port.post_buffer(DATAGRAMS, buffer, LONGEST_DATAGRAM as u32 + room, 1).await;
        self.posted.push_back(slot);
    }

    /// Takes the next completion, if there is one.
    pub async fn pull(&mut self) -> Option<Pulled> {
        let entry = self.port.entry().await.filter(|entry| entry.received)?;
        let slot = self.posted.pop_front().expect("a completion is of a slot that was posted");
        let from = if entry.status == Status::Success { Ok(entry.source) } else { Err(entry.status) };
        Some(Pulled { slot, from })
    }

    /// Slots whose completion waits.
    pub fn completed(&self) -> Vec<usize> {
        self.posted.iter().copied().take(self.port.waiting()).collect()
    }

    /// What is in a slot where a packet goes. None if no packet came to it.
    pub fn look(&self, slot: usize, bytes: usize) -> Option<Vec<u8>> {
        let buffer = layout::receive_buffer(DATAGRAMS, slot as u16);
        let packet = self.port.host().memory(buffer + GRH_BYTES, bytes);
        packet.iter().any(|byte| *byte != EMPTY).then_some(packet)
    }

    /// Datagrams for which no slot was posted.
    pub async fn dropped(&self) -> u32 {
        self.port.host().read_register(Register::NoReceive).await
    }

    /// The host.
    pub fn port(&self) -> &Port {
        &self.port
    }
}
