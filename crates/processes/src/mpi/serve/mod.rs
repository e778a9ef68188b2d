//! A rank's process as a program of a host: its calls one after the other, in virtual time.

mod collective;
mod dispatch;
mod wait;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;

use cluster::Duration;
use mpi::{Communicator, Error, Group, Message, Request};

use crate::encode;
use crate::mpi::call::{Answer, Call, Called, Failure, World};
use crate::mpi::process::{Ended, Process};
use crate::mpi::profile::Departure;
use crate::mpi::run::{Ending, Run, Wait};
use crate::mpi::standard::class;

/// Runs a process as the rank of a world, from its start to its end; or until the run is over.
pub async fn serve(world: Communicator, run: Run) {
    let rank = world.rank();
    run.watch(world.watcher());
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
        run.started(rank, &process);
        let (requests, messages) = (Numbered::new(), Numbered::new());
        let mut server = Server { run, rank, process, communicators, requests, messages };
        server.calls(world).await
    }

    async fn calls(&mut self, world: Communicator) -> Result<(), Ending> {
        let (mut begun, mut calls) = (false, 0);
        loop {
            let next = self.process.borrow_mut().next(&mut || self.run.goes_on());
            let mut called = match next {
                Ok(called) => called,
                Err(Ended::Exit(death)) if death.status.success() && !begun => {
                    self.check_end(calls)?;
                    self.run.over(self.rank, Some(&death));
                    return Ok(());
                }
                Err(Ended::Exit(death)) if death.status.code().is_some() && begun => {
                    return Err(Ending::NoFinalize(death));
                }
                Err(ended) => return Err(ended.into()),
            };
            let computed = self.run.computing().before(self.rank, calls, &mut called);
            let computed = computed.map_err(|departure| self.departed(departure))?;
            calls += 1;
            let Called { function, computed_ps, call, .. } = called;
            let computed_ps = computed_ps.saturating_add(computed.ps());
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
                    self.check_end(calls)?;
                    self.run.over(self.rank, Some(&death));
                    return Ok(());
                }
                call if begun => self.carry_out(call).await,
                _ => Err(wrong(16, "MPI_Init was not called before")),
            };
            self.answer(&world, &reply.unwrap_or_else(Answer::Failed))?;
        }
    }

    /// An error if a rank that has ended after so many calls made more of them when it was recorded.
    fn check_end(&self, calls: usize) -> Result<(), Ending> {
        let ended = self.run.computing().ended(self.rank, calls);
        ended.map_err(|departure| Ending::Departed { departure, place: String::new() })
    }

    /// A rank that is in a call does something else than was recorded.
    fn departed(&self, departure: Departure) -> Ending {
        let place = self.process.borrow_mut().place(&mut || self.run.goes_on());
        let place = if place.is_empty() { place } else { format!(", at {place}") };
        Ending::Departed { departure, place }
    }

    fn failed(&self, error: &Error) -> Ending {
        Ending::Error { rank: self.rank, code: class(error), why: format!("MPI_Finalize: {error}") }
    }

    fn answer(&mut self, world: &Communicator, answer: &Answer) -> Result<(), Ending> {
        let now = world.now();
        self.run.answered(self.rank, now);
        Ok(self.process.borrow_mut().answer(now.ps(), answer, &mut || self.run.goes_on())?)
    }

    async fn world(&mut self, world: &Communicator) -> Reply {
        let own = Group::all(world.size()).include(&[self.rank]).map_err(failure)?;
        let own = world.create_group(&own, 0).await.map_err(failure)?;
        let own = own.ok_or_else(|| wrong(17, "there is no communicator of a process alone"))?;
        self.communicators.add(own);
        let (rank, size) = (self.rank as u32, world.size() as u32);
        Ok(Answer::World { rank, size, processor: format!("node{}", self.rank) })
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
        self.run.waits(self.rank, wait::others(on, what));
    }
}

fn size(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

fn failure(error: Error) -> Failure {
    Failure { class: class(&error), why: error.to_string() }
}

fn wrong(class: i32, why: &str) -> Failure {
    Failure { class, why: why.to_owned() }
}
