//! Completion queues: polling, and waiting for an event.

use cluster::{Duration, Time};
use cluster::host::Looking;
use hca::contexts::{self, Kind};
use hca::layout::{CQE_BYTES, RECEIVED};
use hca::registers::Doorbell;
use serde_bytes::ByteBuf;

use super::Reply;
use super::adapter::Adapter;
use super::completion_queue::CompletionQueue;
use super::errno::{EBUSY, EINVAL, ENOMEM};
use crate::verbs::call::{Answer, Completion, QueuePairInit};

/// Logarithm of the largest queue: 32,768 entries.
pub(super) const MOST_ENTRIES_LOG: u8 = 15;
/// Completions that are consumed before the doorbell tells the adapter.
const DOORBELL_BATCH: u16 = 16;
/// Entries beyond those that a program asks for: consumed ones, and ones of doorbells in flight.
const SPARE: u32 = 4 * DOORBELL_BATCH as u32;
/// Time from a completion to the return of `ibv_get_cq_event`: interrupt, driver and wake-up. Our choice, the order of
/// magnitude of kernels of 2003 (decision 0066).
const EVENT_LATENCY: Duration = Duration::from_us(10);

impl Adapter {
    pub(super) async fn create_completion_queue(&mut self, entries: u32) -> Reply {
        let wanted = entries.checked_add(SPARE).filter(|_| entries > 0).ok_or(EINVAL)?;
        let log = wanted.checked_next_power_of_two().ok_or(EINVAL)?.ilog2() as u8;
        if log > MOST_ENTRIES_LOG {
            return Err(EINVAL);
        }
        let number = self.completion_queues.iter().position(Option::is_none).ok_or(ENOMEM)?;
        let bytes = u32::from(CQE_BYTES) << log;
        let base = self.memory.allocate(bytes.into())?;
        // Valid bits of an earlier queue in this memory are cleared.
        self.host().set_memory(base, &vec![0; bytes as usize]);
        let row = contexts::Queue { valid: true, log, base, ..contexts::Queue::default() };
        self.host().write_row(Kind::Completion, number as u8, row).await;
        self.completion_queues[number] =
            Some(CompletionQueue { base, log, consumed: 0, reported: 0, armed: None, event: None });
        Ok(Answer::CompletionQueue(number as u8, (1 << log) - SPARE))
    }

    pub(super) fn completion_queue(&mut self, queue: u8) -> Result<&mut CompletionQueue, i32> {
        self.completion_queues.get_mut(usize::from(queue)).and_then(Option::as_mut).ok_or(EINVAL)
    }

    pub(super) async fn destroy_completion_queue(&mut self, queue: u8) -> Reply {
        let base = self.completion_queue(queue)?.base;
        let uses = |init: &QueuePairInit| [init.send_queue, init.receive_queue].contains(&queue);
        if self.pairs.iter().flatten().any(|pair| uses(&pair.init)) {
            return Err(EBUSY);
        }
        self.host().write_row(Kind::Completion, queue, contexts::Queue::default()).await;
        self.completion_queues[usize::from(queue)] = None;
        self.memory.free(base);
        Ok(Answer::Done)
    }

    /// At most `most` completions.
    pub(super) async fn poll(&mut self, queue: u8, most: u32) -> Reply {
        self.completion_queue(queue)?;
        let mut found = Vec::new();
        while found.len() < most as usize {
            match self.consume(queue).await? {
                Some(completion) => found.push(completion),
                None if !found.is_empty() => break,
                None => return Ok(self.find_empty().await),
            }
        }
        Ok(Answer::Completions(found))
    }

    pub(super) fn request_notification(&mut self, queue: u8) -> Reply {
        // Completions before the request are no events, consumed or not (IBA volume 1, section 11.4.2.2).
        let count = self.first_unseen(queue);
        self.completion_queue(queue)?.armed = count;
        Ok(Answer::Done)
    }

    /// Waits for an event of one of these queues; the number of the queue.
    pub(super) async fn wait_for_event(&mut self, queues: &[u8]) -> Reply {
        for queue in queues {
            self.completion_queue(*queue)?;
        }
        let mut looking = Looking::begin(self.host().processor());
        loop {
            if let Some(event) = self.event_at(queues)? {
                let now = self.host().processor().now();
                if event > now {
                    self.host().compute(event - now).await;
                }
            }
            if let Some(queue) = self.take_event_of(queues)? {
                return Ok(Answer::Number(queue.into()));
            }
            self.host().compute(self.host().costs().turn).await;
            looking.again().await;
        }
    }

    /// The event of one of these queues that has reached the program, if there is one; its queue is no longer armed.
    pub(super) fn take_event_of(&mut self, queues: &[u8]) -> Result<Option<u8>, i32> {
        let now = self.host().processor().now();
        for queue in queues {
            if self.event_at(&[*queue])?.is_some_and(|event| event <= now) {
                let of = self.completion_queue(*queue)?;
                (of.armed, of.event) = (None, None);
                return Ok(Some(*queue));
            }
        }
        Ok(None)
    }

    /// The time at which the first event of these queues reaches the program, once its completion is there.
    fn event_at(&mut self, queues: &[u8]) -> Result<Option<Time>, i32> {
        let now = self.host().processor().now();
        let mut first = None;
        for queue in queues {
            let Some(count) = self.completion_queue(*queue)?.armed else { continue };
            if self.completion_queue(*queue)?.event.is_none() && self.is_valid(*queue, count)? {
                self.completion_queue(*queue)?.event = Some(now + EVENT_LATENCY);
            }
            let event = self.completion_queue(*queue)?.event;
            first = [first, event].into_iter().flatten().min();
        }
        Ok(first)
    }

    /// Whether the adapter has written the completion of this count: the valid bit in its last word, which is written
    /// last, alternates from lap to lap.
    pub(super) fn is_valid(&mut self, queue: u8, count: u16) -> Result<bool, i32> {
        let of = self.completion_queue(queue)?;
        let (last, lap) = (of.address(count) + 24, u64::from(count >> of.log & 1 == 0));
        Ok(self.host().memory_word(last) & 1 == lap)
    }

    /// Consumes the next completion, if there is one. Completions of destroyed queue pairs are skipped.
    async fn consume(&mut self, queue: u8) -> Result<Option<Completion>, i32> {
        loop {
            let count = self.completion_queue(queue)?.consumed;
            if !self.is_valid(queue, count)? {
                return Ok(None);
            }
            let completion = self.consume_entry(queue).await?;
            if completion.is_some() {
                return Ok(completion);
            }
        }
    }

    /// Consumes the next entry, which is valid; none if its queue pair has been destroyed.
    async fn consume_entry(&mut self, queue: u8) -> Result<Option<Completion>, i32> {
        let count = self.completion_queue(queue)?.consumed;
        let at = self.completion_queue(queue)?.address(count);
        let [first, second, third] = [0, 8, 16].map(|word| self.host().memory_word(at + word));
        self.host().compute(self.host().costs().line + self.host().costs().complete).await;
        let of = self.completion_queue(queue)?;
        of.consumed = count.wrapping_add(1);
        if of.consumed.wrapping_sub(of.reported) >= DOORBELL_BATCH {
            of.reported = of.consumed;
            let consumed = of.consumed;
            self.host().ring(Doorbell::CompletionBell, queue, consumed).await;
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
            pair.sends.completed = index.wrapping_add(1);
            completion.id = pair.sends.requests[pair.sends.index(index)];
            return Ok(Some(completion));
        }
        pair.receives.completed = index.wrapping_add(1);
        let (id, mut buffer) = pair.receives.requests[pair.receives.index(index)];
        completion.id = id;
        buffer.length = if status == 0 { bytes.min(buffer.length) } else { 0 };
        let data = match self.address(buffer) {
            Some(address) => self.host().memory(address, buffer.length as usize),
            None => Vec::new(),
        };
        completion.received = Some((buffer, ByteBuf::from(data)));
        Ok(Some(completion))
    }
}
