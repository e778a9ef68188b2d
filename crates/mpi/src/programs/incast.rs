//! All ranks send to one that computes.

use cluster::Duration;

use super::Wrong;
use crate::communicator::Communicator;
use crate::matching::{Source, Tag};

/// Every other rank sends `each` messages of 8 bytes to rank 0, which computes for `busy` first and then takes all of them. Rank 0 checks
/// their sum.
pub async fn incast(world: &Communicator, each: u32, busy: Duration) -> Result<(), Wrong> {
    let failed = |what: &str| {
        let (rank, what) = (world.rank(), what.to_string());
        move |error| Wrong::Call { rank, what, error }
    };
    let value = |rank: usize, number: u32| rank as u64 * 1_000 + u64::from(number);
    if world.rank() > 0 {
        for number in 0..each {
            let bytes = value(world.rank(), number).to_le_bytes();
            world.send(0, number, &bytes).await.map_err(failed("send"))?;
        }
        return Ok(());
    }
    world.compute(busy).await;
    let (mut sum, mut expected) = (0, 0);
    for rank in 1..world.size() {
        for number in 0..each {
            let message = world.receive(Source::Any, Tag::Any, 8).await.map_err(failed("receive"))?;
            sum += message.bytes.try_into().map_or(0, u64::from_le_bytes);
            expected += value(rank, number);
        }
    }
    if sum != expected {
        return Err(Wrong::Result { rank: 0, what: "sum of all messages".to_string() });
    }
    Ok(())
}
