//! Allreduce: recursive doubling; Rabenseifner's algorithm or a ring for long operands; reduce and broadcast
//! as in MPICH 1.0.

use super::{Allreduce, Channel, parts};
use crate::error::Error;
use crate::operation::Operation;

impl Channel {
    pub(super) async fn allreduce(&self, bytes: Vec<u8>, operation: &Operation) -> Result<Vec<u8>, Error> {
        match self.algorithms().allreduce(bytes.len(), self.size(), operation) {
            Allreduce::RecursiveDoubling => self.allreduce_doubling(bytes, operation).await,
            Allreduce::Rabenseifner => self.allreduce_rabenseifner(bytes, operation).await,
            Allreduce::Ring => {
                let counts = parts::split(bytes.len(), operation.element(), self.size());
                let part = self.reduce_scatter_ring(bytes, &counts, operation).await?;
                self.allgather_ring(part, &counts).await
            }
            Allreduce::ReduceBroadcast => {
                let count = bytes.len();
                let result = self.reduce(bytes, operation, 0).await?;
                let result = if self.rank() == 0 { result } else { vec![0; count] };
                self.broadcast_binomial(result, 0).await
            }
        }
    }

    /// In step `k` ranks that are 2^k places apart exchange and combine their results so far.
    async fn allreduce_doubling(&self, bytes: Vec<u8>, operation: &Operation) -> Result<Vec<u8>, Error> {
        let count = bytes.len();
        let Some((mut mine, team)) = self.fold(bytes, operation).await? else {
            return self.receive(self.rank() + 1, count).await;
        };
        let mut distance = 1;
        while distance < team.size {
            let other = team.rank(team.place ^ distance);
            let theirs = self.exchange(other, mine.clone(), other, count).await?;
            mine = self.combine_with(operation, mine, other, theirs).await?;
            distance *= 2;
        }
        self.unfold(&team, &mine).await?;
        Ok(mine)
    }

    /// Recursive halving leaves each rank with one part of the result; recursive doubling then gathers the
    /// parts.
    async fn allreduce_rabenseifner(&self, bytes: Vec<u8>, operation: &Operation) -> Result<Vec<u8>, Error> {
        let count = bytes.len();
        let Some((mut mine, team)) = self.fold(bytes, operation).await? else {
            return self.receive(self.rank() + 1, count).await;
        };
        let ranges = parts::ranges(&parts::split(count, operation.element(), team.size));
        // Bytes of the parts of places `from` up to, but without, `to`.
        let span = |from: usize, to: usize| ranges[from].start..ranges[to - 1].end;
        let (mut from, mut to) = (0, team.size);
        let mut halves = Vec::new();
        while to - from > 1 {
            let middle = (from + to) / 2;
            let distance = (to - from) / 2;
            let ((keep, keep_to), (give, give_to)) = match team.place < middle {
                true => ((from, middle), (middle, to)),
                false => ((middle, to), (from, middle)),
            };
            let other = team.rank(team.place ^ distance);
            let (kept, given) = (span(keep, keep_to), span(give, give_to));
            let theirs = self.exchange(other, mine[given.clone()].to_vec(), other, kept.len()).await?;
            let own = mine[kept.clone()].to_vec();
            let both = self.combine_with(operation, own, other, theirs).await?;
            mine[kept.clone()].copy_from_slice(&both);
            halves.push((other, kept, given));
            (from, to) = (keep, keep_to);
        }
        for (other, kept, given) in halves.into_iter().rev() {
            let theirs = self.exchange(other, mine[kept].to_vec(), other, given.len()).await?;
            mine[given].copy_from_slice(&theirs);
        }
        self.unfold(&team, &mine).await?;
        Ok(mine)
    }

    /// Reduces the ranks to a power of two: each even rank of the first `2 * extra` sends its operand to the
    /// odd rank after it and takes no part (`None`) until it receives the result.
    async fn fold(&self, bytes: Vec<u8>, operation: &Operation) -> Result<Option<(Vec<u8>, Team)>, Error> {
        let (rank, size) = (self.rank(), 1 << self.size().ilog2());
        let extra = self.size() - size;
        if rank >= 2 * extra {
            return Ok(Some((bytes, Team { size, extra, place: rank - extra })));
        }
        if rank.is_multiple_of(2) {
            self.send(rank + 1, bytes).await?;
            return Ok(None);
        }
        let other = self.receive(rank - 1, bytes.len()).await?;
        let both = self.combine(operation, &other, bytes).await?;
        Ok(Some((both, Team { size, extra, place: rank / 2 })))
    }

    /// Sends the result to the neighbour that took no part.
    async fn unfold(&self, team: &Team, result: &[u8]) -> Result<(), Error> {
        match team.place < team.extra {
            true => self.send(self.rank() - 1, result.to_vec()).await,
            false => Ok(()),
        }
    }
}

/// The ranks that take part: a power of two, in order.
struct Team {
    size: usize,
    extra: usize,
    place: usize,
}

impl Team {
    fn rank(&self, place: usize) -> usize {
        if place < self.extra { 2 * place + 1 } else { place + self.extra }
    }
}
