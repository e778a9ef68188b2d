//! Reception of packets and reassembly of blocks.

use core::time::Duration;

use super::{Context, MOST_CONTROL, Peer};
use crate::counters::Dropped;
use crate::event::Event;
use crate::paper::congestion::Cause;
use crate::paper::packet::{Header, Kind};
use crate::paper::receiver::{self, Verdict};
use crate::paper::sender;

impl Peer {
    /// Free bytes of the input queue.
    pub(super) fn free(&self, cx: &Context<'_>) -> usize {
        let unread = if cx.repairs.count_whole { self.unread } else { 0 };
        cx.config.window.saturating_sub(self.assembly.len() + unread)
    }

    pub(super) fn answer(&mut self, cx: &mut Context<'_>, kind: Kind, number: u32, window: usize) {
        if matches!(kind, Kind::Ack | Kind::Nack) {
            self.advertised = window;
        }
        if cx.repairs.cumulative && kind == Kind::Ack {
            // The newest Ack includes all earlier ones.
            self.control.retain(|waiting| waiting.kind != Kind::Ack);
        }
        if self.control.len() >= MOST_CONTROL {
            return cx.counters.drop(Dropped::NoRoom);
        }
        // A request carries the time that its sender waits, in the field of the block head, which it does not
        // use.
        let patience = u32::try_from(self.asked.1.as_micros()).unwrap_or(u32::MAX);
        let says_patience = kind == Kind::Request && cx.repairs.permits;
        let header = Header {
            number,
            head: if says_patience { patience } else { number },
            to: self.id,
            from: cx.config.id,
            kind,
            window: window as u32,
            epoch: cx.epoch,
            peer_epoch: self.epoch,
        };
        self.control.push_back(header);
    }

    /// Acknowledges all received packets and advertises the window.
    pub(super) fn answer_state(&mut self, cx: &mut Context<'_>) {
        let free = self.free(cx);
        self.answer(cx, Kind::Ack, self.receiver.expected.wrapping_sub(1), free);
    }

    /// Processes a packet of this peer.
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
                let patience = Duration::from_micros(header.head.into());
                let patience = cx.repairs.permits.then_some(patience);
                let granted = cx.grants.grant(cx.now, cx.peer.slot as usize, header.number, bytes, patience);
                self.answer(cx, Kind::Permit, header.number, granted);
            }
            Kind::Permit if cx.repairs.permits && !self.is_patient(cx) => {
                cx.counters.drop(Dropped::Stale);
            }
            Kind::Permit => self.step(cx, Cause::Permit(header.number, bytes)),
        }
    }

    /// Whether a packet belongs to the current incarnations of both sides. A new incarnation of the peer ends
    /// the state of the old one.
    pub(super) fn same_epochs(&mut self, cx: &mut Context<'_>, header: &Header) -> bool {
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
            // The peer does not know this side's epoch and learns it from the answer.
            self.answer_state(cx);
        }
        false
    }

    pub(super) fn restart(&mut self, cx: &mut Context<'_>) {
        let lost = self.blocks.len();
        let new = Self::new(cx.config, self.address, self.id);
        let (unread, owes_writable) = (self.unread, self.owes_writable);
        *self = Self { unread, owes_writable, ..new };
        cx.grants.forget(cx.peer.slot as usize);
        cx.events.push_back(Event::Restarted { peer: cx.peer, lost });
        self.tell_writable(cx);
    }

    pub(super) fn data(&mut self, cx: &mut Context<'_>, header: &Header, data: &[u8]) {
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

    /// Handles a block taken by the application.
    pub fn taken(&mut self, cx: &mut Context<'_>, length: usize) {
        self.unread = self.unread.saturating_sub(length);
        if cx.repairs.probe && self.free(cx).saturating_sub(self.advertised) >= cx.config.window / 4 {
            self.answer_state(cx);
        }
    }
}
