//! A finding, played by nodes of the library on a machine. Their messages are real; each is held back until the script lets it arrive.
//!
//! Nodes share nothing but the time. Each step has a time of its own, late enough that all messages of the step before have arrived.
//!
//! ```text
//!   Script       the events, and the messages in flight after each
//!     |    \
//!   play    Held       at its time a program begins or ends a guard, a node hears a message
//!     |       |
//!   fagus::Node  Station of the machine
//!         \   /
//!         Log          the events of all nodes; read at the end
//! ```

mod held;
mod log;
mod player;
mod script;

pub use held::Filter;
pub use log::{Log, Played};
pub use player::{NodeEnding, play};
pub use script::{Cue, Flight, Script, Step};
