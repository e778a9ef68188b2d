//! Memory that the simulator shares with a process, the process's ties to it (lifetime and clock), and access to the
//! process's own memory.
//!
//! Neither side trusts the other. All shared words are atomic, so a read returns a value that some side wrote, whatever
//! the other side does at the same time.

mod addresses;
pub mod clock;
mod memory;
mod process_memory;
mod tie;

pub use addresses::fix_addresses;
pub use memory::{AttachError, Memory, NAME, WORDS};
pub use process_memory::ProcessMemory;
pub use tie::{end_with_thread, tie};
