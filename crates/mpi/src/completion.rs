//! Completions of calls, and the slots in which the library stores them.

use std::cell::RefCell;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

use crate::error::Error;

/// Status of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// Rank of the sender in the communicator.
    pub source: usize,
    /// 0 to 2^31 - 1.
    pub tag: u32,
    /// Length of the message in bytes.
    pub bytes: usize,
    /// Whether the receive was cancelled; then there is no message.
    pub cancelled: bool,
}

/// Result of a completed call: the message of a receive, the result of a collective, or the size alone of a
/// send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// Status of the message; without meaning for a collective.
    pub status: Status,
    /// Received message, or result of the collective at this rank.
    pub bytes: Vec<u8>,
}

impl Completion {
    pub(crate) fn sent(bytes: usize) -> Completion {
        Completion { status: Status { source: 0, tag: 0, bytes, cancelled: false }, bytes: Vec::new() }
    }

    /// Completion of a collective.
    pub(crate) fn result(bytes: Vec<u8>) -> Completion {
        Completion { status: Status { source: 0, tag: 0, bytes: bytes.len(), cancelled: false }, bytes }
    }
}

/// Completion slot, shared by a request and the library.
#[derive(Debug, Default)]
pub(crate) struct Place(RefCell<Phase>);

#[derive(Debug, Default)]
enum Phase {
    #[default]
    Begun,
    Ended(Result<Completion, Error>),
    Taken,
}

impl Place {
    /// Slot of a call that has already completed.
    pub fn filled(end: Result<Completion, Error>) -> Rc<Place> {
        Rc::new(Place(RefCell::new(Phase::Ended(end))))
    }

    /// Completes the call.
    pub fn fill(&self, end: Result<Completion, Error>) {
        *self.0.borrow_mut() = Phase::Ended(end);
    }

    pub fn is_filled(&self) -> bool {
        !matches!(*self.0.borrow(), Phase::Begun)
    }

    /// Takes the completion, if the call is complete. Taking it a second time is an error.
    pub fn take(&self) -> Option<Result<Completion, Error>> {
        let phase = &mut *self.0.borrow_mut();
        match std::mem::replace(phase, Phase::Taken) {
            Phase::Begun => {
                *phase = Phase::Begun;
                None
            }
            Phase::Ended(end) => Some(end),
            Phase::Taken => Some(Err(Error::Request)),
        }
    }

    /// Waits for the completion; another call drives the progress.
    pub async fn end(&self) -> Result<Completion, Error> {
        poll_fn(|_| self.take().map_or(Poll::Pending, Poll::Ready)).await
    }
}
