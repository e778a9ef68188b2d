//! A connection: handshake and state.

#[cfg(test)]
mod edges;
mod path;
mod receive;
mod timers;
mod transmit;

use core::time::Duration;
use std::collections::VecDeque;
use std::net::SocketAddr;

use super::congestion::Congestion;
use super::inbox::Inbox;
use super::mtu::Discovery;
use super::noise::{Call, Called};
use super::outbox::{Outbox, cost};
use super::packet::{Cookie, DATA_HEADER, Hello, PART_HEADER, TIME};
use super::ranges::Ranges;
use super::recovery::{REORDERING, RoundTrip};
use super::seal::{Seal, TAG};
use super::sent::Sent;
use crate::config::Config;
use crate::counters::{Counters, Dropped};
use crate::event::{Event, Flow, Peer, Priority, SendError};
use crate::keys::PublicKey;
use crate::permit::Ledger;
use crate::time::Instant;
use path::Candidate;

/// Environment of a connection during a call.
pub(crate) struct Context<'a> {
    pub now: Instant,
    pub peer: Peer,
    pub config: &'a Config,
    pub counters: &'a mut Counters,
    pub events: &'a mut VecDeque<Event>,
    pub ledger: &'a mut Ledger,
}

/// Phase of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Stage {
    /// Initiate was sent; waits for Retry or Accept.
    Calling,
    /// Accept was sent to a validated address; waits for the first Data.
    HalfOpen,
    /// Blocks are exchanged.
    Open,
    /// A final Close is to be sent.
    Closing,
}

/// Last permit given to the peer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Given {
    number: u32,
    bytes: u32,
    until: Instant,
    renew: Instant,
}

/// A connection with one peer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Connection {
    pub address: SocketAddr,
    /// Connection ID in packets to this side.
    pub id: u64,
    /// Connection ID in packets to the peer.
    pub peer_id: u64,
    pub stage: Stage,
    /// Authenticated key of the peer, or the key of the called peer.
    pub key: Option<PublicKey>,
    /// Whether the application knows the peer.
    pub known: bool,
    cookie: Cookie,
    /// Handshake state and message, repeated until the peer answers.
    call: Option<Call>,
    answer: Vec<u8>,
    pub seal: Seal,
    wants_key: bool,
    candidate: Option<Candidate>,
    /// Challenge of the peer that is to be answered.
    asked: Option<u64>,
    began: Instant,
    hello_at: Instant,
    tries: u32,

    outbox: Outbox,
    sent: Sent,
    mtu: Discovery,
    trip: RoundTrip,
    congestion: Congestion,
    highest: Option<u64>,
    reordering: u64,
    loss_at: Option<Instant>,
    in_vain: u32,
    last_sent: Instant,
    probe: bool,
    ping: bool,
    blocked_since: Option<Instant>,
    /// Requests for receive window since the sender was blocked.
    blocked_probes: u32,
    paced_until: Option<Instant>,
    unscheduled: usize,
    /// Largest block of the peer in bytes.
    largest: usize,
    permit_number: u32,
    permit: Option<(usize, Instant)>,
    owes_writable: bool,
    loss: u32,
    /// Congestion marks reported by the peer.
    marks_there: u32,

    inbox: Inbox,
    received: Ranges,
    newest_time: u32,
    newest_at: Instant,
    /// Packets received with a congestion mark.
    marks_here: u32,
    unanswered: u32,
    ack_at: Option<Instant>,
    advertised: u64,
    given: Given,
    wants_permit: bool,
    heard: Instant,
    unheard_since: Option<Instant>,
}

fn micros(now: Instant) -> u32 {
    (now.nanos() / 1_000) as u32
}

impl Connection {
    /// State before the handshake.
    pub fn new(now: Instant, config: &Config, address: SocketAddr, id: u64) -> Self {
        Self {
            address,
            id,
            peer_id: 0,
            stage: Stage::Calling,
            key: None,
            known: false,
            cookie: Cookie::default(),
            call: None,
            answer: Vec::new(),
            seal: Seal::Plain,
            wants_key: false,
            candidate: None,
            asked: None,
            began: now,
            hello_at: now,
            tries: 0,
            outbox: Outbox::new(),
            sent: Sent::default(),
            mtu: Discovery::new(config.datagram, config.datagram),
            trip: RoundTrip::default(),
            congestion: Congestion::new(config.datagram),
            highest: None,
            reordering: REORDERING,
            loss_at: None,
            in_vain: 0,
            last_sent: now,
            probe: false,
            ping: false,
            blocked_since: None,
            blocked_probes: 0,
            paced_until: None,
            unscheduled: 0,
            largest: usize::MAX,
            permit_number: 0,
            permit: None,
            owes_writable: false,
            loss: 0,
            marks_there: 0,
            inbox: Inbox::new(1, 0, 0),
            received: Ranges::default(),
            newest_time: 0,
            newest_at: now,
            marks_here: 0,
            unanswered: 0,
            ack_at: None,
            advertised: config.window as u64,
            given: Given::default(),
            wants_permit: false,
            heard: now,
            unheard_since: None,
        }
    }

    /// Transport parameters of this side.
    pub fn hello(&self, config: &Config) -> Hello {
        Hello {
            id: self.id,
            datagram: config.datagram as u16,
            most: config.most() as u16,
            unscheduled: config.unscheduled as u32,
            window: config.window as u32,
            largest_block: config.largest_block as u32,
        }
    }

    /// Applies the transport parameters of the peer.
    fn meet(&mut self, cx: &mut Context<'_>, hello: &Hello) {
        self.peer_id = hello.id;
        self.mtu = Self::discovery(cx.config, hello.datagram, hello.most);
        self.congestion = Congestion::new(self.mtu.base());
        self.unscheduled = hello.unscheduled as usize;
        let part = self.mtu.base() - DATA_HEADER - TIME - PART_HEADER - TAG;
        self.inbox = Inbox::new(part, cx.config.largest_block, cx.config.window);
        let limit = hello.largest_block as usize;
        self.largest = limit;
        for (_, length) in self.outbox.open(part, limit) {
            cx.events.push_back(Event::Refused { peer: cx.peer, length, limit });
        }
        self.outbox.raise(u64::from(hello.window));
        self.heard = cx.now;
    }

    /// Begins an outgoing call.
    pub fn calls(&mut self, call: Call, to: Option<PublicKey>) {
        (self.call, self.key, self.known) = (Some(call), to, true);
    }

    /// Accepts an incoming call from a validated address.
    pub fn called(&mut self, cx: &mut Context<'_>, called: Called) {
        let (hello, key) = (called.hello, called.key);
        match called.answer(&self.hello(cx.config)) {
            Ok((answer, seal)) => (self.answer, self.seal) = (answer, seal),
            Err(why) => return cx.counters.drop(why),
        }
        (self.call, self.key) = (None, key);
        self.stage = Stage::HalfOpen;
        self.began = cx.now;
        self.tries = 0;
        self.hello_at = cx.now;
        self.meet(cx, &hello);
    }

    /// Repeats the Accept, which the caller has not received.
    pub fn called_again(&mut self, now: Instant) {
        if self.stage == Stage::HalfOpen {
            self.hello_at = now;
        }
    }

    /// Handles Retry: repeats the call with the cookie.
    pub fn retry(&mut self, cx: &mut Context<'_>, cookie: Cookie) {
        if self.stage == Stage::Calling && self.cookie != cookie {
            self.cookie = cookie;
            self.hello_at = cx.now;
            self.tries = 0;
        } else {
            cx.counters.drop(Dropped::Stale);
        }
    }

    /// Handles Accept: the call is accepted.
    pub fn accepted(&mut self, cx: &mut Context<'_>, message: &[u8]) {
        let Some(call) = self.call.as_mut().filter(|_| self.stage == Stage::Calling) else {
            return cx.counters.drop(Dropped::Stale);
        };
        let hello = match call.accepted(message) {
            Ok((hello, seal)) => {
                self.seal = seal;
                hello
            }
            Err(why) => return cx.counters.drop(why),
        };
        self.call = None;
        self.meet(cx, &hello);
        self.open(cx);
        // The peer waits for the first packet.
        self.ping = true;
    }

    /// Opens the connection.
    pub fn open(&mut self, cx: &mut Context<'_>) {
        self.stage = Stage::Open;
        if self.tries == 1 {
            self.trip = self.trip.sample(cx.now.since(self.last_sent), Duration::ZERO);
        }
        self.last_sent = cx.now;
        self.known = true;
        cx.events.push_back(Event::Connected { peer: cx.peer, address: self.address, key: self.key });
    }

    /// Handles a block taken by the application.
    pub fn taken(&mut self, length: usize) {
        self.inbox.take(length);
    }

    /// Cost of the peer's blocks that the application has not taken, complete or not.
    pub fn held(&self) -> usize {
        self.inbox.held()
    }

    /// Queues a block.
    pub fn send(&mut self, config: &Config, priority: Priority, block: &[u8]) -> Result<(), SendError> {
        let queued = self.outbox.queued_bytes() + cost(block.len());
        let limit = self.largest.min(config.queue - cost(0));
        if block.len() > limit {
            return Err(SendError::TooLarge { length: block.len(), limit });
        }
        if queued > config.queue {
            self.owes_writable = true;
            let trip = self.trip.smoothed().unwrap_or(config.initial_rtt);
            let trips = (queued - config.queue).div_ceil(self.congestion.window().max(1));
            return Err(SendError::Full {
                writable_after: trip * u32::try_from(trips).unwrap_or(u32::MAX).min(1 << 16),
            });
        }
        self.outbox.push(priority, block);
        Ok(())
    }

    /// Bytes that may be in flight.
    fn limit(&self, now: Instant) -> usize {
        let permit = self.permit.filter(|permit| now < permit.1).map_or(self.unscheduled, |permit| permit.0);
        self.congestion.window().min(permit.max(self.mtu.base()))
    }

    pub fn flow(&self, config: &Config, now: Instant) -> Flow {
        Flow {
            srtt: self.trip.smoothed(),
            window: self.congestion.window(),
            in_flight: self.sent.in_flight(),
            queued_blocks: self.outbox.queued_blocks(),
            room: config.queue.saturating_sub(self.outbox.queued_bytes() + cost(0)).min(self.largest),
            permit: self.permit.filter(|permit| now < permit.1).map(|permit| permit.0),
            loss: self.loss,
            datagram: self.mtu.datagram(),
            key_generation: self.seal.generation(),
        }
    }

    /// Closes the connection and abandons queued blocks.
    pub fn close(&mut self) {
        self.candidate = None;
        self.stage = Stage::Closing;
    }
}
