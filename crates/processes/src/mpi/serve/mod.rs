//! A rank's process as the program of a host: its calls, one after the other, in virtual time.

mod collective;
mod communicators;
mod connect;
mod dispatch;
mod look;
mod spare;
mod threads;
mod wait;
mod window;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use cluster::Duration;
use mpi::{Communicator, Duplicate, Error, Group, Message, Peer, Request};
use xxhash_rust::xxh3::Xxh3;

use self::look::Look;
use super::call::{Answer, Call, CallError, CallMessage, CommunicatorInfo, LONG, MemoryAddress};
use super::deadlock::Wait;
use super::process::start;
use super::profile::ReplayMismatch;
use super::reached::ReachedMemory;
use super::run::{MpiFailure, Run};
use super::standard::{ERR_COMM, ERR_INTERN, ERR_OTHER, ERR_REQUEST, class};
use crate::codec::{encode, hash_encoded, hash_long};
use crate::process::{Process, ProcessError};
use spare::StartOrder;
use threads::Threads;
use window::ServedWindow;

/// Runs the processes of a host, from their start to their exit or to the end of the run: the rank of the program, or
/// the processes that ranks start on a spare host.
pub async fn serve(all: Communicator, run: Run) {
    run.watch(all.watcher());
    let hosts = run.hosts();
    match all.rank() < hosts.ranks {
        true => {
            let ranks: Vec<_> = (0..hosts.ranks).collect();
            run.drive(Server::start_and_serve(&all, run.clone(), None, &ranks)).await;
        }
        false => run.drive(spare::serve_spare(&all, &run)).await,
    }
    run.end_rank(all.rank(), None);
}

/// The simulator's half of a rank.
struct Server {
    run: Run,
    /// Number of the process in the run.
    rank: usize,
    process: Rc<RefCell<Process>>,
    memory: Rc<ReachedMemory>,
    /// All processes of the run.
    universe: Communicator,
    /// The order that started the process on a spare host.
    order: Option<StartOrder>,
    communicators: Numbered<Communicator>,
    requests: Numbered<PendingRequest>,
    messages: Numbered<Message>,
    /// The last look, if the rank may repeat it without the simulator.
    look: RefCell<Option<Look>>,
    windows: Numbered<ServedWindow>,
}

#[derive(Clone)]
struct PendingRequest {
    request: Request,
    /// The event that completes it, for reports of deadlocks.
    wait: Wait,
    /// The communicator that it makes.
    duplicate: Option<Duplicate>,
}

/// Objects that the process knows by number. A number is not reused until all others have been.
struct Numbered<T> {
    entries: RefCell<BTreeMap<u32, T>>,
    next: Cell<u32>,
}

impl<T> Numbered<T> {
    fn new() -> Self {
        Numbered { entries: RefCell::default(), next: Cell::default() }
    }

    fn add(&self, entry: T) -> u32 {
        let mut entries = self.entries.borrow_mut();
        let mut number = self.next.get();
        while entries.contains_key(&number) {
            number = number.wrapping_add(1);
        }
        self.next.set(number.wrapping_add(1));
        entries.insert(number, entry);
        number
    }

    fn get(&self, number: u32) -> Option<T>
    where
        T: Clone,
    {
        self.entries.borrow().get(&number).cloned()
    }

    fn remove(&self, number: u32) -> Option<T> {
        self.entries.borrow_mut().remove(&number)
    }
}

/// Result of a call: its answer, or the error that the program gets.
type Reply = Result<Answer, CallError>;

/// Event of collective calls in reports.
const ALL_RANKS: &str = "all of its communicator";

/// Virtual time between two calls at most: one hour, in ps.
const LONGEST_COMPUTATION: u64 = 3_600_000_000_000_000;

impl Server {
    /// Runs a process of a world of these processes.
    async fn start_and_serve(
        all: &Communicator,
        run: Run,
        order: Option<StartOrder>,
        processes: &[usize],
    ) -> Result<(), MpiFailure> {
        let rank = all.rank();
        let program = match &order {
            Some(order) => order.program(run.program(0)),
            None => run.program(rank).clone(),
        };
        let process = start(&run, rank, &program)?;
        let whole = processes.len() == all.size();
        let world = if whole { Ok(all.clone()) } else { all.world_of(processes) };
        let world = world.map_err(|error| world_error(rank, &error))?;
        let communicators = Numbered::new();
        communicators.add(world.clone());
        let process = Rc::new(RefCell::new(process));
        run.set_process(rank, &process);
        let (requests, messages, windows) = (Numbered::new(), Numbered::new(), Numbered::new());
        let (is_spare, universe) = (order.is_some(), all.universe());
        let server = Rc::new(Server {
            run,
            rank,
            process,
            memory: Rc::default(),
            universe,
            order,
            communicators,
            requests,
            messages,
            windows,
            look: RefCell::default(),
        });
        server.clone().serve_calls(world).await?;
        let Server { run, universe, .. } = &*server;
        if run.services().end(rank, is_spare) {
            spare::dismiss(universe, run).await.map_err(|error| world_error(rank, &error))?;
        }
        Ok(())
    }

    async fn serve_calls(self: Rc<Self>, world: Communicator) -> Result<(), MpiFailure> {
        let (mut initialized, mut calls, mut threads) = (false, 0, Threads::default());
        loop {
            let next = self.process.borrow_mut().next::<CallMessage>(&mut || self.run.is_running());
            let mut message = match next {
                Ok(message) => message,
                Err(ProcessError::Exit(exit)) if exit.status.success() && !initialized => {
                    self.check_end(calls)?;
                    self.run.end_rank(self.rank, Some(&exit));
                    return Ok(());
                }
                Err(ProcessError::Exit(exit)) if exit.status.code().is_some() && initialized => {
                    return Err(MpiFailure::NoFinalize(exit));
                }
                Err(error) => return Err(error.into()),
            };
            let fetched = self.memory.fetch(&mut message);
            let computed = self.time_before(calls, &mut message)?;
            calls += 1 + self.count_looks(&message.looks);
            let CallMessage { function, computed_ps, thread, mut call, memory, places, .. } = message;
            threads.compute(&world, computed_ps.saturating_add(computed.ps())).await;
            let is_long = call.data_mut().is_some_and(|data| data.len() >= LONG);
            self.run.enter_call(self.rank, &function, world.now(), |hash| add_to_hash(&call, is_long, hash));
            let reply = match call {
                _ if let Err(error) = fetched => Err(error),
                call if initialized && thread.is_some_and(|_| call.is_of_thread()) => {
                    self.clone().call_of_thread(&mut threads, &world, thread, call, memory).await
                }
                Call::Init if !initialized => {
                    initialized = true;
                    self.run.initialize();
                    self.init(&world, memory).await
                }
                Call::Abort { code, reason } if reason.is_empty() => {
                    return Err(MpiFailure::Abort { rank: self.rank, code });
                }
                Call::Abort { code: class, reason } => {
                    return Err(MpiFailure::Error { rank: self.rank, class, reason });
                }
                Call::Finalize if initialized => {
                    threads.end();
                    return self.finalize(&world, calls).await;
                }
                call if initialized && call.is_look() => {
                    let reply = self.carry_out(call.clone()).await;
                    self.answer_to_look(&world, &function, &call, reply)
                }
                Call::Window(call) if initialized => self.call_window(call, memory).await,
                call if initialized => self.carry_out(call).await,
                _ => Err(error(ERR_OTHER, "MPI_Init was not called before")),
            };
            let mut answer = reply.unwrap_or_else(Answer::Failed);
            self.memory.place(&mut answer, &places);
            self.answer(&world, &answer)?;
        }
    }

    /// Carries out `MPI_Finalize`, the last of `calls`, and waits until the process has ended.
    async fn finalize(&self, world: &Communicator, calls: usize) -> Result<(), MpiFailure> {
        self.set_wait_for_others(world, "all to call MPI_Finalize");
        world.finalize().await.map_err(|error| self.finalize_error(&error))?;
        self.answer(world, &Answer::Done)?;
        let exit = self.process.borrow_mut().wait_for_exit(&mut || self.run.is_running())?;
        if exit.status.code().is_none() {
            return Err(ProcessError::Exit(exit).into());
        }
        self.check_end(calls)?;
        self.run.end_rank(self.rank, Some(&exit));
        Ok(())
    }

    /// An error if more calls were recorded than the `calls` of this rank, which has ended.
    fn check_end(&self, calls: usize) -> Result<(), MpiFailure> {
        let checked = self.run.computing().check_end(self.rank, calls);
        checked.map_err(|mismatch| MpiFailure::Mismatch { mismatch, location: String::new() })
    }

    /// Time of the computation before a call; an error if the call is not the recorded one.
    fn time_before(&self, calls: usize, message: &mut CallMessage) -> Result<Duration, MpiFailure> {
        let computed = self.run.computing().time_before(self.rank, calls, message);
        computed.map_err(|mismatch| self.mismatch(mismatch))
    }

    /// The failure of a rank whose current call differs from the recorded one.
    fn mismatch(&self, mismatch: ReplayMismatch) -> MpiFailure {
        let location = self.process.borrow_mut().location(&mut || self.run.is_running());
        let location = if location.is_empty() { location } else { format!(", at {location}") };
        MpiFailure::Mismatch { mismatch, location }
    }

    fn finalize_error(&self, error: &Error) -> MpiFailure {
        let reason = format!("MPI_Finalize: {error}");
        MpiFailure::Error { rank: self.rank, class: class(error), reason }
    }

    fn answer(&self, world: &Communicator, answer: &Answer) -> Result<(), MpiFailure> {
        let now = world.now();
        self.run.leave_call(self.rank, now);
        Ok(self.process.borrow_mut().answer(now.ps(), answer, &mut || self.run.is_running())?)
    }

    async fn init(&self, world: &Communicator, memory: Option<MemoryAddress>) -> Reply {
        let own = self.universe.group().include(&[self.rank]).map_err(call_error)?;
        let own = world.create_group(&own, 0).await.map_err(call_error)?;
        let own = own.ok_or_else(|| error(ERR_INTERN, "there is no communicator of a process alone"))?;
        self.communicators.add(own);
        let parent = match &self.order {
            Some(order) => {
                let peer = Peer { communicator: self.universe.clone(), rank: order.parent as usize };
                self.set_wait_for_others(world, "all of the processes that started it");
                let parent = world.create_intercommunicator(0, Some(peer), order.tag).await;
                Some(self.add(parent.map_err(call_error)?))
            }
            None => None,
        };
        Ok(Answer::World {
            rank: world.rank() as u32,
            processes: numbers(world.group()),
            processor: format!("node{}", self.rank / self.run.hosts().per_node),
            parent,
            universe: self.run.hosts().universe.map(|_| self.run.hosts().count() as u32),
            application: self.order.as_ref().map_or(0, |order| order.application),
            reaches_memory: memory.is_some_and(|byte| self.memory.reach(byte, self.process.borrow().pid())),
        })
    }

    fn communicator(&self, number: u32) -> Result<Communicator, CallError> {
        self.communicators.get(number).ok_or_else(|| error(ERR_COMM, "there is no such communicator"))
    }

    fn request(&self, number: u32) -> Result<PendingRequest, CallError> {
        self.requests.get(number).ok_or_else(|| error(ERR_REQUEST, "there is no such request"))
    }

    fn group(&self, processes: &[u32]) -> Result<Group, CallError> {
        let ranks: Vec<_> = processes.iter().map(|process| *process as usize).collect();
        self.universe.group().include(&ranks).map_err(call_error)
    }

    fn add_communicator(&self, new: Option<Communicator>) -> Answer {
        Answer::Communicator(new.map(|new| self.add(new)))
    }

    fn add(&self, new: Communicator) -> CommunicatorInfo {
        let (processes, remote) = (numbers(new.group()), new.remote_group().map(numbers));
        CommunicatorInfo { number: self.communicators.add(new), processes, remote }
    }

    fn set_wait_for_others(&self, communicator: &Communicator, event: &str) {
        self.run.set_wait(self.rank, wait::others(communicator, event));
    }
}

/// Adds a call to the fingerprint; one with long data is not stored encoded.
fn add_to_hash(call: &Call, is_long: bool, hash: &mut Xxh3) {
    match is_long {
        true => hash_long(call, hash),
        false => hash_encoded(&encode(call), hash),
    }
}

/// Numbers of the processes of a group.
fn numbers(group: &Group) -> Vec<u32> {
    wait::processes(group).map(|process| process as u32).collect()
}

/// The failure of a process that does not reach others of the run.
fn world_error(rank: usize, error: &Error) -> MpiFailure {
    MpiFailure::Error { rank, class: class(error), reason: error.to_string() }
}

fn size(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

fn call_error(error: Error) -> CallError {
    CallError { class: class(&error), reason: error.to_string() }
}

/// The error of a call that comes where its interface allows none.
fn not_allowed() -> CallError {
    error(ERR_OTHER, "the call is not allowed here")
}

fn error(class: i32, reason: &str) -> CallError {
    CallError { class, reason: reason.to_owned() }
}
