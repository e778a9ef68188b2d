//! Calls of a rank, one by one.

use mpi::{Communicator, Completion, Error, Request, Source, Status, Tag, test_all, wait_any};
use serde_bytes::ByteBuf;

use super::wait::{any_of, message, others};
use super::{Begun, Reply, Server, failure, size, wrong};
use crate::mpi::agreement::{Talk, What};
use crate::mpi::call::{Answer, Call, End, Failure, Found, Mode, Of};
use crate::mpi::run::Wait;

impl Server {
    /// Does what a rank asks for.
    pub(super) async fn carry_out(&mut self, call: Call) -> Reply {
        match call {
            Call::Send { on, mode, to, tag, later, bytes } => {
                self.send(on, mode, to, tag, later, bytes.into_vec()).await
            }
            Call::Receive { on, from, tag, most, later } => {
                let on = self.communicator(on)?;
                let (source, pattern) = pattern(from, tag);
                let begun = on.ireceive(source, pattern, size(most)).await.map_err(failure)?;
                let wait = message(&on, from, tag);
                self.begun(begun, wait, later).await
            }
            Call::Probe { on, from, tag, wait, keep } => self.probe(on, from, tag, wait, keep).await,
            Call::Take { message, most, later } => {
                let message = self.messages.entries.remove(&message);
                let message = message.ok_or_else(|| wrong(7, "there is no such message"))?;
                let begun = message.ireceive(size(most)).await;
                self.begun(begun, Wait { of: Vec::new(), what: "the rest of a message".into() }, later).await
            }
            Call::Ends { requests, of } => self.ends(&requests, of).await,
            Call::HasEnded(request) => Ok(Answer::Flag(self.request(request)?.request.test().await)),
            Call::Forget(request) => {
                self.request(request)?;
                self.requests.entries.remove(&request);
                Ok(Answer::Done)
            }
            Call::Cancel(request) => {
                self.request(request)?.request.cancel();
                Ok(Answer::Done)
            }
            Call::Collective { on, what, later } => {
                let on = self.communicator(on)?;
                self.agrees(&on, What::of(&what))?;
                let call = self.collective(&on, what)?;
                let wait = others(&on, "all of its communicator");
                if later {
                    let begun = on.begin(call).await.map_err(failure)?;
                    return self.begun(begun, wait, true).await;
                }
                self.run.waits(self.rank, wait);
                let bytes = on.call(call).await.map_err(failure)?;
                Ok(Answer::Ended(vec![(0, end(Ok(result(bytes))))]))
            }
            Call::Duplicate(on) => {
                let on = self.communicator(on)?;
                self.agrees(&on, What::communicator())?;
                self.waits_for_all(&on, "all of its communicator");
                let made = on.duplicate().await.map_err(failure)?;
                Ok(self.made(Some(made)))
            }
            Call::Split { on, colour, key } => {
                let on = self.communicator(on)?;
                self.agrees(&on, What::communicator())?;
                self.waits_for_all(&on, "all of its communicator");
                let made = on.split(colour, key.into()).await.map_err(failure)?;
                Ok(self.made(made))
            }
            Call::Create { on, processes } => {
                let on = self.communicator(on)?;
                self.agrees(&on, What::communicator())?;
                self.waits_for_all(&on, "all of its communicator");
                let group = self.group(&processes)?;
                let made = on.create(&group).await.map_err(failure)?;
                Ok(self.made(made))
            }
            Call::CreateGroup { on, processes, tag } => {
                let on = self.communicator(on)?;
                let group = self.group(&processes)?;
                let of =
                    processes.iter().map(|process| *process as usize).filter(|process| *process != self.rank);
                self.run
                    .waits(self.rank, Wait { of: of.collect(), what: "all of its new communicator".into() });
                let made = on.create_group(&group, tag).await.map_err(failure)?;
                Ok(self.made(made))
            }
            Call::Free(on) => {
                let freed = self.communicator(on)?;
                if on > 1 {
                    self.communicators.entries.remove(&on);
                    self.run.freed(&talk(&freed), self.rank);
                    freed.free();
                }
                Ok(Answer::Done)
            }
            Call::Begin | Call::End | Call::Abort { .. } | Call::Combined(_) | Call::Stands(_) => {
                Err(wrong(16, "a call that has no place here"))
            }
        }
    }

    /// An error if other ranks of the communicator make another collective call.
    fn agrees(&self, on: &Communicator, what: What) -> Result<(), Failure> {
        match on.size() {
            1 => Ok(()),
            _ => self.run.agrees(talk(on), self.rank, what),
        }
    }

    async fn send(&mut self, on: u32, mode: Mode, to: u32, tag: u32, later: bool, bytes: Vec<u8>) -> Reply {
        let on = self.communicator(on)?;
        let (mode, length) = (of_mode(mode), bytes.len());
        let begun = on.isend(mode, to as usize, tag, bytes).await.map_err(failure)?;
        self.run.count_message(length);
        let peer = on.group().process(to as usize).map_err(failure)?;
        let what = format!("rank {to} to receive {length} bytes, tag {tag}");
        let wait = Wait { of: vec![peer], what };
        if later {
            return self.begun(begun, wait, true).await;
        }
        self.run.waits(self.rank, wait);
        begun.wait().await.map_err(failure)?;
        Ok(Answer::Done)
    }

    async fn probe(&mut self, on: u32, from: Option<u32>, tag: Option<u32>, wait: bool, keep: bool) -> Reply {
        let on = self.communicator(on)?;
        let (source, pattern) = pattern(from, tag);
        if wait {
            self.run.waits(self.rank, message(&on, from, tag));
        }
        let found = match (wait, keep) {
            (true, false) => on.probe(source, pattern).await.map(|status| Some((None, status))),
            (false, false) => {
                on.iprobe(source, pattern).await.map(|found| found.map(|status| (None, status)))
            }
            (true, true) => {
                on.probe_message(source, pattern).await.map(|(kept, status)| Some((Some(kept), status)))
            }
            (false, true) => {
                let found = on.iprobe_message(source, pattern).await;
                found.map(|found| found.map(|(kept, status)| (Some(kept), status)))
            }
        };
        let found = found.map_err(failure)?;
        Ok(Answer::Found(found.map(|(kept, status)| {
            let message = kept.map(|kept| self.messages.add(kept));
            let Status { source, tag, bytes, .. } = status;
            Found { message, source: source as u32, tag, length: bytes as u64 }
        })))
    }

    /// A request that the rank waits for now, or later.
    async fn begun(&mut self, request: Request, wait: Wait, later: bool) -> Reply {
        if later {
            return Ok(Answer::Request(self.requests.add(Begun { request, wait })));
        }
        self.run.waits(self.rank, wait);
        Ok(Answer::Ended(vec![(0, end(request.wait().await))]))
    }

    async fn ends(&mut self, numbers: &[u32], of: Of) -> Reply {
        let begun = numbers.iter().map(|number| self.request(*number)).collect::<Result<Vec<_>, _>>()?;
        let requests: Vec<_> = begun.iter().map(|begun| begun.request.clone()).collect();
        let waits: Vec<_> = begun.iter().map(|begun| begun.wait.clone()).collect();
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() != numbers.len() {
            return Err(wrong(7, "a request is named twice"));
        }
        let all = |requests: &[Request]| (0..requests.len()).collect::<Vec<_>>();
        let done = |requests: &[Request]| {
            requests
                .iter()
                .enumerate()
                .filter(|(_, request)| request.is_done())
                .map(|(at, _)| at)
                .collect::<Vec<_>>()
        };
        let ended = match of {
            Of::All => {
                for (request, wait) in requests.iter().zip(waits) {
                    // The first one that is not there is what the rank waits for.
                    self.run.waits(self.rank, wait);
                    let one = std::slice::from_ref(request);
                    wait_any(one).await;
                }
                all(&requests)
            }
            Of::Any => {
                self.run.waits(self.rank, any_of(waits));
                wait_any(&requests).await.into_iter().collect()
            }
            Of::Some => {
                self.run.waits(self.rank, any_of(waits));
                wait_any(&requests).await;
                done(&requests)
            }
            Of::AllIfThere => match test_all(&requests).await {
                true => all(&requests),
                false => Vec::new(),
            },
            Of::AnyIfThere => {
                test_all(&requests).await;
                done(&requests).into_iter().take(1).collect()
            }
            Of::SomeIfThere => {
                test_all(&requests).await;
                done(&requests)
            }
        };
        let mut ends = Vec::with_capacity(ended.len());
        for at in ended {
            self.requests.entries.remove(&numbers[at]);
            let taken = requests[at].take().unwrap_or(Err(Error::Request));
            ends.push((at as u32, end(taken)));
        }
        Ok(Answer::Ended(ends))
    }
}

fn talk(on: &Communicator) -> Talk {
    (on.number(), (0..on.size()).filter_map(|rank| on.group().process(rank).ok()).collect())
}

fn pattern(from: Option<u32>, tag: Option<u32>) -> (Source, Tag) {
    (from.map_or(Source::Any, |rank| Source::Rank(rank as usize)), tag.map_or(Tag::Any, Tag::Is))
}

fn of_mode(mode: Mode) -> mpi::Mode {
    match mode {
        Mode::Standard => mpi::Mode::Standard,
        Mode::Synchronous => mpi::Mode::Synchronous,
        Mode::Buffered => mpi::Mode::Buffered,
        Mode::Ready => mpi::Mode::Ready,
    }
}

fn end(ended: Result<Completion, Error>) -> End {
    match ended {
        Ok(Completion { status, bytes }) => End {
            source: status.source as u32,
            tag: status.tag,
            length: status.bytes as u64,
            cancelled: status.cancelled,
            bytes: bytes.into(),
            failure: None,
        },
        Err(error) => {
            let failure = Some(failure(error));
            End { source: 0, tag: 0, length: 0, cancelled: false, bytes: ByteBuf::new(), failure }
        }
    }
}

fn result(bytes: Vec<u8>) -> Completion {
    Completion { status: Status { source: 0, tag: 0, bytes: bytes.len(), cancelled: false }, bytes }
}
