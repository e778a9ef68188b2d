//! A peer of the address database: its output queue, its input queue, and what is known of it (section 4.1).

use core::time::Duration;
use std::collections::VecDeque;
use std::net::SocketAddr;

use super::congestion::{self, Act, Cause, Congestion};
use super::packet::{self, HEADER, Header, Kind};
use super::receiver::{self, Receiver, Verdict};
use super::sender::{self, Sender, Span};
use super::{Repairs, endpoint::Grants};
use crate::config::Config;
use crate::counters::{Counters, Dropped};
use crate::event::{Event, Flow, SendError};
use crate::modern::recovery::RoundTrip;
use crate::time::Instant;

/// The shortest time-out, on a network of the paper's time.
const LEAST_TIMEOUT: Duration = Duration::from_millis(10);
/// The longest.
const MOST_TIMEOUT: Duration = Duration::from_secs(2);
/// Answers that wait to be sent; more are dropped.
const MOST_CONTROL: usize = 1_024;

/// What a peer works with beside its own state.
pub(super) struct Context<'a> {
    pub now: Instant,
    pub peer: crate::Peer,
    pub config: &'a Config,
    pub repairs: &'a Repairs,
    /// Epoch of this endpoint, 0 without this repair.
    pub epoch: u16,
    pub counters: &'a mut Counters,
    pub events: &'a mut VecDeque<Event>,
    pub grants: &'a mut Grants,
}

/// A packet of the output queue.
#[derive(Debug)]
struct Entry {
    head: u32,
    block: u64,
    start: usize,
    length: usize,
    last: bool,
    sent: Option<Instant>,
    /// It was sent more than once, so its Ack says nothing of the round trip (Karn).
    again: bool,
    /// It is to be sent.
    due: bool,
    freed: bool,
}

/// A peer.
#[derive(Debug)]
pub(super) struct Peer {
    pub address: SocketAddr,
    pub id: u16,
    sender: Sender,
    /// Blocks that are not freed, and the number of the first.
    blocks: VecDeque<Vec<u8>>,
    first_block: u64,
    entries: VecDeque<Entry>,
    queued: usize,
    in_flight: usize,
    /// What the peer advertised last.
    window: usize,
    congestion: Congestion,
    trip: RoundTrip,
    in_vain: u32,
    pub timer: Option<Instant>,
    owes_writable: bool,

    receiver: Receiver,
    head: u32,
    assembly: Vec<u8>,
    unread: usize,
    told: usize,
    control: VecDeque<Header>,
    /// Epoch of the peer, 0 if it is not known, and the one before.
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
            trip: RoundTrip::default(),
            in_vain: 0,
            timer: None,
            owes_writable: false,
            receiver: Receiver::default(),
            head: 0,
            assembly: Vec::new(),
            unread: 0,
            told: config.window,
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
        // As printed a block is written when `datagram_wait` says that the window has room for it. Repaired it is queued.
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

    pub fn flow(&self) -> Flow {
        Flow {
            srtt: self.trip.smoothed(),
            window: self.window,
            in_flight: self.in_flight,
            queued_blocks: self.blocks.len(),
            permit: (self.congestion.permitted > 0).then_some(self.congestion.permitted),
            loss: 0,
        }
    }

    /// Free bytes of the input queue.
    fn free(&self, cx: &Context<'_>) -> usize {
        let unread = if cx.repairs.count_whole { self.unread } else { 0 };
        cx.config.window.saturating_sub(self.assembly.len() + unread)
    }

    fn answer(&mut self, cx: &mut Context<'_>, kind: Kind, number: u32, window: usize) {
        if matches!(kind, Kind::Ack | Kind::Nack) {
            self.told = window;
        }
        if cx.repairs.cumulative && kind == Kind::Ack {
            // The newest Ack says all that those before it do.
            self.control.retain(|waiting| waiting.kind != Kind::Ack);
        }
        if self.control.len() >= MOST_CONTROL {
            return cx.counters.drop(Dropped::NoRoom);
        }
        let header = Header {
            number,
            head: number,
            to: self.id,
            from: cx.config.id,
            kind,
            window: window as u32,
            epoch: cx.epoch,
            peer_epoch: self.epoch,
        };
        self.control.push_back(header);
    }

    /// Acknowledges all that came, and tells the window.
    fn answer_state(&mut self, cx: &mut Context<'_>) {
        let free = self.free(cx);
        self.answer(cx, Kind::Ack, self.receiver.expected.wrapping_sub(1), free);
    }

    /// Takes a packet of this peer.
    pub fn input(&mut self, cx: &mut Context<'_>, header: &Header, data: &[u8]) {
        if cx.repairs.epochs && !self.same_epochs(cx, header) {
            return;
        }
        let bytes = header.window as usize;
        match header.kind {
            Kind::Data | Kind::Last => self.data(cx, header, data),
            Kind::Ack => {
                self.window = bytes;
                if let Some(span) = sender::ack(self.sender, header.number, cx.repairs) {
                    self.release(cx, span);
                }
                self.tell_writable(cx);
            }
            Kind::Nack => {
                if cx.repairs.pace {
                    self.window = bytes;
                }
                match sender::nack(self.sender, header.number, cx.repairs) {
                    Some(span) => self.again(|number, _| span.contains(number)),
                    None => cx.counters.drop(Dropped::Repeated),
                }
            }
            Kind::Probe => self.answer_state(cx),
            Kind::Request => {
                let granted =
                    cx.grants.grant(cx.now, cx.peer.slot as usize, header.number, bytes, cx.repairs.permits);
                self.answer(cx, Kind::Permit, header.number, granted);
            }
            Kind::Permit => self.step(cx, Cause::Permit(header.number, bytes)),
        }
    }

    /// Whether a packet is from the peer's incarnation of now to ours. A new one of the peer ends all that was with the old one.
    fn same_epochs(&mut self, cx: &mut Context<'_>, header: &Header) -> bool {
        if header.epoch == 0 || header.epoch == self.before {
            cx.counters.drop(Dropped::Stale);
            return false;
        }
        if header.epoch != self.epoch {
            let known = self.epoch;
            if known != 0 {
                self.restart(cx);
            }
            (self.before, self.epoch) = (known, header.epoch);
            self.timer = None;
        }
        if header.peer_epoch == cx.epoch {
            return true;
        }
        if header.peer_epoch != 0 {
            cx.counters.drop(Dropped::Stale);
        }
        if header.kind != Kind::Ack {
            // The peer does not know our epoch, and learns it from this.
            self.answer_state(cx);
        }
        false
    }

    fn restart(&mut self, cx: &mut Context<'_>) {
        let lost = self.blocks.len();
        let new = Self::new(cx.config, self.address, self.id);
        let (unread, owes_writable) = (self.unread, self.owes_writable);
        *self = Self { unread, owes_writable, ..new };
        cx.grants.forget(cx.peer.slot as usize);
        cx.events.push_back(Event::Restarted { peer: cx.peer, lost });
        self.tell_writable(cx);
    }

    fn data(&mut self, cx: &mut Context<'_>, header: &Header, data: &[u8]) {
        let begins = self.assembly.is_empty();
        let head = if begins { header.number } else { self.head };
        if header.number == self.receiver.expected && header.head != head {
            return cx.counters.drop(Dropped::Malformed);
        }
        cx.grants.used(cx.peer.slot as usize, data.len());
        let room = data.len() <= self.free(cx);
        let (next, verdict) = receiver::packet(self.receiver, header.number, room, cx.repairs);
        self.receiver = next;
        match verdict {
            Verdict::Keep(number) => {
                self.head = head;
                self.assembly.extend_from_slice(data);
                if header.kind == Kind::Last {
                    let block = core::mem::take(&mut self.assembly);
                    self.unread += block.len();
                    cx.events.push_back(Event::Block { peer: cx.peer, priority: 0, block });
                }
                let free = self.free(cx);
                self.answer(cx, Kind::Ack, number, free);
            }
            Verdict::Ack(number) => {
                cx.counters.drop(Dropped::Repeated);
                let free = self.free(cx);
                self.answer(cx, Kind::Ack, number, free);
            }
            Verdict::Nack(number) => {
                cx.counters.drop(if room { Dropped::OutOfOrder } else { Dropped::NoRoom });
                let free = self.free(cx);
                self.answer(cx, Kind::Nack, number, free);
            }
            Verdict::Silent => cx.counters.drop(Dropped::OutOfOrder),
        }
    }

    /// The application has taken a block.
    pub fn taken(&mut self, cx: &mut Context<'_>, length: usize) {
        self.unread = self.unread.saturating_sub(length);
        if cx.repairs.probe && self.free(cx).saturating_sub(self.told) >= cx.config.window / 4 {
            self.answer_state(cx);
        }
    }

    /// Frees packets, and the blocks that they were all of.
    fn release(&mut self, cx: &mut Context<'_>, span: Span) {
        for (at, entry) in (0..).zip(&mut self.entries) {
            let number = self.sender.first.wrapping_add(at);
            if entry.freed || !span.contains(number) {
                continue;
            }
            entry.freed = true;
            if !entry.due {
                self.in_flight -= entry.length;
            }
            if let Some(sent) = entry.sent.filter(|_| !entry.again) {
                self.trip = self.trip.sample(cx.now.since(sent), Duration::ZERO);
            }
        }
        while self.entries.front().is_some_and(|entry| entry.freed) {
            let Some(entry) = self.entries.pop_front() else { break };
            self.sender.first = self.sender.first.wrapping_add(1);
            if entry.last {
                self.queued -= self.blocks.pop_front().map_or(0, |block| block.len());
                self.first_block += 1;
            }
        }
        self.in_vain = 0;
        self.timer = (cx.repairs.timer && self.in_flight > 0).then(|| cx.now + self.timeout(cx.config));
    }

    fn tell_writable(&mut self, cx: &mut Context<'_>) {
        let room = if cx.repairs.limit { self.queued * 2 <= cx.config.queue } else { self.window > 0 };
        if self.owes_writable && room {
            self.owes_writable = false;
            cx.events.push_back(Event::Writable { peer: cx.peer });
        }
    }

    /// Packets that were sent are to be sent again.
    fn again(&mut self, mut which: impl FnMut(u32, usize) -> bool) {
        for (at, entry) in (0..).zip(&mut self.entries) {
            let sent = entry.sent.is_some() && !entry.due && !entry.freed;
            if sent && which(self.sender.first.wrapping_add(at), entry.length) {
                entry.due = true;
                self.in_flight -= entry.length;
            }
        }
    }

    fn stalled(&self) -> usize {
        self.entries.iter().filter(|entry| entry.sent.is_some() && !entry.freed).count()
    }

    /// The application, or the timer, misses acknowledgements.
    pub fn retransmit(&mut self, cx: &mut Context<'_>) {
        match self.stalled() {
            0 => {}
            packets => self.step(cx, Cause::Stalled(packets)),
        }
    }

    fn step(&mut self, cx: &mut Context<'_>, cause: Cause) {
        let (state, act) = congestion::next(self.congestion, cause, cx.config.congested, cx.repairs);
        self.congestion = state;
        match act {
            Act::Nothing => {}
            Act::Resend => self.again(|_, _| true),
            Act::Request => self.answer(cx, Kind::Request, state.number, self.queued),
            Act::ResendPermitted => {
                let mut left = state.permitted;
                self.again(|_, length| {
                    let permitted = length <= left;
                    left = if permitted { left - length } else { 0 };
                    permitted
                });
                self.congestion.permitted = left;
            }
        }
    }

    fn timeout(&self, config: &Config) -> Duration {
        let once = (self.trip.smoothed().unwrap_or(config.initial_rtt) * 4).max(LEAST_TIMEOUT);
        once.saturating_mul(1 << self.in_vain.min(12)).min(MOST_TIMEOUT.max(once))
    }

    /// The timer is due.
    pub fn expire(&mut self, cx: &mut Context<'_>) {
        cx.counters.timeouts += 1;
        self.in_vain += 1;
        self.timer = None;
        if self.in_flight == 0 && self.entries.iter().any(|entry| entry.due) {
            self.answer(cx, Kind::Probe, self.sender.first, 0);
            self.timer = Some(cx.now + self.timeout(cx.config));
        } else if self.in_flight > 0 {
            self.retransmit(cx);
            self.timer = Some(cx.now + self.timeout(cx.config));
        }
    }

    /// Writes the next datagram; false if there is none now.
    pub fn transmit(&mut self, cx: &mut Context<'_>, out: &mut Vec<u8>) -> bool {
        if let Some(header) = self.control.pop_front() {
            packet::put(out, &Header { peer_epoch: self.epoch, ..header }, &[]);
            return true;
        }
        let Some(at) = self.entries.iter().position(|entry| entry.due && !entry.freed) else { return false };
        if cx.repairs.epochs && self.epoch == 0 {
            // Nothing is sent to an incarnation that is not known. The timer asks again.
            if self.timer.is_some() {
                return false;
            }
            self.timer = Some(cx.now + self.timeout(cx.config));
            self.answer(cx, Kind::Probe, self.sender.first, 0);
            return self.transmit(cx, out);
        }
        let length = self.entries[at].length;
        let closed = (cx.repairs.limit && self.in_flight + length > self.window)
            || (cx.repairs.pace && length > self.window);
        if closed {
            if cx.repairs.probe && self.in_flight == 0 && self.timer.is_none() {
                self.timer = Some(cx.now + self.timeout(cx.config));
            }
            return false;
        }
        let entry = &mut self.entries[at];
        let header = Header {
            number: self.sender.first.wrapping_add(at as u32),
            head: entry.head,
            to: self.id,
            from: cx.config.id,
            kind: if entry.last { Kind::Last } else { Kind::Data },
            window: 0,
            epoch: cx.epoch,
            peer_epoch: self.epoch,
        };
        if entry.sent.is_some() {
            entry.again = true;
            cx.counters.lost += 1;
        }
        entry.sent = Some(cx.now);
        entry.due = false;
        self.in_flight += length;
        let block = &self.blocks[(entry.block - self.first_block) as usize];
        packet::put(out, &header, &block[entry.start..entry.start + length]);
        if cx.repairs.timer && (self.timer.is_none() || self.in_flight == length) {
            self.timer = Some(cx.now + self.timeout(cx.config));
        }
        true
    }
}
