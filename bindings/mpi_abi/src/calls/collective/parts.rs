//! Memory in parts, one for each rank, as collective operations take and give it.

use crate::arguments::{List, Memory, Number, Numbers};
use crate::fault::Outcome;
use crate::objects::{Communicator, Landing, Piece, datatype};
use crate::types::*;

/// Elements of the program: where, how many, of what.
pub(super) struct Elements(pub Memory, pub Number, pub MPI_Datatype);

impl Elements {
    /// Their bytes.
    pub fn pack(&self) -> Outcome<Vec<u8>> {
        let Elements(memory, count, kind) = *self;
        datatype(kind)?.pack(memory, count.count()?)
    }
}

/// Memory in parts.
pub(super) struct Parts {
    pieces: Vec<Piece>,
    /// All have one size, which so needs not be told.
    equal: bool,
}

impl Parts {
    /// Equal parts, one behind the other.
    pub fn equal(own: &Communicator, memory: Memory, count: Number, kind: MPI_Datatype) -> Outcome<Self> {
        let (count, kind) = (count.count()?, datatype(kind)?);
        let step = kind.layout.extent().wrapping_mul(count as i64);
        let piece = |rank: usize| {
            let memory = memory.at(step.wrapping_mul(rank as i64));
            Piece { memory, count, datatype: kind.clone() }
        };
        Ok(Parts { pieces: (0..own.size()).map(piece).collect(), equal: true })
    }

    /// Parts of any sizes; places are in extents.
    pub fn at(
        own: &Communicator,
        memory: Memory,
        counts: Numbers,
        places: Numbers,
        kind: MPI_Datatype,
    ) -> Outcome<Self> {
        let (counts, places, kind) = (counts.counts(own.size())?, places.list(own.size())?, datatype(kind)?);
        let piece = |(count, place): (usize, i64)| {
            let memory = memory.at(place.wrapping_mul(kind.layout.extent()));
            Piece { memory, count, datatype: kind.clone() }
        };
        Ok(Parts { pieces: counts.into_iter().zip(places).map(piece).collect(), equal: false })
    }

    /// Parts of any sizes and kinds; places are in bytes.
    pub fn of(
        own: &Communicator,
        memory: Memory,
        counts: Numbers,
        places: Numbers,
        kinds: List<MPI_Datatype>,
    ) -> Outcome<Self> {
        let (counts, places, kinds) =
            (counts.counts(own.size())?, places.list(own.size())?, kinds.list(own.size())?);
        let piece = |((count, place), kind): ((usize, i64), MPI_Datatype)| {
            Ok(Piece { memory: memory.at(place), count, datatype: datatype(kind)? })
        };
        let pieces = counts.into_iter().zip(places).zip(kinds).map(piece).collect::<Outcome<_>>()?;
        Ok(Parts { pieces, equal: false })
    }

    /// The bytes of all of them, one after the other.
    pub fn pack(&self) -> Outcome<Vec<u8>> {
        let mut bytes = Vec::new();
        for Piece { memory, count, datatype } in &self.pieces {
            datatype.pack_to(*memory, *count, &mut bytes)?;
        }
        Ok(bytes)
    }

    /// The bytes of one of them.
    pub fn pack_one(&self, rank: usize) -> Outcome<Vec<u8>> {
        let Piece { memory, count, datatype } = &self.pieces[rank];
        datatype.pack(*memory, *count)
    }

    /// How many bytes each has.
    pub fn lengths(&self) -> Outcome<Vec<u64>> {
        self.pieces.iter().map(|piece| Ok(piece.datatype.bytes(piece.count)? as u64)).collect()
    }

    /// The same, if it has to be told.
    pub fn told(&self) -> Outcome<Option<Vec<u64>>> {
        (!self.equal).then(|| self.lengths()).transpose()
    }

    /// What comes is put there.
    pub fn landing(self) -> Landing {
        Landing::Pieces(self.pieces)
    }
}
