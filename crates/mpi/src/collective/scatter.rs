//! Scatter: the algorithms of gather in reverse.

use super::broadcast::children;
use super::{Channel, Gather, parts};
use crate::error::Error;

impl Channel {
    pub(super) async fn scatter(&self, bytes: Vec<u8>, count: usize, root: usize) -> Result<Vec<u8>, Error> {
        match self.algorithms().gather(count, self.size()) {
            Gather::Binomial => self.scatter_binomial(bytes, count, root).await,
            Gather::Linear => self.scatterv(bytes, &vec![count; self.size()], count, root).await,
        }
    }

    /// Each rank receives the parts of its subtree and forwards those of its children.
    async fn scatter_binomial(&self, bytes: Vec<u8>, count: usize, root: usize) -> Result<Vec<u8>, Error> {
        let place = self.place(root);
        let mut mine = match self.parent(place) {
            None => {
                // Rotates from the order of ranks to the order of places.
                let mut bytes = bytes;
                bytes.rotate_left(root * count);
                self.charge(if root == 0 { 0 } else { bytes.len() });
                bytes
            }
            Some(parent) => self.receive(self.at(parent, root), count * self.below(place)).await?,
        };
        for child in children(place, self.size()).rev() {
            let part = mine.split_off((child - place) * count);
            self.send(self.at(child, root), part).await?;
        }
        Ok(mine)
    }

    pub(super) async fn scatterv(
        &self,
        bytes: Vec<u8>,
        counts: &[usize],
        count: usize,
        root: usize,
    ) -> Result<Vec<u8>, Error> {
        self.scatterv_linear(bytes, counts, count, root).await
    }

    /// The root sends directly to every rank.
    pub(super) async fn scatterv_linear(
        &self,
        bytes: Vec<u8>,
        counts: &[usize],
        count: usize,
        root: usize,
    ) -> Result<Vec<u8>, Error> {
        if self.rank() != root {
            return self.receive(root, count).await;
        }
        let mut sends = Vec::with_capacity(self.size());
        let ranges = parts::ranges(counts);
        for (rank, range) in ranges.iter().enumerate().filter(|(rank, _)| *rank != root) {
            sends.push(self.begin_send(rank, bytes[range.clone()].to_vec())?);
        }
        for send in sends {
            send.end().await?;
        }
        self.charge(count);
        Ok(bytes[ranges[root].clone()].to_vec())
    }
}
