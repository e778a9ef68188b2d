//! Self-checking programs for any carrier.

mod accesses;
mod collectives;
mod incast;
mod intercommunicators;
mod messages;
mod puts;

pub use accesses::{ACCESSED, accesses};
pub use collectives::{collectives, splits};
pub use incast::incast;
pub use intercommunicators::intercommunicators;
pub use messages::{Turn, messages, ping, pong, waits};
pub use puts::{Transfer, put_and_send};

use crate::communicator::Communicator;
use crate::error::Error;

/// Runs all self-checking programs: messages of these sizes, and collective calls with `units` units a rank.
pub async fn all(world: &Communicator, sizes: &[usize], units: usize) -> Result<(), Wrong> {
    messages(world, sizes).await?;
    splits(world).await?;
    collectives(world, units).await
}

/// A failed check.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// A result differs from that of the reference implementation.
    #[error("rank {rank}: {what} is not what it should be")]
    Result {
        /// Rank that found the failure.
        rank: usize,
        /// Name of the checked result.
        what: String,
    },
    /// A call returned an error.
    #[error("rank {rank}: {what}: {}: {error}", error.class())]
    Call {
        /// Rank of the call.
        rank: usize,
        /// Name of the call.
        what: String,
        /// Error returned by the call.
        error: Error,
    },
}

/// Deterministic data that differs between ranks and numbers.
fn bytes(rank: usize, number: usize, count: usize) -> Vec<u8> {
    let first = (rank as u32).wrapping_mul(0x9e37_79b9) ^ (number as u32).wrapping_mul(0x85eb_ca6b);
    (0..count).map(|i| (first.wrapping_add(i as u32).wrapping_mul(0x27d4_eb2f) >> 24) as u8).collect()
}
