//! A monitor on the wire: it knows the rules of connections and datagrams (IBA volume 1, chapter 9; decisions 0060,
//! 0063), and judges each packet that leaves an adapter by the packets that have arrived at it.
//!
//! The monitor sees pins only: accesses of the host, words that leave, words that arrive. It shares the layout of
//! headers and contexts with the adapter, and no rule. `docs/hca.md` lists its rules.

mod frame;
mod requester;
mod responder;
mod shared;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;

use hdl::Bits;

use crate::contexts::{Attributes, Kind, PairState, Queue, SharedQueue};
use crate::layout::{CQE_BYTES, RECEIVED, Status};
use crate::pins::{HostIn, In, Out};
use crate::registers::{Doorbell, Register};
use frame::{Family, Frame};
use requester::Requester;
use responder::Responder;
use shared::Ring;

pub use requester::Restarts;

/// Picoseconds in which packets of a queue pair may still leave after another one has taken its place.
const LEAVING: u64 = 60_000_000;
/// Picoseconds in which an adapter acts on a command: the engine that runs ends first.
const COMMAND: u64 = 20_000_000;
/// Picoseconds in which an answer has to leave.
const ANSWER: u64 = 150_000_000;
/// Picoseconds from the decision to send a packet to its first word, on a bus without pauses.
const LAG: u64 = 4_000_000;
/// Picoseconds between two looks for answers that are missing.
const LOOK: u64 = 20_000_000;
/// Picoseconds between two packets that follow each other on the link.
const CLOSE: u64 = 400_000;

/// The PSN `count` packets after another one.
fn after(psn: u32, count: u32) -> u32 {
    psn.wrapping_add(count) & 0xff_ffff
}

/// Packets from one PSN to another one.
fn distance(from: u32, to: u32) -> u32 {
    to.wrapping_sub(from) & 0xff_ffff
}

/// Whether a PSN is one of the 2^23 before another one.
fn is_before(psn: u32, expected: u32) -> bool {
    distance(psn, expected).wrapping_sub(1) < 1 << 23
}

/// A packet that breaks a rule, or one that is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Time in picoseconds.
    pub at: u64,
    /// LID of the adapter.
    pub lid: u16,
    /// Queue pair of the adapter, if one is known.
    pub pair: Option<u8>,
    /// The rule, and how it is broken.
    pub rule: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, lid, pair, rule } = self;
        write!(
            f,
            "monitor: at {}.{:03} us, adapter with LID {lid:#06x}",
            at / 1_000_000,
            at / 1_000 % 1_000
        )?;
        if let Some(pair) = pair {
            write!(f, ", queue pair {pair}")?;
        }
        write!(f, ": {rule}")
    }
}

impl std::error::Error for Violation {}

/// A queue pair from one set-up to the next.
#[derive(Clone, Debug)]
struct QueuePair {
    attributes: Attributes,
    since: u64,
    requester: Requester,
    responder: Responder,
}

impl QueuePair {
    /// The host changes the state or other attributes; `anew` if the send queue begins anew.
    fn change(&mut self, attributes: Attributes, anew: bool, now: u64) {
        let stops = self.attributes.receives() && !attributes.receives();
        let goes_on = !self.attributes.receives() && attributes.receives();
        self.attributes = attributes;
        if anew {
            self.requester = Requester::new(attributes);
        }
        self.responder.change(attributes);
        if stops {
            self.responder.stop(now);
        }
        if goes_on {
            self.responder.go_on(now);
        }
    }

    fn new(attributes: Attributes, since: u64) -> Self {
        let (requester, responder) = (Requester::new(attributes), Responder::new(attributes));
        Self { attributes, since, requester, responder }
    }
}

/// An adapter as its wires show it.
#[derive(Clone, Debug, Default)]
struct Adapter {
    lid: u16,
    previous_lid: u16,
    enabled: bool,
    staging: [u64; 4],
    queues: BTreeMap<u8, Completions>,
    pairs: BTreeMap<u8, QueuePair>,
    /// Shared receive queues.
    shared: BTreeMap<u8, Ring>,
    /// Queue pairs that were set up anew, and when.
    previous: Vec<(u64, u8, QueuePair)>,
    leaving: Vec<u64>,
    arriving: Vec<u64>,
    /// First word of the packet that leaves, and of the one before; last word of the one before.
    start: u64,
    previous_start: u64,
    previous_end: u64,
    /// The last packets that arrived, for a queue pair that is set up just now.
    recent: Vec<(u64, Frame)>,
}

/// A completion queue, whose CQEs the adapter writes into host memory.
#[derive(Clone, Debug)]
struct Completions {
    base: u32,
    /// Bytes of the ring.
    bytes: u32,
    /// Queue pair of the CQE that is written, and whether its WQE is of the send queue.
    entry: (u8, bool),
    /// CQEs written; the counter wraps.
    produced: u16,
    /// CQEs taken, as the host says; the counter wraps.
    taken: u16,
    /// CQEs may be lost, because the host has let the queue overflow.
    loses: bool,
}

impl Completions {
    /// Notes whether the next CQE has no room.
    fn check(&mut self) {
        let waiting = u32::from(self.produced.wrapping_sub(self.taken));
        self.loses |= waiting >= self.bytes / u32::from(CQE_BYTES);
    }
}

/// The monitor of two adapters.
#[derive(Clone, Debug)]
pub struct Monitor {
    now: u64,
    adapters: [Adapter; 2],
    looked: u64,
    /// Hosts rewrite WQEs of outstanding requests, so packets that are sent again may differ.
    pub rewritten: bool,
    /// A word moves on the slowest bus or link once in this many cycles, on average.
    pub pace: u64,
    /// Packets judged.
    pub judged: u64,
}

impl Default for Monitor {
    fn default() -> Self {
        Self { now: 0, adapters: Default::default(), looked: 0, rewritten: false, pace: 1, judged: 0 }
    }
}

impl Monitor {
    /// The time of the next pins.
    fn advance(&mut self, now: u64) -> Result<(), Violation> {
        self.now = now;
        if now < self.looked + LOOK {
            return Ok(());
        }
        self.looked = now;
        let limit = now.saturating_sub(ANSWER * self.pace);
        for adapter in &mut self.adapters {
            adapter.previous.retain(|(at, _, _)| at + LEAVING * self.pace > now);
            for (&pair, row) in &mut adapter.pairs {
                let watched = row.attributes.receives() && row.attributes.connected && row.since < limit;
                let silent = adapter.queues.get(&row.attributes.send_cq).is_some_and(|queue| queue.loses);
                if adapter.enabled && watched && !silent {
                    row.responder.settle(now, limit).map_err(|owed| Violation {
                        at: now,
                        lid: adapter.lid,
                        pair: Some(pair),
                        rule: format!("an answer is missing: {owed}"),
                    })?;
                }
            }
        }
        Ok(())
    }

    /// Restarts of the requester of a queue pair since it was set up.
    pub fn restarts(&self, end: usize, pair: u8) -> Restarts {
        self.adapters[end].pairs.get(&pair).map_or_else(Restarts::default, |row| row.requester.restarts)
    }

    /// The host of an adapter accesses it.
    fn access(&mut self, end: usize, access: &HostIn) {
        if !access.enable || !access.write {
            return;
        }
        let (now, adapter) = (self.now, &mut self.adapters[end]);
        let value = access.wdata;
        if access.address >> 12 == 1 {
            let offset = access.address & 0xffc;
            let (queue, count) = (value as u8, (value >> 16) as u16);
            match Doorbell::write(offset) {
                Some(Doorbell::ReceiveBell) => {
                    if let Some(row) = adapter.pairs.get_mut(&queue) {
                        row.responder.post(count);
                    }
                }
                Some(Doorbell::SharedBell) => {
                    if let Some(ring) = adapter.shared.get_mut(&queue) {
                        ring.post(count, now);
                        adapter.share();
                    }
                }
                Some(Doorbell::CompletionBell) => {
                    if let Some(queue) = adapter.queues.get_mut(&queue) {
                        queue.taken = count;
                        queue.check();
                    }
                    adapter.share();
                }
                _ => (),
            }
            return;
        }
        if access.user || access.address >> 12 != 0 {
            return;
        }
        match Register::write(access.address & 0xffc) {
            Some(Register::Control) => adapter.enabled = value & 1 == 1,
            Some(Register::Lid) => {
                adapter.previous_lid = adapter.lid;
                adapter.lid = value as u16;
            }
            Some(Register::Command) => {
                if let Some((kind, row)) = Kind::of_word(value) {
                    adapter.command(kind, row as u8, now, self.pace);
                }
            }
            Some(_) if (0x40..0x60).contains(&(access.address & 0xffc)) => {
                let word = usize::from(access.address >> 2 & 7);
                let (place, shift) = (&mut adapter.staging[word / 2], 32 * (word % 2));
                *place = *place & !(0xffff_ffff << shift) | u64::from(value) << shift;
            }
            _ => (),
        }
    }

    /// The pins of both adapters at an instant, and their outputs before it.
    pub fn watch(&mut self, now: u64, pins: &[In; 2], outs: &[Out; 2]) -> Result<(), Violation> {
        self.advance(now)?;
        for (end, (pins, out)) in pins.iter().zip(outs).enumerate() {
            self.access(end, &pins.host);
            if pins.bus.ready && out.bus.transfer && out.bus.write {
                self.adapters[end].complete(out.bus.address, out.bus.wdata, now);
            }
            if pins.link.valid && out.link.receive_ready {
                self.arrive(end, pins.link.data, pins.link.last);
            }
            if out.link.valid && pins.link.transmit_ready {
                self.leave(end, out.link.data, out.link.last)?;
            }
        }
        Ok(())
    }

    /// A word leaves an adapter and is taken by the link.
    fn leave(&mut self, end: usize, data: u64, last: bool) -> Result<(), Violation> {
        let (now, pace) = (self.now, self.pace);
        let adapter = &mut self.adapters[end];
        if adapter.leaving.is_empty() {
            adapter.start = now;
        }
        adapter.leaving.push(data);
        if !last {
            return Ok(());
        }
        let words = std::mem::take(&mut adapter.leaving);
        // The headers may have been built while the packet before was leaving.
        let waited = adapter.start < adapter.previous_end + CLOSE * pace;
        let begun = if waited { adapter.previous_start } else { adapter.start };
        let lid = adapter.lid;
        let result = adapter.judge(&words, begun, (now, LAG * pace, self.rewritten));
        adapter.previous_start = adapter.start;
        adapter.previous_end = now;
        self.judged += 1;
        result.map_err(|(pair, rule)| Violation { at: now, lid, pair, rule })
    }

    /// A word arrives at an adapter and is taken.
    fn arrive(&mut self, end: usize, data: u64, last: bool) {
        let (now, pace) = (self.now, self.pace);
        let adapter = &mut self.adapters[end];
        adapter.arriving.push(data);
        if last {
            let words = std::mem::take(&mut adapter.arriving);
            if let Ok(frame) = Frame::decode(&words)
                && frame.destination_lid == adapter.lid
            {
                adapter.take(&frame, now, pace);
            }
        }
    }
}

impl Adapter {
    /// A command of the host runs.
    fn command(&mut self, kind: Kind, number: u8, now: u64, pace: u64) {
        let attributes = Attributes::take(&self.staging, 0, Attributes::WIDTH);
        match kind {
            Kind::Pair => self.set_up(number, attributes, now, pace),
            Kind::Sender | Kind::Change => {
                if let Some(pair) = self.pairs.get_mut(&number) {
                    pair.change(attributes, kind == Kind::Sender, now);
                    self.hold(&attributes);
                }
            }
            Kind::SharedQueue => {
                let row = SharedQueue::take(&self.staging, 0, SharedQueue::WIDTH);
                self.set_shared(number, &row, now + COMMAND * pace);
            }
            Kind::Completion => {
                let Queue { log, base, .. } = Queue::take(&self.staging, 0, Queue::WIDTH);
                let bytes = u32::from(CQE_BYTES) << log;
                let queue =
                    Completions { base, bytes, entry: (0, false), produced: 0, taken: 0, loses: false };
                self.queues.insert(number, queue);
            }
            Kind::Area | Kind::Report | Kind::Limit | Kind::Group => (),
        }
    }

    /// The adapter writes a word to host memory. A CQE of the send queue with an error breaks its connection: the
    /// adapter drops packets from then on. One of the receive queue may say that a WQE was flushed.
    fn complete(&mut self, address: u32, word: u64, now: u64) {
        let within = |queue: &&mut Completions| address.wrapping_sub(queue.base) < queue.bytes;
        let Some(queue) = self.queues.values_mut().find(within) else { return };
        match address % u32::from(CQE_BYTES) {
            0 => {
                queue.entry = ((word >> 16) as u8, (word >> 24) as u8 & RECEIVED == 0);
                if word >> 24 & u64::from(RECEIVED) != 0 {
                    self.take_shared((word >> 16) as u8, word as u16, now);
                }
            }
            16 if (word >> 16) as u8 != Status::Success.code() => {
                let (pair, sends) = queue.entry;
                let flushed = (word >> 16) as u8 == Status::Flushed.code();
                match self.pairs.get_mut(&pair) {
                    Some(row) if sends => row.responder.fail(now),
                    Some(row) if flushed => row.responder.flush(now),
                    _ => (),
                }
            }
            24 => {
                queue.produced = queue.produced.wrapping_add(1);
                queue.check();
                self.share();
            }
            _ => (),
        }
    }

    /// A command sets up a queue pair. The packets that have just arrived may count for it or not.
    fn set_up(&mut self, pair: u8, attributes: Attributes, now: u64, pace: u64) {
        if let Some(before) = self.pairs.remove(&pair) {
            self.previous.push((now, pair, before));
        }
        let mut row = QueuePair::new(attributes, now);
        for (at, frame) in &self.recent {
            let is_answered = frame.form.is_request() && !frame.form.unreliable;
            if at + COMMAND * pace > now && row.hears(pair, frame) && is_answered {
                row.responder.arrive(frame, now, true);
            }
        }
        self.pairs.insert(pair, row);
        self.hold(&attributes);
    }

    /// A valid packet arrives.
    fn take(&mut self, frame: &Frame, now: u64, pace: u64) {
        self.recent.push((now, frame.clone()));
        if self.recent.len() > 2 {
            self.recent.remove(0);
        }
        let rows = self.pairs.iter_mut().map(|(&pair, row)| (pair, row));
        let previous = self.previous.iter_mut().map(|(_, pair, row)| (*pair, row));
        for (pair, row) in rows.chain(previous) {
            if !row.hears(pair, frame) {
                continue;
            }
            if frame.form.is_request() {
                let optional = now < row.since + COMMAND * pace && row.since != 0;
                // Nothing leaves for a packet of an unreliable connection.
                if !frame.form.unreliable {
                    row.responder.arrive(frame, now, optional);
                }
            } else {
                row.requester.arrive(frame, now);
            }
        }
    }

    /// Judges a packet that leaves; otherwise the queue pair and the rule.
    fn judge(
        &mut self,
        words: &[u64],
        begun: u64,
        (now, lag, rewritten): (u64, u64, bool),
    ) -> Result<(), (Option<u8>, String)> {
        let frame =
            Frame::decode(words).map_err(|reason| (None, format!("the packet is malformed: {reason}")))?;
        let (lid, start) = (self.lid, self.start);
        let wrong = |rule: String| format!("{:?} with PSN {:06x}: {rule}", frame.form.family, frame.psn);
        if frame.source_lid != lid && frame.source_lid != self.previous_lid {
            return Err((None, wrong(format!("its SLID is {:#06x}", frame.source_lid))));
        }
        if let Some(fault) = frame.fault_of_sender() {
            return Err((None, wrong(fault.to_owned())));
        }
        let rows = self.pairs.iter_mut().map(|(&pair, row)| (pair, row));
        let previous = self.previous.iter_mut().map(|(_, pair, row)| (*pair, row));
        let mut first = None;
        for (pair, row) in rows.chain(previous) {
            if !row.speaks(pair, &frame) {
                continue;
            }
            row.requester.lag = lag;
            row.requester.rewritten = rewritten;
            let result = match frame.form.family {
                Family::Datagram => row.datagram(&frame),
                Family::Send
                | Family::Write
                | Family::ReadRequest
                | Family::CompareSwap
                | Family::FetchAdd => row.requester.leave(&frame, begun, start),
                Family::Acknowledge | Family::ReadData | Family::Original => {
                    row.requester.answer(now);
                    row.responder.leave(&frame, now).map_err(|allowed| {
                    let (syndrome, messages) = frame.answer.unwrap_or_default();
                    format!(
                        "an answer with syndrome {syndrome:#04x}, MSN {messages} and {} bytes; due is {allowed}",
                        frame.bytes
                    )
                })
                }
            };
            match result {
                Ok(()) => return Ok(()),
                Err(rule) => first = first.or(Some((Some(pair), wrong(rule)))),
            }
        }
        let none = || {
            (
                None,
                wrong(format!(
                    "no queue pair has peer {} at LID {:#06x}",
                    frame.destination, frame.destination_lid
                )),
            )
        };
        Err(first.unwrap_or_else(none))
    }
}

impl QueuePair {
    /// Whether a packet that arrives is for this queue pair.
    fn hears(&self, pair: u8, frame: &Frame) -> bool {
        let Attributes { connected, unreliable, peer_lid, .. } = self.attributes;
        let is_datagram = frame.form.family == Family::Datagram;
        self.attributes.receives()
            && connected
            && !is_datagram
            && frame.form.unreliable == unreliable
            && frame.destination == u32::from(pair)
            && frame.source_lid == peer_lid
    }

    /// Whether a packet that leaves may be of this queue pair. In the error state, one that was built before.
    fn speaks(&self, pair: u8, frame: &Frame) -> bool {
        let Attributes { state, connected, unreliable, peer, peer_lid, .. } = self.attributes;
        (self.attributes.receives() || state == PairState::Error.code())
            && match frame.source {
                Some(source) => !connected && source == u32::from(pair),
                None => {
                    connected
                        && frame.form.unreliable == unreliable
                        && (frame.destination, frame.destination_lid) == (peer, peer_lid)
                }
            }
    }

    fn datagram(&self, frame: &Frame) -> Result<(), String> {
        let mtu = usize::from(crate::layout::mtu_bytes(self.attributes.mtu));
        if frame.bytes > mtu {
            return Err(format!("a datagram of {} bytes exceeds the MTU of {mtu}", frame.bytes));
        }
        Ok(())
    }
}
