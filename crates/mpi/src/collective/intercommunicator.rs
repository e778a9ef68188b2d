//! Intercommunicators: made from two groups by their leaders, and merged into one group.

use super::agree::{Members, OtherGroup};
use super::create::OF_A_PART;
use super::{Channel, Collective};
use crate::communicator::Communicator;
use crate::error::Error;
use crate::group::Group;

/// Path of a group's leader to the leader of the other group.
#[derive(Clone)]
pub struct Peer {
    /// Communicator to which both leaders belong.
    pub communicator: Communicator,
    /// Rank of the other leader there.
    pub rank: usize,
}

impl Communicator {
    /// Makes an intercommunicator of this group and another one without a common process. All ranks of both
    /// groups call it; the leader of each group passes its path to the other leader. Concurrent calls use
    /// different tags (`MPI_Intercomm_create`).
    pub async fn create_intercommunicator(
        &self,
        leader: usize,
        peer: Option<Peer>,
        tag: u32,
    ) -> Result<Communicator, Error> {
        if leader >= self.size() {
            return Err(Error::Root { rank: leader, size: self.size() });
        }
        let local = self.channel();
        let peer = match peer.filter(|_| self.rank() == leader) {
            Some(Peer { communicator, rank }) => {
                communicator.peers().process(rank)?;
                Some((Channel { communicator, call: OF_A_PART | tag }, rank))
            }
            None if self.rank() == leader => {
                return Err(Error::Argument("the leader of a group knows that of the other group"));
            }
            None => None,
        };
        let other = OtherGroup { leader, peer };
        self.drive(async {
            let remote = self.other_group(&local, &other).await?;
            let key = u64::from(tag) << 32 | self.first_process().min(remote.process(0)?) as u64;
            let number = Members { local, other: Some(other), key }.number().await?;
            let (library, group) = (self.library().clone(), self.group().clone());
            Ok(Communicator::between(library, group, self.rank(), remote, number))
        })
        .await
    }

    /// The other group, which the leaders tell each other. All ranks of both groups find the same error.
    async fn other_group(&self, local: &Channel, other: &OtherGroup) -> Result<Group, Error> {
        let OtherGroup { leader, peer } = other;
        let processes = match peer {
            Some((channel, rank)) => {
                let own = (0..self.size()).map(|rank| self.group().process(rank));
                exchange_lists(channel, *rank, own.collect::<Result<_, _>>()?).await
            }
            None => Ok(Vec::new()),
        };
        // A failed exchange is told as a group without processes.
        let told = processes.as_deref().unwrap_or_default();
        let count = local.broadcast((told.len() as u32).to_le_bytes().to_vec(), *leader).await?;
        let count = count_of(&count);
        let bytes = match self.rank() == *leader {
            true => told.iter().flat_map(|process| (*process as u32).to_le_bytes()).collect(),
            false => vec![0; 4 * count],
        };
        let bytes = local.broadcast(bytes, *leader).await?;
        processes?;
        if count == 0 {
            return Err(Error::Communicator("the leaders of the groups could not reach each other"));
        }
        let remote: Vec<_> = bytes.as_chunks::<4>().0.iter().map(|word| count_of(word)).collect();
        let remote = Group::all(self.library().ranks).include(&remote)?;
        match self.group().intersection(&remote).size() {
            0 => Ok(remote),
            _ => Err(Error::Communicator("the groups have a process in common")),
        }
    }

    /// Makes a communicator of both groups of an intercommunicator. The ranks of a group that passes `high`
    /// come after those of the other one; if both or none do, the group with the lower first process comes
    /// first. All ranks of a group pass the same (`MPI_Intercomm_merge`).
    pub async fn merge(&self, high: bool) -> Result<Communicator, Error> {
        let remote = self.remote_group().ok_or(Error::Communicator("there is one group only"))?;
        let (own, theirs) = self.values_of_groups(vec![high.into()]).await?;
        let number = self.agree().await?;
        let agreed = |values: &[u8]| values.iter().all(|value| *value == values[0]);
        if !agreed(&own) || !agreed(&theirs) {
            self.library().contexts.borrow_mut().remove(&number);
            return Err(Error::Argument("ranks of one group disagree whether it comes last"));
        }
        let is_first = match own[0] == theirs[0] {
            true => self.first_process() < remote.process(0)?,
            false => !high,
        };
        let (group, rank) = match is_first {
            true => (self.group().union(remote), self.rank()),
            false => (remote.union(self.group()), remote.size() + self.rank()),
        };
        Ok(Communicator::new(self.library().clone(), group, rank, number, None))
    }

    /// Values of equal lengths of all ranks: of the local group, and of the remote group if there is one.
    pub(super) async fn values_of_groups(&self, own: Vec<u8>) -> Result<(Vec<u8>, Vec<u8>), Error> {
        let local = self.local().call(Collective::Allgather { bytes: own.clone() }).await?;
        let remote = match self.remote_group() {
            Some(_) => self.call(Collective::Allgather { bytes: own }).await?,
            None => Vec::new(),
        };
        Ok((local, remote))
    }

    fn first_process(&self) -> usize {
        self.group().process(0).expect("a communicator has a process")
    }
}

/// Exchanges lists of processes with another leader.
async fn exchange_lists(channel: &Channel, rank: usize, own: Vec<usize>) -> Result<Vec<usize>, Error> {
    let word = |number: usize| (number as u32).to_le_bytes();
    let count = channel.exchange(rank, word(own.len()).to_vec(), rank, 4).await?;
    let own = own.into_iter().flat_map(word).collect();
    let theirs = channel.exchange(rank, own, rank, 4 * count_of(&count)).await?;
    Ok(theirs.as_chunks::<4>().0.iter().map(|word| count_of(word)).collect())
}

/// Number in four bytes, little endian.
fn count_of(word: &[u8]) -> usize {
    word.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte))
}
