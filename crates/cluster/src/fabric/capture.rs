//! Frame capture: the view of a protocol analyser on every cable.

use super::faults::Fault;
use crate::Time;

/// One direction of a cable, identified by the node at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    /// From the node to the switch or, on one cable, to the other node.
    From(usize),
    /// From the switch to the node.
    To(usize),
}

/// A frame as it was sent into a link. The effect of a fault on it is visible after the switch, where it is
/// missing, damaged, late or duplicated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Captured<U> {
    /// Link and direction of the frame.
    pub direction: Direction,
    /// Time at which its last unit had left.
    pub time: Time,
    /// Fault that affects the frame on this link.
    pub fault: Option<Fault>,
    /// All units, as they were sent.
    pub units: Vec<U>,
}

/// A frame captured by a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sent<U> {
    pub time: Time,
    pub fault: Option<Fault>,
    pub units: Vec<U>,
}
