//! Protocols of objects, locks and barriers as state machines without time, network and memory.
//!
//! Each state machine has a `step`, which takes one input and returns messages and results. The checker
//! explores the same functions that run. Messages are addressed to nodes; a message to the own node is
//! delivered to it at once.

pub mod barrier;
pub mod lock;
mod nodes;
pub mod object;
mod rules;

pub use nodes::Nodes;
pub use rules::{Answers, Rules};
