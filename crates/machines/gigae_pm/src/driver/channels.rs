//! The driver of PM: channels, their messages and buffers (paper sections 4.3 and 4.5).

use std::collections::{BTreeSet, VecDeque};

use gigae_pm::host_memory::{receive_area, send_area};
use gigae_pm::memory_map::{
    Flag, RECEIVE_SLOT_BYTES, SEND_AREA_BYTES, SEND_RECORDS, SLOTS, control_structure, receive_descriptor,
};
use gigae_pm::protocol::Control;
use gigae_pm::registers::Register;
use pm::{Channel, NodeId, OpenError, SendError};

use super::{Driver, address};
use crate::BusHost;

/// Bytes of a slot in the send area: a sixteenth of it, in whole words.
const PLACE_BYTES: u32 = SEND_AREA_BYTES / SLOTS as u32;

/// A message of a send descriptor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Posting {
    pub channel: Channel,
    pub place: u16,
    pub size: usize,
    pub to: NodeId,
}

/// The driver's state of an open channel.
#[derive(Debug, Default)]
pub(super) struct Open {
    /// Slot of the next send descriptor, and the buffers of the messages in earlier slots.
    next_slot: u8,
    posted: VecDeque<u16>,
    /// Slots of the receive ring: the oldest that the user holds, and those returned out of order.
    oldest: u8,
    returned: BTreeSet<u8>,
    /// A peer that does not answer.
    dead: Option<u16>,
}

impl Driver {
    /// Address of a buffer in the send area.
    pub(crate) fn place(channel: Channel, place: u16) -> u32 {
        send_area(channel.number() as u8) + PLACE_BYTES * u32::from(place)
    }

    /// Address of a slot of the receive area.
    pub(crate) fn receive_slot(channel: Channel, slot: u8) -> u32 {
        receive_area(channel.number() as u8) + RECEIVE_SLOT_BYTES * u32::from(slot)
    }

    pub(crate) fn is_open(&self, channel: Channel) -> bool {
        self.open.borrow().contains_key(&channel.number())
    }

    /// A dead peer of the channel, if there is one.
    pub(crate) fn dead(&self, channel: Channel) -> Option<u16> {
        self.open.borrow().get(&channel.number())?.dead
    }

    /// Sets up the ring and the control structures of a session.
    pub(crate) async fn open(&self, host: &BusHost, channel: Channel, session: u16) -> Result<(), OpenError> {
        let _entered = self.enter(host).await;
        let ring = channel.number() as u8;
        if self.is_open(channel) || self.used.borrow().contains(&channel.number()) {
            return Err(OpenError::IsOpen);
        }
        let first = !self.works();
        self.open.borrow_mut().insert(channel.number(), Open::default());
        if first {
            self.set_up(host).await;
        }
        self.clear_ring(host, ring).await;
        for word in 0..2 * u32::from(SLOTS) {
            self.poke(host, SEND_RECORDS + 2 * u32::from(SLOTS) * u32::from(ring) + word, 0).await;
        }
        for node in 0..self.nodes {
            for (at, word) in (control_structure(ring, node)..).zip(Control::open(session).words()) {
                self.poke(host, at, word).await;
            }
        }
        if first {
            self.start(host).await;
        }
        Ok(())
    }

    /// Closes a channel.
    pub(crate) async fn close(&self, host: &BusHost, channel: Channel) {
        let _entered = self.enter(host).await;
        if self.open.borrow_mut().remove(&channel.number()).is_some() {
            self.used.borrow_mut().insert(channel.number());
        }
        self.stop(host).await;
    }

    /// Fills in a send descriptor (steps sc2, sc3); returns buffers that became free in the meantime.
    pub(crate) async fn post(&self, host: &BusHost, posting: Posting) -> Result<Vec<u16>, SendError> {
        let _entered = self.enter(host).await;
        host.processor().mark("sc2");
        let Posting { channel, place, size, to } = posting;
        if !self.reaches(to) {
            return Err(SendError::NoSuchNode(to.0));
        }
        if let Some(dead) = self.dead(channel) {
            return Err(SendError::PeerDead(dead));
        }
        let slot = {
            let mut open = self.open.borrow_mut();
            let open = open.get_mut(&channel.number()).ok_or(SendError::NotOpen)?;
            let slot = open.next_slot;
            open.next_slot = (slot + 1) % SLOTS;
            open.posted.push_back(place);
            slot
        };
        let words = [Self::place(channel, place), size as u32, to.0.into()];
        self.describe(host, channel.number() as u8, slot, words).await;
        host.processor().mark("sc3");
        // While the card works on it, the driver checks whether an older one is done.
        Ok(self.free(host, channel, 1).await)
    }

    /// Returns buffers that became free.
    pub(crate) async fn reap(&self, host: &BusHost, channel: Channel) -> Vec<u16> {
        let _entered = self.enter(host).await;
        self.free(host, channel, usize::from(SLOTS)).await
    }

    /// Buffers of the oldest descriptors that the card has completed, `most` at most.
    async fn free(&self, host: &BusHost, channel: Channel, most: usize) -> Vec<u16> {
        let mut free = Vec::new();
        while free.len() < most {
            let oldest = {
                let open = self.open.borrow();
                let Some(open) = open.get(&channel.number()) else { break };
                if open.posted.is_empty() {
                    break;
                }
                (open.next_slot + SLOTS - open.posted.len() as u8) % SLOTS
            };
            if !self.is_done(host, channel.number() as u8, oldest).await {
                break;
            }
            let mut open = self.open.borrow_mut();
            let place = open.get_mut(&channel.number()).and_then(|open| open.posted.pop_front());
            free.extend(place);
        }
        free
    }

    /// Returns a slot of the receive ring (steps rc3, rc4). The card takes them in order, so a slot that is returned
    /// early waits.
    pub(crate) async fn release(&self, host: &BusHost, channel: Channel, slot: u8) {
        let _entered = self.enter(host).await;
        host.processor().mark("rc3");
        if let Some(open) = self.open.borrow_mut().get_mut(&channel.number()) {
            open.returned.insert(slot);
        }
        let ring = channel.number() as u8;
        loop {
            let slot = {
                let mut open = self.open.borrow_mut();
                let Some(open) = open.get_mut(&channel.number()) else { break };
                let slot = open.oldest;
                if !open.returned.remove(&slot) {
                    break;
                }
                open.oldest = (slot + 1) % SLOTS;
                slot
            };
            // The window needs no page.
            let flag = 4 * (receive_descriptor(ring, slot) + 3) as u16;
            host.write(flag, Flag::Free.code().into()).await;
            host.write(address(Register::Release), ring.into()).await;
        }
        host.processor().mark("rc4");
    }

    /// Finds the peers that the card reports dead.
    pub(super) async fn look_for_dead(&self, host: &BusHost) {
        let channels: Vec<_> = self.open.borrow().keys().copied().collect();
        for (channel, node) in channels.into_iter().flat_map(|c| (0..self.nodes).map(move |n| (c, n))) {
            let mut words = [0; 6];
            words[5] = self.peek(host, control_structure(channel as u8, node) + 5).await;
            if Control::from_words(words).dead
                && let Some(open) = self.open.borrow_mut().get_mut(&channel)
            {
                open.dead.get_or_insert(node);
            }
        }
    }
}
