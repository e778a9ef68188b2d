//! All-to-all: pairwise exchange; for short parts Bruck's algorithm, which sends each part several times but
//! far fewer messages.

use super::{Alltoall, Channel, parts};
use crate::error::Error;

impl Channel {
    pub(super) async fn alltoall(&self, bytes: Vec<u8>) -> Result<Vec<u8>, Error> {
        let count = bytes.len() / self.size();
        match self.algorithms().alltoall(count, self.size()) {
            Alltoall::Bruck => self.alltoall_bruck(bytes, count).await,
            Alltoall::Pairwise => {
                let counts = vec![count; self.size()];
                self.alltoallv(bytes, &counts, &counts).await
            }
        }
    }

    /// In step `k` every rank sends to the rank `k` places after it and receives from the rank `k` places
    /// before it.
    pub(super) async fn alltoallv(
        &self,
        bytes: Vec<u8>,
        sends: &[usize],
        receives: &[usize],
    ) -> Result<Vec<u8>, Error> {
        let (from, to) = (parts::ranges(sends), parts::ranges(receives));
        let mut all = vec![0; parts::total(receives)?];
        let rank = self.rank();
        super::filled(&bytes[from[rank].clone()], receives[rank])?;
        all[to[rank].clone()].copy_from_slice(&bytes[from[rank].clone()]);
        self.charge(receives[rank]);
        for step in 1..self.size() {
            let (next, last) = (self.behind(step), self.before(step));
            let part = bytes[from[next].clone()].to_vec();
            let part = self.exchange(next, part, last, receives[last]).await?;
            all[to[last].clone()].copy_from_slice(&part);
        }
        Ok(all)
    }

    /// A part with distance `d` to its receiver travels by the bits of `d`: step `k` moves all parts with bit
    /// `k` set by 2^k places.
    async fn alltoall_bruck(&self, bytes: Vec<u8>, count: usize) -> Result<Vec<u8>, Error> {
        let (size, rank) = (self.size(), self.rank());
        // Parts ordered by the distance to their receivers.
        let mut mine = bytes;
        mine.rotate_left(rank * count);
        self.charge(mine.len());
        let mut distance = 1;
        while distance < size {
            let moving: Vec<_> = (0..size).filter(|part| part & distance != 0).collect();
            let packed = moving.iter().flat_map(|part| &mine[part * count..][..count]).copied().collect();
            let (to, from) = (self.behind(distance), self.before(distance));
            let got = self.exchange(to, packed, from, moving.len() * count).await?;
            for (part, bytes) in moving.iter().zip(got.chunks_exact(count.max(1))) {
                mine[part * count..][..count].copy_from_slice(bytes);
            }
            self.charge(2 * moving.len() * count);
            distance *= 2;
        }
        // A part with distance `d` came from the rank `d` places before.
        let parts = (0..size).map(|from| (rank + size - from) % size);
        let all = parts.flat_map(|part| &mine[part * count..][..count]).copied().collect();
        self.charge(mine.len());
        Ok(all)
    }
}
