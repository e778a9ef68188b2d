//! The receive ring of the paper on Fagus (section 3.2.3): a program posts slots and pulls completions one by one, and
//! may read a slot before or after its completion is pulled.

use std::collections::VecDeque;

use hca::contexts::Kind;
use hca::layout::{GRH_BYTES, Status};
use hca::registers::Register;

use crate::layout::{self, DATAGRAMS, RING};
use crate::{LONGEST_DATAGRAM, Port};

/// Contents of a slot before a packet.
const EMPTY: u8 = 0xff;

/// A completion of the ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pulled {
    /// Number of the slot, below [`Slots::count`].
    pub slot: usize,
    /// Sending host, or the failed status.
    pub from: Result<usize, Status>,
}

/// A ring of slots for datagrams.
pub struct Slots {
    port: Port,
    count: usize,
    /// Slots have room for the Global Route Header in front of a packet.
    room: bool,
    /// Posted slots whose completion was not pulled, in order.
    posted: VecDeque<usize>,
}

impl Slots {
    /// Sets the adapter up for datagrams alone, with `count` slots, 16 at most, and posts all of them.
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

    /// Number of slots.
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

    /// Takes the next completion, if it is there; a completion of a send is taken and gives `None`.
    pub async fn pull(&mut self) -> Option<Pulled> {
        let entry = self.port.entry().await.filter(|entry| entry.received)?;
        let slot = self.posted.pop_front().expect("a completion is of a slot that was posted");
        let from = if entry.status == Status::Success { Ok(entry.source) } else { Err(entry.status) };
        Some(Pulled { slot, from })
    }

    /// Slots whose completion is in the queue, but not pulled.
    pub fn completed(&self) -> Vec<usize> {
        self.posted.iter().copied().take(self.port.waiting()).collect()
    }

    /// The packet in a slot; `None` if none has arrived since the slot was posted.
    pub fn look(&self, slot: usize, bytes: usize) -> Option<Vec<u8>> {
        let buffer = layout::receive_buffer(DATAGRAMS, slot as u16);
        let packet = self.port.host().memory(buffer + GRH_BYTES, bytes);
        packet.iter().any(|byte| *byte != EMPTY).then_some(packet)
    }

    /// Number of datagrams that arrived without a posted slot.
    pub async fn dropped(&self) -> u32 {
        self.port.host().read_register(Register::NoReceive).await
    }

    /// The host and its verbs.
    pub fn port(&self) -> &Port {
        &self.port
    }
}
