//! How virtual time passes, and how a run ends.

use std::fmt::Write;

use hdl::NicError;
use thiserror::Error;

use crate::{Duration, TaskReport, Time};

/// Why a run ended before its programs.
#[derive(Debug, Error)]
pub enum RunError {
    /// A device cannot go on.
    #[error("the device of node {node} stopped at {time}: {source}")]
    Nic {
        /// The node.
        node: usize,
        /// When.
        time: Time,
        /// What the device says.
        source: NicError,
    },
    /// Programs wait for something that virtual time cannot bring about.
    #[error("nothing can happen any more at {time}{}", list(.waiting))]
    Stalled {
        /// Since when.
        time: Time,
        /// The programs.
        waiting: Vec<TaskReport>,
    },
    /// Programs were not done, or devices not idle, when the limit was reached.
    #[error("the limit of {limit} was reached{}", list(.waiting))]
    Limit {
        /// The limit.
        limit: Time,
        /// Programs that were not done.
        waiting: Vec<TaskReport>,
    },
}

fn list(waiting: &[TaskReport]) -> String {
    waiting.iter().fold(String::new(), |mut text, task| {
        write!(text, "; {task}").expect("text has room");
        text
    })
}

/// Where in virtual time a cluster is.
#[derive(Default)]
pub(crate) struct Timeline {
    /// The present time.
    pub now: Time,
    /// Next event of each node, while they are compared.
    events: Vec<Time>,
}

/// Nodes, and perhaps a switch between them.
///
/// What happens at one instant happens in the order of node numbers, the switch last. Nodes meet only through
/// links, whose latency keeps the doings of one instant apart, so this order never shows in the result.
pub(crate) trait Scene {
    /// Where in virtual time they are.
    fn timeline(&mut self) -> &mut Timeline;

    /// Number of nodes.
    fn count(&self) -> usize;

    /// The next instant at which something happens at a node.
    fn node_event(&mut self, node: usize) -> Time;

    /// Everything that happens at a node at `now`.
    fn step_node(&mut self, node: usize, now: Time) -> Result<(), NicError>;

    /// The next instant at which something happens in the switch.
    fn switch_event(&self) -> Option<Time>;

    /// Everything that happens in the switch at `now`.
    fn step_switch(&mut self, now: Time);

    /// Whether all programs are done.
    fn done(&self) -> bool;

    /// Whether a program goes on sometime.
    fn may_go_on(&self) -> bool;

    /// What programs wait for.
    fn report(&self) -> Vec<TaskReport>;

    /// Goes on to the next instant at which something happens, or to `limit` if that comes first; tells which.
    fn advance(&mut self, limit: Time) -> Result<bool, RunError> {
        let mut events = std::mem::take(&mut self.timeline().events);
        events.clear();
        events.extend((0..self.count()).map(|node| self.node_event(node)));
        let switch = self.switch_event();
        let next = events.iter().copied().chain(switch).min().expect("a cluster has nodes");
        let happens = next <= limit;
        if happens {
            for (node, _) in events.iter().enumerate().filter(|(_, event)| **event == next) {
                let done = self.step_node(node, next);
                done.map_err(|source| RunError::Nic { node, time: next, source })?;
            }
        }
        let timeline = self.timeline();
        timeline.events = events;
        timeline.now = if happens { next } else { timeline.now.max(limit) };
        if happens && switch == Some(next) {
            self.step_switch(next);
        }
        Ok(happens)
    }

    /// Runs until all programs are done, but no longer than `limit`; returns when the last one was done.
    fn run(&mut self, limit: Duration) -> Result<Time, RunError> {
        let limit = self.timeline().now + limit;
        while !self.done() {
            if !self.may_go_on() {
                return Err(RunError::Stalled { time: self.timeline().now, waiting: self.report() });
            }
            if !self.advance(limit)? {
                return Err(RunError::Limit { limit, waiting: self.report() });
            }
        }
        Ok(self.timeline().now)
    }

    /// Lets time pass until `time`.
    fn run_until(&mut self, time: Time) -> Result<(), RunError> {
        while self.advance(time)? {}
        Ok(())
    }
}
