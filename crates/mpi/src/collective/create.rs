//! Creation of communicators from existing ones.
//!
//! All ranks of a new communicator agree on its number: the lowest that none of them uses.

use super::{Channel, Collective};
use crate::communicator::{CONTEXTS, Communicator};
use crate::datatype::Kind;
use crate::error::Error;
use crate::group::Group;
use crate::operation::Operation;
use crate::predefined::Predefined;
use crate::topology::Cartesian;

/// First call number of collective calls over part of a communicator; the program's tag is added to it.
const OF_A_PART: u32 = 1 << 31;

impl Communicator {
    /// Duplicates the group and topology with a new context (`MPI_Comm_dup`).
    pub async fn duplicate(&self) -> Result<Communicator, Error> {
        let number = self.agree().await?;
        let topology = self.topology().cloned();
        Ok(Communicator::new(self.library().clone(), self.group().clone(), self.rank(), number, topology))
    }

    /// Creates a communicator for each color, with ranks ordered by key, then by old rank; `None` for ranks
    /// without a color (`MPI_Comm_split`).
    pub async fn split(&self, color: Option<u32>, key: i64) -> Result<Option<Communicator>, Error> {
        let mut own = [0; 16];
        own[0..4].copy_from_slice(&color.unwrap_or_default().to_le_bytes());
        own[4] = color.is_some().into();
        own[8..16].copy_from_slice(&key.to_le_bytes());
        let all = self.call(Collective::Allgather { bytes: own.to_vec() }).await?;
        let number = self.agree().await?;
        let mut mine: Vec<_> = all
            .as_chunks::<16>()
            .0
            .iter()
            .enumerate()
            .filter(|(_, other)| color.is_some() && other[0..5] == own[0..5])
            .map(|(rank, other)| (i64::from_le_bytes([8, 9, 10, 11, 12, 13, 14, 15].map(|i| other[i])), rank))
            .collect();
        mine.sort_unstable();
        let ranks: Vec<_> = mine.into_iter().map(|(_, rank)| rank).collect();
        let Some(rank) = ranks.iter().position(|rank| *rank == self.rank()) else { return Ok(None) };
        let group = self.group().include(&ranks)?;
        Ok(Some(Communicator::new(self.library().clone(), group, rank, number, None)))
    }

    /// Creates a communicator for each group; every rank of this communicator calls it. Ranks may pass
    /// disjoint groups; `None` for ranks outside the group that they pass (`MPI_Comm_create`).
    pub async fn create(&self, group: &Group) -> Result<Option<Communicator>, Error> {
        let rank = self.part_of(group)?;
        // The first process of a group is in no other group, so its rank identifies the group.
        let color = rank.and_then(|_| self.group().rank(group.process(0).ok()?));
        self.split(color.map(|first| first as u32), rank.unwrap_or_default() as i64).await
    }

    /// Creates a communicator for a group; only ranks of the group call it. Concurrent calls use different
    /// tags (`MPI_Comm_create_group`).
    pub async fn create_group(&self, group: &Group, tag: u32) -> Result<Option<Communicator>, Error> {
        let Some(rank) = self.part_of(group)? else { return Ok(None) };
        let part = self.part(group.clone(), rank);
        let channel = Channel { communicator: part, call: OF_A_PART | tag };
        let free = self.drive(channel.allreduce(self.free_numbers(), &BOTH)).await?;
        let number = lowest(&free)?;
        Ok(Some(Communicator::new(self.library().clone(), group.clone(), rank, number, None)))
    }

    /// Creates a communicator on a grid from the first ranks, which keep their order; `None` for ranks beyond
    /// the grid (`MPI_Cart_create`).
    pub async fn create_cartesian(&self, grid: Cartesian) -> Result<Option<Communicator>, Error> {
        if grid.size() > self.size() {
            return Err(Error::Dimensions("a grid has at most as many places as there are ranks"));
        }
        let part = self.split((self.rank() < grid.size()).then_some(0), 0).await?;
        Ok(part.map(|part| part.with_topology(grid)))
    }

    /// Creates a communicator for each part of the grid that shares the coordinates of the dimensions that do
    /// not remain (`MPI_Cart_sub`).
    pub async fn cartesian_part(&self, remain: &[bool]) -> Result<Communicator, Error> {
        let grid = self.topology().ok_or(Error::Topology)?;
        let (grid, number) = grid.part(self.rank(), remain)?;
        let part = self.split(Some(number as u32), 0).await?;
        part.map(|part| part.with_topology(grid)).ok_or(Error::Topology)
    }

    /// Frees the number of the communicator, which must not be used any more (`MPI_Comm_free`).
    pub fn free(self) {
        self.library().contexts.borrow_mut().remove(&self.number());
    }

    /// Rank of this process in a group of this communicator.
    fn part_of(&self, group: &Group) -> Result<Option<usize>, Error> {
        if group.difference(self.group()).size() > 0 {
            return Err(Error::Group("the group has processes that are not in the communicator"));
        }
        let own = self.group().process(self.rank())?;
        Ok(group.rank(own))
    }

    async fn agree(&self) -> Result<u16, Error> {
        let operation = BOTH;
        let free = self.call(Collective::Allreduce { bytes: self.free_numbers(), operation }).await?;
        lowest(&free)
    }

    /// Bit mask of the numbers that this process does not use.
    fn free_numbers(&self) -> Vec<u8> {
        let used = self.library().contexts.borrow();
        let bit = |number: u16| u8::from(!used.contains(&number)) << (number % 8);
        (0..CONTEXTS / 8).map(|byte| (8 * byte..8 * byte + 8).map(bit).sum()).collect()
    }
}

/// Bitwise and: the numbers that are free at all ranks.
const BOTH: Operation = Operation::Predefined(Predefined::BitAnd, Kind::Byte);

fn lowest(free: &[u8]) -> Result<u16, Error> {
    let byte = free.iter().position(|byte| *byte != 0);
    let byte = byte.ok_or(Error::Exhausted("there are no more communicators"))?;
    Ok((8 * byte) as u16 + free[byte].trailing_zeros() as u16)
}
