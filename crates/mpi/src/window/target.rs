//! Messages of a window at the rank that receives them.

use super::memory::Memory;
use super::message::{self, Access, Purpose};
use super::{Inner, LockKind, Target};
use crate::carrier::Piece;
use crate::completion::Completion;
use crate::error::Error;
use crate::matching::{Pattern, Source, Tag};

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
            let mut state = self.state.borrow_mut();
            if let Some(queue) = state.arriving.get_mut(status.source) {
                queue.push_back((status.tag, place));
                state.pending += 1;
            }
        }
        if self.state.borrow().pending == 0 {
            return;
        }
        for from in 0..self.communicator.size() {
            while let Some((tag, end)) = self.next_whole(from) {
                if let (Some(purpose), Ok(Completion { bytes, .. })) = (Purpose::of_tag(tag), end) {
                    self.carry_out(from, purpose, &bytes);
                }
            }
        }
    }

    /// The oldest message of a rank, if it is whole.
    fn next_whole(&self, from: usize) -> Option<(u32, Result<Completion, Error>)> {
        let mut state = self.state.borrow_mut();
        let (_, place) = state.arriving[from].front()?;
        let end = place.take()?;
        let (tag, _) = state.arriving[from].pop_front()?;
        state.pending -= 1;
        Some((tag, end))
    }

    /// Carries out a message. Malformed ones are dropped.
    fn carry_out(&self, from: usize, purpose: Purpose, body: &[u8]) -> Option<()> {
        match purpose {
            Purpose::Put | Purpose::Accumulate | Purpose::Get | Purpose::Fetch | Purpose::CompareAndSwap => {
                let (access, data) = Access::split(body)?;
                self.access(from, purpose, &access, data);
            }
            Purpose::Flush => self.answer(from, Purpose::Flushed, Vec::new()),
            Purpose::Lock => self.lock(from, message::split_lock(body)?),
            Purpose::Unlock => {
                let granted = self.state.borrow_mut().locks.release(from);
                self.answer(from, Purpose::Flushed, Vec::new());
                self.grant(granted);
            }
            Purpose::Answer => {
                let (number, data) = message::split_answer(body)?;
                let get = self.state.borrow_mut().gets.remove(&number);
                let (_, place) = get.filter(|(target, _)| *target == from)?;
                place.fill(match data {
                    Some(data) => Ok(Completion::result(data.to_vec())),
                    // The reason arrived before, as the failure of this target.
                    None => {
                        let failure = self.state.borrow_mut().targets[from].failure.take();
                        Err(failure.unwrap_or(Error::RmaMemory))
                    }
                });
            }
            Purpose::Failed => {
                let failure = message::split_failure(body)?;
                self.state.borrow_mut().targets[from].failure.get_or_insert(failure);
            }
            Purpose::Flushed => self.note(from, |target| &mut target.flushed),
            Purpose::Post => self.note(from, |target| &mut target.posts),
            Purpose::Complete => self.note(from, |target| &mut target.completes),
            Purpose::Granted | Purpose::Refused => {
                self.state.borrow_mut().targets[from].lock = Some(purpose == Purpose::Granted);
            }
        }
        Some(())
    }

    fn note(&self, from: usize, counter: impl FnOnce(&mut Target) -> &mut u32) {
        let mut state = self.state.borrow_mut();
        let counter = counter(&mut state.targets[from]);
        *counter = counter.wrapping_add(1);
    }

    /// Sends an answer. A rank that cannot be reached gets none.
    fn answer(&self, to: usize, purpose: Purpose, body: Vec<u8>) {
        let _ = self.send(to, purpose, body);
    }

    fn grant(&self, origins: Vec<usize>) {
        for origin in origins {
            self.answer(origin, Purpose::Granted, Vec::new());
        }
    }

    /// Queues a lock. During an exposure epoch of this rank it is a conflict (MPI 5.0, section 12.5.3).
    fn lock(&self, from: usize, kind: LockKind) {
        let mut state = self.state.borrow_mut();
        if state.exposure.is_some() {
            drop(state);
            return self.answer(from, Purpose::Refused, Vec::new());
        }
        let granted = state.locks.request(from, kind);
        drop(state);
        self.grant(granted);
    }

    /// Carries out an access and reports its failure.
    fn access(&self, from: usize, purpose: Purpose, access: &Access, data: &[u8]) {
        let done = self.try_access(purpose, access, data);
        if let Err(error) = done {
            self.answer(from, Purpose::Failed, message::pack_failure(error));
        }
        if matches!(purpose, Purpose::Get | Purpose::Fetch | Purpose::CompareAndSwap) {
            let answer = message::pack_answer(access.number, done.ok());
            self.answer(from, Purpose::Answer, answer);
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
