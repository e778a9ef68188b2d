//! Reception of packets.

use core::time::Duration;
use std::net::SocketAddr;

use super::{Connection, Context, micros};
use crate::config::Config;
use crate::counters::Dropped;
use crate::event::{Event, Reason};
use crate::modern::outbox::cost;
use crate::modern::packet::{Answer, Frame, next_frame, parse_body};
use crate::modern::recovery::{MOST_REORDERING, Verdict, judge};
use crate::modern::sent::State;
use crate::time::Instant;

impl Connection {
    /// Opens a packet: returns its sending time and its frames if all are valid.
    pub fn opened<'a>(
        &mut self,
        config: &Config,
        now: Instant,
        number: u64,
        header: &[u8],
        body: &'a [u8],
        scratch: &'a mut Vec<u8>,
    ) -> Result<(u32, &'a [u8]), Dropped> {
        // A late packet is useless after three probe timeouts.
        let keep = self.probe_timeout(config) * 3;
        let body = self.seal.open(now, keep, number, header, body, scratch)?;
        let (time, frames) = parse_body(body)?;
        self.check(number, frames)?;
        Ok((time, frames))
    }

    /// Checks that all frames of a packet are valid.
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
            // A receiver that acknowledges an unreceived packet cannot know its time.
            let known = self.sent.get(high);
            if high >= self.sent.next() || known.is_some_and(|packet| micros(packet.time) != answer.echo) {
                return Err(Dropped::Forged);
            }
        }
        Ok(())
    }

    /// Processes the frames of a packet that passed `check`, received from this address. `question` is an
    /// unpredictable number for a challenge of a new address. Returns a reason if the peer has closed.
    pub fn data(
        &mut self,
        cx: &mut Context<'_>,
        (from, question): (SocketAddr, u64),
        marked: bool,
        number: u64,
        time: u32,
        mut frames: &[u8],
    ) -> Option<Reason> {
        let in_order = self.received.highest().map_or(number == 0, |highest| number == highest + 1);
        let newest = self.received.highest().is_none_or(|highest| number > highest);
        self.seen_from(from, newest, question);
        if newest {
            (self.newest_time, self.newest_at) = (time, cx.now);
        }
        self.received.insert(number);
        self.heard = cx.now;
        self.unheard_since = None;
        if marked {
            self.marks_here = self.marks_here.saturating_add(1);
            cx.counters.marked += 1;
        }
        let (mut answer, mut at_once) = (false, !in_order);
        while let Ok(Some(frame)) = next_frame(&mut frames) {
            match frame {
                Frame::Ping => (answer, at_once) = (true, true),
                Frame::Ack(said, ack) => self.acknowledged(cx, &said, ack.ranges()),
                Frame::Close => return Some(Reason::There),
                Frame::Challenge(question) => (self.asked, answer, at_once) = (Some(question), true, true),
                Frame::Response(number) => {
                    self.proven(cx, from, number);
                }
                Frame::Padding => {}
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

    pub(super) fn acknowledged(
        &mut self,
        cx: &mut Context<'_>,
        said: &Answer,
        ranges: impl Iterator<Item = (u64, u64)>,
    ) {
        self.take_answer(cx.now, said);
        let in_flight = self.sent.in_flight();
        for (at, (low, high)) in ranges.enumerate() {
            if at == 0 {
                self.highest = self.highest.max(Some(high));
            }
            for number in self.sent.within(low, high) {
                let Some(packet) = self.sent.get(number).copied() else { continue };
                match packet.state {
                    State::Arrived => continue,
                    // An MTU probe, or a packet without retransmitted contents.
                    State::Lost if packet.is_empty() => {}
                    State::Lost => {
                        cx.counters.spurious += 1;
                        self.reordering = (self.reordering * 2).min(MOST_REORDERING);
                        self.congestion.undo();
                    }
                    State::InFlight => {
                        if self.mtu.is_trial(number) {
                            self.mtu.arrived();
                            self.congestion.widen(self.mtu.datagram());
                        }
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

    /// Takes over what an acknowledgement says of the receiver: limit, permit and ECN marks.
    fn take_answer(&mut self, now: Instant, said: &Answer) {
        self.outbox.raise(said.limit);
        if said.permit > self.permit_number {
            self.permit_number = said.permit;
            let age = Duration::from_micros(u64::from(micros(now).wrapping_sub(said.echo)));
            let left = Duration::from_micros(u64::from(said.life)).saturating_sub(age);
            self.permit = Some((said.bytes as usize, now + left));
        }
        if said.marked > self.marks_there {
            self.marks_there = said.marked;
            self.congestion.marked(self.highest.unwrap_or(0), self.sent.next());
        }
    }

    pub(super) fn find_lost(&mut self, cx: &mut Context<'_>) {
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
                Verdict::Lost if self.mtu.is_trial(number) => {
                    self.mtu.lost(cx.now);
                    self.sent.set(number, State::Lost);
                }
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
}
