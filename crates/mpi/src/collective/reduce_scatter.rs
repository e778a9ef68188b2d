//! Reduce-scatter: pairwise, on a ring, or, for operations that do not commute, a reduce and a scatter.

use super::{Channel, ReduceScatter, parts};
use crate::error::Error;
use crate::operation::Operation;

impl Channel {
    pub(super) async fn reduce_scatter(
        &self,
        bytes: Vec<u8>,
        counts: &[usize],
        operation: &Operation,
    ) -> Result<Vec<u8>, Error> {
        match self.algorithms().reduce_scatter(bytes.len(), self.size(), operation) {
            ReduceScatter::Pairwise => self.reduce_scatter_pairwise(bytes, counts, operation).await,
            ReduceScatter::Ring => self.reduce_scatter_ring(bytes, counts, operation).await,
            ReduceScatter::ReduceScatterv => {
                let all = self.reduce(bytes, operation, 0).await?;
                self.scatterv(all, counts, counts[self.rank()], 0).await
            }
        }
    }

    /// In step `k` every rank sends its operand for the part of the rank `k` places after it. The order of
    /// operands changes.
    pub(super) async fn reduce_scatter_pairwise(
        &self,
        bytes: Vec<u8>,
        counts: &[usize],
        operation: &Operation,
    ) -> Result<Vec<u8>, Error> {
        let (rank, ranges) = (self.rank(), parts::ranges(counts));
        let mut mine = bytes[ranges[rank].clone()].to_vec();
        for step in 1..self.size() {
            let (next, last) = (self.behind(step), self.before(step));
            let part = bytes[ranges[next].clone()].to_vec();
            let theirs = self.exchange(next, part, last, counts[rank]).await?;
            mine = self.combine_with(operation, mine, last, theirs).await?;
        }
        Ok(mine)
    }

    /// Each part travels once round the ring, and every rank combines its operand with it. The order of
    /// operands changes.
    pub(super) async fn reduce_scatter_ring(
        &self,
        bytes: Vec<u8>,
        counts: &[usize],
        operation: &Operation,
    ) -> Result<Vec<u8>, Error> {
        let ranges = parts::ranges(counts);
        let own = |part: usize| bytes[ranges[part].clone()].to_vec();
        let mut mine = own(self.before(1));
        for step in 1..self.size() {
            let part = self.before(step + 1);
            let theirs = self.exchange(self.behind(1), mine, self.before(1), counts[part]).await?;
            mine = self.combine(operation, &theirs, own(part)).await?;
        }
        Ok(mine)
    }
}
