//! `libmpi_abi.so.1`: MPI for processes that run as ranks on modelled machines, in the standard ABI of MPI
//! 5.0 (chapter 20).
//!
//! A program linked to it, with any compiler and any header of that ABI, becomes a rank when `memonet mpirun`
//! starts it. The functions are rows of one [table]; safe code in `calls` implements them, and requests to
//! the simulator go through a [slot](processes::Slot). Datatypes stay in the process, next to the memory that they
//! describe: data is packed before it is sent and unpacked after it was received. Between calls virtual time
//! advances by the cost of clock reads, and by the simulator's estimate for basic blocks if the program
//! counts them.
//!
//! With the feature `mpich` the library is `libmpi.so.12` instead, with the handles, values and statuses of
//! MPICH. Package `mpich` builds it.

mod arguments;
mod calls;
mod child;
mod clock;
mod concurrency;
mod count;
mod coverage;
mod entry;
mod fault;
mod fortran;
mod function;
mod header;
mod link;
mod objects;
mod place;
mod repeat;
mod scheduled;
mod slot;
pub mod table;
pub mod types;

pub use coverage::{coverage, names};
#[cfg(not(feature = "mpich"))]
pub use header::{fortran_header, fortran_module};
pub use header::{header, prototype};

use entry::{enter, leave};
