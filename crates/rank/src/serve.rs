//! A rank's process as a program of a host: its calls one after the other, in virtual time.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;

use cluster::Duration;
use mpi::{
    Communicator, Completion, Error, Group, Message, Operation, Request, Source, Status, Tag, UserFunction,
    test_all, wait_any,
};
use serde_bytes::ByteBuf;

use crate::call::{Answer, Call, Called, Collective, Combination, End, Failure, Found, Mode, Of, World};
use crate::encode;
use crate::process::{Ended, Process};
use crate::run::{Ending, Run, Wait};
use crate::slot::LONGEST;
use crate::standard::{class, standard};

/// Runs a process as the rank of a world, from its start to its end; or until the run is over.
pub async fn serve(world: Communicator, run: Run) {
    let rank = world.rank();
    let mut served = pin!(Server::begin(world, run.clone()));
    let result = poll_fn(|context| {
        if !run.goes_on() {
            return Poll::Ready(None);
        }
        served.as_mut().poll(context).map(Some)
    })
    .await;
    if let Some(Err(ending)) = result {
        run.end(ending);
    }
    run.over(rank, None);
}

/// The simulator's half of a rank.
struct Server {
    run: Run,
    rank: usize,
    process: Rc<RefCell<Process>>,
    communicators: Numbered<Communicator>,
    requests: Numbered<Begun>,
    messages: Numbered<Message>,
}

/// A request, and what a rank that waits for it waits for.
struct Begun {
    request: Request,
    wait: Wait,
}

/// Things by number. Numbers do not come again.
struct Numbered<T> {
    entries: BTreeMap<u32, T>,
    next: u32,
}

impl<T> Numbered<T> {
    fn new() -> Self {
        Numbered { entries: BTreeMap::new(), next: 0 }
    }

    fn add(&mut self, entry: T) -> u32 {
        while self.entries.contains_key(&self.next) {
            self.next = self.next.wrapping_add(1);
        }
        let number = self.next;
        self.next = number.wrapping_add(1);
        self.entries.insert(number, entry);
        number
    }
}

/// What a call comes to: an answer, or an error of the call, or the end of the run.
type Reply = Result<Answer, Failure>;

/// The most that one call may compute before it: an hour.
const LONGEST_COMPUTATION: u64 = 3_600_000_000_000_000;

impl Server {
    async fn begin(world: Communicator, run: Run) -> Result<(), Ending> {
        let rank = world.rank();
        let program = run.program().clone();
        let process = Process::start(&program, rank).map_err(|error| {
            let program =
                program.words.first().map_or(String::new(), |word| word.to_string_lossy().into_owned());
            Ending::Start { program, error }
        })?;
        let mut communicators = Numbered::new();
        communicators.add(world.clone());
        let process = Rc::new(RefCell::new(process));
        let (requests, messages) = (Numbered::new(), Numbered::new());
        let mut server = Server { run, rank, process, communicators, requests, messages };
        server.calls(world).await
    }

    async fn calls(&mut self, world: Communicator) -> Result<(), Ending> {
        let mut begun = false;
        loop {
            let next = self.process.borrow_mut().next(&mut || self.run.goes_on());
            let Called { function, computed_ps, call } = match next {
                Ok(called) => called,
                Err(Ended::Exit(death)) if death.status.success() && !begun => {
                    self.run.over(self.rank, Some(&death));
                    return Ok(());
                }
                Err(Ended::Exit(death)) if death.status.code().is_some() && begun => {
                    return Err(Ending::NoFinalize(death));
                }
                Err(ended) => return Err(ended.into()),
            };
            world.compute(Duration::from_ps(computed_ps.min(LONGEST_COMPUTATION))).await;
            self.run.called(self.rank, &function, world.now(), &encode(&call));
            let reply = match call {
                Call::Begin if !begun => {
                    begun = true;
                    self.world(&world).await
                }
                Call::Abort { code, why } if why.is_empty() => {
                    return Err(Ending::Abort { rank: self.rank, code });
                }
                Call::Abort { code, why } => return Err(Ending::Error { rank: self.rank, code, why }),
                Call::End if begun => {
                    self.waits_for_all(&world, "all to call MPI_Finalize");
                    world.finalize().await.map_err(|error| self.failed(&error))?;
                    self.answer(&world, &Answer::Done)?;
                    let death = self.process.borrow_mut().wait(&mut || self.run.goes_on())?;
                    if death.status.code().is_none() {
                        return Err(Ended::Exit(death).into());
                    }
                    self.run.over(self.rank, Some(&death));
                    return Ok(());
                }
                call if begun => self.carry_out(call).await,
                _ => Err(wrong(16, "MPI_Init was not called before")),
            };
            self.answer(&world, &reply.unwrap_or_else(Answer::Failed))?;
        }
    }

    fn failed(&self, error: &Error) -> Ending {
        Ending::Error { rank: self.rank, code: class(error), why: format!("MPI_Finalize: {error}") }
    }

    fn answer(&mut self, world: &Communicator, answer: &Answer) -> Result<(), Ending> {
        self.run.answered(self.rank);
        let now = world.now().ps();
        Ok(self.process.borrow_mut().answer(now, answer, &mut || self.run.goes_on())?)
    }

    async fn world(&mut self, world: &Communicator) -> Reply {
        let own = Group::all(world.size()).include(&[self.rank]).map_err(failure)?;
        let own = world.create_group(&own, 0).await.map_err(failure)?;
        let own = own.ok_or_else(|| wrong(17, "there is no communicator of a process alone"))?;
        self.communicators.add(own);
        let (rank, size) = (self.rank as u32, world.size() as u32);
        Ok(Answer::World { rank, size, processor: format!("node{}", self.rank) })
    }

    async fn carry_out(&mut self, call: Call) -> Reply {
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
                self.waits_for_all(&on, "all of its communicator");
                let made = on.duplicate().await.map_err(failure)?;
                Ok(self.made(Some(made)))
            }
            Call::Split { on, colour, key } => {
                let on = self.communicator(on)?;
                self.waits_for_all(&on, "all of its communicator");
                let made = on.split(colour, key.into()).await.map_err(failure)?;
                Ok(self.made(made))
            }
            Call::Create { on, processes } => {
                let on = self.communicator(on)?;
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
                    freed.free();
                }
                Ok(Answer::Done)
            }
            Call::Begin | Call::End | Call::Abort { .. } | Call::Combined(_) => {
                Err(wrong(16, "a call that has no place here"))
            }
        }
    }

    async fn send(&mut self, on: u32, mode: Mode, to: u32, tag: u32, later: bool, bytes: Vec<u8>) -> Reply {
        let on = self.communicator(on)?;
        let (mode, length) = (of_mode(mode), bytes.len());
        let begun = on.isend(mode, to as usize, tag, bytes).await.map_err(failure)?;
        self.run.count_message();
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

    fn collective(&self, on: &Communicator, what: Collective) -> Result<mpi::Collective, Failure> {
        let sizes = |lengths: Vec<u64>| lengths.into_iter().map(size).collect::<Vec<_>>();
        Ok(match what {
            Collective::Barrier => mpi::Collective::Barrier,
            Collective::Broadcast { root, length, bytes } => {
                let root = root as usize;
                let bytes = match on.rank() == root {
                    true => bytes.into_vec(),
                    false => zeros(length)?,
                };
                mpi::Collective::Broadcast { bytes, root }
            }
            Collective::Gather { root, bytes, lengths } => {
                let (bytes, root) = (bytes.into_vec(), root as usize);
                match lengths {
                    None => mpi::Collective::Gather { bytes, root },
                    Some(lengths) => mpi::Collective::Gatherv { bytes, counts: sizes(lengths), root },
                }
            }
            Collective::Scatter { root, bytes, lengths, own } => {
                let (bytes, count, root) = (bytes.into_vec(), size(own), root as usize);
                match lengths {
                    None => mpi::Collective::Scatter { bytes, count, root },
                    Some(lengths) => mpi::Collective::Scatterv { bytes, counts: sizes(lengths), count, root },
                }
            }
            Collective::GatherAll { bytes, lengths } => match lengths {
                None => mpi::Collective::Allgather { bytes: bytes.into_vec() },
                Some(lengths) => {
                    mpi::Collective::Allgatherv { bytes: bytes.into_vec(), counts: sizes(lengths) }
                }
            },
            Collective::ToAll { bytes, lengths } => match lengths {
                None => mpi::Collective::Alltoall { bytes: bytes.into_vec() },
                Some((to, from)) => {
                    zeros(from.iter().fold(0, |all, length| all.saturating_add(*length)))?;
                    let (sends, receives) = (sizes(to), sizes(from));
                    mpi::Collective::Alltoallv { bytes: bytes.into_vec(), sends, receives }
                }
            },
            Collective::Reduce { root, bytes, how } => {
                let (bytes, operation) = (bytes.into_vec(), self.operation(how)?);
                match root {
                    Some(root) => mpi::Collective::Reduce { bytes, operation, root: root as usize },
                    None => mpi::Collective::Allreduce { bytes, operation },
                }
            }
            Collective::ReduceScatter { bytes, lengths, how } => {
                let (bytes, operation) = (bytes.into_vec(), self.operation(how)?);
                mpi::Collective::ReduceScatter { bytes, counts: sizes(lengths), operation }
            }
            Collective::Scan { bytes, inclusive, how } => {
                let (bytes, operation) = (bytes.into_vec(), self.operation(how)?);
                match inclusive {
                    true => mpi::Collective::Scan { bytes, operation },
                    false => mpi::Collective::Exscan { bytes, operation },
                }
            }
        })
    }

    /// An operation; one of the program is a call of its process, which waits in a call of its own whenever anybody here runs.
    fn operation(&self, how: Combination) -> Result<Operation, Failure> {
        let (operation, datatype, element, commutative) = match how {
            Combination::Standard { operation, datatype } => {
                let (operation, kind) = standard(operation, datatype).map_err(failure)?;
                return Ok(Operation::Predefined(operation, kind));
            }
            Combination::Program { operation, datatype, element, commutative } => {
                (operation, datatype, size(element), commutative)
            }
        };
        let (process, run) = (self.process.clone(), self.run.clone());
        let function: UserFunction = Rc::new(move |first, second| {
            let (process, run) = (process.clone(), run.clone());
            Box::pin(async move {
                let (first, second) = (ByteBuf::from(first), ByteBuf::from(second));
                let asked = Answer::Combine { operation, datatype, first, second };
                let combined = process.borrow_mut().combine(&asked, &mut || run.goes_on());
                combined.map_err(|ended| {
                    run.end(ended.into());
                    Error::User(17)
                })
            })
        });
        Ok(Operation::User { commutative, element, function })
    }

    fn communicator(&self, number: u32) -> Result<Communicator, Failure> {
        self.communicators
            .entries
            .get(&number)
            .cloned()
            .ok_or_else(|| wrong(5, "there is no such communicator"))
    }

    fn request(&self, number: u32) -> Result<&Begun, Failure> {
        self.requests.entries.get(&number).ok_or_else(|| wrong(7, "there is no such request"))
    }

    fn group(&self, processes: &[u32]) -> Result<Group, Failure> {
        let world = self.communicator(0)?;
        let ranks: Vec<_> = processes.iter().map(|process| *process as usize).collect();
        world.group().include(&ranks).map_err(failure)
    }

    fn made(&mut self, made: Option<Communicator>) -> Answer {
        Answer::Communicator(made.map(|made| {
            let process = |rank| made.group().process(rank).expect("it is a rank of the group") as u32;
            let processes = (0..made.size()).map(process).collect();
            World { number: self.communicators.add(made), processes }
        }))
    }

    fn waits_for_all(&self, on: &Communicator, what: &str) {
        self.run.waits(self.rank, others(on, what));
    }
}

/// A wait for the others of a communicator.
fn others(on: &Communicator, what: &str) -> Wait {
    let others =
        (0..on.size()).filter(|rank| *rank != on.rank()).filter_map(|rank| on.group().process(rank).ok());
    Wait { of: others.collect(), what: what.to_owned() }
}

/// A wait for a message.
fn message(on: &Communicator, from: Option<u32>, tag: Option<u32>) -> Wait {
    let tag = tag.map_or("any tag".to_owned(), |tag| format!("tag {tag}"));
    match from {
        Some(from) => {
            let of = on.group().process(from as usize).into_iter().collect();
            Wait { of, what: format!("a message of rank {from}, {tag}") }
        }
        None => others(on, &format!("a message of any rank, {tag}")),
    }
}

fn any_of(waits: Vec<Wait>) -> Wait {
    let mut of: Vec<_> = waits.iter().flat_map(|wait| wait.of.clone()).collect();
    of.sort_unstable();
    of.dedup();
    let what: Vec<_> = waits.iter().take(3).map(|wait| wait.what.as_str()).collect();
    let more = if waits.len() > 3 { " or others" } else { "" };
    Wait { of, what: format!("{}{more}", what.join(" or ")) }
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

fn size(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

/// So many zeros, if a message can have them.
fn zeros(length: u64) -> Result<Vec<u8>, Failure> {
    match length <= LONGEST {
        true => Ok(vec![0; size(length)]),
        false => Err(wrong(2, "more bytes than a message can have")),
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

fn failure(error: Error) -> Failure {
    Failure { class: class(&error), why: error.to_string() }
}

fn wrong(class: i32, why: &str) -> Failure {
    Failure { class, why: why.to_owned() }
}
