//! Shared memory over MPI: a rank as a node, whose packets are MPI messages, which arrive once and in order.

use std::collections::VecDeque;
use std::time::Duration;

use fagus::Error;
use fagus::carrier::machine::{Station, Step};
use mpi::{Communicator, Mode, Request, Source, Tag};

use super::{span, wall};

/// Tag of all messages.
const TAG: u32 = 1;

/// A communicator used by a node of shared memory.
pub struct OverMessages {
    world: Communicator,
    /// Pending sends with their receivers.
    leaving: Vec<Request>,
    /// Pending receives with their senders, in the order of the probes.
    coming: VecDeque<(u16, Request)>,
    /// Dead nodes, and the number of those already reported.
    lost: Vec<u16>,
    named: usize,
}

impl OverMessages {
    pub fn new(world: Communicator) -> Self {
        OverMessages { world, leaving: Vec::new(), coming: VecDeque::new(), lost: Vec::new(), named: 0 }
    }

    fn lose(&mut self, error: &mpi::Error) {
        if let mpi::Error::Unreachable(rank) = error
            && !self.lost.contains(&(*rank as u16))
        {
            self.lost.push(*rank as u16);
        }
    }

    /// Completes sends that have ended.
    fn settle(&mut self) {
        let (ended, leaving) = self.leaving.drain(..).partition(Request::is_done);
        self.leaving = leaving;
        let ended: Vec<Request> = ended;
        for end in ended.iter().filter_map(Request::take) {
            if let Err(error) = end {
                self.lose(&error);
            }
        }
    }

    /// First complete message that no incomplete one of its sender precedes.
    fn take(&mut self) -> Option<(u16, Vec<u8>)> {
        let whole = |at: &usize| {
            let (from, request) = &self.coming[*at];
            request.is_done() && self.coming.iter().take(*at).all(|(other, _)| other != from)
        };
        let at = (0..self.coming.len()).find(whole)?;
        let (from, request) = self.coming.remove(at).expect("it was found there");
        match request.take()? {
            Ok(completion) => Some((from, completion.bytes)),
            Err(error) => {
                self.lose(&error);
                None
            }
        }
    }
}

impl Station for OverMessages {
    fn now(&self) -> Duration {
        wall(self.world.now())
    }

    fn send(&mut self, to: u16, bytes: Vec<u8>) -> Step<'_, Result<(), Error>> {
        Box::pin(async move {
            match self.world.isend(Mode::Standard, to.into(), TAG, bytes).await {
                Ok(request) => {
                    self.leaving.push(request);
                    Ok(())
                }
                Err(error) => Err(Error::System(error.to_string())),
            }
        })
    }

    fn look(&mut self) -> Step<'_, Option<(u16, Vec<u8>)>> {
        Box::pin(async move {
            let there = self.world.iprobe_message(Source::Any, Tag::Is(TAG)).await;
            if let Some((message, status)) = there.expect("rank and tag are any") {
                self.coming.push_back((status.source as u16, message.ireceive(status.bytes).await));
            }
            self.settle();
            self.take()
        })
    }

    /// The next poll goes through the library, which takes time.
    fn pause(&mut self, _: Option<Duration>) -> Step<'_, ()> {
        Box::pin(async {})
    }

    fn compute(&mut self, time: Duration) -> Step<'_, ()> {
        Box::pin(async move { self.world.host().compute(span(time)).await })
    }

    fn is_quiet(&mut self) -> bool {
        self.settle();
        self.leaving.is_empty()
    }

    fn lost(&mut self) -> Option<u16> {
        let lost = self.lost.get(self.named).copied();
        self.named += usize::from(lost.is_some());
        lost
    }
}
