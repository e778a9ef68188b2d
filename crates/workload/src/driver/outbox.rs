//! What a node still has to send.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use cluster::{Duration, Time};

use crate::schedule::{Id, NodePlan, Start};

/// Messages that others wait for.
struct Awaited {
    /// They are received, not sent.
    received: bool,
    /// How many are missing.
    missing: usize,
    /// When the last one was there.
    since: Time,
}

/// A message that is due.
#[derive(Clone, Copy, Debug)]
pub(super) struct Due {
    /// Its place among those that the node sends.
    place: usize,
    /// Its number.
    pub message: u32,
    /// Since when.
    pub time: Time,
}

/// Messages to be sent: those to one node in the order of the plan, and of the first ones of all nodes the one that is due first.
pub(super) struct Outbox<'a> {
    plan: &'a NodePlan,
    /// For each message, the place of the next one to the same node.
    next: Vec<Option<usize>>,
    /// First messages whose time is known, with their places.
    due: BinaryHeap<Reverse<(Time, usize)>>,
    /// First messages that wait for others.
    waiting: BTreeMap<Id, Vec<usize>>,
    awaited: BTreeMap<Id, Awaited>,
    left: usize,
}

impl<'a> Outbox<'a> {
    /// All messages of a plan.
    pub fn new(plan: &'a NodePlan) -> Self {
        let sends = plan.sends();
        let mut outbox = Outbox {
            plan,
            next: vec![None; sends.len()],
            due: BinaryHeap::new(),
            waiting: BTreeMap::new(),
            awaited: awaited(plan),
            left: sends.len(),
        };
        let mut first = BTreeMap::new();
        for place in (0..sends.len()).rev() {
            outbox.next[place] = first.insert(plan.message(sends[place]).to, place);
        }
        for place in first.into_values() {
            outbox.comes_first(place);
        }
        outbox
    }

    /// Whether all messages were sent.
    pub fn is_empty(&self) -> bool {
        self.left == 0
    }

    /// When the next message is due, as far as is known.
    pub fn next_due(&self) -> Option<Time> {
        self.due.peek().map(|Reverse((time, _))| *time)
    }

    /// The message to be sent now.
    pub fn due(&self, now: Time) -> Option<Due> {
        let &Reverse((time, place)) = self.due.peek()?;
        (time <= now).then(|| Due { place, message: self.plan.sends()[place], time })
    }

    /// The message that was due was sent.
    pub fn sent(&mut self, sent: Due, now: Time) {
        let popped = self.due.pop();
        debug_assert_eq!(popped, Some(Reverse((sent.time, sent.place))), "what was due first was sent");
        self.left -= 1;
        self.happened(sent.message, false, now);
        if let Some(next) = self.next[sent.place] {
            self.comes_first(next);
        }
    }

    /// A message was received.
    pub fn received(&mut self, message: u32, now: Time) {
        self.happened(message, true, now);
    }

    /// A message was received or sent: those that follow it have a time now if it was the last that they waited for.
    fn happened(&mut self, message: u32, received: bool, now: Time) {
        let Some(id) = self.plan.message(message).id else { return };
        let Some(awaited) = self.awaited.get_mut(&id) else { return };
        if awaited.received != received {
            return;
        }
        awaited.missing -= 1;
        awaited.since = now;
        if awaited.missing == 0 {
            for place in self.waiting.remove(&id).unwrap_or_default() {
                self.comes_first(place);
            }
        }
    }

    /// A message is the first one to its receiver.
    fn comes_first(&mut self, place: usize) {
        match self.plan.message(self.plan.sends()[place]).start {
            Start::At(time) => self.due.push(Reverse((time, place))),
            Start::After(id, delay) => match &self.awaited[&id] {
                Awaited { missing: 0, since, .. } => self.due.push(Reverse((later(*since, delay), place))),
                _ => self.waiting.entry(id).or_default().push(place),
            },
        }
    }
}

/// The ids that messages of a plan follow: the messages with it that the node receives, or else those that it sends.
fn awaited(plan: &NodePlan) -> BTreeMap<Id, Awaited> {
    let mut awaited = BTreeMap::new();
    for &number in plan.sends() {
        if let Start::After(id, _) = plan.message(number).start {
            awaited.insert(id, Awaited { received: true, missing: 0, since: Time::ZERO });
        }
    }
    for &number in plan.arrivals() {
        if let Some(awaited) = plan.message(number).id.and_then(|id| awaited.get_mut(&id)) {
            awaited.missing += 1;
        }
    }
    for awaited in awaited.values_mut() {
        awaited.received = awaited.missing > 0;
    }
    for &number in plan.sends() {
        if let Some(awaited) = plan.message(number).id.and_then(|id| awaited.get_mut(&id))
            && !awaited.received
        {
            awaited.missing += 1;
        }
    }
    awaited
}

/// So much later, or the end of time.
fn later(time: Time, delay: Duration) -> Time {
    Time::from_ps(time.ps().saturating_add(delay.ps()))
}
