//! What is sent next.

use super::{Connection, Context, Given, Stage, micros};
use crate::modern::outbox::Next;
use crate::modern::packet::{self, Answer, DATA_HEADER, PART_HEADER};
use crate::modern::seal::TAG;

impl Connection {
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

    pub(super) fn transmit_data(&mut self, cx: &mut Context<'_>, out: &mut Vec<u8>) -> bool {
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
    pub(super) fn put_parts(&mut self, out: &mut Vec<u8>) {
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
            // Counted from the echoed time, which lies before now: so it ends there no later than here.
            life: self.given.until.since(cx.now).as_micros() as u32,
        };
        packet::put_ack(out, &answer, self.received.descending());
    }
}
