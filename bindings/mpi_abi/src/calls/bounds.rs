//! Bounds of a structure that the program marks by `MPI_LB` and `MPI_UB`, where the ABI has them.

use mpi::{Datatype, Error};

use crate::types::*;

/// A block of a structure: datatype, displacement in bytes, and length.
pub type Block = ((MPI_Datatype, i64), u64);

/// Marked bounds in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    lower: Option<i64>,
    upper: Option<i64>,
}

impl Bounds {
    /// Separates blocks with data from markers. Of several markers the outermost one counts (MPI 1.1, section
    /// 3.12.3).
    pub fn split(blocks: Vec<Block>) -> (Vec<Block>, Bounds) {
        let Some([lower, upper]) = BOUND_MARKERS else { return (blocks, Bounds::default()) };
        let (markers, data): (Vec<_>, Vec<_>) =
            blocks.into_iter().partition(|((kind, _), _)| [lower, upper].contains(kind));
        let places = |marker| {
            let own = markers.iter().filter(move |((kind, _), length)| *kind == marker && *length > 0);
            own.map(|((_, place), _)| *place)
        };
        (data, Bounds { lower: places(lower).min(), upper: places(upper).max() })
    }

    /// The structure with its marked bounds.
    pub fn apply(self, structure: Datatype) -> Result<Datatype, Error> {
        if self == Bounds::default() {
            return Ok(structure);
        }
        let (lower, end) = (structure.lower(), structure.lower() + structure.extent());
        let (lower, end) = (self.lower.unwrap_or(lower), self.upper.unwrap_or(end));
        let extent = end.checked_sub(lower).ok_or(Error::Type("bounds that no address reaches"))?;
        structure.resized(lower, extent)
    }
}
