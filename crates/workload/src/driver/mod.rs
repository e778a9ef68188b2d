//! The program that each node runs.
//!
//! It sends what is due and looks at the NIC otherwise, and ends when it has sent and received all of its part. Of messages that
//! are due together the earliest goes first. When a node cannot keep up with what it has to send, it looks once between two
//! messages, so that those for it do not wait until it is done. A host that computes between looks does so when a look has
//! found nothing; a look that has found a message is followed by another at once.

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

/// Why a node gives up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DriveError {
    /// A message was not sent.
    #[error("node {node} cannot send message {message} to node {to}: {error}")]
    Send {
        /// The node.
        node: u32,
        /// The receiver.
        to: u32,
        /// Number of the message in the schedule.
        message: u32,
        /// Why.
        error: SendError,
    },
    /// A message has come that nobody sends.
    #[error("node {node} has received {bytes} bytes from node {from}, which has nothing more to send to it")]
    Unexpected {
        /// The node.
        node: u32,
        /// The sender.
        from: usize,
        /// Bytes that have come.
        bytes: u64,
    },
    /// A message has come with another size.
    #[error(
        "node {node} has received {bytes} bytes from node {from} in place of message {message} of {expected}"
    )]
    WrongSize {
        /// The node.
        node: u32,
        /// The sender.
        from: usize,
        /// Number of the message in the schedule.
        message: u32,
        /// Bytes that have come.
        bytes: u64,
        /// Bytes that were sent.
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
    /// When the host looks at the NIC again.
    next_look: Time,
    /// When the last look was over.
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
        // A look that is due goes before the next message.
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

    /// Sends a message.
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

    /// Looks at the NIC once.
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

    /// Computes until the next message is due or the next look.
    async fn compute(&mut self) {
        let look = (!self.inbox.is_empty()).then_some(self.next_look);
        let time = look.into_iter().chain(self.outbox.next_due()).min();
        // Messages wait only for earlier ones, and those for the node are not all there.
        let time = time.expect("a schedule has no messages that wait for themselves");
        self.messenger.wait_until(time).await;
    }
}
