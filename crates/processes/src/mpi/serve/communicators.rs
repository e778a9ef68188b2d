//! Calls of a rank that make and free communicators.

use mpi::{Communicator, Group, Peer};

use super::wait::{others, processes};
use super::{ALL_RANKS, PendingRequest, Reply, Server, call_error, not_allowed};
use crate::mpi::call::{Answer, Call, CallError};
use crate::mpi::collective_check::{CollectiveSignature, CommunicatorId, Place};
use crate::mpi::deadlock::Wait;

impl Server {
    /// Carries out a call that makes or frees a communicator.
    pub(super) async fn carry_out_on_communicators(&self, call: Call) -> Reply {
        match call {
            Call::Duplicate(communicator) => {
                let communicator = self.new_communicator_of(communicator)?;
                let new = communicator.duplicate().await.map_err(call_error)?;
                Ok(self.add_communicator(Some(new)))
            }
            Call::BeginDuplicate(communicator) => self.begin_duplicate(communicator).await,
            Call::Split { communicator, color, key } => {
                let communicator = self.new_communicator_of(communicator)?;
                let new = communicator.split(color, key.into()).await.map_err(call_error)?;
                Ok(self.add_communicator(new))
            }
            Call::Create { communicator, processes } => {
                let communicator = self.new_communicator_of(communicator)?;
                let group = self.group(&processes)?;
                let new = communicator.create(&group).await.map_err(call_error)?;
                Ok(self.add_communicator(new))
            }
            Call::CreateGroup { communicator, processes, tag } => {
                self.create_group(communicator, &processes, tag).await
            }
            Call::CreateIntercommunicator { communicator, leader, peer, tag } => {
                self.create_intercommunicator(communicator, leader as usize, peer, tag).await
            }
            Call::Merge { communicator, high } => {
                let communicator = self.new_communicator_of(communicator)?;
                let new = communicator.merge(high).await.map_err(call_error)?;
                Ok(self.add_communicator(Some(new)))
            }
            Call::FreeCommunicator(number) => self.free_communicator(number),
            _ => Err(not_allowed()),
        }
    }

    async fn create_group(&self, communicator: u32, processes: &[u32], tag: u32) -> Reply {
        let communicator = self.communicator(communicator)?;
        let group = self.group(processes)?;
        let ranks = processes.iter().map(|process| *process as usize);
        let ranks = ranks.filter(|rank| *rank != self.rank).collect();
        self.run.set_wait(self.rank, Wait { ranks, event: "all of its new communicator".into() });
        let new = communicator.create_group(&group, tag).await.map_err(call_error)?;
        Ok(self.add_communicator(new))
    }

    async fn begin_duplicate(&self, number: u32) -> Reply {
        let communicator = self.communicator(number)?;
        self.check_collective(&communicator, CollectiveSignature::new_communicator())?;
        let (request, duplicate) = communicator.begin_duplicate().await.map_err(call_error)?;
        let wait = others(&communicator, ALL_RANKS);
        let pending = PendingRequest { request, wait, duplicate: Some(duplicate) };
        Ok(Answer::Request(self.requests.add(pending)))
    }

    async fn create_intercommunicator(
        &self,
        communicator: u32,
        leader: usize,
        peer: Option<(u32, u32)>,
        tag: u32,
    ) -> Reply {
        let peer = peer
            .map(|(number, rank)| Ok(Peer { communicator: self.communicator(number)?, rank: rank as usize }));
        let peer = peer.transpose()?;
        let communicator = self.new_communicator_of(communicator)?;
        let mut wait = others(&communicator, "all of both groups");
        let other = peer.as_ref().map(|Peer { communicator, rank }| communicator.peers().process(*rank));
        wait.ranks.extend(other.transpose().map_err(call_error)?);
        self.run.set_wait(self.rank, wait);
        let new = communicator.create_intercommunicator(leader, peer, tag).await.map_err(call_error)?;
        Ok(self.add_communicator(Some(new)))
    }

    fn free_communicator(&self, number: u32) -> Reply {
        let communicator = self.communicator(number)?;
        // MPI_COMM_WORLD and MPI_COMM_SELF stay.
        if number > 1 {
            self.communicators.remove(number);
            self.run.free_communicator(&id(&communicator), self.rank);
            communicator.free();
        }
        Ok(Answer::Done)
    }

    /// The communicator from which all of its ranks are about to make a new one.
    pub(super) fn new_communicator_of(&self, number: u32) -> Result<Communicator, CallError> {
        let communicator = self.communicator(number)?;
        self.check_collective(&communicator, CollectiveSignature::new_communicator())?;
        self.set_wait_for_others(&communicator, ALL_RANKS);
        Ok(communicator)
    }

    /// An error if another rank of the communicator makes a different collective call.
    pub(super) fn check_collective(
        &self,
        communicator: &Communicator,
        signature: CollectiveSignature,
    ) -> Result<(), CallError> {
        match (communicator.size(), communicator.remote_group()) {
            (1, None) => Ok(()),
            _ => self.run.check_collective(id(communicator), self.rank, signature),
        }
    }
}

pub(super) fn id(communicator: &Communicator) -> CommunicatorId {
    let (own, remote) = (processes(communicator.group()), communicator.remote_group().map(processes));
    let remote = remote.into_iter().flatten();
    let all = match place(communicator).group {
        0 => own.chain(remote).collect(),
        _ => remote.chain(own).collect(),
    };
    (communicator.number(), all)
}

/// The rank of this process. Of the groups of an intercommunicator that with the lower first process is the first.
pub(super) fn place(communicator: &Communicator) -> Place {
    let first = |group: &Group| group.process(0).ok();
    let remote = communicator.remote_group();
    let is_second = remote.is_some_and(|remote| first(remote) < first(communicator.group()));
    Place { group: is_second.into(), rank: communicator.rank() as u32 }
}
