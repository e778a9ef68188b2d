//! Memory that the simulator shares with one rank, and how the rank's process is tied to it.
//!
//! Both sides see the same words and trust none of them. So a word is always read and written as an atomic one: whatever the
//! other side does at the same time, a value is read that somebody wrote, and nothing else breaks.

mod memory;
mod tie;

pub use memory::{AttachError, Memory, WORDS};
pub use tie::tie;
