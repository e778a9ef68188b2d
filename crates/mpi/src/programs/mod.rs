//! Programs over any carrier, which say whether what they get is right.

mod collectives;
mod incast;
mod messages;

pub use collectives::{collectives, splits};
pub use incast::incast;
pub use messages::{Turn, messages, ping, pong, waits};

use crate::communicator::Communicator;
use crate::error::Error;

/// All that check calls, one after the other: messages of these sizes, and collective calls with so many units for each rank.
pub async fn all(world: &Communicator, sizes: &[usize], units: usize) -> Result<(), Wrong> {
    messages(world, sizes).await?;
    splits(world).await?;
    collectives(world, units).await
}

/// Something that should not have come like this.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// A result is not that of a naive computation.
    #[error("rank {rank}: {what} is not what it should be")]
    Result {
        /// At which rank.
        rank: usize,
        /// Of what.
        what: String,
    },
    /// A call failed.
    #[error("rank {rank}: {what}: {}: {error}", error.class())]
    Call {
        /// At which rank.
        rank: usize,
        /// Which.
        what: String,
        /// Why.
        error: Error,
    },
}

/// Bytes of a rank, by number: no two are alike.
fn bytes(rank: usize, number: usize, count: usize) -> Vec<u8> {
    let first = (rank as u32).wrapping_mul(0x9e37_79b9) ^ (number as u32).wrapping_mul(0x85eb_ca6b);
    (0..count).map(|i| (first.wrapping_add(i as u32).wrapping_mul(0x27d4_eb2f) >> 24) as u8).collect()
}
