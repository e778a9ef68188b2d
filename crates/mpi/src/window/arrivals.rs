//! Messages of a window that have arrived, whole or in part. Independent of time and network.

use std::collections::VecDeque;

/// Messages of each rank in the order in which it sent them. A long message is whole only after its successors.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Arrivals<T> {
    queues: Vec<VecDeque<T>>,
    count: usize,
}

impl<T> Arrivals<T> {
    /// No messages of `ranks` ranks.
    pub fn new(ranks: usize) -> Self {
        Arrivals { queues: (0..ranks).map(|_| VecDeque::new()).collect(), count: 0 }
    }

    /// Adds the newest message of a rank. One of no rank of the window is dropped.
    pub fn push(&mut self, from: usize, message: T) {
        if let Some(queue) = self.queues.get_mut(from) {
            queue.push_back(message);
            self.count += 1;
        }
    }

    /// Takes the oldest message of a rank if it is whole: no message overtakes an earlier one.
    pub fn next_whole<W>(&mut self, from: usize, whole: impl FnOnce(&T) -> Option<W>) -> Option<(T, W)> {
        let whole = whole(self.queues[from].front()?)?;
        let message = self.queues[from].pop_front()?;
        self.count -= 1;
        Some((message, whole))
    }

    /// Whether there is no message.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Messages of a rank, the oldest first.
    pub fn of(&self, from: usize) -> impl Iterator<Item = &T> {
        self.queues[from].iter()
    }

    /// Messages of a rank, the oldest first.
    pub fn of_mut(&mut self, from: usize) -> impl Iterator<Item = &mut T> {
        self.queues[from].iter_mut()
    }
}
