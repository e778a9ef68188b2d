//! Who owns what, who may read, who waits: states without time, network or memory.
//!
//! Each part is a state with a `step` that takes one input and returns what is to be sent or told. Nothing else happens in it, so what runs
//! is what the checker walks. Messages are addressed to nodes; one to the node itself is to be given back to it at once.

pub mod barrier;
pub mod lock;
mod nodes;
pub mod object;
mod rules;

pub use nodes::Nodes;
pub use rules::{Answers, Rules};
