//! What a protocol analyser on every cable would see.

use super::faults::Fault;
use crate::Time;

/// One direction of a cable, by the node at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    /// From the node to the switch or, on one cable, to the other node.
    From(usize),
    /// From the switch to the node.
    To(usize),
}

/// A frame as it was sent into a link. What befalls it there shows behind the switch, where it is missing, damaged, late or there
/// twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Captured<U> {
    /// Where.
    pub direction: Direction,
    /// When its last unit had left.
    pub time: Time,
    /// What befalls it on this link.
    pub fault: Option<Fault>,
    /// All of it.
    pub units: Vec<U>,
}

/// A frame that a link has kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sent<U> {
    pub time: Time,
    pub fault: Option<Fault>,
    pub units: Vec<U>,
}
