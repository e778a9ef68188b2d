//! A rank's process as the program of a host: its calls, one after the other, in virtual time.

mod collective;
mod dispatch;
mod look;
mod wait;
mod window;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use cluster::Duration;
use mpi::{Communicator, Duplicate, Error, Group, Message, Request};

use self::look::Look;
use super::call::{Answer, Call, CallError, CallMessage, CommunicatorInfo};
use super::deadlock::Wait;
use super::process::start;
use super::profile::ReplayMismatch;
use super::run::{MpiFailure, Run};
use super::standard::{ERR_COMM, ERR_INTERN, ERR_OTHER, ERR_REQUEST, class};
use crate::encode;
use crate::process::{Process, ProcessError};
use window::ServedWindow;

/// Runs a process as the rank of a world, from its start to its exit or to the end of the run.
pub async fn serve(world: Communicator, run: Run) {
    let rank = world.rank();
    run.watch(world.watcher());
    run.drive(Server::start_and_serve(world, run.clone())).await;
    run.end_rank(rank, None);
}

/// The simulator's half of a rank.
struct Server {
    run: Run,
    rank: usize,
    process: Rc<RefCell<Process>>,
    communicators: Numbered<Communicator>,
    requests: Numbered<PendingRequest>,
    messages: Numbered<Message>,
    /// The last look, if the rank may repeat it without the simulator.
    look: Option<Look>,
    windows: Numbered<ServedWindow>,
}

struct PendingRequest {
    request: Request,
    /// The event that completes it, for reports of deadlocks.
    wait: Wait,
    /// The communicator that it makes.
    duplicate: Option<Duplicate>,
}

/// Objects that the process knows by number. A number is not reused until all others have been.
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

/// Result of a call: its answer, or the error that the program gets.
type Reply = Result<Answer, CallError>;

/// Virtual time between two calls at most: one hour, in ps.
const LONGEST_COMPUTATION: u64 = 3_600_000_000_000_000;

impl Server {
    async fn start_and_serve(world: Communicator, run: Run) -> Result<(), MpiFailure> {
        let rank = world.rank();
        let process = start(&run, rank)?;
        let mut communicators = Numbered::new();
        communicators.add(world.clone());
        let process = Rc::new(RefCell::new(process));
        run.set_process(rank, &process);
        let (requests, messages, windows) = (Numbered::new(), Numbered::new(), Numbered::new());
        let mut server =
            Server { run, rank, process, communicators, requests, messages, windows, look: None };
        server.serve_calls(world).await
    }

    async fn serve_calls(&mut self, world: Communicator) -> Result<(), MpiFailure> {
        let (mut initialized, mut calls) = (false, 0);
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
            let computed = self.run.computing().time_before(self.rank, calls, &mut message);
            let computed = computed.map_err(|mismatch| self.mismatch(mismatch))?;
            calls += 1 + self.count_looks(&message.looks);
            let CallMessage { function, computed_ps, call, memory, .. } = message;
            let computed_ps = computed_ps.saturating_add(computed.ps());
            world.compute(Duration::from_ps(computed_ps.min(LONGEST_COMPUTATION))).await;
            self.run.enter_call(self.rank, &function, world.now(), &encode(&call));
            let reply = match call {
                Call::Init if !initialized => {
                    initialized = true;
                    self.run.initialize();
                    self.init(&world).await
                }
                Call::Abort { code, reason } if reason.is_empty() => {
                    return Err(MpiFailure::Abort { rank: self.rank, code });
                }
                Call::Abort { code: class, reason } => {
                    return Err(MpiFailure::Error { rank: self.rank, class, reason });
                }
                Call::Finalize if initialized => {
                    self.set_wait_for_others(&world, "all to call MPI_Finalize");
                    world.finalize().await.map_err(|error| self.finalize_error(&error))?;
                    self.answer(&world, &Answer::Done)?;
                    let exit = self.process.borrow_mut().wait_for_exit(&mut || self.run.is_running())?;
                    if exit.status.code().is_none() {
                        return Err(ProcessError::Exit(exit).into());
                    }
                    self.check_end(calls)?;
                    self.run.end_rank(self.rank, Some(&exit));
                    return Ok(());
                }
                call if initialized && call.is_look() => {
                    let reply = self.carry_out(call.clone()).await;
                    self.answer_to_look(&world, &function, &call, reply)
                }
                Call::Window(call) if initialized => self.call_window(call, memory).await,
                call if initialized => self.carry_out(call).await,
                _ => Err(error(ERR_OTHER, "MPI_Init was not called before")),
            };
            self.answer(&world, &reply.unwrap_or_else(Answer::Failed))?;
        }
    }

    /// An error if more calls were recorded than the `calls` of this rank, which has ended.
    fn check_end(&self, calls: usize) -> Result<(), MpiFailure> {
        let checked = self.run.computing().check_end(self.rank, calls);
        checked.map_err(|mismatch| MpiFailure::Mismatch { mismatch, location: String::new() })
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

    fn answer(&mut self, world: &Communicator, answer: &Answer) -> Result<(), MpiFailure> {
        let now = world.now();
        self.run.leave_call(self.rank, now);
        Ok(self.process.borrow_mut().answer(now.ps(), answer, &mut || self.run.is_running())?)
    }

    async fn init(&mut self, world: &Communicator) -> Reply {
        let own = Group::all(world.size()).include(&[self.rank]).map_err(call_error)?;
        let own = world.create_group(&own, 0).await.map_err(call_error)?;
        let own = own.ok_or_else(|| error(ERR_INTERN, "there is no communicator of a process alone"))?;
        self.communicators.add(own);
        let (rank, size) = (self.rank as u32, world.size() as u32);
        Ok(Answer::World { rank, size, processor: format!("node{}", self.rank) })
    }

    fn communicator(&self, number: u32) -> Result<Communicator, CallError> {
        self.communicators
            .entries
            .get(&number)
            .cloned()
            .ok_or_else(|| error(ERR_COMM, "there is no such communicator"))
    }

    fn request(&self, number: u32) -> Result<&PendingRequest, CallError> {
        self.requests.entries.get(&number).ok_or_else(|| error(ERR_REQUEST, "there is no such request"))
    }

    fn group(&self, processes: &[u32]) -> Result<Group, CallError> {
        let world = self.communicator(0)?;
        let ranks: Vec<_> = processes.iter().map(|process| *process as usize).collect();
        world.group().include(&ranks).map_err(call_error)
    }

    fn add_communicator(&mut self, new: Option<Communicator>) -> Answer {
        Answer::Communicator(new.map(|new| {
            let list = |group: &Group| wait::processes(group).map(|process| process as u32).collect();
            let (processes, remote) = (list(new.group()), new.remote_group().map(list));
            CommunicatorInfo { number: self.communicators.add(new), processes, remote }
        }))
    }

    fn set_wait_for_others(&self, communicator: &Communicator, event: &str) {
        self.run.set_wait(self.rank, wait::others(communicator, event));
    }
}

fn size(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

fn call_error(error: Error) -> CallError {
    CallError { class: class(&error), reason: error.to_string() }
}

fn error(class: i32, reason: &str) -> CallError {
    CallError { class, reason: reason.to_owned() }
}
