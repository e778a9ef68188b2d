//! Messages of a window at the rank that receives them.

use std::rc::Rc;

use super::Inner;
use super::memory::Memory;
use super::message::{self, Access, Purpose};
use super::rules::Signals;
use crate::carrier::Piece;
use crate::completion::{Completion, Place};
use crate::error::Error;
use crate::matching::{Pattern, Source, Tag};

/// Purpose of a message, and the place of its body.
type Arriving = (u32, Rc<Place>);

const ANY: Pattern = Pattern { source: Source::Any, tag: Tag::Any };

impl Inner {
    /// Receives the messages that have arrived and carries out those that are whole, each after all earlier
    /// ones of its sender.
    pub(super) fn take_messages(&self) {
        let library = self.communicator.library();
        loop {
            let taken = library.inbox.borrow_mut().take(self.communicator.context(), ANY);
            let Some((taken, status)) = taken else { break };
            let place = library.receive_taken(taken, usize::MAX);
            self.state.borrow_mut().arrivals.push(status.source, (status.tag, place));
        }
        if self.state.borrow().arrivals.is_empty() {
            return;
        }
        for from in 0..self.communicator.size() {
            while let Some(((tag, _), end)) = self.next_whole(from) {
                if let (Some(purpose), Ok(Completion { bytes, .. })) = (Purpose::of_tag(tag), end) {
                    self.carry_out(from, purpose, &bytes);
                }
            }
        }
    }

    /// The oldest message of a rank, if it is whole.
    fn next_whole(&self, from: usize) -> Option<(Arriving, Result<Completion, Error>)> {
        self.state.borrow_mut().arrivals.next_whole(from, |(_, place)| place.take())
    }

    /// The reason why a rank cannot be reached, if the network has declared it dead.
    fn dead(&self, rank: usize) -> Option<Error> {
        let process = self.communicator.group().process(rank).ok()?;
        self.communicator.library().dead(process)
    }

    /// The reason why a dead rank cannot be reached.
    pub(super) fn reason_of_death(&self, rank: usize) -> Error {
        self.dead(rank).unwrap_or(Error::Unreachable(rank))
    }

    /// Ends the locks and the gets of ranks that the network has declared dead.
    pub(super) fn bury(&self) {
        for rank in 0..self.communicator.size() {
            let Some(error) = self.dead(rank) else { continue };
            let mut state = self.state.borrow_mut();
            if state.rules.is_dead(rank) {
                continue;
            }
            let granted = state.rules.bury(rank);
            state.gets.retain(|_, (target, place)| {
                let lives = *target != rank;
                if !lives {
                    place.fill(Err(error));
                }
                lives
            });
            drop(state);
            self.answer(granted);
        }
    }

    /// Carries out a message. Malformed ones are dropped, and those of a dead rank, whose locks others may hold.
    fn carry_out(&self, from: usize, purpose: Purpose, body: &[u8]) -> Option<()> {
        if self.state.borrow().rules.is_dead(from) {
            return None;
        }
        match purpose {
            Purpose::Put | Purpose::Accumulate | Purpose::Get | Purpose::Fetch | Purpose::CompareAndSwap => {
                let (access, data) = Access::split(body)?;
                self.access(from, purpose, &access, data);
            }
            Purpose::Answer => {
                let (number, data) = message::split_answer(body)?;
                let (target, place) = self.state.borrow_mut().gets.remove(&number)?;
                self.state.borrow_mut().rules.answered(target);
                if target != from {
                    return None;
                }
                place.fill(match data {
                    Some(data) => Ok(Completion::result(data.to_vec())),
                    // The reason arrived before, as the failure of this target.
                    None => {
                        let failure = self.state.borrow_mut().failures[from].take();
                        Err(failure.unwrap_or(Error::RmaMemory))
                    }
                });
            }
            Purpose::Failed => {
                let failure = message::split_failure(body)?;
                self.state.borrow_mut().failures[from].get_or_insert(failure);
            }
            _ => {
                let signal = message::split_signal(purpose, body)?;
                let answers = self.state.borrow_mut().rules.arrive(from, signal);
                self.answer(answers);
            }
        }
        Some(())
    }

    /// Sends answers. A rank that cannot be reached gets none.
    fn answer(&self, signals: Signals) {
        for signal in signals {
            let _ = self.signal(vec![signal]);
        }
    }

    /// Carries out an access and reports its failure.
    fn access(&self, from: usize, purpose: Purpose, access: &Access, data: &[u8]) {
        let done = self.try_access(purpose, access, data);
        if let Err(error) = done {
            let _ = self.send(from, Purpose::Failed, message::pack_failure(error));
        }
        if matches!(purpose, Purpose::Get | Purpose::Fetch | Purpose::CompareAndSwap) {
            let answer = message::pack_answer(access.number, done.ok());
            let _ = self.send(from, Purpose::Answer, answer);
        }
    }

    /// The data for the answer.
    fn try_access(&self, purpose: Purpose, access: &Access, data: &[u8]) -> Result<Vec<u8>, Error> {
        let length = access.length().unwrap_or(usize::MAX);
        // Nothing is stored unless all of the access is in the window.
        let exposed = &self.state.borrow().exposed;
        let addresses = access.pieces.iter().map(|piece| Ok((exposed.address(*piece)?, *piece)));
        let places = Places { memory: &*self.memory, pieces: addresses.collect::<Result<_, Error>>()? };
        let library = self.communicator.library();
        let needed = match purpose {
            Purpose::Get => 0,
            Purpose::CompareAndSwap => length.saturating_mul(2),
            _ => length,
        };
        if data.len() != needed {
            return Err(Error::RmaMemory);
        }
        if purpose == Purpose::Put {
            places.write(data)?;
            return Ok(Vec::new());
        }
        let present = places.read()?;
        library.charge_bytes(length);
        match purpose {
            Purpose::Accumulate | Purpose::Fetch => {
                let mut new = data.to_vec();
                access.operation.combine(access.kind, &present, &mut new)?;
                places.write(&new)?;
            }
            Purpose::CompareAndSwap if present == data[..length] => places.write(&data[length..])?,
            _ => {}
        }
        Ok(present)
    }
}

/// Memory of an access: addresses with their pieces.
struct Places<'a> {
    memory: &'a dyn Memory,
    pieces: Vec<(u64, Piece)>,
}

impl Places<'_> {
    fn read(&self) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        for (address, piece) in &self.pieces {
            let begin = bytes.len();
            bytes.resize(begin + piece.bytes as usize, 0);
            self.memory.read(*address, &mut bytes[begin..])?;
        }
        Ok(bytes)
    }

    fn write(&self, mut bytes: &[u8]) -> Result<(), Error> {
        for (address, piece) in &self.pieces {
            let (own, rest) = bytes.split_at(piece.bytes as usize);
            self.memory.write(*address, own)?;
            bytes = rest;
        }
        Ok(())
    }
}
