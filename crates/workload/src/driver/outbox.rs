//! Messages that a node still has to send.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use cluster::{Duration, Time};

use super::agenda::Agenda;
use crate::schedule::{Id, NodePlan, Start};

/// Messages with an id that other messages follow.
struct Awaited {
    /// Whether the node receives them; otherwise it sends them.
    received: bool,
    /// Number of messages still missing.
    missing: usize,
    /// Time of the last one.
    since: Time,
}

/// A message that is due.
#[derive(Clone, Copy, Debug)]
pub(super) struct Due {
    /// Index among the messages that the node sends.
    place: usize,
    /// Number in the schedule.
    pub message: u32,
    /// Time since which it is due.
    pub time: Time,
}

/// Messages to be sent. Messages to one node keep the order of the plan in each stream; among the first messages
/// of all streams the one that is due first is sent.
pub(super) struct Outbox<'a> {
    plan: &'a NodePlan,
    /// For each message, the index of the next one of its stream.
    next: Vec<Option<usize>>,
    /// First messages with known times, and their indices.
    due: BinaryHeap<Reverse<(Time, usize)>>,
    /// First messages that wait for others, by the id that they follow.
    waiting: BTreeMap<Id, Vec<usize>>,
    awaited: BTreeMap<Id, Awaited>,
    /// First messages that wait for an operation.
    idle: BTreeMap<u32, Vec<usize>>,
    agenda: Agenda<'a>,
    left: usize,
}

impl<'a> Outbox<'a> {
    /// All messages of a plan from its node.
    pub fn new(plan: &'a NodePlan) -> Self {
        let sends = plan.sends();
        let mut outbox = Outbox {
            plan,
            next: vec![None; sends.len()],
            due: BinaryHeap::new(),
            waiting: BTreeMap::new(),
            awaited: awaited(plan),
            idle: BTreeMap::new(),
            agenda: Agenda::new(plan),
            left: sends.len(),
        };
        let mut first = BTreeMap::new();
        for place in (0..sends.len()).rev() {
            let message = plan.message(sends[place]);
            outbox.next[place] = first.insert((message.to, plan.stream(message.bytes)), place);
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

    /// Time at which the next message is due, if it is known.
    pub fn next_due(&self) -> Option<Time> {
        self.due.peek().map(|Reverse((time, _))| *time)
    }

    /// The message to send now, if one is due.
    pub fn due(&self, now: Time) -> Option<Due> {
        let &Reverse((time, place)) = self.due.peek()?;
        (time <= now).then(|| Due { place, message: self.plan.sends()[place], time })
    }

    /// Records that the due message was sent.
    pub fn sent(&mut self, sent: Due, now: Time) {
        let popped = self.due.pop();
        debug_assert_eq!(popped, Some(Reverse((sent.time, sent.place))), "what was due first was sent");
        self.left -= 1;
        self.happened(sent.message, false, now);
        let begun = self.agenda.sent(sent.message, now);
        self.begin(begun);
        if let Some(next) = self.next[sent.place] {
            self.comes_first(next);
        }
    }

    /// Records that a message was received.
    pub fn received(&mut self, message: u32, now: Time) {
        self.happened(message, true, now);
        let begun = self.agenda.received(message, now);
        self.begin(begun);
    }

    /// Messages of operations that have begun get their times.
    fn begin(&mut self, operations: Vec<u32>) {
        for operation in operations {
            for place in self.idle.remove(&operation).unwrap_or_default() {
                self.comes_first(place);
            }
        }
    }

    /// Records that a message was received or sent. If it completes an id, messages that follow the id get
    /// their times.
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

    /// Handles a message that has become the first one to its receiver.
    fn comes_first(&mut self, place: usize) {
        match self.plan.message(self.plan.sends()[place]).start {
            Start::At(time) => self.due.push(Reverse((time, place))),
            Start::After(id, delay) => match &self.awaited[&id] {
                Awaited { missing: 0, since, .. } => self.due.push(Reverse((later(*since, delay), place))),
                _ => self.waiting.entry(id).or_default().push(place),
            },
            Start::When(operation) => match self.agenda.begun(operation) {
                Some(time) => self.due.push(Reverse((time, place))),
                None => self.idle.entry(operation).or_default().push(place),
            },
        }
    }
}

/// Ids that messages of a plan follow: the messages with the id that the node receives, or if there are none,
/// those that it sends.
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

/// Sum of time and delay, limited to the end of time.
fn later(time: Time, delay: Duration) -> Time {
    Time::from_ps(time.ps().saturating_add(delay.ps()))
}
