//! The COMMON block of Memonet's `mpif.h`.

use super::{Variable, blocks};
use crate::types::*;

/// Name of the block in Fortran.
pub const NAME: &str = "MEMONET_MPI";

/// Bytes of an INTEGER.
pub const WORD: usize = size_of::<c_int>();
/// Bytes of a status.
const STATUS: usize = MPI_F_STATUS_SIZE as usize * WORD;

/// Padding INTEGERs: gfortran aligns a block to 32 bytes, and a linker warns if two definitions of one block
/// differ in alignment or size.
pub const REST: usize = 3;

blocks! {
    memonet_mpi_[(5 + REST) * WORD + 2 * STATUS] {
        MPI_BOTTOM: WORD => MPI_BOTTOM;
        MPI_IN_PLACE: WORD => MPI_IN_PLACE;
        MPI_BUFFER_AUTOMATIC: WORD => MPI_BUFFER_AUTOMATIC;
        MPI_STATUS_IGNORE: STATUS => MPI_STATUS_IGNORE;
        MPI_STATUSES_IGNORE: STATUS => MPI_STATUSES_IGNORE;
        MPI_UNWEIGHTED: WORD => MPI_UNWEIGHTED;
        MPI_WEIGHTS_EMPTY: WORD => MPI_WEIGHTS_EMPTY;
    }
}

/// Variables of the block.
pub fn variables() -> &'static [Variable] {
    BLOCKS[0].variables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_and_padding_fill_the_block() {
        let bytes: usize = variables().iter().map(|variable| variable.bytes).sum();
        assert_eq!(bytes + REST * WORD, memonet_mpi_.0.len());
        assert_eq!(memonet_mpi_.0.len() % 32, 0);
        assert_eq!(NAME.to_lowercase() + "_", BLOCKS[0].symbol.to_str().unwrap());
    }
}
