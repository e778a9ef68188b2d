//! A host: programs in virtual time, the processor's write-combining buffers, and the memory bus.

mod bus;
pub mod cost;
mod executor;
mod program;
mod write_combining;

pub(crate) use bus::Bus;
pub(crate) use executor::Executor;
pub use executor::{Output, TaskReport};
pub(crate) use program::Shared;
pub use program::{Host, Waiting};
