//! Transmission, retransmission and release of packets.

use core::time::Duration;

use super::super::timeout::{LEAST_TIMEOUT, MOST_TIMEOUT};
use super::{Context, Peer};
use crate::config::Config;
use crate::event::Event;
use crate::paper::congestion::{self, Act, Cause};
use crate::paper::packet::{self, Header, Kind};
use crate::paper::sender::Span;

impl Peer {
    /// Frees packets, and the blocks whose packets are all freed.
    pub(super) fn release(&mut self, cx: &mut Context<'_>, span: Span) {
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

    pub(super) fn tell_writable(&mut self, cx: &mut Context<'_>) {
        let room = if cx.repairs.limit { self.queued * 2 <= cx.config.queue } else { self.window > 0 };
        if self.owes_writable && room {
            self.owes_writable = false;
            cx.events.push_back(Event::Writable { peer: cx.peer });
        }
    }

    /// Marks sent packets for retransmission.
    pub(super) fn again(&mut self, mut which: impl FnMut(u32, usize) -> bool) {
        for (at, entry) in (0..).zip(&mut self.entries) {
            let sent = entry.sent.is_some() && !entry.due && !entry.freed;
            if sent && which(self.sender.first.wrapping_add(at), entry.length) {
                entry.due = true;
                self.in_flight -= entry.length;
            }
        }
    }

    pub(super) fn stalled(&self) -> usize {
        self.entries.iter().filter(|entry| entry.sent.is_some() && !entry.freed).count()
    }

    /// Handles missing acknowledgements, reported by the application or the timer.
    pub fn retransmit(&mut self, cx: &mut Context<'_>) {
        match self.stalled() {
            0 => {}
            packets => {
                // The answer to the last request would arrive too late, so a new request is made.
                self.congestion.requested &= !cx.repairs.permits || self.is_patient(cx);
                self.step(cx, Cause::Stalled(packets));
            }
        }
    }

    pub(super) fn step(&mut self, cx: &mut Context<'_>, cause: Cause) {
        let (state, act) = congestion::next(self.congestion, cause, cx.config.congested, cx.repairs);
        if state.number != self.congestion.number {
            let patience = self.timeout(cx.config).min(MOST_TIMEOUT).max(cx.grants.least_patience());
            self.asked = (None, patience);
        }
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

    /// Whether the answer to the last request may still be used.
    pub(super) fn is_patient(&self, cx: &Context<'_>) -> bool {
        self.asked.0.is_none_or(|asked| cx.now < asked + self.asked.1)
    }

    pub(super) fn timeout(&self, config: &Config) -> Duration {
        let once = (self.trip.smoothed().unwrap_or(config.initial_rtt) * 4).max(LEAST_TIMEOUT);
        once.saturating_mul(1 << self.in_vain.min(12)).min(MOST_TIMEOUT.max(once))
    }

    /// Handles an expired timer.
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

    /// Writes the next datagram. Returns false if there is none now.
    pub fn transmit(&mut self, cx: &mut Context<'_>, out: &mut Vec<u8>) -> bool {
        if let Some(header) = self.control.pop_front() {
            if header.kind == Kind::Request {
                self.asked.0.get_or_insert(cx.now);
            }
            packet::put(out, &Header { peer_epoch: self.epoch, ..header }, &[]);
            return true;
        }
        let Some(at) = self.entries.iter().position(|entry| entry.due && !entry.freed) else { return false };
        if cx.repairs.epochs && self.epoch == 0 {
            // Nothing is sent to an unknown incarnation; the timer repeats the probe.
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
