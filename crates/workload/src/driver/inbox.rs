//! Messages that a node still has to receive.

use std::collections::{BTreeMap, VecDeque};

use super::{Arrival, DriveError};
use crate::schedule::NodePlan;

/// Messages still to be received, in order for each stream of a sender.
pub(super) struct Inbox<'a> {
    plan: &'a NodePlan,
    /// Numbers of messages by sender and stream.
    expected: BTreeMap<(usize, u64), VecDeque<u32>>,
    left: usize,
}

impl<'a> Inbox<'a> {
    /// All messages of a plan for its node.
    pub fn new(plan: &'a NodePlan) -> Self {
        let mut expected: BTreeMap<_, VecDeque<u32>> = BTreeMap::new();
        for &number in plan.arrivals() {
            let message = plan.message(number);
            let stream = (message.from as usize, plan.stream(message.bytes));
            expected.entry(stream).or_default().push_back(number);
        }
        Inbox { plan, expected, left: plan.arrivals().len() }
    }

    /// Whether all expected messages were received.
    pub fn is_empty(&self) -> bool {
        self.left == 0
    }

    /// Number of a received message: the next one of its stream.
    pub fn take(&mut self, arrival: Arrival) -> Result<u32, DriveError> {
        let Arrival { from, bytes } = arrival;
        let node = self.plan.node();
        let number = self
            .expected
            .get_mut(&(from, self.plan.stream(bytes)))
            .and_then(VecDeque::pop_front)
            .ok_or(DriveError::Unexpected { node, from, bytes })?;
        let expected = self.plan.message(number).bytes;
        if bytes != expected {
            return Err(DriveError::WrongSize { node, from, message: number, bytes, expected });
        }
        self.left -= 1;
        Ok(number)
    }
}
