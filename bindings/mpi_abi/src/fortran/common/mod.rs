//! Constants identified by their address: variables of COMMON blocks of `mpif.h` (MPI 5.0, section 2.5.4).
//!
//! A program that includes `mpif.h` defines the same COMMON blocks. The program's definitions take precedence
//! over the library's.
#![allow(unsafe_code)]

#[cfg(feature = "mpich")]
mod mpich;
#[cfg(not(feature = "mpich"))]
pub mod standard;

use std::ffi::CStr;
use std::sync::LazyLock;

use crate::types::*;
#[cfg(feature = "mpich")]
use mpich::BLOCKS;
#[cfg(not(feature = "mpich"))]
use standard::BLOCKS;

/// A COMMON block.
struct Block {
    /// Symbol of the block, as gfortran mangles it.
    symbol: &'static CStr,
    /// Address of the library's definition.
    own: fn() -> usize,
    variables: &'static [Variable],
}

/// A variable of a COMMON block.
pub struct Variable {
    /// Name in Fortran, for the generated header and the tests.
    #[cfg_attr(feature = "mpich", allow(dead_code))]
    pub name: &'static str,
    /// Length in bytes.
    pub bytes: usize,
    /// C address that the variable stands for.
    means: fn() -> usize,
}

/// Memory of a block. The standard ABI's has the alignment of gfortran, because programs are linked to this
/// library; the blocks of MPICH have exactly the lengths of MPICH's library, to which programs are linked.
#[cfg_attr(feature = "mpich", repr(C))]
#[cfg_attr(not(feature = "mpich"), repr(C, align(32)))]
struct Space<const BYTES: usize>([u8; BYTES]);

/// Defines blocks: the symbol, its length in bytes, and the variables with their lengths and C addresses. The
/// library's definition makes the linker of a program export the program's.
macro_rules! blocks {
    ($($symbol:ident[$bytes:expr] { $($variable:ident: $length:expr => $means:expr;)* })*) => {
        // SAFETY of the names: they belong to the blocks, and nothing else in this library has them.
        $(
            #[unsafe(no_mangle)]
            static $symbol: super::Space<{ $bytes }> = super::Space([0; $bytes]);
        )*

        /// Blocks of this ABI.
        pub(super) const BLOCKS: &[super::Block] = &[$(super::Block {
            symbol: match std::ffi::CStr::from_bytes_with_nul(concat!(stringify!($symbol), "\0").as_bytes()) {
                Ok(symbol) => symbol,
                Err(_) => unreachable!(),
            },
            own: || $symbol.0.as_ptr() as usize,
            variables: &[$(super::Variable { name: stringify!($variable), bytes: $length, means: || $means }),*],
        }),*];
    };
}

use blocks;

/// Addresses of the blocks: those of the program take precedence.
static ADDRESSES: LazyLock<Vec<usize>> = LazyLock::new(|| {
    let address = |block: &Block| {
        // SAFETY: the name is zero-terminated.
        let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, block.symbol.as_ptr()) };
        if found.is_null() { (block.own)() } else { found as usize }
    };
    BLOCKS.iter().map(address).collect()
});

/// C address that a Fortran address stands for; an address outside the blocks is returned unchanged.
pub fn address(pointer: *mut c_void) -> *mut c_void {
    for (block, begin) in BLOCKS.iter().zip(ADDRESSES.iter()) {
        let mut begin = *begin;
        for Variable { bytes, means, .. } in block.variables {
            if pointer as usize == begin {
                return means() as *mut c_void;
            }
            begin += bytes;
        }
    }
    pointer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_byte_of_each_variable_stands_for_its_address() {
        for (block, begin) in BLOCKS.iter().zip(ADDRESSES.iter()) {
            let mut at = *begin;
            for Variable { name, bytes, means } in block.variables {
                assert_eq!(address(at as *mut c_void) as usize, means(), "{name}");
                let behind = (at + 1) as *mut c_void;
                assert!(*bytes == 1 || address(behind) == behind, "{name}");
                at += bytes;
            }
            assert_eq!(
                address(at as *mut c_void) as usize,
                at,
                "memory behind a block is memory like any other"
            );
        }
        let of = |name| {
            let all = BLOCKS.iter().flat_map(|block| block.variables);
            all.filter(|variable| variable.name == name).map(|variable| (variable.means)()).next()
        };
        assert_eq!(of("MPI_IN_PLACE"), Some(MPI_IN_PLACE));
        assert_eq!(of("MPI_STATUS_IGNORE"), Some(MPI_STATUS_IGNORE));
    }
}
