//! The driver as that of an ordinary Ethernet card: frames of other protocols (paper section 4.7).
//!
//! A frame is Ethernet header and payload; the card adds padding and check sequence. The driver queues frames that
//! arrive and signals; the protocols above dispatch them. Frames lie in pinned memory where the protocols build and
//! read them, so the driver copies none.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use gigae_pm::firmware::send_message::OTHER_LEAST;
use gigae_pm::header;
use gigae_pm::header::MAC_PREFIX;
use gigae_pm::host_memory::{receive_area, send_area};
use gigae_pm::memory_map::{
    Flag, OTHER, OTHER_MTU, RECEIVE_SLOT_BYTES, SEND_AREA_BYTES, SLOTS, receive_descriptor,
};
use gigae_pm::registers::{Register, cause};
use thiserror::Error;

use super::{CAUSES, Driver, address};
use crate::BusHost;
use cluster::Signal;

/// The MAC address of a node's card, as its driver sets it.
pub fn mac_address(node: u16) -> [u8; 6] {
    header::mac_address(MAC_PREFIX, node)
}

/// Bytes in front of a frame in memory, which are not sent (decision 0028).
const IN_FRONT: usize = 2;
/// Fewest bytes of a frame: those of its header.
const LEAST: usize = OTHER_LEAST as usize - IN_FRONT;
/// Most bytes of a frame: a header and 1,500.
const MOST: usize = OTHER_MTU as usize - IN_FRONT;
/// Bytes of a slot in the send area.
const PLACE_BYTES: u32 = SEND_AREA_BYTES / SLOTS as u32;

/// Why a frame is not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TransmitError {
    /// The interface is down.
    #[error("the interface is down")]
    Down,
    /// The frame is shorter than its header or longer than the network allows.
    #[error("a frame of {0} bytes: an Ethernet frame has {LEAST} to {MOST} without its check sequence")]
    Size(usize),
    /// Sixteen frames wait for the card; try again later.
    #[error("all send descriptors are in use")]
    Full,
}

/// The driver's state of the ring of other protocols.
#[derive(Default)]
pub(super) struct Interface {
    up: Cell<bool>,
    /// Slot of the next send descriptor, and the number of earlier ones that may be in use.
    next_slot: Cell<u8>,
    posted: Cell<u8>,
    /// Next slot of the receive ring.
    receive_slot: Cell<u8>,
    received: RefCell<VecDeque<Vec<u8>>>,
    arrival: Signal,
}

impl Interface {
    pub fn is_up(&self) -> bool {
        self.up.get()
    }
}

impl Driver {
    /// Connects the host to ordinary Ethernet, besides PM, for good: the card's rings restart only when the card stops,
    /// which ends the sessions of all channels.
    pub async fn up(&self, host: &BusHost) {
        let _entered = self.enter(host).await;
        let first = !self.works();
        if self.interface.up.replace(true) {
            return;
        }
        if first {
            self.set_up(host).await;
        }
        self.clear_ring(host, OTHER).await;
        host.write(address(Register::InterruptDelay), self.settings.interrupt_delay_cycles().into()).await;
        host.write(address(Register::InterruptEnable), (CAUSES | cause::OTHER_FRAME).into()).await;
        if first {
            self.start(host).await;
        }
    }

    /// Gives the card a frame. The caller is in the kernel.
    pub async fn transmit(&self, host: &BusHost, frame: &[u8]) -> Result<(), TransmitError> {
        let _entered = self.lock(host).await;
        let interface = &self.interface;
        if !interface.is_up() {
            return Err(TransmitError::Down);
        }
        if !(LEAST..=MOST).contains(&frame.len()) {
            return Err(TransmitError::Size(frame.len()));
        }
        let slot = interface.next_slot.get();
        if interface.posted.get() == SLOTS {
            while interface.posted.get() > 0 {
                let oldest = (slot + SLOTS - interface.posted.get()) % SLOTS;
                if !self.is_done(host, OTHER, oldest).await {
                    break;
                }
                interface.posted.update(|posted| posted - 1);
            }
        }
        if interface.posted.get() == SLOTS {
            return Err(TransmitError::Full);
        }
        interface.next_slot.set((slot + 1) % SLOTS);
        interface.posted.update(|posted| posted + 1);
        let place = send_area(OTHER) + PLACE_BYTES * u32::from(slot);
        host.set_memory(place + IN_FRONT as u32, frame);
        self.describe(host, OTHER, slot, [place, (IN_FRONT + frame.len()) as u32, 0]).await;
        Ok(())
    }

    /// The oldest frame that was not taken.
    pub fn take_frame(&self) -> Option<Vec<u8>> {
        self.interface.received.borrow_mut().pop_front()
    }

    /// Waits for a frame.
    pub async fn next_frame(&self, host: &BusHost) -> Vec<u8> {
        loop {
            if let Some(frame) = self.take_frame() {
                return frame;
            }
            self.interface.arrival.wait(host.processor(), "a frame").await;
        }
    }

    /// Takes frames out of the card's ring, including those that arrive meanwhile, whose interrupts then find none.
    pub(super) async fn take_in(&self, host: &BusHost) {
        let interface = &self.interface;
        loop {
            let slot = interface.receive_slot.get();
            let descriptor = receive_descriptor(OTHER, slot);
            if self.peek(host, descriptor + 3).await != u32::from(Flag::Full.code()) {
                break;
            }
            let size = self.peek(host, descriptor + 1).await as usize;
            let place = receive_area(OTHER) + RECEIVE_SLOT_BYTES * u32::from(slot);
            let frame = host.memory(place + IN_FRONT as u32, size - IN_FRONT);
            interface.received.borrow_mut().push_back(frame);
            interface.arrival.raise(host.processor());
            self.poke(host, descriptor + 3, u32::from(Flag::Free.code())).await;
            host.write(address(Register::Release), OTHER.into()).await;
            interface.receive_slot.set((slot + 1) % SLOTS);
        }
    }
}
