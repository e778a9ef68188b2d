//! A connection: what is sent when, and what becomes of what arrives.

use core::time::Duration;
use std::collections::VecDeque;
use std::net::SocketAddr;

use super::congestion::Congestion;
use super::inbox::Inbox;
use super::outbox::{Next, Outbox, cost};
use super::packet::{self, Answer, Cookie, DATA_HEADER, Frame, Hello, PART_HEADER, TIME, next_frame};
use super::ranges::Ranges;
use super::recovery::{MOST_REORDERING, REORDERING, RoundTrip, Verdict, judge};
use super::seal::{Call, Called, Seal, TAG};
use super::sent::{Sent, State};
use crate::config::Config;
use crate::counters::{Counters, Dropped};
use crate::event::{Event, Flow, Peer, Priority, Reason, SendError};
use crate::permit::Ledger;
use crate::time::Instant;

/// Time-outs in a row after which the network counts as congested to the utmost.
const COLLAPSE: u32 = 3;
/// Calls and their answers are repeated at least this often.
const LONGEST_CALL: Duration = Duration::from_secs(1);

/// What a connection works with beside its own state.
pub(crate) struct Context<'a> {
    pub now: Instant,
    pub peer: Peer,
    pub config: &'a Config,
    pub counters: &'a mut Counters,
    pub events: &'a mut VecDeque<Event>,
    pub ledger: &'a mut Ledger,
    pub scratch: &'a mut Vec<u8>,
}

/// How far a connection is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// We called; waits for Retry or Accept.
    Calling,
    /// We were called from a proven address; waits for the first Data.
    HalfOpen,
    /// Blocks are exchanged.
    Open,
    /// One Close is left to be sent.
    Closing,
}

/// The permit that was given to the peer last.
#[derive(Clone, Copy, Debug, Default)]
struct Given {
    number: u32,
    bytes: u32,
    until: Instant,
    renew: Instant,
}

/// A connection.
#[derive(Debug)]
pub(crate) struct Connection {
    pub address: SocketAddr,
    /// Id of packets to here.
    pub id: u64,
    /// Id of packets to there.
    pub peer_id: u64,
    pub stage: Stage,
    cookie: Cookie,
    /// What is said until the other side has said something.
    call: Option<Call>,
    answer: Vec<u8>,
    pub seal: Seal,
    began: Instant,
    hello_at: Instant,
    tries: u32,

    outbox: Outbox,
    sent: Sent,
    datagram: usize,
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
    /// Times that the receiver was asked for memory since it ran out.
    blocked_probes: u32,
    paced_until: Option<Instant>,
    unscheduled: usize,
    /// Largest block the peer takes.
    largest: usize,
    permit_number: u32,
    permit: Option<(usize, Instant)>,
    owes_writable: bool,
    loss: u32,

    inbox: Inbox,
    received: Ranges,
    newest_time: u32,
    newest_at: Instant,
    unanswered: u32,
    ack_at: Option<Instant>,
    told: u64,
    given: Given,
    wants_permit: bool,
    heard: Instant,
    unheard_since: Option<Instant>,
}

fn micros(now: Instant) -> u32 {
    (now.nanos() / 1_000) as u32
}

impl Connection {
    /// A connection that does not yet call, nor was called.
    pub fn new(now: Instant, config: &Config, address: SocketAddr, id: u64) -> Self {
        Self {
            address,
            id,
            peer_id: 0,
            stage: Stage::Calling,
            cookie: Cookie::default(),
            call: None,
            answer: Vec::new(),
            seal: Seal::Plain,
            began: now,
            hello_at: now,
            tries: 0,
            outbox: Outbox::new(),
            sent: Sent::default(),
            datagram: config.datagram,
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
            inbox: Inbox::new(1, 0, 0),
            received: Ranges::default(),
            newest_time: 0,
            newest_at: now,
            unanswered: 0,
            ack_at: None,
            told: config.window as u64,
            given: Given::default(),
            wants_permit: false,
            heard: now,
            unheard_since: None,
        }
    }

    /// What this side says of itself.
    pub fn hello(&self, config: &Config) -> Hello {
        Hello {
            id: self.id,
            datagram: config.datagram as u16,
            unscheduled: config.unscheduled as u32,
            window: config.window as u32,
            largest_block: config.largest_block as u32,
        }
    }

    /// Takes what the other side says of itself.
    fn meet(&mut self, cx: &mut Context<'_>, hello: &Hello) {
        self.peer_id = hello.id;
        self.datagram = cx.config.datagram.min(usize::from(hello.datagram));
        self.congestion = Congestion::new(self.datagram);
        self.unscheduled = hello.unscheduled as usize;
        let part = self.datagram - DATA_HEADER - TIME - PART_HEADER - TAG;
        self.inbox = Inbox::new(part, cx.config.largest_block, cx.config.window);
        let limit = hello.largest_block as usize;
        self.largest = limit;
        for (_, length) in self.outbox.open(part, limit) {
            cx.events.push_back(Event::Refused { peer: cx.peer, length, limit });
        }
        self.outbox.raise(u64::from(hello.window));
        self.heard = cx.now;
    }

    /// We call.
    pub fn calls(&mut self, call: Call) {
        self.call = Some(call);
    }

    /// We are called, from an address that is proven.
    pub fn called(&mut self, cx: &mut Context<'_>, called: Called) {
        let hello = called.hello;
        match called.answer(&self.hello(cx.config)) {
            Ok((answer, seal)) => (self.answer, self.seal) = (answer, seal),
            Err(why) => return cx.counters.drop(why),
        }
        self.call = None;
        self.stage = Stage::HalfOpen;
        self.began = cx.now;
        self.tries = 0;
        self.hello_at = cx.now;
        self.meet(cx, &hello);
    }

    /// The caller has not had our Accept.
    pub fn called_again(&mut self, now: Instant) {
        if self.stage == Stage::HalfOpen {
            self.hello_at = now;
        }
    }

    /// We are to prove our address.
    pub fn retry(&mut self, cx: &mut Context<'_>, cookie: Cookie) {
        if self.stage == Stage::Calling && self.cookie != cookie {
            self.cookie = cookie;
            self.hello_at = cx.now;
            self.tries = 0;
        } else {
            cx.counters.drop(Dropped::Stale);
        }
    }

    /// Our call is taken.
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
        // The other side waits for a first packet.
        self.ping = true;
    }

    /// Blocks may flow.
    pub fn open(&mut self, cx: &mut Context<'_>) {
        self.stage = Stage::Open;
        if self.tries == 1 {
            self.trip = self.trip.sample(cx.now.since(self.last_sent), Duration::ZERO);
        }
        self.last_sent = cx.now;
        cx.events.push_back(Event::Connected { peer: cx.peer, address: self.address });
    }

    /// Whether the frames of a packet can be used, all of them.
    pub fn check(&self, number: u64, mut frames: &[u8]) -> Result<(), Dropped> {
        if self.received.contains(number) {
            return Err(Dropped::Repeated);
        }
        if frames.is_empty() {
            return Err(Dropped::Malformed);
        }
        while let Some(frame) = next_frame(&mut frames)? {
            let Frame::Ack(answer, ack) = frame else { continue };
            let Some((_, high)) = ack.ranges().next() else { continue };
            // Who acknowledges what it has not seen cannot know the time in it either.
            let known = self.sent.get(high);
            if high >= self.sent.next() || known.is_some_and(|packet| micros(packet.time) != answer.echo) {
                return Err(Dropped::Forged);
            }
        }
        Ok(())
    }

    /// Takes the frames of a packet that `check` has passed. Some reason if the peer has closed.
    pub fn data(
        &mut self,
        cx: &mut Context<'_>,
        number: u64,
        time: u32,
        mut frames: &[u8],
    ) -> Option<Reason> {
        let in_order = self.received.highest().map_or(number == 0, |highest| number == highest + 1);
        if self.received.highest().is_none_or(|highest| number > highest) {
            (self.newest_time, self.newest_at) = (time, cx.now);
        }
        self.received.insert(number);
        self.heard = cx.now;
        self.unheard_since = None;
        let (mut answer, mut at_once) = (false, !in_order);
        while let Ok(Some(frame)) = next_frame(&mut frames) {
            match frame {
                Frame::Ping => (answer, at_once) = (true, true),
                Frame::Ack(said, ack) => self.acknowledged(cx, &said, ack.ranges()),
                Frame::Close => return Some(Reason::There),
                Frame::Part(part, total, bytes) => {
                    answer = true;
                    self.wants_permit = true;
                    match self.inbox.insert(&part, total, bytes) {
                        Ok(whole) => at_once |= whole,
                        Err(why) => cx.counters.drop(why),
                    }
                    while let Some(block) = self.inbox.pop(part.priority) {
                        cx.events.push_back(Event::Block { peer: cx.peer, priority: part.priority, block });
                    }
                }
            }
        }
        if answer {
            self.unanswered += 1;
            let due = if at_once || self.unanswered > 1 { cx.now } else { cx.now + cx.config.ack_delay };
            self.ack_at = Some(self.ack_at.map_or(due, |at| at.min(due)));
        }
        None
    }

    /// The application has taken a block.
    pub fn taken(&mut self, length: usize) {
        self.inbox.take(length);
    }

    fn acknowledged(
        &mut self,
        cx: &mut Context<'_>,
        said: &Answer,
        ranges: impl Iterator<Item = (u64, u64)>,
    ) {
        self.outbox.raise(said.limit);
        if said.permit > self.permit_number {
            self.permit_number = said.permit;
            let age = Duration::from_micros(u64::from(micros(cx.now).wrapping_sub(said.echo)));
            let left = Duration::from_micros(u64::from(said.life)).saturating_sub(age);
            self.permit = Some((said.bytes as usize, cx.now + left));
        }
        let in_flight = self.sent.in_flight();
        for (at, (low, high)) in ranges.enumerate() {
            if at == 0 {
                self.highest = self.highest.max(Some(high));
            }
            for number in self.sent.within(low, high) {
                let Some(packet) = self.sent.get(number).copied() else { continue };
                match packet.state {
                    State::Arrived => continue,
                    State::Lost => {
                        cx.counters.spurious += 1;
                        self.reordering = (self.reordering * 2).min(MOST_REORDERING);
                        self.congestion.undo();
                    }
                    State::InFlight => {
                        self.congestion.acknowledged(number, usize::from(packet.size), in_flight);
                        self.loss -= self.loss / 64;
                        self.in_vain = 0;
                        self.probe = false;
                        if at == 0 && number == high {
                            let held = Duration::from_micros(u64::from(said.held));
                            self.trip = self.trip.sample(cx.now.since(packet.time), held);
                        }
                    }
                }
                self.sent.set(number, State::Arrived);
                for at in 0.. {
                    let Some(part) = self.sent.part(number, at) else { break };
                    self.outbox.arrived(&part);
                }
            }
        }
        self.find_lost(cx);
        self.sent.trim();
        let queued = self.outbox.queued_bytes();
        let largest = cost(self.largest.min(cx.config.largest_block));
        if self.owes_writable && (queued == 0 || queued + largest <= cx.config.queue) {
            self.owes_writable = false;
            cx.events.push_back(Event::Writable { peer: cx.peer });
        }
    }

    fn find_lost(&mut self, cx: &mut Context<'_>) {
        self.loss_at = None;
        let delay = self.trip.loss_delay(cx.config.initial_rtt);
        for number in self.sent.all() {
            let Some(packet) = self.sent.get(number).copied() else { break };
            if packet.state != State::InFlight {
                continue;
            }
            match judge(number, packet.time, self.highest, self.reordering, delay, cx.now) {
                Verdict::Unknown => break,
                Verdict::Wait(at) => self.loss_at = Some(self.loss_at.map_or(at, |other| other.min(at))),
                Verdict::Lost => {
                    cx.counters.lost += 1;
                    self.loss += (1_000_000 - self.loss) / 64;
                    self.congestion.lost(number, self.sent.next());
                    self.sent.set(number, State::Lost);
                    for at in 0.. {
                        let Some(part) = self.sent.part(number, at) else { break };
                        self.outbox.lost(&part);
                    }
                }
            }
        }
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
        self.congestion.window().min(permit.max(self.datagram))
    }

    pub fn flow(&self, now: Instant) -> Flow {
        Flow {
            srtt: self.trip.smoothed(),
            window: self.congestion.window(),
            in_flight: self.sent.in_flight(),
            queued_blocks: self.outbox.queued_blocks(),
            permit: self.permit.filter(|permit| now < permit.1).map(|permit| permit.0),
            loss: self.loss,
        }
    }

    /// When a call, or the answer to one, is repeated.
    fn call_again(&self, config: &Config) -> Duration {
        let once = self.trip.timeout(config.initial_rtt, Duration::ZERO, Duration::ZERO, self.tries);
        once.min(LONGEST_CALL.max(config.initial_rtt * 3))
    }

    fn probe_timeout(&self, config: &Config) -> Duration {
        let in_vain = self.in_vain.max(self.blocked_probes);
        self.trip.timeout(config.initial_rtt, config.least_timeout, config.ack_delay, in_vain)
    }

    /// When the peer is next to be answered, asked or given up.
    pub fn timeout(&self, config: &Config) -> Option<Instant> {
        match self.stage {
            Stage::Calling | Stage::HalfOpen => Some(self.hello_at.min(self.began + config.give_up)),
            Stage::Closing => None,
            Stage::Open => {
                let waits = self.sent.in_flight() > 0 && !self.probe;
                let times = [
                    Some(
                        self.unheard_since
                            .map_or(self.heard + config.keep_alive, |since| since + config.give_up),
                    ),
                    waits.then(|| self.last_sent + self.probe_timeout(config)),
                    self.blocked_since.filter(|_| !self.ping).map(|since| since + self.probe_timeout(config)),
                    self.ack_at,
                    self.loss_at,
                    self.paced_until,
                ];
                times.into_iter().flatten().min()
            }
        }
    }

    /// Does what is due. Some reason if the connection has ended.
    pub fn expire(&mut self, cx: &mut Context<'_>) -> Option<Reason> {
        let now = cx.now;
        match self.stage {
            Stage::Calling | Stage::HalfOpen => {
                (now >= self.began + cx.config.give_up).then_some(Reason::Silent)
            }
            Stage::Closing => None,
            Stage::Open => {
                if self.unheard_since.is_some_and(|since| now >= since + cx.config.give_up) {
                    return Some(Reason::Silent);
                }
                if self.unheard_since.is_none() && now >= self.heard + cx.config.keep_alive {
                    self.ping = true;
                }
                if self.loss_at.is_some_and(|at| at <= now) {
                    self.find_lost(cx);
                }
                let since = self.blocked_since.or((self.sent.in_flight() > 0).then_some(self.last_sent));
                if !self.probe && since.is_some_and(|since| now >= since + self.probe_timeout(cx.config)) {
                    cx.counters.timeouts += 1;
                    self.in_vain += 1;
                    self.probe = true;
                    if self.in_vain == COLLAPSE && self.blocked_since.is_none() {
                        self.congestion.collapse();
                    }
                }
                None
            }
        }
    }

    /// Ends the connection; what is queued is given up.
    pub fn close(&mut self) {
        self.stage = Stage::Closing;
    }

    /// Writes the next datagram; false if there is none now.
    pub fn transmit(&mut self, cx: &mut Context<'_>, out: &mut Vec<u8>) -> bool {
        match self.stage {
            Stage::Calling if cx.now >= self.hello_at => {
                let message = self.call.as_ref().map_or(&[][..], |call| &call.message);
                packet::put_initiate(out, self.id, &self.cookie, message);
                self.last_sent = cx.now;
                self.hello_at = cx.now + self.call_again(cx.config);
                self.tries += 1;
                true
            }
            Stage::HalfOpen if cx.now >= self.hello_at => {
                packet::put_accept(out, self.peer_id, &self.answer);
                self.last_sent = cx.now;
                self.hello_at = cx.now + self.call_again(cx.config);
                self.tries += 1;
                true
            }
            Stage::Calling | Stage::HalfOpen => false,
            Stage::Closing => {
                packet::put_data(out, self.peer_id, self.sent.next(), micros(cx.now));
                packet::put_close(out);
                self.seal.close(self.sent.next(), out, DATA_HEADER, cx.scratch);
                true
            }
            Stage::Open => self.transmit_data(cx, out),
        }
    }

    fn transmit_data(&mut self, cx: &mut Context<'_>, out: &mut Vec<u8>) -> bool {
        let (now, in_flight) = (cx.now, self.sent.in_flight());
        let next = self.outbox.next();
        let ready = matches!(next, Next::Part(_));
        let room = in_flight == 0 || in_flight + self.datagram <= self.limit(now);
        let departure = self.congestion.departure(self.trip.smoothed());
        self.paced_until = (ready && room && departure > now).then_some(departure);
        let stuck = next == Next::Blocked && in_flight == 0;
        if next != Next::Blocked {
            self.blocked_probes = 0;
        }
        self.blocked_since = stuck.then(|| self.blocked_since.unwrap_or(now));
        let grown = self.inbox.limit().saturating_sub(self.told) >= cx.config.window as u64 / 4;
        let ack = self.ack_at.is_some_and(|at| at <= now) || (grown && self.received.highest().is_some());
        let parts = self.probe || (ready && room && departure <= now);
        if !ack && !parts && !self.ping {
            return false;
        }

        packet::put_data(out, self.peer_id, self.sent.next(), micros(now));
        let header = out.len();
        let mark = self.sent.mark();
        let acked = ack || self.unanswered > 0;
        if acked {
            self.put_ack(cx, out);
        }
        let with_ack = out.len();
        if parts {
            self.put_parts(out);
            if out.len() == with_ack && with_ack > header && (self.probe || !ack) {
                // A part has no room beside the acknowledgement, which can wait.
                out.truncate(header);
                self.put_parts(out);
            }
        }
        if self.ping || (self.probe && self.sent.mark() == mark) {
            packet::put_ping(out);
        }
        let answered = acked && out[header] == 2;
        if answered {
            self.ack_at = None;
            self.unanswered = 0;
            self.told = self.inbox.limit();
        }
        self.seal.close(self.sent.next(), out, DATA_HEADER, cx.scratch);
        let eliciting = self.ping || self.probe || self.sent.mark() > mark;
        self.sent.push(now, if eliciting { out.len() } else { 0 }, mark);
        if eliciting {
            self.congestion.departed(now, out.len(), self.trip.smoothed());
            self.last_sent = now;
            self.unheard_since.get_or_insert(now);
            self.blocked_probes += u32::from(stuck && self.probe);
            self.blocked_since = None;
        }
        (self.probe, self.ping) = (false, false);
        true
    }

    /// Appends parts while they fit: what is next, or after a time-out what was sent longest ago.
    fn put_parts(&mut self, out: &mut Vec<u8>) {
        let room = self.datagram - TAG;
        let mark = self.sent.mark();
        while let Next::Part(part) = self.outbox.next() {
            let Some((total, bytes)) = self.outbox.bytes(&part) else { return };
            if out.len() + PART_HEADER + bytes.len() > room {
                return;
            }
            packet::put_part(out, &part, total, bytes);
            self.outbox.sent(&part);
            self.sent.carries(part);
        }
        if !self.probe || self.sent.mark() > mark {
            return;
        }
        let Some((oldest, _)) = self.sent.oldest() else { return };
        for at in 0.. {
            let Some(part) = self.sent.part(oldest, at) else { return };
            let Some((total, bytes)) = self.outbox.bytes(&part) else { continue };
            if out.len() + PART_HEADER + bytes.len() > room {
                return;
            }
            packet::put_part(out, &part, total, bytes);
            self.sent.carries(part);
        }
    }

    fn put_ack(&mut self, cx: &mut Context<'_>, out: &mut Vec<u8>) {
        if self.wants_permit && cx.now >= self.given.renew {
            let trip = self.trip.smoothed().unwrap_or(cx.config.initial_rtt);
            let (bytes, life) = cx.ledger.permit(cx.now, cx.peer.slot, trip);
            self.given = Given {
                number: self.given.number.saturating_add(1),
                bytes: bytes as u32,
                until: cx.now + life,
                renew: cx.now + life / 4,
            };
            self.wants_permit = false;
        }
        let answer = Answer {
            echo: self.newest_time,
            held: cx.now.since(self.newest_at).as_micros() as u32,
            limit: self.inbox.limit(),
            permit: self.given.number,
            bytes: self.given.bytes,
            // Counted from the echoed time, which lies before now: so it ends there no later than here.
            life: self.given.until.since(cx.now).as_micros() as u32,
        };
        packet::put_ack(out, &answer, self.received.descending());
    }
}
