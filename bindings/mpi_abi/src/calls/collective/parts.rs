//! Buffers of collective calls with one part for each rank, of the remote group in an intercommunicator.

use crate::arguments::{List, Memory, Number, Numbers};
use crate::calls::tolerance::elements;
use crate::fault::Outcome;
use crate::objects::{Communicator, Destination, Piece};
use crate::types::*;

/// Elements of the program: address, count and datatype.
pub(super) struct Elements(pub Memory, pub Number, pub MPI_Datatype);

impl Elements {
    /// The elements as the only part of a buffer.
    pub fn piece(&self) -> Outcome<Vec<Piece>> {
        let Elements(memory, count, kind) = *self;
        let (count, datatype) = elements(count, kind)?;
        Ok(vec![Piece { memory, count, datatype }])
    }
}

/// A buffer with one part for each rank, or for each neighbour.
#[derive(Clone)]
pub(super) struct Parts {
    pieces: Vec<Piece>,
    /// All parts have the same size, so no sizes are passed to the simulator.
    equal: bool,
}

impl Parts {
    /// Consecutive parts of equal size, one for each rank; in an intercommunicator each rank of the remote group, whose
    /// own parts may have another size.
    pub fn of_peers(own: &Communicator, memory: Memory, count: Number, kind: MPI_Datatype) -> Outcome<Self> {
        let parts = Parts::equal(own.peers().len(), memory, count, kind)?;
        Ok(Parts { equal: !own.is_inter(), ..parts })
    }

    /// Consecutive parts of equal size.
    pub fn equal(ranks: usize, memory: Memory, count: Number, kind: MPI_Datatype) -> Outcome<Self> {
        let (count, kind) = elements(count, kind)?;
        let step = kind.layout.extent().wrapping_mul(count as i64);
        let piece = |rank: usize| {
            let memory = memory.at(step.wrapping_mul(rank as i64));
            Piece { memory, count, datatype: kind.clone() }
        };
        Ok(Parts { pieces: (0..ranks).map(piece).collect(), equal: true })
    }

    /// Parts of different sizes at displacements in extents.
    pub fn at(
        ranks: usize,
        memory: Memory,
        counts: Numbers,
        places: Numbers,
        kind: MPI_Datatype,
    ) -> Outcome<Self> {
        let (counts, places) = (counts.counts(ranks)?, places.list(ranks)?);
        let (_, kind) = elements(Number(counts.iter().copied().max().unwrap_or(0) as i64), kind)?;
        let piece = |(count, place): (usize, i64)| {
            let memory = memory.at(place.wrapping_mul(kind.layout.extent()));
            Piece { memory, count, datatype: kind.clone() }
        };
        Ok(Parts { pieces: counts.into_iter().zip(places).map(piece).collect(), equal: false })
    }

    /// Parts of different sizes and datatypes at displacements in bytes.
    pub fn of(
        ranks: usize,
        memory: Memory,
        counts: Numbers,
        places: Numbers,
        kinds: List<MPI_Datatype>,
    ) -> Outcome<Self> {
        let (counts, places, kinds) = (counts.counts(ranks)?, places.list(ranks)?, kinds.list(ranks)?);
        let piece = |((count, place), kind): ((usize, i64), MPI_Datatype)| {
            let (count, datatype) = elements(Number(count as i64), kind)?;
            Ok(Piece { memory: memory.at(place), count, datatype })
        };
        let pieces = counts.into_iter().zip(places).zip(kinds).map(piece).collect::<Outcome<_>>()?;
        Ok(Parts { pieces, equal: false })
    }

    /// All parts, one after the other.
    pub fn pieces(self) -> Vec<Piece> {
        self.pieces
    }

    /// Part of one rank.
    pub fn of_rank(&self, rank: usize) -> Piece {
        self.pieces[rank].clone()
    }

    /// Bytes of each part.
    pub fn lengths(&self) -> Outcome<Vec<u64>> {
        self.pieces.iter().map(|piece| Ok(piece.datatype.bytes(piece.count)? as u64)).collect()
    }

    /// Bytes of each part, or `None` if all are equal.
    pub fn explicit_lengths(&self) -> Outcome<Option<Vec<u64>>> {
        (!self.equal).then(|| self.lengths()).transpose()
    }

    /// Turns the parts into the destination of received data.
    pub fn destination(self) -> Destination {
        Destination::Pieces(self.pieces)
    }
}
