//! Constants identified by their address: a COMMON block of `mpif.h` (MPI 5.0, section 2.5.4).
//!
//! A program that includes `mpif.h` defines the same COMMON block. The program's definition takes precedence
//! over the library's.
#![allow(unsafe_code)]

use std::sync::OnceLock;

use crate::types::*;

/// Name of the block in Fortran.
pub const NAME: &str = "MEMONET_MPI";

/// Variables of the block: name, number of INTEGERs, and the C address that each stands for.
pub const VARIABLES: [(&str, usize, usize); 7] = [
    ("MPI_BOTTOM", 1, MPI_BOTTOM),
    ("MPI_IN_PLACE", 1, MPI_IN_PLACE),
    ("MPI_BUFFER_AUTOMATIC", 1, MPI_BUFFER_AUTOMATIC),
    ("MPI_STATUS_IGNORE", MPI_F_STATUS_SIZE as usize, MPI_STATUS_IGNORE),
    ("MPI_STATUSES_IGNORE", MPI_F_STATUS_SIZE as usize, MPI_STATUSES_IGNORE),
    ("MPI_UNWEIGHTED", 1, MPI_UNWEIGHTED),
    ("MPI_WEIGHTS_EMPTY", 1, MPI_WEIGHTS_EMPTY),
];

/// Padding INTEGERs: gfortran aligns a block to 32 bytes, and a linker warns if two definitions of one block
/// differ in alignment or size.
pub const REST: usize = 3;

/// Length of the block in INTEGERs.
const WORDS: usize = 5 + 2 * MPI_F_STATUS_SIZE as usize + REST;

// SAFETY: the name belongs to the block; nothing else in this library has it.
/// The library's definition of the block, which makes the linker of a program export the program's.
#[unsafe(no_mangle)]
static memonet_mpi_: Block = Block([0; WORDS]);

/// The block with the alignment of gfortran.
#[repr(C, align(32))]
struct Block([c_int; WORDS]);

/// Address of the block: that of the program takes precedence.
fn block() -> usize {
    static BLOCK: OnceLock<usize> = OnceLock::new();
    *BLOCK.get_or_init(|| {
        // SAFETY: the name is zero-terminated.
        let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"memonet_mpi_".as_ptr()) };
        if found.is_null() { memonet_mpi_.0.as_ptr() as usize } else { found as usize }
    })
}

/// C address that a Fortran address stands for; an address outside the block is returned unchanged.
pub fn address(pointer: *mut c_void) -> *mut c_void {
    let mut begin = block();
    for (_, words, means) in VARIABLES {
        if pointer as usize == begin {
            return means as *mut c_void;
        }
        begin += words * size_of::<c_int>();
    }
    pointer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_fill_the_block_and_each_stands_for_its_address() {
        assert_eq!(VARIABLES.iter().map(|(_, words, _)| words).sum::<usize>() + REST, WORDS);
        assert_eq!((size_of::<Block>(), align_of::<Block>()), (4 * WORDS, 32));
        assert_eq!(NAME.to_lowercase() + "_", "memonet_mpi_");
        let at = |word: usize| address((block() + 4 * word) as *mut c_void) as usize;
        assert_eq!([at(0), at(1), at(3), at(11), at(19)], [0, MPI_IN_PLACE, 0, 0, MPI_UNWEIGHTED]);
        assert_eq!(at(WORDS), block() + 4 * WORDS, "what is behind it is memory like any other");
    }
}
