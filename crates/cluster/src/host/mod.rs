//! A host: programs in virtual time, their processor's caches and write-combining buffers, chipset and memory bus.
//!
//! The board's pages have the memory types of thesis table 4.1. Uncachable accesses and the write-combining buffers are in
//! `program` and `write_combining`, lines and buffers of main memory, which are Write Back, in `lines` and `cache`; who may
//! touch which page is in `pages`. `bus` is the chipset and the memory bus that main memory and the board share.

mod bus;
mod cache;
pub mod cost;
mod executor;
mod lines;
mod pages;
mod program;
mod signal;
mod write_combining;

pub(crate) use bus::Bus;
pub(crate) use executor::Executor;
pub use executor::{Output, TaskReport};
pub use lines::Buffer;
pub(crate) use program::Shared;
pub use program::{Host, Waiting};
pub use signal::Signal;
