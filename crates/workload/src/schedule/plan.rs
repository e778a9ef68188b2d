//! Part of a schedule for one node.

use std::ops::Range;
use std::sync::Arc;

use cluster::Duration;

use super::{Message, Operations, Schedule};

/// Part of a schedule for one node.
#[derive(Clone, Debug)]
pub struct NodePlan {
    schedule: Arc<Schedule>,
    node: u32,
    sends: Vec<u32>,
    arrivals: Vec<u32>,
}

impl NodePlan {
    /// Plans of all nodes.
    pub(super) fn all(schedule: &Arc<Schedule>) -> Vec<NodePlan> {
        let plan =
            |node| NodePlan { schedule: schedule.clone(), node, sends: Vec::new(), arrivals: Vec::new() };
        let mut plans: Vec<_> = (0..schedule.nodes as u32).map(plan).collect();
        for &number in &schedule.order {
            let message = &schedule.messages[number as usize];
            plans[message.from as usize].sends.push(number);
            plans[message.to as usize].arrivals.push(number);
        }
        plans
    }

    /// Number of the node.
    pub fn node(&self) -> u32 {
        self.node
    }

    /// Number of nodes of the cluster.
    pub fn nodes(&self) -> usize {
        self.schedule.nodes
    }

    /// Names of the primitives that messages of the schedule use.
    pub fn primitives(&self) -> &[String] {
        &self.schedule.primitives
    }

    /// Time that the node computes between two polls.
    pub fn poll(&self) -> Duration {
        self.schedule.poll
    }

    /// Numbers of the messages that the node sends. Those to one node are sent in this order.
    pub fn sends(&self) -> &[u32] {
        &self.sends
    }

    /// Numbers of the messages for the node. Those of one node arrive in this order.
    pub fn arrivals(&self) -> &[u32] {
        &self.arrivals
    }

    /// All operations, and the numbers of those of the node.
    pub(crate) fn operations(&self) -> (&Operations, Range<u32>) {
        (&self.schedule.operations, self.schedule.operations.of_node(self.node))
    }

    /// Stream of messages of this length ([`Schedule::stream`]).
    pub(crate) fn stream(&self, bytes: u64) -> u64 {
        self.schedule.stream(bytes)
    }

    /// Message with this number.
    pub fn message(&self, number: u32) -> &Message {
        &self.schedule.messages[number as usize]
    }
}
