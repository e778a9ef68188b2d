//! Shared receive queues, as far as the wires show them: what the host posts, and the CQEs of what was taken.

use super::Adapter;
use crate::contexts::{Attributes, SharedQueue};

/// Possible states of a shared receive queue, for the next message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shared {
    /// It may be empty.
    pub empty: bool,
    /// Its doorbell may be beyond its ring.
    pub beyond: bool,
}

/// The ring of a shared receive queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ring {
    log: u8,
    /// WQEs posted; the counter wraps.
    posted: u16,
    /// WQEs taken at least: up to the latest one that has a CQE.
    taken: u16,
    /// Queue pairs that may have taken a WQE without a CQE.
    holders: u16,
    /// Until then the command that sets it up may still run, and clear a doorbell that was rung after it.
    settled: u64,
    /// A doorbell was rung or a WQE was taken before that.
    unsure: bool,
}

impl Ring {
    /// The host rings the doorbell.
    pub fn post(&mut self, posted: u16, now: u64) {
        self.posted = posted;
        self.unsure |= now < self.settled;
    }

    fn shared(&self) -> Shared {
        let waiting = self.posted.wrapping_sub(self.taken);
        let empty = self.unsure || waiting <= self.holders;
        Shared { empty, beyond: self.unsure || u32::from(waiting) > 1 << self.log }
    }
}

/// The shared receive queue of a queue pair.
fn number(attributes: &Attributes) -> Option<u8> {
    attributes.shares().then_some(attributes.shared_queue)
}

impl Adapter {
    /// A command sets up a shared receive queue.
    pub(super) fn set_shared(&mut self, queue: u8, row: &SharedQueue, settled: u64) {
        let of_queue = |pair: &&super::QueuePair| number(&pair.attributes) == Some(queue);
        let holders = self.pairs.values().filter(of_queue).count() as u16;
        let SharedQueue { log, taken, .. } = *row;
        self.shared.insert(queue, Ring { log, posted: 0, taken, holders, settled, unsure: false });
        self.share();
    }

    /// A queue pair with these attributes begins: it may take a WQE.
    pub(super) fn hold(&mut self, attributes: &Attributes) {
        if let Some(ring) = number(attributes).and_then(|queue| self.shared.get_mut(&queue)) {
            ring.holders += 1;
        }
        self.share();
    }

    /// The CQE of a receive WQE with this count is written.
    pub(super) fn take_shared(&mut self, pair: u8, count: u16, now: u64) {
        let Some(row) = self.pairs.get(&pair) else { return };
        if let Some(ring) = number(&row.attributes).and_then(|queue| self.shared.get_mut(&queue)) {
            let after = count.wrapping_add(1);
            ring.unsure |= now < ring.settled;
            if after.wrapping_sub(ring.taken) < 1 << 15 {
                ring.taken = after;
            }
            self.share();
        }
    }

    /// Tells the queue pairs what their shared receive queues may do.
    pub(super) fn share(&mut self) {
        for row in self.pairs.values_mut() {
            let queue = number(&row.attributes);
            // A queue that was never set up has one place and no WQE.
            let unknown = Shared { empty: true, beyond: true };
            let shared = queue.map(|queue| self.shared.get(&queue).map_or(unknown, Ring::shared));
            // A lost CQE leaves unknown what was taken.
            let loses = self.queues.get(&row.attributes.receive_cq).is_none_or(|queue| queue.loses);
            row.responder.share(shared.map(|shared| Shared { empty: shared.empty || loses, ..shared }));
        }
    }
}
