//! Calls of a rank, carried out over the MPI library of its host.

use mpi::{Completion, Error, Request, Source, Status, Tag, test_all, wait_any};
use serde_bytes::ByteBuf;

use super::communicators::place;
use super::wait::{any_of, message, others, receiver};
use super::{ALL_RANKS, PendingRequest, Reply, Server, call_error, error, not_allowed, size};
use crate::mpi::call::{Answer, Call, Collective, CompletedRequest, CompletionMode, ProbedMessage, SendMode};
use crate::mpi::collective_check::CollectiveSignature;
use crate::mpi::deadlock::Wait;
use crate::mpi::standard::ERR_REQUEST;

impl Server {
    /// Carries out a call of an initialized rank.
    pub(super) async fn carry_out(&self, call: Call) -> Reply {
        match call {
            Call::Send { communicator, mode, destination, tag, nonblocking, bytes } => {
                self.send(communicator, mode, destination as usize, tag, nonblocking, bytes).await
            }
            Call::Receive { communicator, source, tag, capacity, nonblocking } => {
                self.receive_from(communicator, source, tag, size(capacity), nonblocking).await
            }
            Call::Probe { communicator, source, tag, blocking, matched } => {
                self.probe(communicator, source, tag, blocking, matched).await
            }
            Call::ReceiveMatched { message, capacity, nonblocking } => {
                self.receive_matched(message, size(capacity), nonblocking).await
            }
            Call::Complete { requests, mode } => self.complete(&requests, mode).await,
            Call::IsComplete(request) => Ok(Answer::Flag(self.request(request)?.request.test().await)),
            Call::FreeRequest(request) => self.free_request(request),
            Call::Cancel(request) => self.cancel(request),
            Call::Collective { communicator, operation, nonblocking } => {
                self.call_collective(communicator, operation, nonblocking).await
            }
            Call::Duplicate(_)
            | Call::BeginDuplicate(_)
            | Call::Split { .. }
            | Call::Create { .. }
            | Call::CreateGroup { .. }
            | Call::CreateIntercommunicator { .. }
            | Call::Merge { .. }
            | Call::FreeCommunicator(_) => self.carry_out_on_communicators(call).await,
            Call::OpenPort
            | Call::ClosePort(_)
            | Call::PublishName { .. }
            | Call::UnpublishName(_)
            | Call::LookUpName(_)
            | Call::Accept(_)
            | Call::Connect(_)
            | Call::Spawn { .. } => self.carry_out_between_worlds(call).await,
            Call::Deviate(deviation) => Ok(Answer::Flag(self.run.tolerates(&deviation))),
            Call::Init
            | Call::Finalize
            | Call::Abort { .. }
            | Call::Reduced(_)
            | Call::Location(_)
            | Call::Await { .. }
            | Call::Window(_) => Err(not_allowed()),
        }
    }

    async fn receive_from(
        &self,
        communicator: u32,
        source: Option<u32>,
        tag: Option<u32>,
        capacity: usize,
        nonblocking: bool,
    ) -> Reply {
        let communicator = self.communicator(communicator)?;
        let (from, pattern) = library_pattern(source, tag);
        let request = communicator.ireceive(from, pattern, capacity).await;
        let wait = message(&communicator, source, tag);
        self.receive(request.map_err(call_error)?, wait, nonblocking).await
    }

    async fn receive_matched(&self, message: u32, capacity: usize, nonblocking: bool) -> Reply {
        let message = self.messages.remove(message);
        let message = message.ok_or_else(|| error(ERR_REQUEST, "there is no such message"))?;
        let request = message.ireceive(capacity).await;
        let wait = Wait { ranks: Vec::new(), event: "the rest of a message".into() };
        self.receive(request, wait, nonblocking).await
    }

    async fn send(
        &self,
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

    async fn call_collective(&self, communicator: u32, operation: Collective, nonblocking: bool) -> Reply {
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

    fn cancel(&self, request: u32) -> Reply {
        self.request(request)?.request.cancel();
        Ok(Answer::Done)
    }

    fn free_request(&self, request: u32) -> Reply {
        self.request(request)?;
        self.requests.remove(request);
        Ok(Answer::Done)
    }

    async fn probe(
        &self,
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

    pub(super) fn add_request(&self, request: Request, wait: Wait) -> Answer {
        Answer::Request(self.requests.add(PendingRequest { request, wait, duplicate: None }))
    }

    /// Waits for a receive, or adds it as a request.
    async fn receive(&self, request: Request, wait: Wait, nonblocking: bool) -> Reply {
        if nonblocking {
            return Ok(self.add_request(request, wait));
        }
        self.run.set_wait(self.rank, wait);
        Ok(Answer::Completed(vec![(0, completed(request.wait().await))]))
    }

    async fn complete(&self, numbers: &[u32], mode: CompletionMode) -> Reply {
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
            let pending = self.requests.remove(numbers[index]);
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
            is_placed: false,
            error: None,
        },
        Err(error) => CompletedRequest {
            source: 0,
            tag: 0,
            length: 0,
            cancelled: false,
            bytes: ByteBuf::new(),
            is_placed: false,
            error: Some(call_error(error)),
        },
    }
}
