//! Results of each message.

use cluster::Time;

use crate::driver::NodeOutcome;
use crate::schedule::Schedule;

/// A delivered message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Number in the schedule.
    pub message: u32,
    /// Time at which it was due.
    pub due: Time,
    /// Time of the sender's first store.
    pub first_store: Time,
    /// End of the receiver's poll before the successful one.
    pub look_before: Time,
    /// End of the poll that found the message.
    pub seen: Time,
}

impl Delivery {
    /// Latency in picoseconds, from the sender's first store to the end of the poll that found the message.
    pub fn latency_ps(&self) -> u64 {
        (self.seen - self.first_store).ps()
    }

    /// Latency in picoseconds, from the creation of the message to the end of the poll that found it.
    pub fn from_creation_ps(&self) -> u64 {
        (self.seen - self.due).ps()
    }

    /// Poll period in which the message arrived, in picoseconds: from the end of one poll to the end of the
    /// next.
    pub fn period_ps(&self) -> u64 {
        (self.seen - self.look_before).ps()
    }

    /// Delay of the sender's first store after the due time, in picoseconds.
    pub fn late_ps(&self) -> u64 {
        (self.first_store - self.due).ps()
    }
}

/// Delivered messages in the order of the schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deliveries {
    /// One entry for each delivered message.
    pub delivered: Vec<Delivery>,
    /// Number of messages of the schedule that were not delivered.
    pub undelivered: u64,
}

/// Reason why results do not fit the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// A result of a message beyond the schedule.
    #[error("the schedule has no message {0}, of which a node tells")]
    NoSuchMessage(u32),
    /// Two results for sending or receiving a message.
    #[error("nodes tell twice of message {0}")]
    Twice(u32),
    /// A message was received without being sent.
    #[error("message {0} was received, but no node tells that it sent it")]
    NotSent(u32),
    /// A message has times in the wrong order.
    #[error("message {0} was sent before it was due, or received before it was sent")]
    Backwards(u32),
    /// No message was delivered.
    #[error("no message has arrived")]
    Nothing,
}

impl Deliveries {
    /// Joins the results of senders and receivers.
    pub fn of(schedule: &Schedule, outcomes: &[NodeOutcome]) -> Result<Deliveries, RunError> {
        let count = schedule.messages().len();
        let (mut sent, mut seen) = (vec![None; count], vec![None; count]);
        for outcome in outcomes {
            for noted in &outcome.sent {
                note(&mut sent, noted.message, (noted.due, noted.first_store))?;
            }
            for noted in &outcome.seen {
                note(&mut seen, noted.message, (noted.look_before, noted.time))?;
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

    /// Messages of a closed loop, each from its creation until its answer is seen.
    pub(crate) fn round_trips(&self, schedule: &Schedule) -> Deliveries {
        let place = |number: u32| {
            let found = self.delivered.binary_search_by_key(&number, |delivery| delivery.message);
            found.ok().map(|place| self.delivered[place])
        };
        let round_trip = |&(message, answer): &(u32, u32)| {
            let (message, answer) = (place(message)?, place(answer)?);
            Some(Delivery { look_before: answer.look_before, seen: answer.seen, ..message })
        };
        let delivered: Vec<_> = schedule.answers().iter().filter_map(round_trip).collect();
        let undelivered = (schedule.answers().len() - delivered.len()) as u64;
        Deliveries { delivered, undelivered }
    }
}

/// Stores one result of a message.
fn note<T>(notes: &mut [Option<T>], message: u32, noted: T) -> Result<(), RunError> {
    let note = notes.get_mut(message as usize).ok_or(RunError::NoSuchMessage(message))?;
    match note.replace(noted) {
        None => Ok(()),
        Some(_) => Err(RunError::Twice(message)),
    }
}
