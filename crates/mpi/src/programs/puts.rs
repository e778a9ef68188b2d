//! One-sided and two-sided transfers of the same data.

use std::rc::Rc;

use cluster::Duration;

use super::{Wrong, bytes};
use crate::communicator::Communicator;
use crate::error::Error;
use crate::matching::{Source, Tag};
use crate::window::{AllBytes, Bytes, Exposed, Flush, LockKind, TargetPlace, Window};

/// Time until rank 0 knows that `count` messages of `size` bytes are at rank 1: by puts and a flush, and by
/// sends and an answer without data. Other ranks return zeros. The memory of each rank has room for all messages.
pub async fn put_and_send(
    world: &Communicator,
    memory: &Rc<Vec<Bytes>>,
    size: usize,
    count: usize,
) -> Result<[Duration; 2], Wrong> {
    let failed = |error: Error| {
        let what = "a put or a send".to_string();
        Wrong::Call { rank: world.rank(), what, error }
    };
    let messages: Vec<_> = (0..count).map(|number| bytes(0, number, size)).collect();
    let all = AllBytes { parts: memory.clone(), own: world.rank() };
    let exposed = Exposed::Fixed { base: Bytes::BASE, size: (size * count) as u64 };
    let window = Window::allocate(world, Rc::new(all), exposed, 1).await.map_err(failed)?;
    let mut times = [Duration::ZERO; 2];
    if world.rank() == 0 {
        window.lock(1, LockKind::Shared, false).await.map_err(failed)?;
        let begin = world.now();
        for (number, message) in messages.iter().enumerate() {
            let displacement = (number * size) as i64;
            let at = TargetPlace { rank: 1, displacement, runs: &[(0, size as u64)] };
            window.put(at, message).await.map_err(failed)?;
        }
        window.flush(1, Flush::Whole).await.map_err(failed)?;
        times[0] = world.now() - begin;
        window.unlock(1).await.map_err(failed)?;
    }
    world.barrier().await.map_err(failed)?;
    if world.rank() == 1 && !memory[1].to_vec().starts_with(&messages.concat()) {
        return Err(Wrong::Result { rank: 1, what: "data of puts".to_string() });
    }
    match world.rank() {
        0 => {
            let begin = world.now();
            for message in &messages {
                world.send(1, 0, message).await.map_err(failed)?;
            }
            world.receive(Source::Rank(1), Tag::Is(1), 0).await.map_err(failed)?;
            times[1] = world.now() - begin;
        }
        1 => {
            for message in &messages {
                let received = world.receive(Source::Rank(0), Tag::Is(0), size).await.map_err(failed)?;
                if received.bytes != *message {
                    return Err(Wrong::Result { rank: 1, what: "data of sends".to_string() });
                }
            }
            world.send(0, 1, &[]).await.map_err(failed)?;
        }
        _ => {}
    }
    window.free().await.map_err(failed)?;
    Ok(times)
}
