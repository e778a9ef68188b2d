//! Calls of a rank, carried out over the MPI library of its host.

use mpi::{Communicator, Completion, Error, Group, Peer, Request, Source, Status, Tag, test_all, wait_any};
use serde_bytes::ByteBuf;

use super::wait::{any_of, message, others, processes, receiver};
use super::{PendingRequest, Reply, Server, call_error, error, size};
use crate::mpi::call::{
    Answer, Call, CallError, Collective, CompletedRequest, CompletionMode, ProbedMessage, SendMode,
};
use crate::mpi::collective_check::{CollectiveSignature, CommunicatorId, Place};
use crate::mpi::deadlock::Wait;
use crate::mpi::standard::{ERR_OTHER, ERR_REQUEST};

/// Event of collective calls in reports.
const ALL_RANKS: &str = "all of its communicator";

impl Server {
    /// Carries out a call of an initialized rank.
    pub(super) async fn carry_out(&mut self, call: Call) -> Reply {
        match call {
            Call::Send { communicator, mode, destination, tag, nonblocking, bytes } => {
                self.send(communicator, mode, destination as usize, tag, nonblocking, bytes).await
            }
            Call::Receive { communicator, source, tag, capacity, nonblocking } => {
                let communicator = self.communicator(communicator)?;
                let (from, pattern) = library_pattern(source, tag);
                let request = communicator.ireceive(from, pattern, size(capacity)).await;
                let wait = message(&communicator, source, tag);
                self.receive(request.map_err(call_error)?, wait, nonblocking).await
            }
            Call::Probe { communicator, source, tag, blocking, matched } => {
                self.probe(communicator, source, tag, blocking, matched).await
            }
            Call::ReceiveMatched { message, capacity, nonblocking } => {
                let message = self.messages.entries.remove(&message);
                let message = message.ok_or_else(|| error(ERR_REQUEST, "there is no such message"))?;
                let request = message.ireceive(size(capacity)).await;
                let wait = Wait { ranks: Vec::new(), event: "the rest of a message".into() };
                self.receive(request, wait, nonblocking).await
            }
            Call::Complete { requests, mode } => self.complete(&requests, mode).await,
            Call::IsComplete(request) => Ok(Answer::Flag(self.request(request)?.request.test().await)),
            Call::FreeRequest(request) => self.free_request(request),
            Call::Cancel(request) => {
                self.request(request)?.request.cancel();
                Ok(Answer::Done)
            }
            Call::Collective { communicator, operation, nonblocking } => {
                self.call_collective(communicator, operation, nonblocking).await
            }
            Call::Duplicate(communicator) => {
                let communicator = self.new_communicator_of(communicator)?;
                let new = communicator.duplicate().await.map_err(call_error)?;
                Ok(self.add_communicator(Some(new)))
            }
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
            Call::FreeCommunicator(number) => self.free_communicator(number),
            Call::Deviate(deviation) => Ok(Answer::Flag(self.run.tolerates(&deviation))),
            Call::BeginDuplicate(communicator) => self.begin_duplicate(communicator).await,
            Call::CreateIntercommunicator { communicator, leader, peer, tag } => {
                self.create_intercommunicator(communicator, leader as usize, peer, tag).await
            }
            Call::Merge { communicator, high } => {
                let communicator = self.new_communicator_of(communicator)?;
                let new = communicator.merge(high).await.map_err(call_error)?;
                Ok(self.add_communicator(Some(new)))
            }
            Call::Init
            | Call::Finalize
            | Call::Abort { .. }
            | Call::Reduced(_)
            | Call::Location(_)
            | Call::Window(_) => Err(error(ERR_OTHER, "the call is not allowed here")),
        }
    }

    async fn send(
        &mut self,
        communicator: u32,
        mode: SendMode,
        to: usize,
        tag: u32,
        nonblocking: bool,
        bytes: ByteBuf,
    ) -> Reply {
        let communicator = self.communicator(communicator)?;
        let (mode, length) = (library_mode(mode), bytes.len());
        let request = communicator.isend(mode, to, tag, bytes.into_vec()).await.map_err(call_error)?;
        self.run.count_message(length as u64);
        let wait = receiver(&communicator, to, length, tag);
        if nonblocking {
            return Ok(self.add_request(request, wait));
        }
        self.run.set_wait(self.rank, wait);
        request.wait().await.map_err(call_error)?;
        Ok(Answer::Done)
    }

    async fn call_collective(
        &mut self,
        communicator: u32,
        operation: Collective,
        nonblocking: bool,
    ) -> Reply {
        let communicator = self.communicator(communicator)?;
        let (place, between) = (place(&communicator), communicator.remote_group().is_some());
        self.check_collective(&communicator, CollectiveSignature::of(&operation, place, between))?;
        let call = self.collective(&communicator, operation)?;
        let wait = others(&communicator, ALL_RANKS);
        if nonblocking {
            let request = communicator.begin(call).await.map_err(call_error)?;
            return Ok(self.add_request(request, wait));
        }
        self.run.set_wait(self.rank, wait);
        let bytes = communicator.call(call).await.map_err(call_error)?;
        let status = Status { source: 0, tag: 0, bytes: bytes.len(), cancelled: false };
        Ok(Answer::Completed(vec![(0, completed(Ok(Completion { status, bytes })))]))
    }

    async fn create_group(&mut self, communicator: u32, processes: &[u32], tag: u32) -> Reply {
        let communicator = self.communicator(communicator)?;
        let group = self.group(processes)?;
        let ranks = processes.iter().map(|process| *process as usize);
        let ranks = ranks.filter(|rank| *rank != self.rank).collect();
        self.run.set_wait(self.rank, Wait { ranks, event: "all of its new communicator".into() });
        let new = communicator.create_group(&group, tag).await.map_err(call_error)?;
        Ok(self.add_communicator(new))
    }

    async fn begin_duplicate(&mut self, number: u32) -> Reply {
        let communicator = self.communicator(number)?;
        self.check_collective(&communicator, CollectiveSignature::new_communicator())?;
        let (request, duplicate) = communicator.begin_duplicate().await.map_err(call_error)?;
        let wait = others(&communicator, ALL_RANKS);
        let pending = PendingRequest { request, wait, duplicate: Some(duplicate) };
        Ok(Answer::Request(self.requests.add(pending)))
    }

    async fn create_intercommunicator(
        &mut self,
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

    fn free_communicator(&mut self, number: u32) -> Reply {
        let communicator = self.communicator(number)?;
        // MPI_COMM_WORLD and MPI_COMM_SELF stay.
        if number > 1 {
            self.communicators.entries.remove(&number);
            self.run.free_communicator(&id(&communicator), self.rank);
            communicator.free();
        }
        Ok(Answer::Done)
    }

    fn free_request(&mut self, request: u32) -> Reply {
        self.request(request)?;
        self.requests.entries.remove(&request);
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

    async fn probe(
        &mut self,
        communicator: u32,
        source: Option<u32>,
        tag: Option<u32>,
        blocking: bool,
        matched: bool,
    ) -> Reply {
        let communicator = self.communicator(communicator)?;
        let (from, pattern) = library_pattern(source, tag);
        if blocking {
            self.run.set_wait(self.rank, message(&communicator, source, tag));
        }
        let found = match (blocking, matched) {
            (true, false) => communicator.probe(from, pattern).await.map(|status| Some((None, status))),
            (false, false) => {
                let found = communicator.iprobe(from, pattern).await;
                found.map(|found| found.map(|status| (None, status)))
            }
            (true, true) => {
                let found = communicator.probe_message(from, pattern).await;
                found.map(|(message, status)| Some((Some(message), status)))
            }
            (false, true) => {
                let found = communicator.iprobe_message(from, pattern).await;
                found.map(|found| found.map(|(message, status)| (Some(message), status)))
            }
        };
        let found = found.map_err(call_error)?;
        Ok(Answer::Probed(found.map(|(message, status)| {
            let message = message.map(|message| self.messages.add(message));
            let Status { source, tag, bytes, .. } = status;
            ProbedMessage { message, source: source as u32, tag, length: bytes as u64 }
        })))
    }

    pub(super) fn add_request(&mut self, request: Request, wait: Wait) -> Answer {
        Answer::Request(self.requests.add(PendingRequest { request, wait, duplicate: None }))
    }

    /// Waits for a receive, or adds it as a request.
    async fn receive(&mut self, request: Request, wait: Wait, nonblocking: bool) -> Reply {
        if nonblocking {
            return Ok(self.add_request(request, wait));
        }
        self.run.set_wait(self.rank, wait);
        Ok(Answer::Completed(vec![(0, completed(request.wait().await))]))
    }

    async fn complete(&mut self, numbers: &[u32], mode: CompletionMode) -> Reply {
        let pending = numbers.iter().map(|number| self.request(*number)).collect::<Result<Vec<_>, _>>()?;
        let requests: Vec<_> = pending.iter().map(|pending| pending.request.clone()).collect();
        let waits: Vec<_> = pending.iter().map(|pending| pending.wait.clone()).collect();
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() != numbers.len() {
            return Err(error(ERR_REQUEST, "a request is named twice"));
        }
        let all = (0..requests.len()).collect();
        let ready = |requests: &[Request]| -> Vec<usize> {
            (0..requests.len()).filter(|at| requests[*at].is_done()).collect()
        };
        let indices: Vec<usize> = match mode {
            CompletionMode::WaitAll => {
                for (request, wait) in requests.iter().zip(waits) {
                    // Reports name the first request that is not complete.
                    self.run.set_wait(self.rank, wait);
                    wait_any(std::slice::from_ref(request)).await;
                }
                all
            }
            CompletionMode::WaitAny => {
                self.run.set_wait(self.rank, any_of(waits));
                wait_any(&requests).await.into_iter().collect()
            }
            CompletionMode::WaitSome => {
                self.run.set_wait(self.rank, any_of(waits));
                wait_any(&requests).await;
                ready(&requests)
            }
            CompletionMode::TestAll => match test_all(&requests).await {
                true => all,
                false => Vec::new(),
            },
            CompletionMode::TestAny => {
                test_all(&requests).await;
                ready(&requests).into_iter().take(1).collect()
            }
            CompletionMode::TestSome => {
                test_all(&requests).await;
                ready(&requests)
            }
        };
        let mut answer = Vec::with_capacity(indices.len());
        for index in indices {
            let pending = self.requests.entries.remove(&numbers[index]);
            let mut result = requests[index].take().unwrap_or(Err(Error::Request));
            let duplicate = pending.and_then(|pending| pending.duplicate?.get().cloned());
            if let (Ok(completion), Some(duplicate)) = (&mut result, duplicate) {
                completion.bytes = self.communicators.add(duplicate).to_le_bytes().to_vec();
            }
            answer.push((index as u32, completed(result)));
        }
        Ok(Answer::Completed(answer))
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
fn place(communicator: &Communicator) -> Place {
    let first = |group: &Group| group.process(0).ok();
    let remote = communicator.remote_group();
    let is_second = remote.is_some_and(|remote| first(remote) < first(communicator.group()));
    Place { group: is_second.into(), rank: communicator.rank() as u32 }
}

fn library_pattern(source: Option<u32>, tag: Option<u32>) -> (Source, Tag) {
    let source = source.map_or(Source::Any, |rank| Source::Rank(rank as usize));
    (source, tag.map_or(Tag::Any, Tag::Is))
}

fn library_mode(mode: SendMode) -> mpi::Mode {
    match mode {
        SendMode::Standard => mpi::Mode::Standard,
        SendMode::Synchronous => mpi::Mode::Synchronous,
        SendMode::Buffered => mpi::Mode::Buffered,
        SendMode::Ready => mpi::Mode::Ready,
    }
}

fn completed(result: Result<Completion, Error>) -> CompletedRequest {
    match result {
        Ok(Completion { status, bytes }) => CompletedRequest {
            source: status.source as u32,
            tag: status.tag,
            length: status.bytes as u64,
            cancelled: status.cancelled,
            bytes: bytes.into(),
            error: None,
        },
        Err(error) => CompletedRequest {
            source: 0,
            tag: 0,
            length: 0,
            cancelled: false,
            bytes: ByteBuf::new(),
            error: Some(call_error(error)),
        },
    }
}
