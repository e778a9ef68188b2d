//! Accesses that the network carries out: remote writes and reads of the carrier.
//!
//! The library of the target takes no part. The order of accesses of an origin to one target is kept at the origin:
//! while a message to the target is not answered, later puts and gets are messages too, and a message leaves when
//! the network has carried out all accesses before it.

use std::cell::RefCell;
use std::rc::Rc;

use super::memory::Memory;
use super::{Inner, Window};
use crate::carrier::{Direction, Part, Piece, Reach};
use crate::completion::{Completion, Place};
use crate::error::Error;

/// Memory of a target that the network reaches.
struct Reached {
    process: usize,
    memory: Rc<dyn Memory>,
    /// Address of the window in that memory.
    base: u64,
    /// Place of the window for the carrier.
    place: u64,
}

/// The data of a get, as its parts arrive.
struct Arriving {
    bytes: Vec<u8>,
    parts: usize,
    /// Place of the completion; none after a failure.
    place: Option<Rc<Place>>,
}

impl Window {
    /// Has the network carry out an access, and returns the place of its completion; `None` if the access has to be a
    /// message.
    pub(super) async fn by_network(
        &self,
        rank: usize,
        direction: Direction,
        pieces: &[Piece],
        data: &[u8],
    ) -> Result<Option<Rc<Place>>, Error> {
        let Some(reached) = self.0.reached(rank)? else { return Ok(None) };
        let parts = self.0.communicator.library().cut(direction, reached.place, pieces).await;
        if parts.is_empty() {
            return Ok(None);
        }
        self.0.state.borrow_mut().rules.epoch.access(rank)?;
        // The simulator stores the data of a put in the target's memory when the put is complete.
        let is_behind_put = direction == Direction::Get && self.0.state.borrow().rules.is_writing(rank);
        if is_behind_put {
            self.settled(&[rank]).await?;
        }
        match direction {
            Direction::Put => self.write(rank, &reached, parts, data).await?,
            Direction::Get => return self.read(rank, &reached, parts).await.map(Some),
        }
        Ok(Some(Place::filled(Ok(Completion::sent(data.len())))))
    }

    async fn write(
        &self,
        rank: usize,
        reached: &Reached,
        parts: Vec<Vec<Piece>>,
        mut data: &[u8],
    ) -> Result<(), Error> {
        for pieces in parts {
            let part = Part { target: reached.process, place: reached.place, pieces };
            let (own, rest) = data.split_at(part.bytes());
            data = rest;
            self.0.state.borrow_mut().rules.writing(rank);
            let (inner, memory, base) = (self.0.clone(), reached.memory.clone(), reached.base);
            let (pieces, bytes) = (part.pieces.clone(), own.to_vec());
            let done = move |ended: Result<Vec<u8>, Error>| {
                let written = ended.and_then(|_| scatter(&*memory, base, &pieces, &bytes));
                let mut state = inner.state.borrow_mut();
                state.rules.written(rank);
                if let Err(error) = written {
                    state.failures[rank].get_or_insert(error);
                }
            };
            let begun = self.0.communicator.library().write(&part, own, Box::new(done)).await;
            begun.inspect_err(|_| self.0.state.borrow_mut().rules.written(rank))?;
        }
        Ok(())
    }

    async fn read(&self, rank: usize, reached: &Reached, parts: Vec<Vec<Piece>>) -> Result<Rc<Place>, Error> {
        let place = Rc::new(Place::default());
        let arriving = Arriving { bytes: Vec::new(), parts: parts.len(), place: Some(place.clone()) };
        let arriving = Rc::new(RefCell::new(arriving));
        for pieces in parts {
            let part = Part { target: reached.process, place: reached.place, pieces };
            let present = gather(&*reached.memory, reached.base, &part.pieces)?;
            self.0.state.borrow_mut().rules.reading(rank);
            let (inner, arriving) = (self.0.clone(), arriving.clone());
            let done = move |ended: Result<Vec<u8>, Error>| {
                inner.state.borrow_mut().rules.read(rank);
                arriving.borrow_mut().take(ended);
            };
            let begun = self.0.communicator.library().read(&part, &present, Box::new(done)).await;
            begun.inspect_err(|_| self.0.state.borrow_mut().rules.read(rank))?;
        }
        Ok(place)
    }
}

impl Arriving {
    /// Takes the data of the next part.
    fn take(&mut self, ended: Result<Vec<u8>, Error>) {
        self.parts -= 1;
        match ended {
            Ok(bytes) => self.bytes.extend(bytes),
            Err(error) => {
                if let Some(place) = self.place.take() {
                    place.fill(Err(error));
                }
            }
        }
        if let Some(place) = self.place.as_ref().filter(|_| self.parts == 0) {
            place.fill(Ok(Completion::result(std::mem::take(&mut self.bytes))));
        }
    }
}

impl Inner {
    /// The memory of a target, if the network reaches it and no message to the target is unanswered.
    fn reached(&self, rank: usize) -> Result<Option<Reached>, Error> {
        let (library, process) = (self.communicator.library(), self.communicator.group().process(rank)?);
        let extent = self.extents[rank];
        let place = match library.reach {
            Reach::Nothing => None,
            Reach::Everything => extent.size.map(|_| 0),
            Reach::Placed => extent.place,
        };
        let Some(place) =
            place.filter(|_| process != library.rank && !self.state.borrow().rules.has_messages(rank))
        else {
            return Ok(None);
        };
        let peer = self.memory.of_peer(self.communicator.number(), process);
        Ok(peer.map(|(memory, base)| Reached { process, memory, base, place }))
    }
}

/// Stores the data of pieces.
fn scatter(memory: &dyn Memory, base: u64, pieces: &[Piece], mut data: &[u8]) -> Result<(), Error> {
    for piece in pieces {
        let (own, rest) = data.split_at(piece.bytes as usize);
        memory.write(base.wrapping_add(piece.at), own)?;
        data = rest;
    }
    Ok(())
}

/// The data of pieces.
fn gather(memory: &dyn Memory, base: u64, pieces: &[Piece]) -> Result<Vec<u8>, Error> {
    let mut data = Vec::new();
    for piece in pieces {
        let begin = data.len();
        data.resize(begin + piece.bytes as usize, 0);
        memory.read(base.wrapping_add(piece.at), &mut data[begin..])?;
    }
    Ok(data)
}
