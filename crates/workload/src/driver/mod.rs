//! The program of each node.
//!
//! It sends messages that are due, polls the NIC otherwise, and ends when it has sent and received its part
//! of the schedule. Of several due messages the earliest is sent first. A node that cannot keep up with its
//! sends polls once between two messages, so that its receives are not delayed until it has finished. A host
//! with a poll interval computes after an unsuccessful poll; after a successful one it polls again at once.

mod agenda;
#[cfg(test)]
mod fake;
mod inbox;
mod messenger;
mod outbox;
mod outcome;
#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use fake::{Behaviour, run};
pub use messenger::{Arrival, Messenger, SendError};
pub use outcome::{NodeOutcome, Seen, Sent};

use cluster::Time;

use crate::schedule::NodePlan;
use inbox::Inbox;
use outbox::{Due, Outbox};

/// Reason why a node fails.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DriveError {
    /// A message could not be sent.
    #[error("node {node} cannot send message {message} to node {to}: {error}")]
    Send {
        /// Number of the sender.
        node: u32,
        /// Number of the receiver.
        to: u32,
        /// Number of the message in the schedule.
        message: u32,
        /// Error of the messenger.
        error: SendError,
    },
    /// An unexpected message has arrived.
    #[error("node {node} has received {bytes} bytes from node {from}, which has nothing more to send to it")]
    Unexpected {
        /// Number of the receiver.
        node: u32,
        /// Number of the sender.
        from: usize,
        /// Length of the received message in bytes.
        bytes: u64,
    },
    /// A message with an unexpected length has arrived.
    #[error(
        "node {node} has received {bytes} bytes from node {from} in place of message {message} of {expected}"
    )]
    WrongSize {
        /// Number of the receiver.
        node: u32,
        /// Number of the sender.
        from: usize,
        /// Number of the message in the schedule.
        message: u32,
        /// Length of the received message in bytes.
        bytes: u64,
        /// Length of the message in the schedule in bytes.
        expected: u64,
    },
}

/// Runs a node's part of a schedule.
pub async fn drive<M: Messenger>(messenger: &mut M, plan: &NodePlan) -> Result<NodeOutcome, DriveError> {
    Driver::new(messenger, plan).run().await
}

struct Driver<'a, M> {
    messenger: &'a mut M,
    plan: &'a NodePlan,
    outbox: Outbox<'a>,
    inbox: Inbox<'a>,
    /// Time of the next poll.
    next_look: Time,
    /// End of the last poll.
    last_look: Time,
    outcome: NodeOutcome,
}

impl<'a, M: Messenger> Driver<'a, M> {
    fn new(messenger: &'a mut M, plan: &'a NodePlan) -> Self {
        let last_look = messenger.now();
        Driver {
            messenger,
            plan,
            outbox: Outbox::new(plan),
            inbox: Inbox::new(plan),
            next_look: Time::ZERO,
            last_look,
            outcome: NodeOutcome {
                node: plan.node(),
                sent: Vec::with_capacity(plan.sends().len()),
                seen: Vec::with_capacity(plan.arrivals().len()),
            },
        }
    }

    async fn run(mut self) -> Result<NodeOutcome, DriveError> {
        // After a send, a due poll precedes the next message.
        let mut look_first = false;
        while !self.outbox.is_empty() || !self.inbox.is_empty() {
            let now = self.messenger.now();
            let look_due = !self.inbox.is_empty() && self.next_look <= now;
            match self.outbox.due(now) {
                Some(due) if !(look_first && look_due) => {
                    self.send(due).await?;
                    look_first = true;
                }
                _ if look_due => {
                    self.look().await?;
                    look_first = false;
                }
                _ => self.compute().await,
            }
        }
        Ok(self.outcome)
    }

    /// Sends a due message and records its times.
    async fn send(&mut self, due: Due) -> Result<(), DriveError> {
        let message = self.plan.message(due.message);
        let sending = self.messenger.send(message.to as usize, message.bytes, message.primitive as usize);
        let first_store = sending.await.map_err(|error| DriveError::Send {
            node: self.plan.node(),
            to: message.to,
            message: due.message,
            error,
        })?;
        self.outcome.sent.push(Sent { message: due.message, due: due.time, first_store });
        self.outbox.sent(due, self.messenger.now());
        Ok(())
    }

    /// Polls the NIC once.
    async fn look(&mut self) -> Result<(), DriveError> {
        let arrival = self.messenger.poll().await;
        let now = self.messenger.now();
        let look_before = std::mem::replace(&mut self.last_look, now);
        match arrival {
            Some(arrival) => {
                let message = self.inbox.take(arrival)?;
                self.outcome.seen.push(Seen { message, look_before, time: now });
                self.outbox.received(message, now);
            }
            None => self.next_look = now + self.plan.poll(),
        }
        Ok(())
    }

    /// Computes until the next message or poll is due.
    async fn compute(&mut self) {
        let look = (!self.inbox.is_empty()).then_some(self.next_look);
        let time = look.into_iter().chain(self.outbox.next_due()).min();
        // Messages wait only for earlier ones, and this node still has messages to receive.
        let time = time.expect("a schedule has no messages that wait for themselves");
        self.messenger.wait_until(time).await;
    }
}
