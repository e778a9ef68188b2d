//! Reduce: a binomial tree; for long operands a reduce-scatter and a gather (Rabenseifner).

use super::broadcast::children;
use super::{Channel, Reduce, parts};
use crate::error::Error;
use crate::operation::Operation;

impl Channel {
    pub(super) async fn reduce(
        &self,
        bytes: Vec<u8>,
        operation: &Operation,
        root: usize,
    ) -> Result<Vec<u8>, Error> {
        match self.algorithms().reduce(bytes.len(), self.size(), operation) {
            Reduce::Binomial if operation.is_commutative() => {
                self.reduce_binomial(bytes, operation, root).await
            }
            Reduce::Binomial => self.reduce_in_order(bytes, operation, root).await,
            Reduce::ScatterGather => self.reduce_scatter_gather(bytes, operation, root).await,
        }
    }

    /// Each rank combines its operand with the results of its children. A subtree covers consecutive ranks,
    /// beginning at the root.
    pub(super) async fn reduce_binomial(
        &self,
        bytes: Vec<u8>,
        operation: &Operation,
        root: usize,
    ) -> Result<Vec<u8>, Error> {
        let (place, count) = (self.place(root), bytes.len());
        let mut mine = bytes;
        for child in children(place, self.size()) {
            let other = self.receive(self.at(child, root), count).await?;
            mine = self.combine(operation, &mine, other).await?;
        }
        match self.parent(place) {
            None => Ok(mine),
            Some(parent) => self.send(self.at(parent, root), mine).await.map(|()| Vec::new()),
        }
    }

    /// For operations that do not commute: reduces to rank 0, whose tree keeps the order of ranks, then sends
    /// the result to the root.
    async fn reduce_in_order(
        &self,
        bytes: Vec<u8>,
        operation: &Operation,
        root: usize,
    ) -> Result<Vec<u8>, Error> {
        let count = bytes.len();
        let result = self.reduce_binomial(bytes, operation, 0).await?;
        match self.rank() {
            0 if root != 0 => self.send(root, result).await.map(|()| Vec::new()),
            rank if rank == root && root != 0 => self.receive(0, count).await,
            _ => Ok(result),
        }
    }

    async fn reduce_scatter_gather(
        &self,
        bytes: Vec<u8>,
        operation: &Operation,
        root: usize,
    ) -> Result<Vec<u8>, Error> {
        let counts = parts::split(bytes.len(), operation.element(), self.size());
        let part = self.reduce_scatter_pairwise(bytes, &counts, operation).await?;
        self.gatherv(part, &counts, root).await
    }
}
