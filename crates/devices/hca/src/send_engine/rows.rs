//! Rows of the queue pair, comparisons of their fields, and the rules of a connection.

use super::{In, SendEngine, State};
use crate::contexts::{OUTSTANDING, PairState, Request};
use crate::layout::{Operation, SEND_WQE_BYTES, is_atomic, mtu_bytes, timeout_ticks};
use crate::protocol::{psn_distance, requester, responder};

impl SendEngine {
    /// WQEs posted and not yet done.
    #[inline]
    pub(super) fn posted(&self, pins: &In) -> u16 {
        pins.bell.wrapping_sub(pins.requester.consumed)
    }

    /// Whether the queue pair is in the error state.
    #[inline]
    pub(super) fn is_broken(&self, pins: &In) -> bool {
        pins.attributes.is_broken(&pins.requester, &pins.responder)
    }

    /// Places of the send ring; 1 to 32,768.
    #[inline]
    pub(super) fn size(&self, pins: &In) -> u32 {
        1 << pins.attributes.send_log
    }

    /// Tick at which the time-out of a packet sent now expires.
    #[inline]
    fn next_deadline(&self, pins: &In) -> u32 {
        pins.now.wrapping_add(timeout_ticks(pins.attributes.timeout))
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
            reads: q.says.read,
            rests: q.rests,
            unsent: q.unsent,
            begins: q.begins,
            unanswered: q.unanswered,
            more: q.more,
            operation: q.operation,
            length: q.length,
            signalled: q.signalled,
            deadline: q.deadline,
            passed: q.passed,
            resends: q.resends,
            spent: q.spent,
            last: q.connected && q.last,
            last_psn: q.request.last,
            closes: q.closes(),
            ..requester::In::default()
        })
    }

    /// The responder after its event, which concerns only data for an RDMA READ and saved answers here.
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
            psn: q.reader.psn,
            read: true,
            next: pins.read,
            mtu: mtu_bytes(q.mtu),
            code: 2,
            ..responder::In::default()
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
                d.pair = pins.pair;
                d.slot = pins.slot;
                d.draining = false;
                d.lid = pins.lid;
            }
            Look => d.take_rows(q, pins),
            Turn => {
                let work = q.work(rule);
                if work.sends_ack {
                    d.responder.answer = false;
                }
                d.yields = work.yields;
                if work.yields {
                    d.reader.yields = false;
                }
                if work.kills {
                    d.requester.dead = true;
                    d.requester.active = false;
                }
                d.place_wqe(q, pins, rule);
            }
            Count => {
                let posted = pins.bell.wrapping_sub(q.responder.consumed);
                let shared = pins.attributes.shares();
                // Of a shared receive queue, only the WQE of the message that has begun is the queue pair's.
                let begun = q.responder.midway && !q.responder.writes;
                d.posted = if shared { begun.into() } else { posted };
                d.beyond = !shared && u32::from(posted) > 1 << pins.attributes.receive_log;
            }
            Flush => {
                d.draining = true;
                d.ring = pins.attributes.receive_cq;
                if q.beyond {
                    d.responder.dead = true;
                } else if pins.attributes.shares() {
                    d.responder.midway = false;
                } else {
                    d.responder.consumed = q.responder.consumed.wrapping_add(1);
                }
            }
            Key => d.deadline = q.next_deadline(pins),
            Fetch => d.request = q.resumed(pins),
            Begin => d.begin(q, rule),
            // Header: the time-out counts from the last word of the headers.
            Header => d.deadline = q.next_deadline(pins),
            _ => {}
        }
    }

    /// Turn: the WQE of the next packet, or after a time-out the oldest one.
    #[inline]
    fn place_wqe(&mut self, q: &Self, pins: &In, rule: &requester::Out) {
        let d = self;
        d.place = if rule.restarts { q.requester.consumed } else { q.place };
        let offset = u32::from(d.place) & (q.size(pins) - 1);
        d.wqe = pins.attributes.send_base.wrapping_add(SEND_WQE_BYTES * offset);
    }

    /// Begin: the WQE of a datagram, or the oldest one that may not be sent, is done; it breaks a connection.
    #[inline]
    fn begin(&mut self, q: &Self, rule: &requester::Out) {
        let d = self;
        if q.event == requester::Cause::Begin.code() {
            let Self { signalled, operation, length, .. } = *q;
            let (first, last) = (q.requester.psn, rule.row.newest);
            d.request = Request { first, last, signalled, operation, length };
        }
        if q.fails() {
            d.requester.end();
            d.requester.failed = q.connected;
        } else if q.waits_for_others() {
            d.requester.held = true;
        } else if !q.responding && !q.connected {
            d.requester.consumed = q.requester.consumed.wrapping_add(1);
        }
    }

    /// Whether a posted request may begin behind the outstanding ones. Nothing begins behind an atomic operation, and
    /// the host sets how many RDMA READs may be outstanding. A request has at most 2^22 packets: those in flight are
    /// fewer than half of all PSNs.
    #[inline]
    fn begins(&self, pins: &In, posted: u16) -> bool {
        let row = &pins.requester;
        let reads = row.operation == Operation::RdmaRead.code();
        pins.attributes.state == PairState::ReadyToSend.code()
            && posted > row.begun.into()
            && usize::from(row.begun) < OUTSTANDING
            && (!reads || row.begun < pins.attributes.reads)
            && !(is_atomic(row.operation) || row.held)
            && psn_distance(row.oldest, row.psn) >> 22 == 0
    }

    /// The request of the next packet, if it has begun: the row of the queue pair has the oldest one.
    #[inline]
    pub(super) fn resumed(&self, pins: &In) -> Request {
        if self.requester.sent == 0 { self.requester.request() } else { pins.request }
    }

    /// Look: takes the rows; comparisons are registered because they would not meet the clock in `Turn`.
    #[inline]
    fn take_rows(&mut self, q: &Self, pins: &In) {
        let d = self;
        let attributes = &pins.attributes;
        let (posted, size) = (q.posted(pins), q.size(pins));
        // A PSN is behind `last` or equal to it if the distance is below 2^23.
        let behind = |psn: u32| psn_distance(psn, pins.requester.last) >> 23 == 0;
        d.requester = pins.requester;
        d.responder = pins.responder;
        d.reader = pins.reader;
        d.connected = attributes.connected;
        d.unreliable = attributes.connected && attributes.unreliable;
        d.broken = q.is_broken(pins);
        d.present = d.broken || attributes.receives();
        d.place = pins.requester.consumed.wrapping_add(pins.requester.sent.into());
        d.open = d.broken || attributes.sends(pins.requester.active);
        d.mtu = attributes.mtu;
        d.ring = attributes.send_cq;
        d.posted = posted;
        d.beyond = u32::from(posted) > size;
        d.rests = pins.requester.psn == pins.requester.oldest;
        d.unsent = pins.requester.sent != pins.requester.begun;
        d.begins = q.begins(pins, posted);
        d.reading = pins.requester.operation == Operation::RdmaRead.code();
        d.unanswered = behind(pins.requester.oldest);
        d.passed = pins.now.wrapping_sub(pins.requester.deadline) >> 31 == 0;
        d.resends = attributes.timeout != 0 && !attributes.unreliable;
        d.spent = pins.requester.retries == attributes.retries;
        d.deadline = q.next_deadline(pins);
    }
}
