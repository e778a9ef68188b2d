//! Collective calls of intercommunicators (MPI 4.1, section 6.2.2): each group contributes data and the other
//! one gets the result. Rank 0 of each group is its leader.

use super::{Channel, Collective, Root, filled, parts};
use crate::communicator::Communicator;
use crate::error::Error;
use crate::operation::Operation;

/// Rank of the leader in its group.
const LEADER: usize = 0;

impl Communicator {
    /// Checks the arguments of this rank of an intercommunicator with `remote` remote ranks.
    pub(super) fn check_between(&self, call: &Collective, remote: usize) -> Result<(), Error> {
        let is_root = |root: Root| match root {
            Root::Rank(rank) if rank < remote => Ok(false),
            Root::Rank(rank) => Err(Error::Root { rank, size: remote }),
            Root::Here => Ok(true),
            Root::Elsewhere => Ok(false),
        };
        let counted = |counts: &[usize], size: usize| match counts.len() == size {
            true => parts::total(counts),
            false => Err(Error::Argument("there is a count for each rank")),
        };
        match call {
            Collective::Barrier | Collective::Allgather { .. } => Ok(()),
            Collective::Broadcast { root, .. } | Collective::Gather { root, .. } => {
                is_root(*root).map(|_| ())
            }
            Collective::Gatherv { counts, root, .. } => match is_root(*root)? {
                true => counted(counts, remote).map(|_| ()),
                false => Ok(()),
            },
            Collective::Scatter { bytes, count, root } => match is_root(*root)? {
                true => filled(bytes, count.checked_mul(remote).ok_or(Error::Count(usize::MAX))?),
                false => Ok(()),
            },
            Collective::Scatterv { bytes, counts, root, .. } => match is_root(*root)? {
                true => filled(bytes, counted(counts, remote)?),
                false => Ok(()),
            },
            Collective::Allgatherv { counts, .. } => counted(counts, remote).map(|_| ()),
            Collective::Alltoall { bytes } => match bytes.len().is_multiple_of(remote) {
                true => Ok(()),
                false => Err(Error::Argument("all parts are of one length")),
            },
            Collective::Alltoallv { bytes, sends, receives } => {
                counted(receives, remote)?;
                filled(bytes, counted(sends, remote)?)
            }
            Collective::Reduce { bytes, operation, root } => {
                is_root(*root)?;
                operation.check(bytes.len())
            }
            Collective::Allreduce { bytes, operation } => operation.check(bytes.len()),
            Collective::ReduceScatter { bytes, counts, operation } => {
                filled(bytes, counted(counts, self.size())?)?;
                counts.iter().try_for_each(|count| operation.check(*count))
            }
            Collective::Scan { .. } | Collective::Exscan { .. } => {
                Err(Error::Communicator("an intercommunicator has no scan"))
            }
            Collective::Neighbours { .. } => Err(Error::Communicator("an intercommunicator has no topology")),
        }
    }
}

impl Channel {
    pub(super) async fn carry_out_between(&self, call: Collective) -> Result<Vec<u8>, Error> {
        let remote = self.communicator.peers().size();
        match call {
            Collective::Barrier => self.barrier_between().await,
            Collective::Broadcast { bytes, root } => self.broadcast_between(bytes, root).await,
            Collective::Gather { bytes, root } => {
                let counts = vec![bytes.len(); remote];
                self.gatherv_between(bytes, &counts, root).await
            }
            Collective::Gatherv { bytes, counts, root } => self.gatherv_between(bytes, &counts, root).await,
            Collective::Scatter { bytes, count, root } => {
                self.scatterv_between(bytes, &vec![count; remote], count, root).await
            }
            Collective::Scatterv { bytes, counts, count, root } => {
                self.scatterv_between(bytes, &counts, count, root).await
            }
            Collective::Allgather { bytes } => {
                let counts = vec![bytes.len(); remote];
                self.allgatherv_between(bytes, &counts).await
            }
            Collective::Allgatherv { bytes, counts } => self.allgatherv_between(bytes, &counts).await,
            Collective::Alltoall { bytes } => {
                let counts = vec![bytes.len() / remote; remote];
                self.alltoallv_between(bytes, &counts, &counts).await
            }
            Collective::Alltoallv { bytes, sends, receives } => {
                self.alltoallv_between(bytes, &sends, &receives).await
            }
            Collective::Reduce { bytes, operation, root } => {
                self.reduce_between(bytes, &operation, root).await
            }
            Collective::Allreduce { bytes, operation } => {
                let result = self.results_between(bytes, &operation).await?;
                self.local().broadcast(result, LEADER).await
            }
            Collective::ReduceScatter { bytes, counts, operation } => {
                let result = self.results_between(bytes, &operation).await?;
                self.local().scatterv(result, &counts, counts[self.rank()], LEADER).await
            }
            Collective::Scan { .. } | Collective::Exscan { .. } | Collective::Neighbours { .. } => {
                unreachable!("the check has refused it")
            }
        }
    }

    /// Messages of the same call within the local group.
    pub(super) fn local(&self) -> Channel {
        Channel { communicator: self.communicator.local().clone(), call: self.call.wrapping_add(1) }
    }

    fn is_leader(&self) -> bool {
        self.rank() == LEADER
    }

    /// The leaders tell each other that all of their groups have entered.
    async fn barrier_between(&self) -> Result<Vec<u8>, Error> {
        self.local().barrier().await?;
        if self.is_leader() {
            self.exchange(LEADER, Vec::new(), LEADER, 0).await?;
        }
        self.local().broadcast(Vec::new(), LEADER).await
    }

    /// The root sends to the leader of the other group, which passes the data on.
    async fn broadcast_between(&self, bytes: Vec<u8>, root: Root) -> Result<Vec<u8>, Error> {
        match root {
            Root::Elsewhere => Ok(Vec::new()),
            Root::Here => {
                self.send(LEADER, bytes.clone()).await?;
                Ok(bytes)
            }
            Root::Rank(root) => {
                let bytes = match self.is_leader() {
                    true => self.receive(root, bytes.len()).await?,
                    false => bytes,
                };
                self.local().broadcast(bytes, LEADER).await
            }
        }
    }

    /// Every rank of the other group sends to the root.
    async fn gatherv_between(&self, bytes: Vec<u8>, counts: &[usize], root: Root) -> Result<Vec<u8>, Error> {
        match root {
            Root::Elsewhere => Ok(Vec::new()),
            Root::Rank(root) => self.send(root, bytes).await.map(|()| Vec::new()),
            Root::Here => self.receive_parts(counts).await,
        }
    }

    /// Receives a part from each rank of the other group, all at the same time.
    async fn receive_parts(&self, counts: &[usize]) -> Result<Vec<u8>, Error> {
        let begin = |(rank, count): (usize, &usize)| self.begin_receive(rank, *count);
        let receives = counts.iter().enumerate().map(begin).collect::<Result<Vec<_>, _>>()?;
        let mut all = Vec::new();
        for (receive, count) in receives.into_iter().zip(counts) {
            let part = receive.end().await?.bytes;
            filled(&part, *count)?;
            all.extend(part);
        }
        Ok(all)
    }

    /// The root sends to every rank of the other group.
    async fn scatterv_between(
        &self,
        bytes: Vec<u8>,
        counts: &[usize],
        count: usize,
        root: Root,
    ) -> Result<Vec<u8>, Error> {
        match root {
            Root::Elsewhere => Ok(Vec::new()),
            Root::Rank(root) => self.receive(root, count).await,
            Root::Here => {
                let part = |(rank, range): (usize, std::ops::Range<usize>)| {
                    self.begin_send(rank, bytes[range].to_vec())
                };
                let ranges = parts::ranges(counts).into_iter().enumerate();
                for send in ranges.map(part).collect::<Result<Vec<_>, _>>()? {
                    send.end().await?;
                }
                Ok(Vec::new())
            }
        }
    }

    /// Every rank sends to the leader of the other group, which passes all parts on.
    async fn allgatherv_between(&self, bytes: Vec<u8>, counts: &[usize]) -> Result<Vec<u8>, Error> {
        let send = self.begin_send(LEADER, bytes)?;
        let all = match self.is_leader() {
            true => self.receive_parts(counts).await?,
            false => vec![0; parts::total(counts)?],
        };
        send.end().await?;
        self.local().broadcast(all, LEADER).await
    }

    /// Every rank sends to every rank of the other group, beginning with that of its own number.
    async fn alltoallv_between(
        &self,
        bytes: Vec<u8>,
        sends: &[usize],
        receives: &[usize],
    ) -> Result<Vec<u8>, Error> {
        let (remote, ranges) = (sends.len(), parts::ranges(sends));
        let begin = |step: usize| {
            let to = (self.rank() + step) % remote;
            self.begin_send(to, bytes[ranges[to].clone()].to_vec())
        };
        let sends = (0..remote).map(begin).collect::<Result<Vec<_>, _>>()?;
        let all = self.receive_parts(receives).await?;
        for send in sends {
            send.end().await?;
        }
        Ok(all)
    }

    /// The group reduces to its leader, which sends the result to the root.
    async fn reduce_between(
        &self,
        bytes: Vec<u8>,
        operation: &Operation,
        root: Root,
    ) -> Result<Vec<u8>, Error> {
        match root {
            Root::Elsewhere => Ok(Vec::new()),
            Root::Here => self.receive(LEADER, bytes.len()).await,
            Root::Rank(root) => {
                let result = self.local().reduce(bytes, operation, LEADER).await?;
                if self.is_leader() {
                    self.send(root, result).await?;
                }
                Ok(Vec::new())
            }
        }
    }

    /// Both groups reduce, and the leaders exchange the results: that of the other group at the leader, zeros
    /// of its length elsewhere.
    async fn results_between(&self, bytes: Vec<u8>, operation: &Operation) -> Result<Vec<u8>, Error> {
        let count = bytes.len();
        let result = self.local().reduce(bytes, operation, LEADER).await?;
        match self.is_leader() {
            true => self.exchange(LEADER, result, LEADER, count).await,
            false => Ok(vec![0; count]),
        }
    }
}
