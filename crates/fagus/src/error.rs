//! What can be wrong with a call, or with a run.

use std::ops::Range;

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Parts of an object have elements in common.
    #[error("`{name}`: parts {first:?} and {second:?} overlap; each element belongs to one part")]
    Overlap {
        /// The object.
        name: String,
        /// A part.
        first: Range<usize>,
        /// The other one.
        second: Range<usize>,
    },
    /// Parts of an object leave elements out, go beyond its end, or are empty.
    #[error(
        "`{name}` of {length} elements: {part:?} does not follow; parts are to cover all elements, in their order"
    )]
    Gap {
        /// The object.
        name: String,
        /// Its elements.
        length: usize,
        /// The first part that is wrong.
        part: Range<usize>,
    },
    /// A range is in no part.
    #[error("`{name}`: {range:?} is not within one part; take a guard of each part")]
    NotAPart {
        /// The object.
        name: String,
        /// The range.
        range: Range<usize>,
    },
    /// There is no such node, or lock.
    #[error("there is no {what} {number} among {count}")]
    NoSuch {
        /// Of what.
        what: &'static str,
        /// What was asked for.
        number: usize,
        /// How many there are.
        count: usize,
    },
    /// Only an owner pushes.
    #[error("node {node} does not own {what}, or has a write guard of it, and cannot push it")]
    NotOwner {
        /// The node.
        node: u16,
        /// The object.
        what: String,
    },
    /// A node is in one call at a time.
    #[error("node {0} waits in a call already; await one call at a time")]
    OneAtATime(u16),
    /// Programs do not do the same.
    #[error(
        "node {0} comes to a barrier with other declarations than those before it; all nodes declare the same and meet at the same barriers"
    )]
    Disagree(u16),
    /// Nodes wait for each other.
    #[error("nodes wait for each other: {0}")]
    Cycle(String),
    /// A node does not answer any more.
    #[error("node {node} does not answer; lost with it: {}", if lost.is_empty() { "nothing that is known here".to_string() } else { lost.join(", ") })]
    Dead {
        /// The node.
        node: u16,
        /// Objects that it owned, or had the order of.
        lost: Vec<String>,
    },
    /// The time that was given is over.
    #[error("programs still run after {0:?}")]
    Limit(std::time::Duration),
    /// What the operating system says.
    #[error("{0}")]
    System(String),
}
