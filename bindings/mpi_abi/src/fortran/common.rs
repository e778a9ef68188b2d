//! Places that mean something by their address: a COMMON block of `mpif.h` (MPI 5.0, section 2.5.4).
//!
//! A program that includes `mpif.h` has the block too, and as everywhere in Fortran both are one: the program's, if it has one.
#![allow(unsafe_code)]

use std::sync::OnceLock;

use crate::types::*;

/// What the block is called in Fortran.
pub const NAME: &str = "MEMONET_MPI";

/// Its variables with the number of their INTEGERs, and the address of C that each stands for.
pub const VARIABLES: [(&str, usize, usize); 7] = [
    ("MPI_BOTTOM", 1, MPI_BOTTOM),
    ("MPI_IN_PLACE", 1, MPI_IN_PLACE),
    ("MPI_BUFFER_AUTOMATIC", 1, MPI_BUFFER_AUTOMATIC),
    ("MPI_STATUS_IGNORE", MPI_F_STATUS_SIZE as usize, MPI_STATUS_IGNORE),
    ("MPI_STATUSES_IGNORE", MPI_F_STATUS_SIZE as usize, MPI_STATUSES_IGNORE),
    ("MPI_UNWEIGHTED", 1, MPI_UNWEIGHTED),
    ("MPI_WEIGHTS_EMPTY", 1, MPI_WEIGHTS_EMPTY),
];

/// INTEGERs behind them that mean nothing: gfortran puts a block at a multiple of 32 bytes, and a linker warns where two blocks of one name
/// differ in place or size.
pub const REST: usize = 3;

/// How many INTEGERs it has.
const WORDS: usize = 5 + 2 * MPI_F_STATUS_SIZE as usize + REST;

// SAFETY: the name is that of the block, which nothing else of this library has.
/// The library's own block: it has the linker of a program export the program's.
#[unsafe(no_mangle)]
static memonet_mpi_: Block = Block([0; WORDS]);

/// The block, where gfortran would put it.
#[repr(C, align(32))]
struct Block([c_int; WORDS]);

/// Where the block is: what the program has comes first.
fn block() -> usize {
    static BLOCK: OnceLock<usize> = OnceLock::new();
    *BLOCK.get_or_init(|| {
        // SAFETY: a name that ends with a zero.
        let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"memonet_mpi_".as_ptr()) };
        if found.is_null() { memonet_mpi_.0.as_ptr() as usize } else { found as usize }
    })
}

/// The address of C that an address of Fortran stands for; its own, outside of the block.
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
