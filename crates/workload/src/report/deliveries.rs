//! What became of each message.

use cluster::Time;

use crate::driver::NodeOutcome;
use crate::schedule::Schedule;

/// A message that has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Its number in the schedule.
    pub message: u32,
    /// When it was to begin.
    pub due: Time,
    /// The sender's first store.
    pub first_store: Time,
    /// When the receiver's look before was over.
    pub look_before: Time,
    /// When the look that saw it was over.
    pub seen: Time,
}

impl Delivery {
    /// From the sender's first store to the look that saw the message, in picoseconds.
    pub fn latency_ps(&self) -> u64 {
        (self.seen - self.first_store).ps()
    }

    /// The poll period into which the message fell, in picoseconds: from one look to the next.
    pub fn period_ps(&self) -> u64 {
        (self.seen - self.look_before).ps()
    }

    /// How much later than it should the sender began, in picoseconds.
    pub fn late_ps(&self) -> u64 {
        (self.first_store - self.due).ps()
    }
}

/// All messages that have arrived, in the order of the schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deliveries {
    /// The messages.
    pub delivered: Vec<Delivery>,
    /// How many others the schedule has.
    pub undelivered: u64,
}

/// Why nodes cannot have returned this from this schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// The schedule has fewer messages.
    #[error("the schedule has no message {0}, of which a node tells")]
    NoSuchMessage(u32),
    /// A message was sent or received twice.
    #[error("nodes tell twice of message {0}")]
    Twice(u32),
    /// A message was received that nobody has sent.
    #[error("message {0} was received, but no node tells that it sent it")]
    NotSent(u32),
    /// Times run backwards.
    #[error("message {0} was sent before it was due, or received before it was sent")]
    Backwards(u32),
    /// There is nothing to tell of.
    #[error("no message has arrived")]
    Nothing,
}

impl Deliveries {
    /// Joins what the nodes tell.
    pub fn of(schedule: &Schedule, outcomes: &[NodeOutcome]) -> Result<Deliveries, RunError> {
        let count = schedule.messages().len();
        let (mut sent, mut seen) = (vec![None; count], vec![None; count]);
        for outcome in outcomes {
            for told in &outcome.sent {
                note(&mut sent, told.message, (told.due, told.first_store))?;
            }
            for told in &outcome.seen {
                note(&mut seen, told.message, (told.look_before, told.time))?;
            }
        }
        let mut delivered = Vec::with_capacity(count);
        for (message, (sent, seen)) in (0..).zip(sent.into_iter().zip(seen)) {
            let Some((look_before, seen)) = seen else { continue };
            let (due, first_store) = sent.ok_or(RunError::NotSent(message))?;
            if first_store < due || seen < first_store || seen < look_before {
                return Err(RunError::Backwards(message));
            }
            delivered.push(Delivery { message, due, first_store, look_before, seen });
        }
        let undelivered = (count - delivered.len()) as u64;
        Ok(Deliveries { delivered, undelivered })
    }
}

/// Notes something of a message, once.
fn note<T>(notes: &mut [Option<T>], message: u32, told: T) -> Result<(), RunError> {
    let note = notes.get_mut(message as usize).ok_or(RunError::NoSuchMessage(message))?;
    match note.replace(told) {
        None => Ok(()),
        Some(_) => Err(RunError::Twice(message)),
    }
}
