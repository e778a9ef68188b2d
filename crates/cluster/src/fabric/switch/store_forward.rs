//! Store-and-forward switch: receives a whole frame, looks up its port, and forwards it.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};

use super::{Cable, Crossing, Switch, SwitchCounters};
use crate::fabric::{Destination, Link, Routes, Unit};
use crate::look::{Event, Log, Place};
use crate::{ClockDomain, Duration, Time};

/// Parameters of a store-and-forward switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreForwardTiming {
    /// Delay from the last unit of a frame at an input to the first at an output.
    pub latency: Duration,
    /// Clock at which units are received and sent.
    pub clock: ClockDomain,
    /// Frames that an output queue holds before it drops more.
    pub queue: usize,
}

/// A whole frame in flight to an output.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stored<U> {
    ready: Time,
    from: u32,
    frame: Vec<U>,
}

impl<U: Eq> Ord for Stored<U> {
    /// The first to leave is the greatest; frames of one instant leave in the order of ports.
    fn cmp(&self, other: &Self) -> Ordering {
        (other.ready, other.from).cmp(&(self.ready, self.from))
    }
}

impl<U: Eq> PartialOrd for Stored<U> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A port of a store-and-forward switch. Only whole frames are forwarded, valid or not; frames for a group
/// leave by all ports except their own (decision 0036).
#[derive(Debug)]
pub struct StoreForward<U> {
    number: u32,
    timing: StoreForwardTiming,
    /// Units of the frame being received.
    input: Vec<U>,
    /// Frames that may not leave yet, and the queue of those that may.
    coming: BinaryHeap<Stored<U>>,
    frames: VecDeque<(Time, Vec<U>)>,
    counters: SwitchCounters,
    log: Log,
}

impl<U: Unit + Eq> StoreForward<U> {
    fn place(&self) -> Place {
        Place::Switch(self.number as usize)
    }

    /// The first edge of the switch's clock at or after `time`.
    fn seen(&self, time: Time) -> Time {
        self.timing.clock.at_or_after(time)
    }

    /// Receives whole frames.
    fn receive(&mut self, now: Time, down: &mut Link<U>, routes: &Routes, out: &mut Vec<Crossing<Vec<U>>>) {
        while down.next_frame_end().is_some_and(|end| self.seen(end) <= now) {
            let (first, unit) = down.receive(now).expect("what ends a frame is behind what begins it");
            if self.input.is_empty() {
                self.log.observe(self.seen(first), self.place(), Event::SwitchFirstIn);
            }
            self.input.push(unit);
            if unit.ends() {
                let frame = std::mem::take(&mut self.input);
                self.store(now, frame, routes, out);
            }
        }
    }

    /// Forwards a whole frame to its ports.
    fn store(&mut self, now: Time, frame: Vec<U>, routes: &Routes, out: &mut Vec<Crossing<Vec<U>>>) {
        let (from, at) = (self.number, now + self.timing.latency);
        let ports = match U::destination(&frame) {
            Some(Destination::Address(address)) => routes.port(from, address).into_iter().collect(),
            Some(Destination::Group { with_sender }) => routes.group(from, with_sender),
            None => Vec::new(),
        };
        self.counters.discarded += u64::from(ports.is_empty());
        out.extend(ports.into_iter().map(|to| Crossing { from, to, at, cargo: frame.clone() }));
    }

    /// Starts to send a frame if one may leave.
    fn forward(&mut self, now: Time, up: &mut Link<U>) {
        while self.coming.peek().is_some_and(|stored| stored.ready <= now) {
            let Stored { ready, frame, .. } = self.coming.pop().expect("there is a frame");
            if self.frames.len() < self.timing.queue {
                self.frames.push_back((ready, frame));
                self.counters.deepest = self.counters.deepest.max(self.frames.len() as u64);
            } else {
                self.counters.discarded += 1;
            }
        }
        if self.frames.is_empty() || self.can_send(up) > now {
            return;
        }
        let (ready, frame) = self.frames.pop_front().expect("there is a frame");
        self.counters.waited = self.counters.waited + (now - ready);
        self.log.observe(now, self.place(), Event::SwitchFirstOut);
        let mut start = now.saturating_sub(up.timing().unit);
        for unit in &frame {
            up.send(start, *unit);
            start = up.free_at();
        }
        let last = now + up.timing().unit * (frame.len() as u64 - 1);
        self.log.observe(last, self.place(), Event::SwitchLastOut);
        self.counters.forwarded += 1;
    }

    /// Edge at which the first unit of a frame can be sent: the cable carries a unit in the cycle before.
    fn can_send(&self, up: &Link<U>) -> Time {
        let start = up.free_at();
        self.seen(if start == Time::ZERO { start } else { start + up.timing().unit })
    }
}

impl<U: Unit + Eq> Switch for StoreForward<U> {
    type Unit = U;
    type Cargo = Vec<U>;
    type Timing = StoreForwardTiming;

    fn new(number: u32, timing: &StoreForwardTiming) -> Self {
        StoreForward {
            number,
            timing: *timing,
            input: Vec::new(),
            coming: BinaryHeap::new(),
            frames: VecDeque::new(),
            counters: SwitchCounters::default(),
            log: Log::default(),
        }
    }

    fn lookahead(timing: &StoreForwardTiming) -> Duration {
        timing.latency
    }

    fn next(&self, cable: &Cable<'_, U>) -> Option<Time> {
        let end = cable.down.next_frame_end().map(|end| self.seen(end));
        let ready = if self.frames.is_empty() { None } else { Some(Time::ZERO) };
        let leaves = ready.map(|ready| self.can_send(cable.up).max(ready));
        // A frame is counted when it is ready, whether it can leave or not.
        let coming = self.coming.peek().map(|stored| self.seen(stored.ready));
        [end, leaves, coming].into_iter().flatten().min()
    }

    fn step(
        &mut self,
        now: Time,
        cable: &mut Cable<'_, U>,
        routes: &Routes,
        out: &mut Vec<Crossing<Vec<U>>>,
    ) {
        self.receive(now, cable.down, routes, out);
        self.forward(now, cable.up);
    }

    fn deliver(
        &mut self,
        crossing: Crossing<Vec<U>>,
        _cable: &mut Cable<'_, U>,
        _out: &mut Vec<Crossing<Vec<U>>>,
    ) {
        let Crossing { from, at, cargo, .. } = crossing;
        self.coming.push(Stored { ready: at, from, frame: cargo });
    }

    fn is_idle(&self) -> bool {
        self.input.is_empty() && self.coming.is_empty() && self.frames.is_empty()
    }

    fn held(&self) -> usize {
        let coming = self.coming.iter().map(|stored| stored.frame.len());
        coming.chain(self.frames.iter().map(|(_, frame)| frame.len())).sum()
    }

    fn counters(&self) -> SwitchCounters {
        self.counters
    }

    fn log(&self) -> &Log {
        &self.log
    }

    fn log_mut(&mut self) -> &mut Log {
        &mut self.log
    }

    fn pack(cargo: &Vec<U>, words: &mut Vec<u64>) {
        words.push(cargo.len() as u64);
        for unit in cargo {
            let (data, extra) = unit.to_word();
            words.extend([data, u64::from(extra)]);
        }
    }

    fn unpack(words: &mut impl Iterator<Item = u64>) -> Option<Vec<U>> {
        let length = words.next()?;
        let unit = |_| Some(U::from_word((words.next()?, u8::try_from(words.next()?).ok()?)));
        let frame: Vec<U> = (0..length).map(unit).collect::<Option<_>>()?;
        // Exactly one whole frame is valid.
        (frame.iter().position(|unit| unit.ends())? + 1 == frame.len()).then_some(frame)
    }
}

#[cfg(test)]
mod tests;
