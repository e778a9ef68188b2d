//! Allgather: a ring; Bruck's algorithm for short parts of equal lengths.

use super::{Allgather, Channel, parts};
use crate::error::Error;

impl Channel {
    pub(super) async fn allgather(&self, bytes: Vec<u8>, counts: &[usize]) -> Result<Vec<u8>, Error> {
        let all = parts::total(counts)?;
        match self.algorithms().allgather(all, self.size()) {
            Allgather::Bruck => self.allgather_bruck(bytes, counts).await,
            Allgather::Ring => self.allgather_ring(bytes, counts).await,
        }
    }

    /// In each step every rank passes on the part it received in the step before.
    pub(super) async fn allgather_ring(&self, bytes: Vec<u8>, counts: &[usize]) -> Result<Vec<u8>, Error> {
        let (size, ranges) = (self.size(), parts::ranges(counts));
        let mut all = vec![0; parts::total(counts)?];
        all[ranges[self.rank()].clone()].copy_from_slice(&bytes);
        self.charge(bytes.len());
        let mut part = bytes;
        for step in 1..size {
            let from = self.before(step);
            part = self.exchange(self.behind(1), part, self.before(1), counts[from]).await?;
            all[ranges[from].clone()].copy_from_slice(&part);
        }
        Ok(all)
    }

    /// In step `k` every rank holds the parts of 2^k ranks, its own first, and receives as many more from the
    /// rank 2^k places after it.
    async fn allgather_bruck(&self, bytes: Vec<u8>, counts: &[usize]) -> Result<Vec<u8>, Error> {
        let (size, rank) = (self.size(), self.rank());
        // Bytes of `have` parts together, beginning with the part of rank `first`.
        let long = |first: usize, have: usize| (first..first + have).map(|i| counts[i % size]).sum::<usize>();
        let (mut mine, mut have) = (bytes, 1);
        while have < size {
            let more = have.min(size - have);
            let part = mine[..long(rank, more)].to_vec();
            let (to, from) = (self.before(have), self.behind(have));
            mine.extend(self.exchange(to, part, from, long(from, more)).await?);
            have += more;
        }
        mine.rotate_right(long(0, rank));
        self.charge(mine.len());
        Ok(mine)
    }
}
