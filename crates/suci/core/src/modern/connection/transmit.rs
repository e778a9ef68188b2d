//! Assembly of outgoing packets.

use std::net::SocketAddr;

use super::{Connection, Context, Given, Stage, micros};
use crate::modern::outbox::Next;
use crate::modern::packet::{self, Answer, PART_HEADER};
use crate::time::Instant;

/// Contents of the next Data packet.
struct Contents {
    /// Bytes that the window still admits.
    left: usize,
    /// Nothing is in flight, and the peer admits no more data.
    stuck: bool,
    /// An acknowledgement is due.
    ack: bool,
    /// Parts of blocks may leave.
    parts: bool,
    /// Length in bytes of an MTU probe, which is sent alone.
    trial: Option<usize>,
}

impl Connection {
    /// Writes the next datagram and returns its destination; `None` if nothing is to be sent now.
    pub fn transmit(&mut self, cx: &mut Context<'_>, out: &mut Vec<u8>) -> Option<SocketAddr> {
        if let Some(candidate) = self.candidate.as_mut().filter(|candidate| candidate.due) {
            candidate.due = false;
            let (to, question) = (candidate.address, candidate.question);
            self.begin(cx, out);
            packet::put_challenge(out, question);
            self.finish(cx, out, false);
            return Some(to);
        }
        self.write(cx, out).then_some(self.address)
    }

    /// Writes the header of the next Data packet.
    fn begin(&mut self, cx: &mut Context<'_>, out: &mut Vec<u8>) {
        packet::put_data(out, self.peer_id, self.sent.next(), micros(cx.now));
    }

    /// Seals and records a Data packet; `trial` marks an MTU probe.
    fn finish(&mut self, cx: &mut Context<'_>, out: &mut Vec<u8>, trial: bool) {
        let (number, mark) = (self.sent.next(), self.sent.mark());
        self.seal.close(number, out);
        if trial {
            self.mtu.tried(out.len(), number);
            self.sent.push(cx.now, out.len(), mark);
            self.departed(cx.now, out.len());
        } else {
            self.sent.push(cx.now, 0, mark);
        }
    }

    /// Records the departure of an ack-eliciting packet.
    fn departed(&mut self, now: Instant, bytes: usize) {
        self.congestion.departed(now, bytes, self.trip.smoothed());
        self.last_sent = now;
        self.unheard_since.get_or_insert(now);
    }

    fn write(&mut self, cx: &mut Context<'_>, out: &mut Vec<u8>) -> bool {
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
                self.seal.close(self.sent.next(), out);
                true
            }
            Stage::Open => self.transmit_data(cx, out),
        }
    }

    pub(super) fn transmit_data(&mut self, cx: &mut Context<'_>, out: &mut Vec<u8>) -> bool {
        self.rekey(cx);
        let contents = self.choose_contents(cx);
        if let Some(size) = contents.trial {
            self.begin(cx, out);
            packet::put_ping(out);
            packet::put_padding(out, size - self.seal.tag());
            self.finish(cx, out, true);
            return true;
        }
        if !contents.ack && !contents.parts && !self.ping && self.asked.is_none() {
            return false;
        }

        self.begin(cx, out);
        let room = self.mtu.datagram().min(contents.left.max(self.mtu.base())) - self.seal.tag();
        if let Some(question) = self.asked.take() {
            packet::put_response(out, question);
        }
        let header = out.len();
        let mark = self.sent.mark();
        let mut answered = contents.ack || self.unanswered > 0;
        if answered {
            self.put_ack(cx, out);
        }
        let with_ack = out.len();
        if contents.parts {
            self.put_parts(out, room);
            if out.len() == with_ack && with_ack > header && (self.probe || !contents.ack) {
                // No part fits next to the acknowledgement, which can wait.
                out.truncate(header);
                answered = false;
                self.put_parts(out, room);
            }
        }
        if self.ping || (self.probe && self.sent.mark() == mark) {
            packet::put_ping(out);
        }
        if answered {
            self.ack_at = None;
            self.unanswered = 0;
            self.advertised = self.inbox.limit();
        }
        self.seal.close(self.sent.next(), out);
        let eliciting = self.ping || self.probe || self.sent.mark() > mark;
        self.sent.push(cx.now, if eliciting { out.len() } else { 0 }, mark);
        if eliciting {
            self.departed(cx.now, out.len());
            self.blocked_probes += u32::from(contents.stuck && self.probe);
            self.blocked_since = None;
        }
        (self.probe, self.ping) = (false, false);
        true
    }

    /// Chooses the contents of the next Data packet, and records why other data waits.
    fn choose_contents(&mut self, cx: &Context<'_>) -> Contents {
        let (now, in_flight) = (cx.now, self.sent.in_flight());
        let next = self.outbox.next();
        let ready = matches!(next, Next::Part(_));
        let left = self.limit(now).saturating_sub(in_flight);
        // Large datagrams wait for enough window instead of being split after every acknowledgement.
        let worth = self.mtu.datagram().min(self.limit(now) / 4).max(self.mtu.base());
        let room = in_flight == 0 || left >= worth;
        let departure = self.congestion.departure(self.trip.smoothed());
        self.paced_until = (ready && room && departure > now).then_some(departure);
        let stuck = next == Next::Blocked && in_flight == 0;
        if next != Next::Blocked {
            self.blocked_probes = 0;
        }
        self.blocked_since = stuck.then(|| self.blocked_since.unwrap_or(now));
        let grown = self.inbox.limit().saturating_sub(self.advertised) >= cx.config.window as u64 / 4;
        let ack = self.ack_at.is_some_and(|at| at <= now) || (grown && self.received.highest().is_some());
        // A larger datagram is probed when more data is queued than it holds and the window has room for it.
        let trial = self.mtu.trial(now).filter(|size| ready && self.outbox.queued_bytes() > *size);
        let trial = trial.filter(|size| size * 2 <= self.limit(now));
        let parts = self.probe || (ready && room && departure <= now && trial.is_none());
        let trial = trial.filter(|size| *size <= left && departure <= now);
        Contents { left, stuck, ack, parts, trial }
    }

    /// Appends parts while they fit: the next ones, or after a timeout the oldest in flight.
    pub(super) fn put_parts(&mut self, out: &mut Vec<u8>, room: usize) {
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

    pub(super) fn put_ack(&mut self, cx: &mut Context<'_>, out: &mut Vec<u8>) {
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
            // The lifetime counts from the echoed time, which is before now, so it ends no later at the peer
            // than here.
            life: self.given.until.since(cx.now).as_micros() as u32,
            marked: self.marks_here,
        };
        packet::put_ack(out, &answer, self.received.descending());
    }
}
