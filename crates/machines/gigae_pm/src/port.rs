//! The user library: PM's calls over the driver and the window of the card (paper sections 4.4 and 4.5).

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use gigae_pm::memory_map::{Flag, MTU, RECEIVE_SLOT_BYTES, SLOTS, receive_descriptor};
use pm::{Channel, Endpoint, GetSendBufferError, NodeId, OpenError, Received, SendBuffer, SendError};

use super::bus::BusHost;
use super::driver::{Driver, Posting};
use super::library_cost::{POLL, PUT, RECEIVE, SEND};

/// The library's state of open channels, by their numbers.
pub(crate) type Contexts = BTreeMap<usize, Context>;

/// The library's state of a channel.
#[derive(Debug)]
pub(crate) struct Context {
    /// Free buffers of the send area.
    places: Vec<u16>,
    /// Next slot of the receive ring, and slots that were read and not returned.
    next_slot: u8,
    held: BTreeSet<u8>,
}

/// The endpoint of a program on a host with a card of GigaE PM.
///
/// Costs are those of the paper. Building a message costs C1 a word; sending a system call and four writes; receiving a
/// read of the flag and three of the descriptor; returning a buffer a system call and two writes. Reading a message in
/// place is free. With [`Settings::pm_library`](super::Settings) the library's own instructions take time, too.
pub struct Port {
    host: BusHost,
    driver: Rc<Driver>,
    contexts: Contexts,
}

impl Port {
    pub(super) fn new(host: BusHost, driver: Rc<Driver>) -> Self {
        Port { host, driver, contexts: BTreeMap::new() }
    }

    /// The host, for time and marks.
    pub fn host(&self) -> &BusHost {
        &self.host
    }

    /// The kernel's part.
    pub fn driver(&self) -> &Driver {
        &self.driver
    }

    /// Exchanges the open channels with those of another program of the process.
    pub(crate) fn swap_contexts(&mut self, contexts: &mut Contexts) {
        std::mem::swap(&mut self.contexts, contexts);
    }
}

impl Endpoint for Port {
    fn node(&self) -> NodeId {
        self.driver.node()
    }

    fn most_bytes(&self) -> usize {
        MTU.into()
    }

    async fn open(&mut self, channel: Channel, session: u16) -> Result<(), OpenError> {
        self.driver.open(&self.host, channel, session).await?;
        let places = (0..u16::from(SLOTS)).rev().collect();
        self.contexts.insert(channel.number(), Context { places, next_slot: 0, held: BTreeSet::new() });
        Ok(())
    }

    async fn close(&mut self, channel: Channel) {
        if self.contexts.remove(&channel.number()).is_some() {
            self.driver.close(&self.host, channel).await;
        }
    }

    async fn get_send_buffer(
        &mut self,
        channel: Channel,
        size: usize,
    ) -> Result<SendBuffer, GetSendBufferError> {
        let most = self.most_bytes();
        let context = self.contexts.get_mut(&channel.number()).ok_or(GetSendBufferError::NotOpen)?;
        if size > most {
            return Err(GetSendBufferError::TooLong { most });
        }
        if size == 0 {
            return Err(GetSendBufferError::Empty);
        }
        if context.places.is_empty() {
            context.places = self.driver.reap(&self.host, channel).await;
        }
        match context.places.pop() {
            Some(place) => Ok(SendBuffer::new(channel, place, size)),
            // Messages in the ring cannot leave any more; sending reports why.
            None if self.driver.dead(channel).is_some() => Ok(SendBuffer::new(channel, NOWHERE, size)),
            None => Err(GetSendBufferError::NoneFree),
        }
    }

    async fn send_message(&mut self, buffer: SendBuffer, to: NodeId) -> Result<(), SendError> {
        let (channel, place, size) = (buffer.channel, buffer.slot, buffer.len());
        if !self.contexts.contains_key(&channel.number()) {
            return Err(SendError::NotOpen);
        }
        self.host.processor().mark("send");
        self.driver.charge(&self.host, SEND, Some(CALLED)).await;
        if place != NOWHERE {
            self.host.copy_to_memory(Driver::place(channel, place), &buffer).await;
        }
        self.host.processor().mark("sc1");
        let posted = self.driver.post(&self.host, Posting { channel, place, size, to }).await;
        let context = self.contexts.get_mut(&channel.number()).expect("the channel is open");
        match posted {
            Ok(free) => {
                context.places.extend(free);
                Ok(())
            }
            Err(error) => {
                context.places.extend((place != NOWHERE).then_some(place));
                Err(error)
            }
        }
    }

    async fn receive(&mut self, channel: Channel) -> Option<Received> {
        let context = self.contexts.get_mut(&channel.number())?;
        // The descriptor behind the last is that of the oldest message, which the program already holds.
        if context.held.len() == usize::from(SLOTS) {
            return None;
        }
        let slot = context.next_slot;
        let descriptor = receive_descriptor(channel.number() as u8, slot);
        if self.host.read_window(descriptor + 3).await != u32::from(Flag::Full.code()) {
            self.driver.charge(&self.host, POLL, None).await;
            return None;
        }
        self.host.processor().mark("rc1");
        let address = self.host.read_window(descriptor).await;
        let size = self.host.read_window(descriptor + 1).await;
        let sender = self.host.read_window(descriptor + 2).await;
        self.host.processor().mark("rc2");
        self.driver.charge(&self.host, RECEIVE, Some(RECEIVED)).await;
        debug_assert_eq!(address, Driver::receive_slot(channel, slot), "slots are filled in turn");
        context.next_slot = (slot + 1) % SLOTS;
        context.held.insert(slot);
        // A descriptor written by hand may hold any size.
        let bytes = self.host.memory(address, size.min(RECEIVE_SLOT_BYTES) as usize);
        Some(Received::new(channel, slot.into(), NodeId(sender as u16), bytes))
    }

    async fn put_receive_buffer(&mut self, message: Received) {
        let Some(context) = self.contexts.get_mut(&message.channel.number()) else { return };
        // A message of an earlier session has lost its slot.
        let slot = message.slot as u8;
        if context.held.remove(&slot) {
            self.driver.charge(&self.host, PUT, None).await;
            self.driver.release(&self.host, message.channel, slot).await;
        }
    }

    async fn pause(&mut self) {
        self.host.processor().compute(self.host.costs().turn).await;
    }
}

/// Mark after the counted instructions of a call that sends.
pub(crate) const CALLED: &str = "library called";
/// Mark after the counted instructions of a call that receives.
pub(crate) const RECEIVED: &str = "library has received";

/// Number of a buffer outside of the send area.
const NOWHERE: u16 = u16::MAX;
