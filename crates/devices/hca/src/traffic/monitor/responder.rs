//! The answers that a receiving side may send: acknowledgements, NAKs and RDMA READ data (IBA volume 1, sections
//! 9.7.4, 9.7.5).
//!
//! The order in which a device takes packets and sends answers is visible on the wire, the time between is not. So
//! the rule follows every state in which a device may be: packets that have arrived may still wait, an answer may
//! have been built and still wait for the link. A packet that no state explains breaks the rules.

use std::collections::VecDeque;
use std::fmt;

use super::frame::{Family, Frame};
use super::shared::Shared;
use super::{after, is_before};
use crate::contexts::{Attributes, OUTSTANDING};
use crate::layout::{MAX_MESSAGE, mtu_bytes};

/// Arrived packets at most that a device has not handled: it has two slots for them.
const SLOTS: u64 = 2;
/// Answers at most that are built and have not left.
const BUILT: usize = 2;
/// States at most; beyond, the rule follows the first ones only.
const STATES: usize = 2_000;

/// An ACK without a credit count (table 44).
const ACK: u8 = 0x1f;
const RNR_NAK: u8 = 0x20;
const NAK_GAP: u8 = 0x60;
const NAK_INVALID: u8 = 0x61;
const NAK_ACCESS: u8 = 0x62;
const NAK_OPERATION: u8 = 0x63;

/// A packet that a responder owes or sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// An ACK or NAK.
    Acknowledge { syndrome: u8, psn: u32, messages: u32 },
    /// A packet of RDMA READ data.
    Data { psn: u32, bytes: u32, first: bool, last: bool, messages: u32 },
    /// The original value of an atomic operation.
    Original { psn: u32, messages: u32 },
}

impl Answer {
    fn is(&self, frame: &Frame) -> bool {
        match *self {
            Self::Acknowledge { syndrome, psn, messages } => {
                frame.form.family == Family::Acknowledge
                    && frame.psn == psn
                    && frame.answer == Some((syndrome, messages))
            }
            Self::Data { psn, bytes, first, last, messages } => {
                let form = frame.form;
                form.family == Family::ReadData
                    && (form.first, form.last) == (first, last)
                    && frame.psn == psn
                    && frame.bytes == bytes as usize
                    && frame.answer == (first || last).then_some((ACK, messages))
            }
            Self::Original { psn, messages } => {
                frame.form.family == Family::Original
                    && frame.psn == psn
                    && frame.answer == Some((ACK, messages))
            }
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Acknowledge { syndrome, psn, messages } => {
                write!(f, "syndrome {syndrome:#04x}, PSN {psn:06x}, MSN {messages}")
            }
            Self::Original { psn, messages } => write!(f, "original value, PSN {psn:06x}, MSN {messages}"),
            Self::Data { psn, bytes, first, last, messages } => {
                let place = match (first, last) {
                    (true, true) => "only",
                    (true, false) => "first",
                    (false, true) => "last",
                    (false, false) => "middle",
                };
                write!(f, "{place} READ data of {bytes} bytes, PSN {psn:06x}, MSN {messages}")
            }
        }
    }
}

/// A message of which more packets follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Message {
    family: Family,
    /// Bytes still to come of an RDMA WRITE.
    left: u32,
}

/// RDMA READ data, or the original value of an atomic operation, that are still to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reading {
    next: u32,
    last: u32,
    left: u32,
    begun: bool,
    atomic: bool,
}

/// A state in which the device may be.
#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    /// Packets handled since the queue pair was set up.
    handled: u64,
    /// PSN expected of the next packet.
    psn: u32,
    messages: u32,
    message: Option<Message>,
    /// Receive WQEs taken.
    consumed: u16,
    /// A NAK has asked for the expected packet.
    refused: bool,
    dead: bool,
    /// The host has changed the state to one that receives nothing: data of RDMA READs wait until it changes back.
    stopped: bool,
    /// ACK or NAK to be sent: syndrome and PSN.
    owed: Option<(u8, u32)>,
    reading: Option<Reading>,
    /// RDMA READs that wait behind it.
    waiting: VecDeque<Reading>,
    /// PSN of the atomic operation whose answer is saved; no RDMA READ has followed.
    saved: Option<u32>,
    /// Answers that are built and have not left.
    built: Vec<Answer>,
    /// Time since which an answer is due, in picoseconds.
    since: u64,
}

impl State {
    fn owes_nak(&self) -> bool {
        self.owed.is_some_and(|(syndrome, _)| syndrome >> 5 != 0)
    }

    fn is_due(&self) -> bool {
        self.owed.is_some() || self.data().is_some() || !self.built.is_empty()
    }

    /// RDMA READ data, or the original value, that may be sent next.
    fn data(&self) -> Option<Reading> {
        self.reading.filter(|_| !self.stopped)
    }

    fn owe(&mut self, syndrome: u8, psn: u32, now: u64) {
        self.owed = Some((syndrome, psn));
        self.since = now;
    }

    /// The request is refused for good, and the connection is broken.
    fn break_off(mut self, syndrome: u8, psn: u32, now: u64) -> Self {
        self.owe(syndrome, psn, now);
        self.die();
        self
    }

    /// The queue pair has failed: data of RDMA READs are not sent any more.
    fn die(&mut self) {
        (self.dead, self.reading) = (true, None);
        self.waiting.clear();
    }

    /// Whether an RDMA READ waits behind the one that is answered. A duplicate does if it continues the newest one.
    fn appends(&self, frame: &Frame) -> bool {
        let newest = self.waiting.back().or(self.reading.as_ref()).filter(|newest| !newest.atomic);
        let follows = frame.psn == self.psn;
        frame.form.family == Family::ReadRequest
            && newest.is_some_and(|newest| follows || frame.psn == after(newest.last, 1))
    }
}

/// A packet of a request that has arrived.
#[derive(Clone, Debug)]
struct Arrival {
    frame: Frame,
    at: u64,
    shared: Option<Shared>,
    /// Receive WQEs posted when it arrived.
    posted: u16,
    /// The queue pair was being set up: the packet may not count.
    optional: bool,
}

impl Arrival {
    /// Receive WQEs posted when it arrived; a packet before it may have taken some that were posted after that.
    fn posted_then(&self, state: &State) -> u16 {
        let taken_since = u64::from(state.consumed.wrapping_sub(self.posted));
        if taken_since <= SLOTS { state.consumed } else { self.posted }
    }
}

/// All states in which the responder of a queue pair may be.
#[derive(Clone, Debug)]
pub(super) struct Responder {
    attributes: Attributes,
    /// Receive WQEs posted.
    posted: u16,
    shared: Option<Shared>,
    arrivals: VecDeque<Arrival>,
    /// Packets that have arrived and were forgotten, because every state has handled them.
    forgotten: u64,
    states: Vec<State>,
    /// PSN and original value of the last atomic operation whose answer has left.
    original: Option<(u32, u64)>,
}

impl Responder {
    pub fn new(attributes: Attributes) -> Self {
        let start = State {
            handled: 0,
            psn: attributes.receive_psn,
            messages: 0,
            message: None,
            consumed: 0,
            refused: false,
            dead: false,
            stopped: false,
            owed: None,
            reading: None,
            waiting: VecDeque::new(),
            saved: None,
            built: Vec::new(),
            since: 0,
        };
        Self {
            attributes,
            posted: 0,
            shared: None,
            arrivals: VecDeque::new(),
            forgotten: 0,
            states: vec![start],
            original: None,
        }
    }

    /// The host rings the doorbell of the receive queue.
    pub fn post(&mut self, posted: u16) {
        self.posted = posted;
    }

    /// The shared receive queue of the queue pair, if it has one, has changed.
    pub fn share(&mut self, shared: Option<Shared>) {
        self.shared = shared;
    }

    /// The host changes attributes; packets that have arrived are judged by the new ones.
    pub fn change(&mut self, attributes: Attributes) {
        self.attributes = attributes;
    }

    /// The host changes the state to one that receives nothing: packets are dropped, and only answers that wait are
    /// sent.
    pub fn stop(&mut self, now: u64) {
        let mut states = self.reachable(now);
        states.iter_mut().for_each(|state| (state.dead, state.stopped) = (true, true));
        self.keep(states);
    }

    /// The queue pair fails: it drops packets, and sends only answers that wait.
    pub fn fail(&mut self, now: u64) {
        let mut states = self.reachable(now);
        states.iter_mut().for_each(State::die);
        self.keep(states);
    }

    /// A receive WQE is flushed.
    pub fn flush(&mut self, now: u64) {
        if self.shared.is_none() {
            let mut states = self.reachable(now);
            states.iter_mut().for_each(|state| state.consumed = state.consumed.wrapping_add(1));
            self.keep(states);
        }
    }

    /// The host has changed the state from one that receives nothing to one that does. The queue pair goes on unless one
    /// of its queues has failed meanwhile.
    pub fn go_on(&mut self, now: u64) {
        let goes_on = |state: &State| State { dead: false, stopped: false, since: now, ..state.clone() };
        let alive = self.states.iter().map(goes_on);
        let alive: Vec<_> = alive.filter(|state| !self.states.contains(state)).collect();
        self.states.extend(alive);
    }

    /// A packet of a request arrives.
    pub fn arrive(&mut self, frame: &Frame, now: u64, optional: bool) {
        let (frame, shared) = (frame.clone(), self.shared);
        self.arrivals.push_back(Arrival { frame, at: now, shared, posted: self.posted, optional });
        let total = self.forgotten + self.arrivals.len() as u64;
        let mut states = self.reachable(now);
        states.retain(|state| state.handled + SLOTS >= total);
        self.keep(states);
    }

    /// A packet leaves for the peer's requester; otherwise what may leave.
    pub fn leave(&mut self, frame: &Frame, now: u64) -> Result<(), String> {
        let mut states = self.reachable(now);
        let mut allowed: Vec<Answer> =
            states.iter().filter_map(|state| state.built.first().copied()).collect();
        states.retain_mut(|state| {
            let explains = state.built.first().is_some_and(|answer| answer.is(frame));
            if explains {
                state.built.remove(0);
                state.since = now;
            }
            explains
        });
        if states.is_empty() {
            allowed.dedup();
            let allowed: Vec<_> = allowed.iter().take(6).map(ToString::to_string).collect();
            return Err(if allowed.is_empty() { "no answer".to_owned() } else { allowed.join("; or ") });
        }
        self.keep(states);
        if let Some(value) = frame.original {
            let before = self.original.replace((frame.psn, value));
            if let Some((psn, first)) = before
                && psn == frame.psn
                && first != value
            {
                return Err(format!("the original value {first:#x} again"));
            }
        }
        Ok(())
    }

    /// Drops states whose answer should have left before `limit`; an answer that is missing if none is left.
    pub fn settle(&mut self, now: u64, limit: u64) -> Result<(), String> {
        let mut states = self.reachable(now);
        let overdue = |state: &State| state.is_due() && state.since < limit;
        let late = |state: &State| {
            let next =
                state.handled.checked_sub(self.forgotten).and_then(|at| self.arrivals.get(at as usize));
            next.is_some_and(|arrival| arrival.at < limit)
        };
        let missing = states.iter().find(|state| overdue(state)).cloned();
        states.retain(|state| !overdue(state) && !late(state));
        if states.is_empty() {
            let owed = missing.map_or_else(String::new, |state| {
                let built = state.built.first().map(ToString::to_string);
                let owed =
                    || state.owed.map(|(syndrome, psn)| format!("syndrome {syndrome:#04x}, PSN {psn:06x}"));
                let data = || state.data().map(|data| format!("READ data, PSN {:06x}", data.next));
                built.or_else(owed).or_else(data).unwrap_or_default()
            });
            return Err(owed);
        }
        self.keep(states);
        Ok(())
    }

    fn keep(&mut self, states: Vec<State>) {
        self.states = states;
        let least = self.states.iter().map(|state| state.handled).min().unwrap_or(self.forgotten);
        while self.forgotten < least {
            self.arrivals.pop_front();
            self.forgotten += 1;
        }
    }

    /// All states after any number of packets handled and answers built.
    fn reachable(&self, now: u64) -> Vec<State> {
        let mut states = self.states.clone();
        let mut at = 0;
        while at < states.len() && states.len() < STATES {
            let state = states[at].clone();
            let mut next = self.build(&state, now);
            let number = state.handled - self.forgotten;
            if let Some(arrival) = self.arrivals.get(number as usize) {
                next.extend(self.handle(state, arrival));
            }
            for state in next {
                if !states.contains(&state) {
                    states.push(state);
                }
            }
            at += 1;
        }
        states
    }

    /// The states after the next answer is built. Data of a READ go before an ACK or NAK.
    fn build(&self, state: &State, now: u64) -> Vec<State> {
        if state.built.len() == BUILT {
            return Vec::new();
        }
        let mut next = state.clone();
        let messages = state.messages;
        if let Some(reading) = state.data().filter(|reading| reading.atomic) {
            next.built.push(Answer::Original { psn: reading.next, messages });
            (next.reading, next.since) = (None, now);
            vec![next]
        } else if let Some(reading) = state.data() {
            let last = reading.next == reading.last;
            let full = u32::from(mtu_bytes(self.attributes.mtu));
            next.built.push(Answer::Data {
                psn: reading.next,
                bytes: if last { reading.left } else { full },
                first: !reading.begun,
                last,
                messages,
            });
            next.reading = (!last).then(|| Reading {
                next: after(reading.next, 1),
                last: reading.last,
                left: reading.left - full,
                begun: true,
                atomic: false,
            });
            next.reading = next.reading.or_else(|| next.waiting.pop_front());
            next.since = now;
            // The key may have lost its right meanwhile.
            vec![next, state.clone().break_off(NAK_ACCESS, reading.next, now)]
        } else if let Some((syndrome, psn)) = state.owed {
            next.built.push(Answer::Acknowledge { syndrome, psn, messages });
            next.owed = None;
            vec![next]
        } else {
            Vec::new()
        }
    }

    /// The states after the packet is handled.
    fn handle(&self, state: State, arrival: &Arrival) -> Vec<State> {
        let mut next = State { handled: state.handled + 1, ..state };
        let skipped = arrival.optional.then(|| next.clone());
        let frame = &arrival.frame;
        let mut states = Vec::new();
        let size = 1 << self.attributes.receive_log;
        let beyond = |posted: u16, shared: Option<Shared>| match shared {
            Some(shared) => shared.beyond && frame.form.takes_wqe(),
            None => u32::from(posted.wrapping_sub(next.consumed)) > size,
        };
        let then = beyond(arrival.posted_then(&next), arrival.shared);
        let now = beyond(self.posted, self.shared);
        if next.dead {
            states.push(next);
        } else if then || now {
            // The doorbell is beyond the ring: the queue dies without an answer. What a shared one has is not sure.
            if !(then && now) || self.shared.is_some() {
                states.extend(self.judge(next.clone(), arrival));
            }
            next.dead = true;
            states.push(next);
        } else if frame.psn == next.psn || is_before(frame.psn, next.psn) {
            states.extend(self.judge(next, arrival));
        } else {
            // A gap: one NAK for the expected packet.
            if !next.refused {
                let psn = next.psn;
                next.owe(NAK_GAP, psn, arrival.at);
                next.refused = true;
            }
            states.push(next);
        }
        states.extend(skipped);
        states
    }

    /// A packet with the expected PSN or with one before it.
    fn judge(&self, state: State, arrival: &Arrival) -> Vec<State> {
        if arrival.frame.psn == state.psn {
            self.judge_next(state, arrival)
        } else {
            self.judge_duplicate(state, arrival)
        }
    }

    /// A packet with a PSN before the expected one.
    fn judge_duplicate(&self, mut state: State, arrival: &Arrival) -> Vec<State> {
        let (frame, now) = (&arrival.frame, arrival.at);
        let family = frame.form.family;
        if self.is_sized(&state, frame) && state.appends(frame) {
            return self.append(state, frame, now);
        }
        if family == Family::ReadRequest && self.is_sized(&state, frame) {
            return vec![self.take(state.clone(), frame, now), state.break_off(NAK_ACCESS, frame.psn, now)];
        }
        // A duplicate of an atomic operation has its saved answer, or none.
        if frame.form.is_atomic() {
            if state.saved == Some(frame.psn) {
                let (next, last) = (frame.psn, frame.psn);
                state.reading = Some(Reading { next, last, left: 8, begun: false, atomic: true });
                state.since = now;
            }
            return vec![state];
        }
        // A duplicate is acknowledged again, but a NAK that waits goes first.
        if !state.owes_nak() {
            let psn = after(state.psn, u32::MAX);
            state.owe(ACK, psn, now);
        }
        vec![state]
    }

    /// A packet with the expected PSN.
    fn judge_next(&self, state: State, arrival: &Arrival) -> Vec<State> {
        let (frame, now) = (&arrival.frame, arrival.at);
        let family = frame.form.family;
        let ordered = match state.message {
            None => frame.form.first,
            Some(message) => !frame.form.first && message.family == family,
        };
        if !ordered || !self.is_sized(&state, frame) {
            let psn = state.psn;
            return vec![state.break_off(NAK_INVALID, psn, now)];
        }
        if state.appends(frame) {
            return self.append(state, frame, now);
        }
        let wants = frame.form.takes_wqe();
        let mut states = Vec::new();
        let empty =
            arrival.shared.map_or(arrival.posted_then(&state) == state.consumed, |shared| shared.empty);
        if wants && empty {
            let mut refused = state.clone();
            let psn = refused.psn;
            refused.owe(RNR_NAK | self.attributes.rnr_timer, psn, now);
            refused.refused = true;
            states.push(refused);
        }
        if !wants || self.shared.is_some() || self.posted != state.consumed {
            let psn = state.psn;
            let codes: &[u8] =
                if family == Family::Send { &[NAK_INVALID, NAK_OPERATION] } else { &[NAK_ACCESS] };
            states.extend(codes.iter().map(|&code| state.clone().break_off(code, psn, now)));
            states.push(self.take(state, frame, now));
        }
        states
    }

    /// Whether the packet has as many bytes as its kind may have.
    fn is_sized(&self, state: &State, frame: &Frame) -> bool {
        let mtu = usize::from(mtu_bytes(self.attributes.mtu));
        let form = frame.form;
        let length = frame.remote.map_or(0, |remote| remote.length);
        if form.family == Family::ReadRequest {
            return length <= MAX_MESSAGE && mtu != 0;
        }
        if form.is_atomic() {
            return frame.remote.is_some_and(|remote| remote.address.is_multiple_of(8));
        }
        let whole = match (form.first, form.last) {
            (_, false) => frame.bytes == mtu && mtu != 0,
            (true, true) => frame.bytes <= mtu,
            (false, true) => (1..=mtu).contains(&frame.bytes),
        };
        let left = if form.first { length } else { state.message.map_or(0, |message| message.left) } as usize;
        let due =
            form.family != Family::Write || if form.last { frame.bytes == left } else { frame.bytes < left };
        whole && due
    }

    /// An RDMA READ that waits; without a place it is dropped. Its right is looked at when it is its turn.
    fn append(&self, state: State, frame: &Frame, now: u64) -> Vec<State> {
        let has_place = state.waiting.len() + 1 < OUTSTANDING;
        vec![if has_place { self.take(state, frame, now) } else { state }]
    }

    /// The packet is executed.
    fn take(&self, mut state: State, frame: &Frame, now: u64) -> State {
        let form = frame.form;
        let follows = frame.psn == state.psn;
        if let Some(remote) = frame.remote.filter(|_| form.reads()) {
            let packets = remote.length.div_ceil(mtu_bytes(self.attributes.mtu).into()).max(1);
            let last = after(frame.psn, packets - 1);
            let (left, atomic) = (remote.length, form.is_atomic());
            let reading = Reading { next: frame.psn, last, left, begun: false, atomic };
            if state.appends(frame) {
                state.waiting.push_back(reading);
            } else {
                state.reading = Some(reading);
                state.waiting.clear();
            }
            state.saved = atomic.then_some(frame.psn);
            state.since = now;
            if !follows {
                return state;
            }
            state.psn = after(last, 1);
        } else {
            let bytes = frame.bytes as u32;
            let left = match (frame.remote, state.message) {
                (Some(remote), _) => remote.length - bytes,
                (None, Some(message)) if form.family == Family::Write => message.left - bytes,
                _ => 0,
            };
            state.message = (!form.last).then_some(Message { family: form.family, left });
            state.psn = after(state.psn, 1);
        }
        state.refused = false;
        if form.last {
            state.messages = after(state.messages, 1);
            if self.shared.is_none() && (form.family == Family::Send || form.immediate) {
                state.consumed = state.consumed.wrapping_add(1);
            }
        }
        if frame.asks && !form.reads() {
            state.owe(ACK, frame.psn, now);
        } else if state.owes_nak() {
            // The packet that the NAK asks for has come.
            state.owed = None;
        }
        state
    }
}
