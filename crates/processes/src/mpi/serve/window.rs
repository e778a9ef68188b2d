//! Windows of a rank: the memory is in its process, and the library of its host serves the accesses.

use std::cell::RefCell;
use std::rc::Rc;

use mpi::{Communicator, Error, Exposed, Flush, LockKind, Memory, Request, TargetPlace, Window};
use slots::ProcessMemory;

use super::communicators::id;
use super::wait::others;
use super::{Reply, Server, call_error, error, size};
use crate::mpi::call::{Answer, CallError, MemoryAddress, Synchronization, WindowAccess, WindowCall};
use crate::mpi::collective_check::CollectiveSignature;
use crate::mpi::deadlock::Wait;
use crate::mpi::reached::memory_of;
use crate::mpi::run::Run;
use crate::mpi::standard::{ERR_ARG, ERR_OTHER, ERR_WIN, standard};

/// A window of a rank, with the gets whose data the process does not have yet. Clones are the same window.
#[derive(Clone)]
pub(super) struct ServedWindow {
    window: Window,
    memory: ProcessMemory,
    landing: Rc<RefCell<Vec<(u32, Request)>>>,
}

/// Memory of a rank's process. Failed accesses are errors of the window.
struct RankMemory {
    memory: ProcessMemory,
    rank: usize,
    run: Run,
}

impl Memory for RankMemory {
    fn read(&self, address: u64, into: &mut [u8]) -> Result<(), Error> {
        self.memory.read(address, into).map_err(|_| Error::RmaMemory)
    }

    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), Error> {
        self.memory.write(address, bytes).map_err(|_| Error::RmaMemory)
    }

    fn expose(&self, window: u16, base: u64) {
        self.run.expose(window, self.rank, self.memory, base);
    }

    fn of_peer(&self, window: u16, rank: usize) -> Option<(Rc<dyn Memory>, u64)> {
        let run = self.run.clone();
        let (memory, base) = run.exposed(window, rank)?;
        Some((Rc::new(RankMemory { memory, rank, run }), base))
    }
}

impl Server {
    /// Carries out a call of a window.
    pub(super) async fn call_window(&self, call: WindowCall, memory: Option<MemoryAddress>) -> Reply {
        match call {
            WindowCall::Create { communicator, size, unit, is_allocated } => {
                self.create_window(communicator, size, unit, is_allocated, memory).await
            }
            WindowCall::CheckFree(number) => {
                self.window(number)?.check_free().map_err(call_error)?;
                Ok(Answer::Done)
            }
            WindowCall::Free(number) => self.free_window(number).await,
            WindowCall::Attach { window, size } => {
                let address = address(memory)?;
                let served = self.served(window)?;
                let (memory, window) = (served.memory, served.window);
                check_access(memory, address, size)?;
                window.attach(address, size).map_err(call_error)?;
                Ok(Answer::Done)
            }
            WindowCall::Detach(number) => {
                self.window(number)?.detach(address(memory)?).map_err(call_error)?;
                Ok(Answer::Done)
            }
            WindowCall::Access { window, target, displacement, runs, access, destination, has_request } => {
                let displacement = memory.map_or(displacement, |memory| memory.address as i64);
                let place = TargetPlace { rank: target as usize, displacement, runs: &runs };
                self.access_window(window, place, access, destination, has_request).await
            }
            WindowCall::Synchronize { window, by: Synchronization::Test } => {
                let ended = self.window(window)?.test().await.map_err(call_error)?;
                Ok(Answer::Flag(ended))
            }
            WindowCall::Synchronize { window, by } => self.synchronize(window, by).await,
        }
    }

    async fn create_window(
        &self,
        communicator: u32,
        bytes: Option<u64>,
        unit: u64,
        is_allocated: bool,
        memory: Option<MemoryAddress>,
    ) -> Reply {
        let memory = memory.ok_or_else(|| error(ERR_OTHER, "a window is in the memory of a process"))?;
        let process = memory_of(memory.process, self.process.borrow().pid());
        let process = process.ok_or_else(|| error(ERR_OTHER, "the process is not one of this rank"))?;
        check_access(process, memory.address, bytes.unwrap_or(0))?;
        let exposed = match bytes {
            Some(size) => Exposed::Fixed { base: memory.address, size },
            None => Exposed::Dynamic(Vec::new()),
        };
        let communicator = self.new_communicator_of(communicator)?;
        let memory = Rc::new(RankMemory { memory: process, rank: self.rank, run: self.run.clone() });
        let window = match is_allocated {
            true => Window::allocate(&communicator, memory, exposed, unit).await,
            false => Window::create(&communicator, memory, exposed, unit).await,
        };
        let window = window.map_err(call_error)?;
        let served = ServedWindow { window, memory: process, landing: Rc::default() };
        Ok(Answer::Window(self.windows.add(served)))
    }

    async fn free_window(&self, number: u32) -> Reply {
        let window = self.window(number)?;
        window.check_free().map_err(call_error)?;
        let communicator = window.communicator().clone();
        self.check_collective(&communicator, CollectiveSignature::free_window())?;
        self.run.set_wait(self.rank, others(&communicator, "all of its window to free it"));
        let result = window.free().await;
        self.run.free_communicator(&id(&communicator), self.rank);
        let landed = self.landed(number, result)?;
        self.windows.remove(number);
        Ok(landed)
    }

    async fn access_window(
        &self,
        number: u32,
        place: TargetPlace<'_>,
        access: WindowAccess,
        destination: Option<u32>,
        has_request: bool,
    ) -> Reply {
        let window = self.window(number)?;
        let length = access.length();
        if has_request {
            window.check_passive(place.rank).map_err(call_error)?;
        }
        let begun = match access {
            WindowAccess::Put(bytes) => window.put(place, &bytes).await.map(|()| None),
            WindowAccess::Get(length) => window.get(place, size(length)).await.map(Some),
            WindowAccess::Accumulate { operation, datatype, bytes } => {
                let (operation, kind) = standard(operation, datatype).map_err(call_error)?;
                window.accumulate(place, operation, kind, &bytes).await.map(|()| None)
            }
            WindowAccess::Fetch { operation, datatype, bytes } => {
                let (operation, kind) = standard(operation, datatype).map_err(call_error)?;
                window.fetch(place, operation, kind, &bytes).await.map(Some)
            }
            WindowAccess::CompareAndSwap { compare, bytes } => {
                window.compare_and_swap(place, &compare, &bytes).await.map(Some)
            }
        };
        let request = begun.map_err(call_error)?;
        self.run.count_message(length);
        match (request, destination) {
            (Some(request), _) if has_request => {
                let wait = target(window.communicator(), place.rank, "answer an access");
                Ok(self.add_request(request, wait))
            }
            (Some(request), Some(destination)) => {
                self.served(number)?.landing.borrow_mut().push((destination, request));
                Ok(Answer::Done)
            }
            // The library has copied the data.
            _ => Ok(Answer::Done),
        }
    }

    async fn synchronize(&self, number: u32, by: Synchronization) -> Reply {
        let window = self.window(number)?;
        let communicator = window.communicator();
        if matches!(by, Synchronization::Fence { .. }) {
            self.check_collective(communicator, CollectiveSignature::fence())?;
        }
        self.run.set_wait(self.rank, event(&window, &by));
        let result = match by {
            Synchronization::Fence { is_last } => window.fence(is_last).await,
            Synchronization::Post { group, is_unchecked } => window.post(&ranks(group), is_unchecked).await,
            Synchronization::Start { group, is_unchecked } => window.start(&ranks(group), is_unchecked).await,
            Synchronization::Complete => window.complete().await,
            Synchronization::Wait => window.wait().await,
            Synchronization::Lock { target, is_exclusive, is_unchecked } => {
                let kind = if is_exclusive { LockKind::Exclusive } else { LockKind::Shared };
                window.lock(target as usize, kind, is_unchecked).await
            }
            Synchronization::LockAll { is_unchecked } => window.lock_all(is_unchecked).await,
            Synchronization::Unlock(target) => window.unlock(target as usize).await,
            Synchronization::UnlockAll => window.unlock_all().await,
            Synchronization::Flush { target, is_local } => {
                let flush = if is_local { Flush::Local } else { Flush::Whole };
                match target {
                    Some(target) => window.flush(target as usize, flush).await,
                    None => window.flush_all(flush).await,
                }
            }
            Synchronization::Sync | Synchronization::Test => {
                window.synchronize().await;
                Ok(())
            }
        };
        self.landed(number, result)
    }

    /// Takes the data of gets that are complete.
    fn landed(&self, number: u32, result: Result<(), Error>) -> Reply {
        let served = self.served(number)?;
        let (mut data, mut failure) = (Vec::new(), result.err());
        served.landing.borrow_mut().retain(|(destination, request)| match request.take() {
            None => true,
            Some(Ok(completion)) => {
                data.push((*destination, completion.bytes.into()));
                false
            }
            Some(Err(error)) => {
                data.push((*destination, Vec::new().into()));
                failure.get_or_insert(error);
                false
            }
        });
        Ok(Answer::Landed { data, error: failure.map(call_error) })
    }

    fn served(&self, number: u32) -> Result<ServedWindow, CallError> {
        self.windows.get(number).ok_or_else(|| error(ERR_WIN, "there is no such window"))
    }

    fn window(&self, number: u32) -> Result<Window, CallError> {
        self.served(number).map(|served| served.window)
    }
}

/// Checks that the simulator can read the ends of memory that a rank exposes, so that the rank itself gets the error
/// and not the origin of a later access.
fn check_access(memory: ProcessMemory, base: u64, size: u64) -> Result<(), CallError> {
    let readable = |offset: u64| {
        let address = base.checked_add(offset);
        address.is_some_and(|address| memory.read(address, &mut [0]).is_ok())
    };
    match size == 0 || readable(0) && readable(size - 1) {
        true => Ok(()),
        false => Err(error(ERR_ARG, "the memory of the window cannot be accessed")),
    }
}

fn ranks(group: Vec<u32>) -> Vec<usize> {
    group.into_iter().map(|rank| rank as usize).collect()
}

fn address(memory: Option<MemoryAddress>) -> Result<u64, CallError> {
    let memory = memory.ok_or_else(|| error(ERR_OTHER, "the call needs an address"))?;
    Ok(memory.address)
}

/// An event that needs one rank of a window.
fn target(communicator: &Communicator, rank: usize, event: &str) -> Wait {
    let process = communicator.group().process(rank).into_iter().collect();
    Wait { ranks: process, event: format!("rank {rank} to {event}") }
}

/// An event that needs some ranks of a window.
fn some(communicator: &Communicator, group: &[usize], event: &str) -> Wait {
    let ranks = group.iter().filter_map(|rank| communicator.group().process(*rank).ok()).collect();
    let names: Vec<_> = group.iter().take(4).map(usize::to_string).collect();
    let more = if group.len() > 4 { " and others" } else { "" };
    let word = if group.len() == 1 { "rank" } else { "ranks" };
    Wait { ranks, event: format!("{word} {}{more} to {event}", names.join(", ")) }
}

/// The event that a synchronization waits for.
fn event(window: &Window, by: &Synchronization) -> Wait {
    let communicator = window.communicator();
    let indices = |group: &[u32]| group.iter().map(|rank| *rank as usize).collect::<Vec<_>>();
    match by {
        Synchronization::Fence { .. } => others(communicator, "all of its window"),
        Synchronization::Start { group, .. } => {
            some(communicator, &indices(group), "expose memory by MPI_Win_post")
        }
        Synchronization::Wait => {
            let group = window.exposed_to().unwrap_or_default();
            some(communicator, &group, "end access by MPI_Win_complete")
        }
        Synchronization::Lock { target: rank, .. } => {
            target(communicator, *rank as usize, "grant a lock of its memory")
        }
        Synchronization::LockAll { .. } => others(communicator, "all ranks to grant locks of their memory"),
        Synchronization::Unlock(rank) | Synchronization::Flush { target: Some(rank), .. } => {
            target(communicator, *rank as usize, "carry out accesses to its memory")
        }
        _ => others(communicator, "others to carry out accesses to their memory"),
    }
}
