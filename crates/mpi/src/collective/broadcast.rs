//! Broadcast: a binomial tree; for long messages a scatter followed by a ring allgather.

use super::{Broadcast, Channel, parts};
use crate::error::Error;

impl Channel {
    pub(super) async fn broadcast(&self, bytes: Vec<u8>, root: usize) -> Result<Vec<u8>, Error> {
        match self.algorithms().broadcast(bytes.len(), self.size()) {
            Broadcast::Binomial => self.broadcast_binomial(bytes, root).await,
            Broadcast::ScatterRing => self.broadcast_scatter_ring(bytes, root).await,
        }
    }

    /// Every rank that has the data passes it to the roots of its subtrees, the largest subtree first.
    pub(super) async fn broadcast_binomial(&self, bytes: Vec<u8>, root: usize) -> Result<Vec<u8>, Error> {
        let (place, size) = (self.place(root), self.size());
        let bytes = match self.parent(place) {
            None => bytes,
            Some(parent) => self.receive(self.at(parent, root), bytes.len()).await?,
        };
        for child in children(place, size).rev() {
            self.send(self.at(child, root), bytes.clone()).await?;
        }
        Ok(bytes)
    }

    /// The root scatters the data; a ring allgather then distributes all parts (van de Geijn).
    async fn broadcast_scatter_ring(&self, bytes: Vec<u8>, root: usize) -> Result<Vec<u8>, Error> {
        let counts = parts::split(bytes.len(), 1, self.size());
        let own = self.scatterv_linear(bytes, &counts, counts[self.rank()], root).await?;
        self.allgather_ring(own, &counts).await
    }

    /// Place of this rank in a tree whose root has place 0.
    pub(super) fn place(&self, root: usize) -> usize {
        (self.rank() + self.size() - root) % self.size()
    }

    /// Rank at a place of the tree.
    pub(super) fn at(&self, place: usize, root: usize) -> usize {
        (place + root) % self.size()
    }

    /// Parent of a place in the binomial tree: the place without its lowest set bit.
    pub(super) fn parent(&self, place: usize) -> Option<usize> {
        (place > 0).then(|| place & (place - 1))
    }
}

/// Children of a place in the binomial tree, nearest first: the place with one more bit set below its lowest
/// set bit.
pub(super) fn children(place: usize, size: usize) -> impl DoubleEndedIterator<Item = usize> {
    let bits = if place == 0 { usize::BITS } else { place.trailing_zeros() };
    let last = if size > 1 { (size - 1).ilog2() + 1 } else { 0 };
    (0..bits.min(last)).map(move |bit| place + (1 << bit)).filter(move |child| *child < size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_of_a_binomial_tree_are_all_ranks_once() {
        for size in 1..40 {
            let mut all: Vec<_> = (0..size).flat_map(|place| children(place, size)).collect();
            all.sort_unstable();
            assert_eq!(all, (1..size).collect::<Vec<_>>());
        }
        assert_eq!(children(4, 16).collect::<Vec<_>>(), [5, 6]);
    }
}
