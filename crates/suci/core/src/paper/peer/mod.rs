//! A peer of the address database with its output queue, input queue and state (section 4.1).

mod input;
mod output;
mod walk;

use core::time::Duration;
use std::collections::VecDeque;
use std::net::SocketAddr;

use super::Repairs;
use super::congestion::Congestion;
use super::grants::Grants;
use super::packet::{HEADER, Header};
use super::receiver::Receiver;
use super::sender::Sender;
use crate::config::Config;
use crate::counters::Counters;
use crate::event::{Event, Flow, SendError};
use crate::modern::recovery::RoundTrip;
use crate::time::Instant;

/// Largest number of queued answers; further ones are dropped.
const MOST_CONTROL: usize = 1_024;

/// Environment of a peer during a call.
pub(super) struct Context<'a> {
    pub now: Instant,
    pub peer: crate::Peer,
    pub config: &'a Config,
    pub repairs: &'a Repairs,
    /// Epoch of this endpoint; 0 without the repair.
    pub epoch: u16,
    pub counters: &'a mut Counters,
    pub events: &'a mut VecDeque<Event>,
    pub grants: &'a mut Grants,
}

/// A packet of the output queue.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Entry {
    head: u32,
    block: u64,
    start: usize,
    length: usize,
    last: bool,
    sent: Option<Instant>,
    /// Whether it was retransmitted, so that its Ack gives no round trip sample (Karn's algorithm).
    again: bool,
    /// Whether it is to be sent.
    due: bool,
    freed: bool,
}

/// A peer of the address database.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Peer {
    pub address: SocketAddr,
    pub id: u16,
    sender: Sender,
    /// Blocks not yet freed, and the number of the first.
    blocks: VecDeque<Vec<u8>>,
    first_block: u64,
    entries: VecDeque<Entry>,
    queued: usize,
    in_flight: usize,
    /// Window last advertised by the peer.
    window: usize,
    congestion: Congestion,
    /// Time at which the last request was first sent, and the time for which its answer may be used.
    asked: (Option<Instant>, Duration),
    trip: RoundTrip,
    in_vain: u32,
    pub timer: Option<Instant>,
    owes_writable: bool,

    receiver: Receiver,
    head: u32,
    assembly: Vec<u8>,
    unread: usize,
    advertised: usize,
    control: VecDeque<Header>,
    /// Epoch of the peer, 0 if unknown, and the previous one.
    epoch: u16,
    before: u16,
}

impl Peer {
    pub fn new(config: &Config, address: SocketAddr, id: u16) -> Self {
        Self {
            address,
            id,
            sender: Sender::default(),
            blocks: VecDeque::new(),
            first_block: 0,
            entries: VecDeque::new(),
            queued: 0,
            in_flight: 0,
            window: config.window,
            congestion: Congestion::default(),
            asked: (None, Duration::ZERO),
            trip: RoundTrip::default(),
            in_vain: 0,
            timer: None,
            owes_writable: false,
            receiver: Receiver::default(),
            head: 0,
            assembly: Vec::new(),
            unread: 0,
            advertised: config.window,
            control: VecDeque::new(),
            epoch: 0,
            before: 0,
        }
    }

    /// Queues a block, divided into packets ("deblocking").
    pub fn send(&mut self, config: &Config, repairs: &Repairs, block: &[u8]) -> Result<(), SendError> {
        let length = block.len();
        let limit = if repairs.refuse { config.window.min(config.queue) } else { config.queue };
        if length > limit {
            return Err(SendError::TooLarge { length, limit });
        }
        // As printed, a block is written only when `datagram_wait` reports enough window. Repaired, it is
        // queued.
        let closed = !repairs.limit && length.min(config.window) > self.window;
        if closed || self.queued + length > config.queue {
            self.owes_writable = true;
            let writable_after = self.trip.smoothed().unwrap_or(config.initial_rtt);
            return Err(SendError::Full { writable_after });
        }
        let head = self.sender.next;
        let part = config.datagram - HEADER;
        for start in (0..length).step_by(part) {
            let end = length.min(start + part);
            self.entries.push_back(Entry {
                head,
                block: self.first_block + self.blocks.len() as u64,
                start,
                length: end - start,
                last: end == length,
                sent: None,
                again: false,
                due: true,
                freed: false,
            });
            self.sender.next = self.sender.next.wrapping_add(1);
        }
        self.blocks.push_back(block.to_vec());
        self.queued += length;
        Ok(())
    }

    pub fn flow(&self, config: &Config, repairs: &Repairs) -> Flow {
        let room = config.queue.saturating_sub(self.queued);
        Flow {
            room: if repairs.limit { room } else { room.min(self.window) },
            srtt: self.trip.smoothed(),
            window: self.window,
            in_flight: self.in_flight,
            queued_blocks: self.blocks.len(),
            permit: (self.congestion.permitted > 0).then_some(self.congestion.permitted),
            loss: 0,
            datagram: 0,
            key_generation: 0,
        }
    }
}
