//! Gather: a binomial tree whose inner ranks forward the parts of their subtrees, or each rank directly to
//! the root.

use super::broadcast::children;
use super::{Channel, Gather, parts};
use crate::error::Error;

impl Channel {
    pub(super) async fn gather(&self, bytes: Vec<u8>, root: usize) -> Result<Vec<u8>, Error> {
        match self.algorithms().gather(bytes.len(), self.size()) {
            Gather::Binomial => self.gather_binomial(bytes, root).await,
            Gather::Linear => {
                let counts = vec![bytes.len(); self.size()];
                self.gatherv(bytes, &counts, root).await
            }
        }
    }

    async fn gather_binomial(&self, bytes: Vec<u8>, root: usize) -> Result<Vec<u8>, Error> {
        let (place, count) = (self.place(root), bytes.len());
        let mut mine = bytes;
        for child in children(place, self.size()) {
            let below = self.below(child);
            let part = self.receive(self.at(child, root), count * below).await?;
            mine.extend(part);
        }
        if let Some(parent) = self.parent(place) {
            self.send(self.at(parent, root), mine).await?;
            return Ok(Vec::new());
        }
        // Rotates from the order of places to the order of ranks.
        mine.rotate_right(root * count);
        self.charge(if root == 0 { 0 } else { mine.len() });
        Ok(mine)
    }

    /// Every rank sends directly to the root, which has posted all receives.
    pub(super) async fn gatherv(
        &self,
        bytes: Vec<u8>,
        counts: &[usize],
        root: usize,
    ) -> Result<Vec<u8>, Error> {
        if self.rank() != root {
            self.send(root, bytes).await?;
            return Ok(Vec::new());
        }
        let mut receives = Vec::with_capacity(self.size());
        for (rank, count) in counts.iter().enumerate() {
            receives.push((rank != root).then(|| self.begin_receive(rank, *count)).transpose()?);
        }
        let mut all = Vec::with_capacity(parts::total(counts)?);
        for (receive, count) in receives.into_iter().zip(counts) {
            match receive {
                None => all.extend_from_slice(&bytes),
                Some(receive) => {
                    let part = receive.end().await?.bytes;
                    super::filled(&part, *count)?;
                    all.extend(part);
                }
            }
        }
        self.charge(bytes.len());
        Ok(all)
    }

    /// Ranks in the subtree of a place in the binomial tree, the place included.
    pub(super) fn below(&self, place: usize) -> usize {
        let most = if place == 0 { self.size() } else { 1 << place.trailing_zeros() };
        most.min(self.size() - place)
    }
}
