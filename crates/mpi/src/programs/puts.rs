//! One-sided and two-sided transfers of the same data.

use std::rc::Rc;

use cluster::Duration;

use super::{Wrong, bytes};
use crate::communicator::Communicator;
use crate::error::Error;
use crate::matching::{Source, Tag};
use crate::window::{AllBytes, Bytes, Exposed, Flush, LockKind, TargetPlace, Window};

/// Equal messages from rank 0 to rank 1, and where their data is in the target's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// Messages, one behind the other in memory.
    pub messages: usize,
    /// Elements of a message.
    pub elements: usize,
    /// Bytes of an element.
    pub bytes: usize,
    /// Bytes from the begin of an element to that of the next one, at least `bytes`.
    pub stride: usize,
}

impl Transfer {
    /// Messages without gaps.
    pub fn contiguous(bytes: usize, messages: usize) -> Transfer {
        Transfer { messages, elements: 1, bytes, stride: bytes }
    }

    /// A message with elements at equal distances, as `MPI_Type_vector` has them.
    pub fn vector(elements: usize, bytes: usize, stride: usize) -> Transfer {
        Transfer { messages: 1, elements, bytes, stride }
    }

    /// Bytes of data in a message.
    pub fn size(&self) -> usize {
        self.elements * self.bytes
    }

    /// Bytes of memory between the begins of messages.
    fn extent(&self) -> usize {
        self.elements * self.stride
    }

    /// Bytes of memory of all messages.
    pub fn room(&self) -> usize {
        self.messages * self.extent()
    }

    /// Offset and length of each element of a message.
    fn runs(&self) -> Vec<(i64, u64)> {
        (0..self.elements).map(|element| ((element * self.stride) as i64, self.bytes as u64)).collect()
    }

    /// Data of a message in the memory of the target.
    fn gather(&self, memory: &[u8], message: usize) -> Vec<u8> {
        let begins = (0..self.elements).map(|element| message * self.extent() + element * self.stride);
        begins.flat_map(|begin| &memory[begin..begin + self.bytes]).copied().collect()
    }

    /// Charges the copy between elements and a buffer without gaps, if there are gaps.
    fn pack(&self, world: &Communicator) {
        if self.stride > self.bytes {
            world.library().charge_bytes(self.size());
        }
    }
}

/// Time until rank 0 knows that all messages are at rank 1: by puts and a flush, and by sends and an answer without
/// data. Elements with gaps are packed and unpacked around a send. Other ranks return zeros. The memory of each rank
/// has [room](Transfer::room) for all messages.
pub async fn put_and_send(
    world: &Communicator,
    memory: &Rc<Vec<Bytes>>,
    transfer: Transfer,
) -> Result<[Duration; 2], Wrong> {
    let failed = |error: Error| {
        let what = "a put or a send".to_string();
        Wrong::Call { rank: world.rank(), what, error }
    };
    let messages: Vec<_> = (0..transfer.messages).map(|number| bytes(0, number, transfer.size())).collect();
    let all = AllBytes { parts: memory.clone(), own: world.rank() };
    let exposed = Exposed::Fixed { base: Bytes::BASE, size: transfer.room() as u64 };
    let window = Window::allocate(world, Rc::new(all), exposed, 1).await.map_err(failed)?;
    let (mut times, runs) = ([Duration::ZERO; 2], transfer.runs());
    if world.rank() == 0 {
        window.lock(1, LockKind::Shared, false).await.map_err(failed)?;
        let begin = world.now();
        for (number, message) in messages.iter().enumerate() {
            let displacement = (number * transfer.extent()) as i64;
            let at = TargetPlace { rank: 1, displacement, runs: &runs };
            window.put(at, message).await.map_err(failed)?;
        }
        window.flush(1, Flush::Whole).await.map_err(failed)?;
        times[0] = world.now() - begin;
        window.unlock(1).await.map_err(failed)?;
    }
    world.barrier().await.map_err(failed)?;
    if world.rank() == 1 {
        let arrived = memory[1].to_vec();
        if messages.iter().enumerate().any(|(number, message)| transfer.gather(&arrived, number) != *message)
        {
            return Err(Wrong::Result { rank: 1, what: "data of puts".to_string() });
        }
    }
    match world.rank() {
        0 => {
            let begin = world.now();
            for message in &messages {
                transfer.pack(world);
                world.send(1, 0, message).await.map_err(failed)?;
            }
            world.receive(Source::Rank(1), Tag::Is(1), 0).await.map_err(failed)?;
            times[1] = world.now() - begin;
        }
        1 => {
            for message in &messages {
                let received =
                    world.receive(Source::Rank(0), Tag::Is(0), transfer.size()).await.map_err(failed)?;
                transfer.pack(world);
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
