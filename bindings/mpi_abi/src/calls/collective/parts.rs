//! Buffers of collective calls with one part for each rank, of the remote group in an intercommunicator.

use crate::arguments::{List, Memory, Number, Numbers};
use crate::fault::Outcome;
use crate::objects::{Communicator, Destination, Piece, datatype};
use crate::types::*;

/// Elements of the program: address, count and datatype.
pub(super) struct Elements(pub Memory, pub Number, pub MPI_Datatype);

impl Elements {
    /// Packs the elements.
    pub fn pack(&self) -> Outcome<Vec<u8>> {
        let Elements(memory, count, kind) = *self;
        datatype(kind)?.pack(memory, count.count()?)
    }
}

/// A buffer with one part for each rank.
pub(super) struct Parts {
    pieces: Vec<Piece>,
    /// All parts have the same size, so no sizes are passed to the simulator.
    equal: bool,
}

impl Parts {
    /// Consecutive parts of equal size.
    pub fn equal(own: &Communicator, memory: Memory, count: Number, kind: MPI_Datatype) -> Outcome<Self> {
        let (count, kind) = (count.count()?, datatype(kind)?);
        let step = kind.layout.extent().wrapping_mul(count as i64);
        let piece = |rank: usize| {
            let memory = memory.at(step.wrapping_mul(rank as i64));
            Piece { memory, count, datatype: kind.clone() }
        };
        // The parts of the other group may have another size.
        Ok(Parts { pieces: (0..own.peers().len()).map(piece).collect(), equal: !own.is_inter() })
    }

    /// Parts of different sizes at displacements in extents.
    pub fn at(
        own: &Communicator,
        memory: Memory,
        counts: Numbers,
        places: Numbers,
        kind: MPI_Datatype,
    ) -> Outcome<Self> {
        let size = own.peers().len();
        let (counts, places, kind) = (counts.counts(size)?, places.list(size)?, datatype(kind)?);
        let piece = |(count, place): (usize, i64)| {
            let memory = memory.at(place.wrapping_mul(kind.layout.extent()));
            Piece { memory, count, datatype: kind.clone() }
        };
        Ok(Parts { pieces: counts.into_iter().zip(places).map(piece).collect(), equal: false })
    }

    /// Parts of different sizes and datatypes at displacements in bytes.
    pub fn of(
        own: &Communicator,
        memory: Memory,
        counts: Numbers,
        places: Numbers,
        kinds: List<MPI_Datatype>,
    ) -> Outcome<Self> {
        let size = own.peers().len();
        let (counts, places, kinds) = (counts.counts(size)?, places.list(size)?, kinds.list(size)?);
        let piece = |((count, place), kind): ((usize, i64), MPI_Datatype)| {
            Ok(Piece { memory: memory.at(place), count, datatype: datatype(kind)? })
        };
        let pieces = counts.into_iter().zip(places).zip(kinds).map(piece).collect::<Outcome<_>>()?;
        Ok(Parts { pieces, equal: false })
    }

    /// Packs all parts, one after the other.
    pub fn pack(&self) -> Outcome<Vec<u8>> {
        let mut bytes = Vec::new();
        for Piece { memory, count, datatype } in &self.pieces {
            datatype.pack_to(*memory, *count, &mut bytes)?;
        }
        Ok(bytes)
    }

    /// Packs the part of one rank.
    pub fn pack_one(&self, rank: usize) -> Outcome<Vec<u8>> {
        let Piece { memory, count, datatype } = &self.pieces[rank];
        datatype.pack(*memory, *count)
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
