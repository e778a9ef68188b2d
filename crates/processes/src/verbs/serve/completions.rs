//! Completion queues: how a program finds what is complete, by looking or by waiting for an event.

use cluster::Duration;
use cluster::host::Looking;
use hca::contexts::{self, Kind};
use hca::layout::{CQE_BYTES, RECEIVED};
use hca::registers::Doorbell;
use serde_bytes::ByteBuf;

use super::Reply;
use super::adapter::{Adapter, BUSY, INVALID, NO_ROOM};
use crate::verbs::call::{Answer, Completion};

/// Entries of a queue at most, by the logarithm.
pub(super) const MOST_ENTRIES_LOG: u8 = 15;
/// Completions that are taken until the adapter is told of them; a queue has so many entries more than a program asks for.
const TAKEN_TOGETHER: u16 = 16;
/// Room for them and for those of which the adapter is being told.
const SPARE: u32 = 4 * TAKEN_TOGETHER as u32;
/// A program that has looked at a queue, found nothing and looks again is in a loop that waits: its turns are gone through here for so long, and only
/// then it is told that there is nothing. Ours: as short as the shortest message is long.
const LOOP: Duration = Duration::from_us(10);
/// From the completion that is an event to the program that goes on: interrupt, driver, and a process that is woken. Ours: the order of what kernels of
/// that time took (decision 0066).
const EVENT: Duration = Duration::from_us(10);

/// A completion queue.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    base: u32,
    log: u8,
    /// Completions taken.
    taken: u16,
    /// Of how many of them the adapter has been told.
    told: u16,
    /// The next completion is an event: the one of this count.
    armed: Option<u16>,
}

impl Queue {
    fn place(&self, count: u16) -> u32 {
        self.base + u32::from(CQE_BYTES) * (u32::from(count) & ((1 << self.log) - 1))
    }
}

impl Adapter {
    pub(super) async fn make_queue(&mut self, entries: u32) -> Reply {
        let wanted = entries.checked_add(SPARE).filter(|_| entries > 0).ok_or(INVALID)?;
        let log = wanted.checked_next_power_of_two().ok_or(INVALID)?.ilog2() as u8;
        if log > MOST_ENTRIES_LOG {
            return Err(INVALID);
        }
        let number = self.queues.iter().position(Option::is_none).ok_or(NO_ROOM)?;
        let bytes = u32::from(CQE_BYTES) << log;
        let base = self.memory.take(bytes.into())?;
        // Whoever has had this memory before has left no completions there.
        self.host().set_memory(base, &vec![0; bytes as usize]);
        let row = contexts::Queue { valid: true, log, base, ..contexts::Queue::default() };
        self.host().write_row(Kind::Completion, number as u8, row).await;
        self.queues[number] = Some(Queue { base, log, taken: 0, told: 0, armed: None });
        Ok(Answer::Queue(number as u8, (1 << log) - SPARE))
    }

    pub(super) fn queue(&mut self, queue: u8) -> Result<&mut Queue, i32> {
        self.queues.get_mut(usize::from(queue)).and_then(Option::as_mut).ok_or(INVALID)
    }

    pub(super) async fn end_queue(&mut self, queue: u8) -> Reply {
        let base = self.queue(queue)?.base;
        let uses = |wanted: &crate::verbs::call::PairWanted| {
            [wanted.send_queue, wanted.receive_queue].contains(&queue)
        };
        if self.pairs.iter().flatten().any(|pair| uses(&pair.wanted)) {
            return Err(BUSY);
        }
        self.host().write_row(Kind::Completion, queue, contexts::Queue::default()).await;
        self.queues[usize::from(queue)] = None;
        self.memory.give(base);
        Ok(Answer::Done)
    }

    /// Up to so many completions. `again` if the program does nothing but look at this queue.
    pub(super) async fn poll(&mut self, queue: u8, most: u32, again: bool) -> Reply {
        self.queue(queue)?;
        let end = self.host().processor().now() + if again { LOOP } else { Duration::ZERO };
        let mut found = Vec::new();
        while found.len() < most as usize {
            match self.take(queue).await? {
                Some(completion) => found.push(completion),
                None if !found.is_empty() => break,
                None => {
                    self.host().compute(self.host().costs().turn).await;
                    if self.host().processor().now() >= end {
                        self.looked = Some(queue);
                        break;
                    }
                }
            }
        }
        Ok(Answer::Completions(found))
    }

    pub(super) fn arm(&mut self, queue: u8) -> Reply {
        // What is there already is no event, whether it was taken or not (IBA volume 1, section 11.4.2.2).
        let Queue { mut taken, .. } = *self.queue(queue)?;
        while self.is_there(queue, taken)? {
            taken = taken.wrapping_add(1);
        }
        self.queue(queue)?.armed = Some(taken);
        Ok(Answer::Done)
    }

    /// Waits for an event of one of these queues.
    pub(super) async fn event(&mut self, queues: &[u8]) -> Reply {
        for queue in queues {
            self.queue(*queue)?;
        }
        let mut looking = Looking::begin(self.host().processor());
        loop {
            for queue in queues {
                let Some(count) = self.queue(*queue)?.armed else { continue };
                if self.is_there(*queue, count)? {
                    self.queue(*queue)?.armed = None;
                    self.host().compute(EVENT).await;
                    return Ok(Answer::Number(u32::from(*queue)));
                }
            }
            self.host().compute(self.host().costs().turn).await;
            looking.again().await;
        }
    }

    /// Whether the completion of this count is there: its last word is written last, and its bit changes from lap to lap.
    fn is_there(&mut self, queue: u8, count: u16) -> Result<bool, i32> {
        let of = self.queue(queue)?;
        let (last, lap) = (of.place(count) + 24, u64::from(count >> of.log & 1 == 0));
        Ok(self.host().memory_word(last) & 1 == lap)
    }

    /// Takes the next completion, if it is there. Those of queue pairs that are gone are left out.
    async fn take(&mut self, queue: u8) -> Result<Option<Completion>, i32> {
        loop {
            let count = self.queue(queue)?.taken;
            if !self.is_there(queue, count)? {
                return Ok(None);
            }
            let completion = self.take_entry(queue).await?;
            if completion.is_some() {
                return Ok(completion);
            }
        }
    }

    /// Takes the entry that is next, which is there.
    async fn take_entry(&mut self, queue: u8) -> Result<Option<Completion>, i32> {
        let count = self.queue(queue)?.taken;
        let at = self.queue(queue)?.place(count);
        let [first, second, third] = [0, 8, 16].map(|word| self.host().memory_word(at + word));
        self.host().compute(self.host().costs().line + self.host().costs().complete).await;
        let of = self.queue(queue)?;
        of.taken = count.wrapping_add(1);
        if of.taken.wrapping_sub(of.told) >= TAKEN_TOGETHER {
            of.told = of.taken;
            let taken = of.taken;
            self.host().ring(Doorbell::CompletionBell, queue, taken).await;
        }
        let (index, number, operation) = (first as u16, (first >> 16) as u8, (first >> 24) as u8);
        let (status, bytes) = ((third >> 16) as u8, second as u32);
        let mut completion = Completion {
            id: 0,
            status,
            pair: number,
            bytes,
            received: None,
            immediate: (operation & 1 != 0 && operation & RECEIVED != 0).then_some((second >> 32) as u32),
            source: (first >> 32) as u32 & 0xff_ffff,
            source_lid: third as u16,
        };
        let Ok(pair) = self.pair(number) else { return Ok(None) };
        if operation & RECEIVED == 0 {
            pair.sends.done = index.wrapping_add(1);
            completion.id = pair.sends.requests[pair.sends.place(index)];
            return Ok(Some(completion));
        }
        pair.receives.done = index.wrapping_add(1);
        let (id, mut place) = pair.receives.requests[pair.receives.place(index)];
        completion.id = id;
        place.length = if status == 0 { bytes.min(place.length) } else { 0 };
        let (address, inside) = self.address(place);
        let length = if inside { place.length as usize } else { 0 };
        completion.received = Some((place, ByteBuf::from(self.host().memory(address, length))));
        Ok(Some(completion))
    }
}
