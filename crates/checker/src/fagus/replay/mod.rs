//! A finding, played by nodes of the library on a machine: their messages are real, and each is held back until the finding says that it comes.
//!
//! Nodes share nothing but the time. Each step of the finding has a time of its own, far enough behind the one before it that all messages of that one have come.
//!
//! ```text
//!   Script       what happens, step by step, and what is on the way after each
//!     |    \
//!   play    Held       at its time a program begins or ends a guard, a node hears a message
//!     |       |
//!   fagus::Node  Station of the machine
//!         \   /
//!         Log          what happened when, of all nodes; read when all is over
//! ```

mod held;
mod log;
mod player;
mod script;

pub use held::Held;
pub use log::{Log, Played};
pub use player::{Ended, play};
pub use script::{Flight, Script, Step, Turn};
