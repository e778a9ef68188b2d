//! Completion queues: polling, and waiting for an event.

use cluster::host::Looking;
use cluster::{Duration, Time};
use hca::contexts::{self, CQS, Kind};
use hca::layout::{CQE_BYTES, GRH_BYTES};
use hca::registers::Doorbell;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::Reply;
use super::adapter::Adapter;
use super::completion_queue::{CompletionQueue, Entry, OwnCompletion, PAIR_BITS};
use super::errno::{EBUSY, EINVAL, EIO, ENOMEM};
use super::failures::FLUSHED;
use super::queue_pair::{Bounce, Receive};
use crate::verbs::call::{Answer, CompletedOperation, Completion, QueuePairInit};

/// Logarithm of the largest queue: 32,768 entries.
pub(super) const MOST_ENTRIES_LOG: u8 = 15;
/// Completions that are consumed before the doorbell tells the adapter.
const DOORBELL_BATCH: u16 = 16;
/// Entries beyond those that a program asks for: consumed ones, and ones of doorbells in flight.
const SPARE: u32 = 4 * DOORBELL_BATCH as u32;
/// Time from a completion to the return of `ibv_get_cq_event`: interrupt, driver and wake-up. Our choice, the order of
/// magnitude of kernels of 2003 (decision 0066).
const EVENT_LATENCY: Duration = Duration::from_us(10);

/// Logarithm of a ring with at least `entries` entries for the program.
fn entries_log(entries: u32) -> Result<u8, i32> {
    let wanted = entries.checked_add(SPARE).filter(|_| entries > 0).ok_or(EINVAL)?;
    let log = wanted.checked_next_power_of_two().ok_or(EINVAL)?.ilog2() as u8;
    if log > MOST_ENTRIES_LOG { Err(EINVAL) } else { Ok(log) }
}

impl Adapter {
    pub(super) async fn create_completion_queue(&mut self, entries: u32) -> Reply {
        let log = entries_log(entries)?;
        let free = self.completion_queues.iter().position(Option::is_none);
        let number = free.unwrap_or(self.completion_queues.len());
        if number == CQS {
            return Err(ENOMEM);
        }
        let base = self.allocate_ring(log)?;
        let row = contexts::Queue { valid: true, log, base, ..contexts::Queue::default() };
        self.host().write_row(Kind::Completion, number as u8, row).await;
        if number == self.completion_queues.len() {
            self.completion_queues.push(None);
        }
        self.completion_queues[number] = Some(CompletionQueue::new(base, log));
        Ok(Answer::CompletionQueue(number as u8, entries))
    }

    /// Gives a queue a new ring. The entries of the old one become completions of the driver.
    pub(super) async fn resize_completion_queue(&mut self, queue: u8, entries: u32) -> Reply {
        let log = entries_log(entries)?;
        let CompletionQueue { base: old, is_broken, .. } = *self.completion_queue(queue)?;
        if is_broken {
            return Err(EIO);
        }
        let base = self.allocate_ring(log)?;
        self.stop_engines().await;
        self.take_entries(queue, None).await?;
        let waiting = self.completion_queue(queue)?.own.len();
        let is_too_small = waiting > entries as usize;
        let (log, base, freed) =
            if is_too_small { (self.completion_queue(queue)?.log, old, base) } else { (log, base, old) };
        if is_too_small {
            self.clear_ring(base, log);
        }
        let row = contexts::Queue { valid: true, log, base, ..contexts::Queue::default() };
        self.host().write_row(Kind::Completion, queue, row).await;
        let of = self.completion_queue(queue)?;
        (of.base, of.log, of.consumed, of.reported, of.inspected) = (base, log, 0, 0, 0);
        of.own.iter_mut().for_each(|own| own.behind = 0);
        of.armed = of.armed.map(|(_, added)| (0, added));
        self.memory.free(freed);
        self.start_engines().await;
        if is_too_small { Err(EINVAL) } else { Ok(Answer::CompletionQueue(queue, entries)) }
    }

    /// Memory for a ring, without valid bits of an earlier one.
    fn allocate_ring(&mut self, log: u8) -> Result<u32, i32> {
        let base = self.memory.allocate(u64::from(CQE_BYTES) << log)?;
        self.clear_ring(base, log);
        Ok(base)
    }

    fn clear_ring(&self, base: u32, log: u8) {
        self.host().set_memory(base, &vec![0; usize::from(CQE_BYTES) << log]);
    }

    /// Numbers of the completion queues, up to the highest one that was in use.
    pub(super) fn queue_numbers(&self) -> impl Iterator<Item = u8> + use<> {
        (0..=u8::MAX).take(self.completion_queues.len())
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
        self.forget_events_of_queue(queue);
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
                None if self.completion_queue(queue)?.is_broken => return Err(EIO),
                None => return Ok(self.find_empty().await),
            }
        }
        Ok(Answer::Completions(found))
    }

    pub(super) fn request_notification(&mut self, queue: u8) -> Reply {
        // Completions before the request are no events, consumed or not (IBA volume 1, section 11.4.2.2).
        let count = self.first_unseen(queue).ok_or(EINVAL)?;
        let of = self.completion_queue(queue)?;
        of.armed = Some((count, of.added));
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
            self.handle_interrupt().await;
            self.end_turn(&mut looking).await;
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
            let CompletionQueue { armed, added, event, .. } = *self.completion_queue(*queue)?;
            let Some((count, before)) = armed else { continue };
            let is_new = event.is_none() && (added > before || self.is_valid(*queue, count)?);
            let event = if is_new { Some(now + EVENT_LATENCY) } else { event };
            self.completion_queue(*queue)?.event = event;
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

    /// Count of the entry behind those that the adapter has written.
    pub(super) fn end(&mut self, queue: u8) -> Result<u16, i32> {
        let CompletionQueue { consumed, log, .. } = *self.completion_queue(queue)?;
        let mut count = consumed;
        while usize::from(count.wrapping_sub(consumed)) < 1 << log && self.is_valid(queue, count)? {
            count = count.wrapping_add(1);
        }
        Ok(count)
    }

    /// The entry of this count, which is valid.
    pub(super) fn entry(&mut self, queue: u8, count: u16) -> Result<Entry, i32> {
        let at = self.completion_queue(queue)?.address(count);
        let time = self.host().written_at(at).unwrap_or_default();
        Ok(Entry::of([0, 8, 16].map(|word| self.host().memory_word(at + word)), time))
    }

    /// Adds a completion of the driver behind this count of the ring.
    pub(super) fn add_own(&mut self, queue: u8, own: OwnCompletion) {
        if let Ok(of) = self.completion_queue(queue)
            && !of.is_broken
        {
            of.own.push_back(own);
            of.added += 1;
        }
    }

    /// Takes the entries of a queue pair, or of all, out of the ring; they become completions of the driver.
    pub(super) async fn take_entries(&mut self, queue: u8, of_pair: Option<u8>) -> Result<(), i32> {
        let (mut count, end) = (self.completion_queue(queue)?.consumed, self.end(queue)?);
        while count != end {
            let entry = self.entry(queue, count)?;
            if of_pair.is_none_or(|pair| pair == entry.pair) {
                self.void_entry(queue, count)?;
                let completed = entry.index.wrapping_add(1);
                if let Some(completion) = self.complete(entry).await {
                    self.add_own(queue, OwnCompletion { behind: count, completed, completion });
                }
            }
            count = count.wrapping_add(1);
        }
        Ok(())
    }

    /// Removes all completions of a queue pair.
    pub(super) fn discard_entries(&mut self, pair: u8) {
        for queue in self.queue_numbers() {
            let Ok(end) = self.end(queue) else { continue };
            let Ok(of) = self.completion_queue(queue) else { continue };
            of.own.retain(|own| own.completion.pair != pair);
            let mut count = of.consumed;
            while count != end {
                if let Ok(entry) = self.entry(queue, count)
                    && entry.pair == pair
                {
                    let _ = self.void_entry(queue, count);
                    let shared = self.pair(pair).ok().and_then(|pair| pair.shared);
                    if let Some(shared) = shared.filter(|_| entry.is_receive()) {
                        self.discard_shared(shared, entry.index);
                    }
                }
                count = count.wrapping_add(1);
            }
        }
    }

    /// Gives an entry the number of no queue pair, so that it is skipped.
    fn void_entry(&mut self, queue: u8, count: u16) -> Result<(), i32> {
        let at = self.completion_queue(queue)?.address(count);
        let void = self.host().memory_word(at) | PAIR_BITS;
        self.host().set_memory(at, &void.to_le_bytes());
        Ok(())
    }

    /// Consumes the next completion, if there is one. Completions of destroyed queue pairs are skipped.
    pub(super) async fn consume(&mut self, queue: u8) -> Result<Option<Completion>, i32> {
        loop {
            if let Some(own) = self.completion_queue(queue)?.take_own() {
                self.host().compute(self.host().completion_time()).await;
                self.settle(&own);
                return Ok(Some(own.completion));
            }
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

    /// The requests up to that of a completion of the driver have left their ring.
    fn settle(&mut self, own: &OwnCompletion) {
        let Ok(pair) = self.pair(own.completion.pair) else { return };
        // The count of a shared receive queue is noted when its request leaves it.
        if pair.shared.is_some() && own.completion.operation.is_receive() {
            return;
        }
        let completed = match own.completion.operation.is_receive() {
            true => &mut pair.receives.completed,
            false => &mut pair.sends.completed,
        };
        if own.completed.wrapping_sub(*completed) as i16 > 0 {
            *completed = own.completed;
        }
    }

    /// Consumes the next entry, which is valid; none if its queue pair has been destroyed.
    async fn consume_entry(&mut self, queue: u8) -> Result<Option<Completion>, i32> {
        let count = self.completion_queue(queue)?.consumed;
        let entry = self.entry(queue, count)?;
        self.host().compute(self.host().costs().line + self.host().completion_time()).await;
        let of = self.completion_queue(queue)?;
        of.consumed = count.wrapping_add(1);
        if of.inspected == count {
            of.inspected = of.consumed;
        }
        if of.consumed.wrapping_sub(of.reported) >= DOORBELL_BATCH {
            of.reported = of.consumed;
            let consumed = of.consumed;
            self.host().ring(Doorbell::CompletionBell, queue, consumed).await;
        }
        let completion = self.complete(entry).await;
        self.note_failure(entry).await;
        Ok(completion)
    }

    /// The completion of an entry; none if its queue pair has been destroyed, or if the program did not ask for it.
    async fn complete(&mut self, entry: Entry) -> Option<Completion> {
        let Entry { index, pair: number, status, bytes, .. } = entry;
        let is_receive = entry.is_receive();
        let pair = self.pair(number).ok()?;
        let mut completion = Completion {
            id: 0,
            status,
            operation: CompletedOperation::Receive,
            time_ps: entry.time.ps(),
            pair: number,
            bytes,
            immediate: entry.has_immediate().then_some(entry.immediate),
            source: entry.source,
            source_lid: entry.source_lid,
        };
        let mut arrived_at = None;
        let (shown, bounces) = if is_receive {
            if entry.is_of_write() {
                completion.operation = CompletedOperation::ReceiveOfWrite;
            }
            if status == 0 {
                pair.count_packets(bytes);
            }
            pair.receives.completed = index.wrapping_add(1);
            let is_datagram = !pair.init.service.is_connected();
            let request = self.take_receive(number, index)?;
            completion.id = request.id;
            let header = if is_datagram { GRH_BYTES.min(bytes) } else { 0 };
            arrived_at = Some((request.buffer.offset as u32 + header, bytes - header));
            (true, vec![request.bounce])
        } else {
            let mut bounces = Vec::new();
            let mut count = pair.sends.completed;
            // Earlier requests without a completion are complete, too.
            while count != index {
                bounces.push(pair.sends.request(count).bounce.take());
                count = count.wrapping_add(1);
            }
            pair.sends.completed = index.wrapping_add(1);
            let request = std::mem::take(pair.sends.request(index));
            (completion.id, completion.operation) = (request.id, request.operation);
            bounces.push(request.bounce);
            (request.signalled || status != 0, bounces)
        };
        let arrived = if status == 0 && !entry.is_of_write() { bytes } else { 0 };
        if let Some((address, length)) = arrived_at.filter(|_| arrived > 0) {
            let data = self.host().bus_bytes(address, length as usize);
            self.digest = xxh3_64_with_seed(&data, self.digest);
        }
        for bounce in bounces.into_iter().flatten() {
            self.scatter(&bounce, arrived).await;
            self.bounce.free(bounce.base);
        }
        shown.then_some(completion)
    }

    /// Takes the receive request of this count out of the ring of a queue pair, or out of its shared receive queue.
    pub(super) fn take_receive(&mut self, number: u8, count: u16) -> Option<Receive> {
        let pair = self.pair(number).ok()?;
        match pair.shared {
            Some(shared) => Some(self.take_shared(shared, count)),
            None => Some(std::mem::take(pair.receives.request(count))),
        }
    }

    /// Copies data that have arrived in a buffer of the driver to those of the program.
    async fn scatter(&mut self, bounce: &Bounce, bytes: u32) {
        let mut done = 0;
        for (address, length) in &bounce.pieces {
            let part = (*length).min(bytes - done);
            let data = self.host().memory(bounce.base + done, part as usize);
            self.host().set_window_bytes(*address, &data);
            self.host().copy(part as usize).await;
            done += part;
        }
    }

    /// Looks at entries that the program has not consumed: errors change the state of their queue pairs.
    pub(super) async fn inspect(&mut self) {
        let mut failed = Vec::new();
        for queue in self.queue_numbers() {
            while let Some(entry) = self.next_uninspected(queue) {
                self.note_arrival(entry);
                if entry.status != 0 {
                    failed.push(entry);
                }
            }
        }
        // Requests are flushed because another one has failed, maybe one of another completion queue.
        failed.sort_by_key(|entry| entry.status == FLUSHED);
        for entry in failed {
            self.note_failure(entry).await;
        }
    }

    /// The next entry that neither the driver nor the program has looked at.
    fn next_uninspected(&mut self, queue: u8) -> Option<Entry> {
        let CompletionQueue { inspected: count, consumed, log, .. } = *self.completion_queue(queue).ok()?;
        let is_whole_ring = usize::from(count.wrapping_sub(consumed)) >= 1 << log;
        if is_whole_ring || !self.is_valid(queue, count).ok()? {
            return None;
        }
        self.completion_queue(queue).ok()?.inspected = count.wrapping_add(1);
        self.entry(queue, count).ok()
    }
}
