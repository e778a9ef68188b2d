//! Operations of a node: which sends may begin.

use std::collections::BTreeMap;

use cluster::Time;

use crate::schedule::{Act, Event, Moment, NodePlan, Progress, Start};

/// Operations of a node while it runs. Empty for schedules without operations.
pub(super) struct Agenda<'a> {
    plan: &'a NodePlan,
    progress: Progress<'a>,
    /// Receives by their last message.
    receives: BTreeMap<u32, u32>,
}

impl<'a> Agenda<'a> {
    /// Operations of a plan. Those that need nothing have begun.
    pub fn new(plan: &'a NodePlan) -> Self {
        let (operations, range) = plan.operations();
        let mut agenda =
            Agenda { plan, progress: Progress::new(operations, range.clone()), receives: BTreeMap::new() };
        for number in range {
            if let Act::Receive { last } = operations.act(number) {
                agenda.receives.insert(last, number);
            }
        }
        agenda.pass(agenda.progress.start());
        agenda
    }

    /// Time at which a send begins, if that is known.
    pub fn begun(&self, send: u32) -> Option<Time> {
        self.progress.begun(send)
    }

    /// Records that a message was sent, and returns the operations that begin.
    pub fn sent(&mut self, message: u32, time: Time) -> Vec<u32> {
        let Start::When(operation) = self.plan.message(message).start else { return Vec::new() };
        let (operations, _) = self.plan.operations();
        match operations.act(operation) {
            Act::Send { last } if last == message => {
                self.pass(vec![Event { time, operation, moment: Moment::End }])
            }
            _ => Vec::new(),
        }
    }

    /// Records that a message was received, and returns the operations that begin.
    pub fn received(&mut self, message: u32, time: Time) -> Vec<u32> {
        let Some(&operation) = self.receives.get(&message) else { return Vec::new() };
        let end = self.progress.arrive(operation, time);
        self.pass(end.into_iter().collect())
    }

    /// Records events with all that follow from them.
    fn pass(&mut self, mut events: Vec<Event>) -> Vec<u32> {
        let mut begun = Vec::new();
        while let Some(event) = events.pop() {
            if event.moment == Moment::Begin {
                begun.push(event.operation);
            }
            events.extend(self.progress.pass(event));
        }
        begun
    }
}
