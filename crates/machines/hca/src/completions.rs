//! The completion queue as a program reads it.

use hca::layout::{RECEIVED, Status};
use hca::registers::Doorbell;

use crate::Port;
use crate::layout::{COMPLETIONS, COMPLETIONS_LOG};
use crate::library_cost::TAKEN;
use crate::verbs::COMPLETION_QUEUE;

/// Completions taken between two doorbells of the completion queue.
const TAKEN_TOGETHER: u16 = 64;

/// An entry of the completion queue.
pub(crate) struct Entry {
    /// Sequence number of the request in its ring; wraps.
    pub index: u16,
    pub pair: u8,
    /// Set for the receive ring.
    pub received: bool,
    pub status: Status,
    /// Sending host of a datagram.
    pub source: usize,
    /// Bytes received; for a datagram, the 40 bytes of the global route header included.
    pub bytes: u32,
}

/// Address of an entry, by its sequence number.
fn place(count: u16) -> u32 {
    COMPLETIONS + 32 * u32::from(count & ((1 << COMPLETIONS_LOG) - 1))
}

impl Port {
    /// Number of completions that were not taken.
    pub(crate) fn waiting(&self) -> usize {
        let taken = self.verbs.taken.get();
        (0..1 << COMPLETIONS_LOG).take_while(|more| self.has_come(taken.wrapping_add(*more))).count()
    }

    /// Whether an entry has arrived: its last word is written last, with a bit that is inverted in each lap.
    fn has_come(&self, taken: u16) -> bool {
        self.host.memory_word(place(taken) + 24) & 1 != u64::from(taken >> COMPLETIONS_LOG & 1)
    }

    /// Takes the next entry of the completion queue.
    pub(crate) async fn entry(&self) -> Option<Entry> {
        let taken = self.verbs.taken.get();
        if !self.has_come(taken) {
            self.host.compute(self.host.costs().turn).await;
            return None;
        }
        let [first, second, third] = [0, 8, 16].map(|word| self.host.memory_word(place(taken) + word));
        let (index, pair, operation) = (first as u16, (first >> 16) as u8, (first >> 24) as u8);
        let received = operation & RECEIVED != 0;
        if received {
            self.host.processor().mark("completion");
        }
        let (read, time) = (self.host.costs().line, self.host.completion_time());
        if received && self.host.verbs_library().is_counted() {
            self.host.compute(time).await;
            self.host.processor().mark(TAKEN);
            self.host.compute(read).await;
        } else {
            self.host.compute(read + time).await;
        }
        let taken = taken.wrapping_add(1);
        self.verbs.taken.set(taken);
        if taken.wrapping_sub(self.verbs.told.get()) >= TAKEN_TOGETHER {
            self.verbs.told.set(taken);
            self.host.ring(Doorbell::CompletionBell, COMPLETION_QUEUE, taken).await;
        }
        if !received {
            self.verbs.update(pair, |pair| pair.done = index.wrapping_add(1));
        }
        let status = Status::from_code((third >> 16) as u8).unwrap_or(Status::OperationError);
        let source = usize::from(third as u16).saturating_sub(1);
        Some(Entry { index, pair, received, status, source, bytes: second as u32 })
    }
}
