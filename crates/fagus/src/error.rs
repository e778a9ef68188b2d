//! Errors of calls and runs.

use std::ops::Range;

/// Reason why a call failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Parts of an object overlap.
    #[error("`{name}`: parts {first:?} and {second:?} overlap; each element belongs to one part")]
    Overlap {
        /// Name of the object.
        name: String,
        /// First of the overlapping parts.
        first: Range<usize>,
        /// Second of the overlapping parts.
        second: Range<usize>,
    },
    /// Parts of an object leave elements out, exceed its length or are empty.
    #[error(
        "`{name}` of {length} elements: {part:?} does not follow; parts are to cover all elements, in their order"
    )]
    Gap {
        /// Name of the object.
        name: String,
        /// Length of the object in elements.
        length: usize,
        /// First invalid part.
        part: Range<usize>,
    },
    /// A range is not within a single part.
    #[error("`{name}`: {range:?} is not within one part; take a guard of each part")]
    NotAPart {
        /// Name of the object.
        name: String,
        /// Requested range of elements.
        range: Range<usize>,
    },
    /// Node or lock numbers out of range.
    #[error("there is no {what} {number} among {count}")]
    NoSuch {
        /// Kind of the number: node or lock.
        what: &'static str,
        /// Requested number.
        number: usize,
        /// Exclusive upper bound of valid numbers.
        count: usize,
    },
    /// Only the owner of an object pushes it.
    #[error("node {node} does not own {what}, or has a write guard of it, and cannot push it")]
    NotOwner {
        /// Node that called push.
        node: u16,
        /// Name of the object.
        what: String,
    },
    /// A node makes one call at a time.
    #[error("node {0} waits in a call already; await one call at a time")]
    OneAtATime(u16),
    /// Programs of the nodes differ in declarations or barriers.
    #[error(
        "node {0} comes to a barrier with other declarations than those before it; all nodes declare the same and meet at the same barriers"
    )]
    Disagree(u16),
    /// Deadlock: nodes wait for each other in a cycle.
    #[error("nodes wait for each other: {0}")]
    Cycle(String),
    /// A node has stopped answering.
    #[error("node {node} does not answer; lost with it: {}", if lost.is_empty() { "nothing that is known here".to_string() } else { lost.join(", ") })]
    Dead {
        /// Number of the node.
        node: u16,
        /// Names of objects that the node owned or was home of.
        lost: Vec<String>,
    },
    /// The time limit of the run was reached.
    #[error("programs still run after {0:?}")]
    Limit(std::time::Duration),
    /// Error of the operating system or adapter.
    #[error("{0}")]
    System(String),
}
