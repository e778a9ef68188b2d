//! A link: one direction of a cable, with the receiver's readiness in the other.

use std::collections::VecDeque;

use super::capture::{Captured, Direction, Sent};
use super::faults::{Fault, Faults};
use super::heads::{Head, Heads};
use super::unit::Unit;
use crate::{Duration, Time};

/// Durations on a link, and whether it has flow control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkTiming {
    /// Delay from one end of the cable to the other, for data and for flow control.
    pub latency: Duration,
    /// Time for which one unit occupies the link.
    pub unit: Duration,
    /// Time for which a frame occupies the link in addition to its units.
    pub frame_overhead: Duration,
    /// The receiver announces when it is ready; otherwise it accepts everything.
    pub flow_control: bool,
}

/// One direction of a cable.
///
/// Flow control is on/off: a frame starts only if the receiver was ready one latency ago. A started frame is
/// always completed, and all its units arrive unless a [fault](Faults) affects it.
#[derive(Debug)]
pub struct Link<U> {
    timing: LinkTiming,
    /// Earliest start of the next unit.
    free_at: Time,
    /// The unit sent last did not end a frame.
    in_frame: bool,
    /// Units in flight, with the times at which they have completely arrived.
    units: VecDeque<(Time, U)>,
    /// Arrival times of the units that end frames.
    ends: VecDeque<Time>,
    /// Earliest arrival of the next unit of a frame, and of the first unit of another: duplicated and delayed
    /// frames occupy the link too.
    next_unit: Time,
    next_frame: Time,
    /// Readiness of the receiver as known to the sender.
    ready: bool,
    /// Changes of readiness in flight to the sender.
    changes: VecDeque<(Time, bool)>,
    /// Readiness that the receiver announced last.
    announced: bool,
    faults: Faults,
    /// The whole frame is needed later; its units so far are kept in `frame`.
    keeps: bool,
    frame: Vec<U>,
    fault: Option<Fault>,
    /// A delayed frame, which follows the next one.
    late: Option<Vec<U>>,
    /// Captured frames, if capture is enabled.
    sent: Option<Vec<Sent<U>>>,
    /// Heads of frames, if they are collected.
    heads: Option<Box<Heads<U>>>,
    /// Time for which the link has been occupied.
    busy: Duration,
}

impl<U: Unit> Link<U> {
    /// An empty link. With flow control, the receiver is not ready yet.
    pub fn new(timing: LinkTiming) -> Self {
        Link {
            timing,
            free_at: Time::ZERO,
            in_frame: false,
            units: VecDeque::new(),
            ends: VecDeque::new(),
            next_unit: Time::ZERO,
            next_frame: Time::ZERO,
            ready: !timing.flow_control,
            changes: VecDeque::new(),
            announced: false,
            faults: Faults::default(),
            keeps: false,
            frame: Vec::new(),
            fault: None,
            late: None,
            sent: None,
            heads: None,
            busy: Duration::ZERO,
        }
    }

    /// Timing given when the link was created.
    pub fn timing(&self) -> LinkTiming {
        self.timing
    }

    /// Whether a unit may start at `start`, given the sender's knowledge at `now`.
    pub fn takes(&mut self, now: Time, start: Time) -> bool {
        while self.changes.front().is_some_and(|(time, _)| *time <= now) {
            self.ready = self.changes.pop_front().expect("there is a change").1;
        }
        self.free_at <= start && (self.in_frame || self.ready)
    }

    /// Sends a unit that starts at `start`; only permitted if the link [takes](Link::takes) it.
    pub fn send(&mut self, start: Time, unit: U) {
        debug_assert!(
            self.free_at <= start || !self.timing.flow_control,
            "a unit starts when the one before it has left"
        );
        let first = !self.in_frame;
        if first {
            self.fault = self.faults.begin::<U>();
            self.keeps = self.sent.is_some()
                || self.heads.is_some()
                || matches!(self.fault, Some(Fault::Repeat | Fault::Delay));
        }
        if self.keeps {
            self.frame.push(unit);
            if let Some(heads) = &mut self.heads {
                heads.look(start + self.timing.unit, self.fault, &self.frame);
            }
        }
        self.in_frame = !unit.ends();
        self.free_at = start + self.timing.unit;
        self.busy = self.busy + self.timing.unit;
        let arrives = self.free_at + self.timing.latency;
        if let Some(unit) = self.faults.pass(unit) {
            self.put(arrives, unit, first);
        }
        if !self.in_frame {
            self.end(arrives);
            self.free_at += self.timing.frame_overhead;
            self.busy = self.busy + self.timing.frame_overhead;
        }
    }

    /// Faults of the link, with their counters.
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// Faults of the link, for adding some.
    pub fn faults_mut(&mut self) -> &mut Faults {
        &mut self.faults
    }

    /// Earliest start of the next unit.
    pub fn free_at(&self) -> Time {
        self.free_at
    }

    /// Time for which the link has been occupied so far.
    pub fn busy(&self) -> Duration {
        self.busy
    }

    /// Time at which the sender learns of the next change of readiness.
    pub fn next_change(&self) -> Option<Time> {
        self.changes.front().map(|(time, _)| *time)
    }

    /// Time at which the next unit has completely arrived.
    pub fn next_arrival(&self) -> Option<Time> {
        self.units.front().map(|(time, _)| *time)
    }

    /// Time at which the next frame has completely arrived.
    pub fn next_frame_end(&self) -> Option<Time> {
        self.ends.front().copied()
    }

    /// Units in flight or arrived, the first to arrive first.
    pub fn units(&self) -> impl Iterator<Item = U> {
        self.units.iter().map(|(_, unit)| *unit)
    }

    /// Units in flight or arrived, each with the time at which it has completely arrived.
    pub fn arrivals(&self) -> impl Iterator<Item = (Time, U)> {
        self.units.iter().copied()
    }

    /// Fault of the frame that was begun last.
    pub fn fault(&self) -> Option<Fault> {
        self.fault
    }

    /// Whether the unit sent last did not end a frame.
    pub fn in_frame(&self) -> bool {
        self.in_frame
    }

    /// Takes the next unit, with the time of its arrival, if it has arrived at `now`.
    pub fn receive(&mut self, now: Time) -> Option<(Time, U)> {
        if self.next_arrival()? > now {
            return None;
        }
        let (time, unit) = self.units.pop_front()?;
        if unit.ends() {
            self.ends.pop_front();
        }
        Some((time, unit))
    }

    /// The unit on the receive pins of a device that holds units back. A unit that is not taken stays on the pins, and those behind it
    /// in the link, whose sender begins no other packet.
    pub fn offer(&mut self, now: Time, ready: bool) -> Option<U> {
        let unit = self.next_arrival().filter(|arrival| *arrival <= now).and_then(|_| self.units().next());
        self.announce(now, unit.is_none() || ready);
        unit
    }

    /// The receiver announces at `now` whether a frame may start.
    pub fn announce(&mut self, now: Time, ready: bool) {
        if ready != self.announced {
            self.announced = ready;
            self.changes.push_back((now + self.timing.latency, ready));
        }
    }

    /// Whether no unit is in flight. A delayed frame that waits for the next one does not count.
    pub fn is_idle(&self) -> bool {
        self.units.is_empty() && !self.in_frame
    }

    /// Captures every frame that begins from now on.
    pub(crate) fn capture(&mut self) {
        self.sent.get_or_insert_default();
    }

    /// Takes the frames captured so far, the oldest first.
    pub(crate) fn take_captured(
        &mut self,
        direction: Direction,
    ) -> impl Iterator<Item = Captured<U>> + use<U> {
        let sent = self.sent.as_mut().map(std::mem::take).unwrap_or_default();
        sent.into_iter().map(move |Sent { time, fault, units }| Captured { direction, time, fault, units })
    }

    /// Collects the heads, of this number of units, of every frame that begins from now on.
    pub(crate) fn collect_heads(&mut self, length: usize) {
        self.heads.get_or_insert_with(|| Box::new(Heads::new(length)));
    }

    /// Takes the oldest head that is complete at `now`.
    pub(crate) fn take_head(&mut self, now: Time) -> Option<Head<U>> {
        self.heads.as_mut()?.take(now)
    }

    /// Completes a frame whose last unit arrives at `at`.
    fn end(&mut self, at: Time) {
        let late = self.late.take();
        if !self.keeps && late.is_none() {
            return;
        }
        let frame = std::mem::take(&mut self.frame);
        if let Some(sent) = self.sent.as_mut().filter(|_| self.keeps) {
            let (time, units) = (at.saturating_sub(self.timing.latency), frame.clone());
            sent.push(Sent { time, fault: self.fault, units });
        }
        match self.fault {
            Some(Fault::Repeat) => self.put_frame(at, &frame),
            Some(Fault::Delay) => self.late = Some(frame),
            _ => {}
        }
        if let Some(late) = late {
            self.put_frame(at, &late);
        }
    }

    fn put_frame(&mut self, at: Time, frame: &[U]) {
        for (i, unit) in frame.iter().enumerate() {
            self.put(at, *unit, i == 0);
        }
    }

    /// Lets a unit arrive at `at`, or later if units before it arrive later.
    fn put(&mut self, at: Time, unit: U, first: bool) {
        let at = at.max(if first { self.next_frame } else { self.next_unit });
        self.units.push_back((at, unit));
        if unit.ends() {
            self.ends.push_back(at);
        }
        self.next_unit = at + self.timing.unit;
        self.next_frame = self.next_unit + self.timing.frame_overhead;
    }
}

#[cfg(test)]
pub mod tests;
