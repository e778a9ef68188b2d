//! `libmpi_abi.so.1`: the MPI of processes that run as ranks on modelled machines, in the standard ABI of MPI 5.0 (chapter 20).
//!
//! A program that is linked to it, with any compiler and any header of that ABI, is a rank when `memonet mpirun` starts it. The functions
//! are rows of one [table]; what they do is safe code in `calls`, and what they ask the simulator goes through a [slot](processes::Slot).
//! Datatypes stay here, where the memory is that they describe: data is packed before it leaves and unpacked when it comes. Virtual
//! time passes between calls for what reading the clock costs, and for what the simulator makes of basic blocks, where a program counts them.
//!
//! With the feature `mpich` it is `libmpi.so.12` instead: the same functions, with the handles, values and statuses of MPICH. Package
//! `mpich` builds that one.

mod arguments;
mod calls;
mod child;
mod clock;
mod count;
mod coverage;
mod fault;
#[cfg(not(feature = "mpich"))]
mod fortran;
mod header;
mod link;
mod objects;
mod place;
pub mod table;
pub mod types;

pub use coverage::{coverage, names};
#[cfg(not(feature = "mpich"))]
pub use header::{fortran_header, fortran_module};
pub use header::{header, prototype};

use fault::{enter, leave, missing};
