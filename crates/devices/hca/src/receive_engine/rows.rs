//! Rows of the queue pair, comparisons of their fields, and the rules of a connection.

use super::{In, ReceiveEngine, State};
use crate::contexts::{OUTSTANDING, Read, Reader};
use crate::layout::{Status, is_answered_by_data, is_atomic, mtu_bytes, rnr_ticks, timeout_ticks};
use crate::protocol::{psn_after, psn_distance, requester, responder, syndrome_code, syndrome_type};

impl ReceiveEngine {
    /// Syndrome of an AETH (IBA volume 1, table 44).
    #[inline]
    fn syndrome(&self) -> u8 {
        (self.q_key >> 24) as u8
    }

    /// The requester after the event that the previous state has set. `Nothing`, the event of most states,
    /// leaves its row unchanged.
    #[inline(always)]
    pub(super) fn requester_rule(&self) -> requester::Out {
        let q = self;
        if q.event == requester::Cause::Nothing.code() {
            return requester::Out { row: q.requester, ..requester::Out::default() };
        }
        requester::apply(&requester::In {
            row: q.requester,
            cause: q.event,
            psn: q.psn,
            ends: q.says.ends,
            fits: q.fits,
            reads: q.reads,
            rests: q.rests,
            belongs: q.belongs,
            passes: q.passes,
            overtakes: q.overtakes,
            next: q.next,
            over: q.over,
            remains: q.remains,
            syndrome: q.syndrome(),
            deadline: q.deadline,
            ..requester::In::default()
        })
    }

    /// The responder after its event; `Nothing` leaves its rows unchanged.
    #[inline(always)]
    pub(super) fn responder_rule(&self, pins: &In) -> responder::Out {
        let q = self;
        if q.cause == responder::Cause::Nothing.code() {
            return responder::Out { row: q.responder, reader: q.reader, ..responder::Out::default() };
        }
        responder::apply(&responder::In {
            row: q.responder,
            reader: q.reader,
            cause: q.cause,
            psn: q.psn,
            first: q.says.begins,
            last: q.says.ends,
            asks: q.asks,
            unreliable: q.says.unreliable,
            bytes: q.bytes,
            follows: q.follows,
            repeats: q.repeats,
            sized: q.sized,
            mtu: mtu_bytes(pins.attributes.mtu),
            ready: q.ready,
            shared: q.shared,
            rnr_timer: pins.attributes.rnr_timer,
            code: match q.status {
                status if status == Status::LengthError.code() => 1,
                status if status == Status::RemoteAccess.code() => 2,
                _ => 3,
            },
            write: q.says.write,
            read: q.says.read,
            atomic: q.says.atomic,
            saved: q.saved,
            appends: q.appends,
            crowded: q.crowded,
            next: Read::default(),
            immediate: q.says.immediate,
            address: q.address,
            length: q.length,
            key: q.l_key,
            more: q.more,
            original: q.word,
        })
    }

    /// Rows of the queue pair and what is derived from them.
    #[inline(always)]
    pub(super) fn next_rows(&mut self, q: &Self, pins: &In, rule: &requester::Out, row: &responder::Out) {
        use State::*;
        let d = self;
        d.requester = rule.row;
        d.responder = row.row;
        d.reader = row.reader;
        match q.state {
            Idle if pins.start => {
                d.slot = pins.slot;
                d.taken = false;
                d.lid = pins.lid;
            }
            Member => d.taken = false,
            // Load: ticks of an RNR NAK; `Look` replaces them for all other packets.
            Load => d.ticks = rnr_ticks(syndrome_code(q.syndrome())),
            Look => d.take_rows(q, pins),
            Share => d.take_shared(pins),
            Admit => {
                d.compare(q, pins);
                // An RDMA READ that a dead queue drops does not wait.
                if q.kills(pins) {
                    d.responder.dead = true;
                    d.appends = false;
                }
            }
            // Judge: a packet that is not taken waits behind none.
            Judge => d.appends = q.appends && row.takes,
            Advance => d.requester.advance(&pins.request),
            Key => d.deadline = pins.now.wrapping_add(q.ticks),
            // Take: a datagram and a shared receive queue count the WQE here; on a connection the rules do.
            Take if q.borrows && (q.good || !q.is_remote()) => {
                d.taken = true;
                d.pool.taken = q.pool.taken.wrapping_add(1);
                d.responder.consumed = q.pool.taken.wrapping_add(1);
            }
            Take if !q.answer && !q.connected => {
                d.responder.consumed = q.responder.consumed.wrapping_add(1);
            }
            _ => {}
        }
    }

    /// Whether the packet needs a WQE of a shared receive queue: a datagram, the first packet of a SEND, or immediate
    /// data of an RDMA WRITE.
    #[inline]
    pub(super) fn needs_shared(&self, pins: &In) -> bool {
        let says = &self.says;
        let needs = if says.write { says.immediate } else { says.begins && !self.is_remote() };
        pins.attributes.shares() && needs && !says.answers()
    }

    /// Whether the packet is an RDMA READ that waits behind the one that is answered. A duplicate does if it continues
    /// the newest one.
    #[inline]
    fn waits_behind(&self) -> bool {
        let (says, reader) = (&self.says, &self.reader);
        let continues = self.psn == psn_after(reader.newest, 1);
        says.read && reader.active && !reader.atomic && (self.follows || continues)
    }

    /// Row of the RDMA READ that waits; the rule has counted it.
    #[inline]
    pub(super) fn read(&self) -> Read {
        let q = self;
        let (address, length, key) = (q.address, q.length, q.l_key);
        Read { first: q.psn, last: q.reader.newest, address, length, key, denied: !q.good }
    }

    /// Place of that row among those of its queue pair.
    #[inline]
    pub(super) fn read_place(&self) -> u8 {
        Reader::WIDTHS.place.wrap(self.reader.place.wrapping_add(self.reader.waiting).wrapping_sub(1))
    }

    /// Share: takes the row of the shared receive queue.
    #[inline]
    fn take_shared(&mut self, pins: &In) {
        let d = self;
        let row = &pins.shared;
        d.pool = *row;
        d.posted = pins.bell.wrapping_sub(row.taken);
        d.place = row.taken & ((1 << row.log) - 1);
    }

    /// Look: takes the rows and the distances of PSNs.
    #[inline]
    fn take_rows(&mut self, q: &Self, pins: &In) {
        let d = self;
        let attributes = &pins.attributes;
        let answers = q.says.answers();
        let consumed = if answers { pins.requester.consumed } else { pins.responder.consumed };
        let log = if answers { attributes.send_log } else { attributes.receive_log };
        let oldest = pins.requester.oldest;
        d.responder = pins.responder;
        d.reader = pins.reader;
        d.requester = pins.requester;
        d.connected = attributes.connected;
        d.answer = answers;
        d.shared = attributes.shares();
        d.borrows = q.needs_shared(pins);
        d.kept = attributes.shares() && !q.says.begins && !q.is_remote() && !answers;
        d.shared_queue = attributes.shared_queue;
        d.posted = if attributes.shares() { 0 } else { pins.bell.wrapping_sub(pins.responder.consumed) };
        d.place = consumed & ((1 << log) - 1);
        d.follows = q.psn == pins.responder.psn;
        // A PSN came before if its distance is 2^23 or more.
        d.repeats = psn_distance(pins.responder.psn, q.psn) >> 23 == 1;
        d.sent = psn_distance(oldest, pins.requester.psn);
        d.answered = psn_distance(oldest, q.psn);
        let operation = pins.requester.operation;
        d.reads = is_answered_by_data(operation);
        d.suits = q.says.original == is_atomic(operation);
        d.saved = pins.reader.atomic && pins.reader.last == q.psn;
        d.all = psn_distance(oldest, pins.requester.last);
        d.whole = psn_distance(oldest, pins.requester.newest);
        d.begun = psn_distance(pins.requester.first, oldest);
        d.rest = Self::WIDTHS.rest.wrap(pins.requester.length.wrapping_sub(q.bytes.into()));
        let is_rnr_nak = q.says.acknowledge && syndrome_type(q.syndrome()) == 1;
        if !is_rnr_nak {
            d.ticks = timeout_ticks(attributes.timeout);
        }
    }

    /// Admit: compares distances and lengths; the rules act on the results.
    #[inline]
    fn compare(&mut self, q: &Self, pins: &In) {
        let d = self;
        let attributes = &pins.attributes;
        d.ready = q.posted != 0;
        d.low = pins.limit.armed && q.posted <= pins.limit.least;
        let is_answer = q.says.acknowledge && requester::is_known(q.syndrome());
        let beyond_all = q.answered > q.all;
        d.belongs = q.answered <= q.whole;
        d.passes = q.requester.active && is_answer && d.belongs && beyond_all && !q.reads;
        d.overtakes = q.sent <= if beyond_all { q.all } else { q.answered };
        d.next = q.answered == 0;
        d.remains = q.all == 0;
        d.rests = q.sent == 0;
        let retries = (attributes.retries, attributes.rnr_retries);
        let ends = (q.answered == q.all, beyond_all);
        let over = requester::over(&q.requester, q.reads, q.syndrome(), d.next, ends, retries);
        let passed = beyond_all && !q.reads;
        d.over = q.requester.active && d.belongs && if passed { d.passes } else { over };
        d.appends = q.waits_behind();
        d.crowded = d.appends && usize::from(q.reader.waiting) == OUTSTANDING - 1;
        d.sized = q.is_sized(pins);
        d.fits = q.is_due(pins);
        d.deadline = pins.now.wrapping_add(q.ticks);
        d.ring = if q.says.answers() { attributes.send_cq } else { attributes.receive_cq };
    }
}
