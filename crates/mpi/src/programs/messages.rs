//! Point-to-point programs: ping-pong, and messages of all modes at once.

use cluster::{Duration, Time};

use super::{Wrong, bytes};
use crate::communicator::{Communicator, Mode};
use crate::error::Error;
use crate::marks;
use crate::matching::{Source, Tag};
use crate::request::wait_all;

/// Times of one round trip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Time at which the send call began.
    pub begin: Time,
    /// Time at which the receive call ended.
    pub end: Time,
}

/// Sends a message and waits for an answer of the same size, `rounds` times.
pub async fn ping(world: &Communicator, to: usize, size: usize, rounds: usize) -> Result<Vec<Turn>, Wrong> {
    let mut turns = Vec::with_capacity(rounds);
    for number in 0..rounds {
        let message = bytes(world.rank(), number, size);
        let begin = world.now();
        world.host().mark(marks::SEND);
        world.send(to, 0, &message).await.map_err(failed(world, "send"))?;
        let answer = world.receive(Source::Rank(to), Tag::Is(0), size).await;
        world.host().mark(marks::ANSWERED);
        turns.push(Turn { begin, end: world.now() });
        let answer = answer.map_err(failed(world, "receive"))?.bytes;
        same(world, "answer", &answer, &bytes(to, number, size))?;
    }
    Ok(turns)
}

/// Answers the messages of [`ping`].
pub async fn pong(world: &Communicator, from: usize, size: usize, rounds: usize) -> Result<(), Wrong> {
    for number in 0..rounds {
        let question = world.receive(Source::Rank(from), Tag::Is(0), size).await;
        world.host().mark(marks::RECEIVED);
        let answer = bytes(world.rank(), number, size);
        world.host().mark(marks::REPLY);
        world.send(from, 0, &answer).await.map_err(failed(world, "send"))?;
        let question = question.map_err(failed(world, "receive"))?.bytes;
        same(world, "question", &question, &bytes(from, number, size))?;
    }
    Ok(())
}

/// In each round one rank computes for the given time and the others wait for it.
pub async fn waits(world: &Communicator, computing: &[Duration]) -> Result<(), Wrong> {
    for (number, duration) in computing.iter().enumerate() {
        let busy = number % world.size();
        if world.rank() == busy {
            world.compute(*duration).await;
        }
        let sent = bytes(busy, number, 4);
        let own = if world.rank() == busy { sent.clone() } else { vec![0; 4] };
        let got = world.broadcast(own, busy).await.map_err(failed(world, "broadcast"))?;
        same(world, "broadcast", &got, &sent)?;
    }
    Ok(())
}

/// All ranks exchange messages of these sizes in all modes, before and after the receives are posted, and
/// receive them by rank and tag, from any source, and in reverse order.
pub async fn messages(world: &Communicator, sizes: &[usize]) -> Result<(), Wrong> {
    let failed = |what: &'static str| failed(world, what);
    let (rank, ranks) = (world.rank(), world.size());
    let most = sizes.iter().copied().max().unwrap_or(0);
    for (number, &size) in sizes.iter().enumerate() {
        let tag = number as u32;
        // To the next rank in every mode; in every second mode the receive is posted late.
        let (to, from) = ((rank + 1) % ranks, (rank + ranks - 1) % ranks);
        for (i, mode) in [Mode::Standard, Mode::Synchronous, Mode::Buffered].into_iter().enumerate() {
            let send = world.isend(mode, to, tag, bytes(rank, i, size)).await.map_err(failed("isend"))?;
            if i % 2 == 0 {
                world.barrier().await.map_err(failed("barrier"))?;
            }
            let got =
                world.receive(Source::Rank(from), Tag::Is(tag), size).await.map_err(failed("receive"))?;
            same(world, "message", &got.bytes, &bytes(from, i, size))?;
            if got.status.source != from || got.status.tag != tag || got.status.bytes != size {
                return Err(Wrong::Result { rank, what: "status".to_string() });
            }
            send.wait().await.map_err(failed("wait for a send"))?;
        }
    }
    // To all ranks, highest tag first, so that messages arrive unexpected.
    let mut requests = Vec::new();
    for to in 0..ranks {
        for (number, &size) in sizes.iter().enumerate() {
            let message = bytes(rank, number, size);
            let send = world.isend(Mode::Standard, to, number as u32, message).await;
            requests.push(send.map_err(failed("isend"))?);
        }
    }
    for (number, &size) in sizes.iter().enumerate().rev() {
        let mut from = vec![false; ranks];
        for _ in 0..ranks {
            let (message, status) =
                world.probe_message(Source::Any, Tag::Is(number as u32)).await.map_err(failed("probe"))?;
            let got = message.receive(most).await.map_err(failed("receive what was probed"))?;
            same(world, "message from anybody", &got.bytes, &bytes(status.source, number, size))?;
            if std::mem::replace(&mut from[status.source], true) || got.status != status {
                return Err(Wrong::Result { rank, what: "source of a message from anybody".to_string() });
            }
        }
    }
    for end in wait_all(&requests).await {
        end.map_err(failed("wait for all sends"))?;
    }
    world.finalize().await.map_err(failed("finalize"))
}

fn failed(world: &Communicator, what: &'static str) -> impl Fn(Error) -> Wrong + use<> {
    let rank = world.rank();
    move |error| Wrong::Call { rank, what: what.to_string(), error }
}

fn same(world: &Communicator, what: &str, got: &[u8], expected: &[u8]) -> Result<(), Wrong> {
    match got == expected {
        true => Ok(()),
        false => Err(Wrong::Result { rank: world.rank(), what: what.to_string() }),
    }
}
