//! Accesses of an origin.

use std::rc::Rc;

use super::message::{Access, Purpose};
use super::{Extent, Window};
use crate::carrier::{Direction, Piece};
use crate::completion;
use crate::datatype::Kind;
use crate::error::Error;
use crate::predefined::Predefined;
use crate::request::Request;

/// Memory of a target, as the arguments of a call describe it.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// Rank of the target in the window.
    pub rank: usize,
    /// Displacement in units of the target; an address in a dynamic window.
    pub displacement: i64,
    /// Offset in bytes from there and length of each run of bytes, in the order of the data.
    pub runs: &'a [(i64, u64)],
}

/// An access without an operation.
const PLAIN: (Predefined, Kind) = (Predefined::Replace, Kind::Byte);

impl Window {
    /// Stores data at the target (`MPI_Put`).
    pub async fn put(&self, at: Place<'_>, data: &[u8]) -> Result<(), Error> {
        let _call = self.0.communicator.host().call("MPI_Put");
        self.begin(Purpose::Put, at, PLAIN, data, data.len()).await.map(|_| ())
    }

    /// Combines data with that of the target, element by element and atomically (`MPI_Accumulate`).
    pub async fn accumulate(
        &self,
        at: Place<'_>,
        operation: Predefined,
        kind: Kind,
        data: &[u8],
    ) -> Result<(), Error> {
        let _call = self.0.communicator.host().call("MPI_Accumulate");
        self.begin(Purpose::Accumulate, at, (operation, kind), data, data.len()).await.map(|_| ())
    }

    /// Begins to read `length` bytes of the target, which are the completion of the request (`MPI_Get`).
    pub async fn get(&self, at: Place<'_>, length: usize) -> Result<Request, Error> {
        let _call = self.0.communicator.host().call("MPI_Get");
        self.begin(Purpose::Get, at, PLAIN, &[], length).await
    }

    /// Combines data with that of the target; the request completes with the data before
    /// (`MPI_Get_accumulate`, `MPI_Fetch_and_op`).
    pub async fn fetch(
        &self,
        at: Place<'_>,
        operation: Predefined,
        kind: Kind,
        data: &[u8],
    ) -> Result<Request, Error> {
        let _call = self.0.communicator.host().call("MPI_Get_accumulate");
        self.begin(Purpose::Fetch, at, (operation, kind), data, data.len()).await
    }

    /// Stores a value if the present one equals `compare`; the request completes with the present one
    /// (`MPI_Compare_and_swap`).
    pub async fn compare_and_swap(
        &self,
        at: Place<'_>,
        compare: &[u8],
        new: &[u8],
    ) -> Result<Request, Error> {
        let _call = self.0.communicator.host().call("MPI_Compare_and_swap");
        let data = [compare, new].concat();
        self.begin(Purpose::CompareAndSwap, at, PLAIN, &data, new.len()).await
    }

    /// Checks that the target is locked, which an access with a request of the program needs (`MPI_Rput`).
    pub fn check_passive(&self, rank: usize) -> Result<(), Error> {
        self.0.state.borrow().rules.epoch.passive(rank)
    }

    /// Sends an access to `length` bytes of the target. The request of one without an answer is complete.
    async fn begin(
        &self,
        purpose: Purpose,
        at: Place<'_>,
        (operation, kind): (Predefined, Kind),
        data: &[u8],
        length: usize,
    ) -> Result<Request, Error> {
        let library = self.0.communicator.library();
        self.0.communicator.group().process(at.rank)?;
        let mut access = Access { number: 0, operation, kind, pieces: self.pieces(at)? };
        if access.length() != Some(length) {
            return Err(Error::Buffer { have: access.length().unwrap_or(usize::MAX), need: length });
        }
        if length > library.most_message() {
            return Err(Error::Count(length));
        }
        let direction = match purpose {
            Purpose::Put => Some(Direction::Put),
            Purpose::Get => Some(Direction::Get),
            _ => None,
        };
        if let Some(direction) = direction
            && let Some(place) = self.by_network(at.rank, direction, &access.pieces, data).await?
        {
            return Ok(Request::new(library.clone(), place));
        }
        self.settled(&[at.rank]).await?;
        let has_answer = matches!(purpose, Purpose::Get | Purpose::Fetch | Purpose::CompareAndSwap);
        let place = {
            let mut state = self.0.state.borrow_mut();
            state.rules.epoch.access(at.rank)?;
            if has_answer {
                state.rules.asked(at.rank);
                access.number = state.next_get;
                state.next_get = access.number.wrapping_add(1);
                let place = Rc::new(completion::Place::default());
                state.gets.insert(access.number, (at.rank, place.clone()));
                place
            } else {
                state.rules.accessed(at.rank);
                completion::Place::filled(Ok(completion::Completion::sent(length)))
            }
        };
        if let Err(error) = self.0.send(at.rank, purpose, access.pack(data)) {
            let mut state = self.0.state.borrow_mut();
            if has_answer && state.gets.remove(&access.number).is_some() {
                state.rules.answered(at.rank);
            }
            return Err(error);
        }
        library.flush().await;
        Ok(Request::new(library.clone(), place))
    }

    /// The target's memory; an error if the origin knows that it is not in the window.
    fn pieces(&self, at: Place<'_>) -> Result<Vec<Piece>, Error> {
        let Extent { size, unit, .. } = self.0.extents[at.rank];
        let begin = match size {
            // An address has all 64 bits.
            None => at.displacement.into(),
            Some(_) if at.displacement < 0 => {
                return Err(Error::Displacement("a displacement is not below zero"));
            }
            Some(_) => i128::from(at.displacement) * i128::from(unit),
        };
        let piece = |&(offset, bytes): &(i64, u64)| {
            let first = begin + i128::from(offset);
            let range = Error::RmaRange { at: first as u64, bytes };
            let end = first + i128::from(bytes);
            match size {
                Some(size) if first < 0 || end > size.into() => Err(range),
                _ => Ok(Piece { at: first as u64, bytes }),
            }
        };
        at.runs.iter().filter(|(_, bytes)| *bytes > 0).map(piece).collect()
    }
}
