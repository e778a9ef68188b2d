//! Creation of communicators from existing ones. All ranks of a new communicator agree on its number.

use std::cell::OnceCell;
use std::rc::Rc;

use super::Channel;
use super::agree::Members;
use crate::communicator::Communicator;
use crate::completion::Completion;
use crate::error::Error;
use crate::group::Group;
use crate::request::Request;
use crate::topology::Cartesian;

/// First call number of collective calls over part of a communicator; the program's tag is added to it.
pub(super) const OF_A_PART: u32 = 1 << 31;

/// Duplicate of a communicator, which exists when its request is complete.
#[derive(Clone, Default)]
pub struct Duplicate(Rc<OnceCell<Communicator>>);

impl Duplicate {
    /// The communicator, if the request is complete.
    pub fn get(&self) -> Option<&Communicator> {
        self.0.get()
    }
}

impl Communicator {
    /// Duplicates the groups and topology with a new context (`MPI_Comm_dup`).
    pub async fn duplicate(&self) -> Result<Communicator, Error> {
        Ok(self.with_number(self.agree().await?))
    }

    /// Begins to duplicate a communicator (`MPI_Comm_idup`).
    pub async fn begin_duplicate(&self) -> Result<(Request, Duplicate), Error> {
        let (members, old, library) = (Members::of(self), self.clone(), self.library().clone());
        let duplicate = Duplicate::default();
        let made = duplicate.clone();
        library.agreements.update(|count| count + 1);
        let request = Request::spawn(library.clone(), async move {
            let number = members.number().await;
            old.library().agreements.update(|count| count - 1);
            let number = number?;
            made.0.get_or_init(|| old.with_number(number));
            Ok(Completion::result(Vec::new()))
        });
        library.turn().await;
        Ok((request, duplicate))
    }

    /// The same groups and topology under another number.
    fn with_number(&self, number: u16) -> Communicator {
        let (library, group, rank) = (self.library().clone(), self.group().clone(), self.rank());
        match self.remote_group() {
            Some(remote) => Communicator::between(library, group, rank, remote.clone(), number),
            None => Communicator::new(library, group, rank, number, self.topology().cloned()),
        }
    }

    /// Creates a communicator for each color, with ranks ordered by key, then by old rank; `None` for ranks
    /// without a color (`MPI_Comm_split`). An intercommunicator is split into those of ranks of one color in
    /// both groups; `None` for ranks whose color no rank of the remote group has.
    pub async fn split(&self, color: Option<u32>, key: i64) -> Result<Option<Communicator>, Error> {
        let mut own = [0; 16];
        own[0..4].copy_from_slice(&color.unwrap_or_default().to_le_bytes());
        own[4] = color.is_some().into();
        own[8..16].copy_from_slice(&key.to_le_bytes());
        let (all, theirs) = self.values_of_groups(own.to_vec()).await?;
        let number = self.agree().await?;
        let same = |all: &[u8]| -> Vec<usize> {
            let mut same: Vec<_> = all
                .as_chunks::<16>()
                .0
                .iter()
                .enumerate()
                .filter(|(_, other)| color.is_some() && other[0..5] == own[0..5])
                .map(|(rank, other)| {
                    (i64::from_le_bytes([8, 9, 10, 11, 12, 13, 14, 15].map(|i| other[i])), rank)
                })
                .collect();
            same.sort_unstable();
            same.into_iter().map(|(_, rank)| rank).collect()
        };
        let (ranks, remote) = (same(&all), same(&theirs));
        let rank = ranks.iter().position(|rank| *rank == self.rank());
        let rank = rank.filter(|_| self.remote_group().is_none() || !remote.is_empty());
        let Some(rank) = rank else {
            // The agreement may have reserved the number.
            self.library().contexts.borrow_mut().remove(&number);
            return Ok(None);
        };
        let (library, group) = (self.library().clone(), self.group().include(&ranks)?);
        Ok(Some(match self.remote_group() {
            Some(all) => Communicator::between(library, group, rank, all.include(&remote)?, number),
            None => Communicator::new(library, group, rank, number, None),
        }))
    }

    /// Creates a communicator for each group; every rank of this communicator calls it. Ranks may pass
    /// disjoint groups; `None` for ranks outside the group that they pass (`MPI_Comm_create`). In an
    /// intercommunicator each group passes a part of itself; `None` if the other part is empty.
    pub async fn create(&self, group: &Group) -> Result<Option<Communicator>, Error> {
        let rank = self.part_of(group)?;
        // The first process of a group is in no other group, so its rank identifies the group.
        let first = group.process(0).ok().and_then(|process| self.group().rank(process));
        let color = rank.and(if self.remote_group().is_some() { Some(0) } else { first });
        self.split(color.map(|first| first as u32), rank.unwrap_or_default() as i64).await
    }

    /// Creates a communicator for a group; only ranks of the group call it. Concurrent calls use different
    /// tags (`MPI_Comm_create_group`).
    pub async fn create_group(&self, group: &Group, tag: u32) -> Result<Option<Communicator>, Error> {
        let Some(rank) = self.part_of(group)? else { return Ok(None) };
        let part = self.part(group.clone(), rank);
        let local = Channel { communicator: part, call: OF_A_PART | tag };
        let members = Members { local, other: None, key: u64::from(OF_A_PART | tag) };
        let number = self.drive(members.number()).await?;
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

    /// Number of a new communicator, on which all processes of this one agree.
    pub(super) async fn agree(&self) -> Result<u16, Error> {
        self.drive(Members::of(self).number()).await
    }
}
