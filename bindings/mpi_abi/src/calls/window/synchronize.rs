//! Synchronization of windows: fences, epochs, locks and flushes.

use processes::mpi::call::{Answer, Call, CompletionMode, Synchronization, WindowCall};

use super::{change, read};
use crate::arguments::Out;
use crate::calls::{group, request};
use crate::fault::{Fault, Outcome};
use crate::link;
use crate::objects::{Progress, within};
use crate::types::*;

/// All assertions of the standard (MPI 5.0, section 12.5.5).
const ASSERTIONS: c_int =
    MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED;

/// Whether an argument has an assertion; an error if it has bits of none.
fn has(assertions: c_int, one: c_int) -> Outcome<bool> {
    match assertions & !ASSERTIONS {
        0 => Ok(assertions & one != 0),
        _ => Err(Fault::new(MPI_ERR_ASSERT, format!("{assertions:#x} has bits of no assertion"))),
    }
}

/// Asks the simulator for a synchronization, and stores the data of the gets that it completes.
fn synchronize(win: MPI_Win, by: impl FnOnce() -> Outcome<Option<Synchronization>>) -> Outcome {
    let number = read(win, |window| window.number)?;
    let synchronize = || match by()? {
        Some(by) => land(win, link::ask(Call::Window(WindowCall::Synchronize { window: number, by }))?),
        None => Ok(()),
    };
    synchronize().map_err(|fault: Fault| fault.on(win))
}

/// Stores the data of gets that are complete, and returns the error of the synchronization.
pub(super) fn land(win: MPI_Win, answer: Answer) -> Outcome {
    let Answer::Landed { data, error } = answer else { return Err(link::other(answer)) };
    let mut outcome = error.map_or(Ok(()), |error| Err(Fault::from_failure(&error)));
    for (number, bytes) in data {
        let destination = change(win, |window| window.destinations.remove(&number))?;
        let placed = destination.map_or(Ok(()), |destination| destination.put(&bytes));
        outcome = outcome.and(placed);
    }
    outcome.and(place_requests(win))
}

/// Active requests among these, with their numbers at the simulator.
pub(super) fn active(requests: &[MPI_Request]) -> Outcome<Vec<(MPI_Request, u32)>> {
    within(|objects| {
        let number = |handle: &MPI_Request| match objects.requests.get(*handle).ok()?.progress {
            Progress::Active(number) => Some((*handle, number)),
            _ => None,
        };
        Ok(requests.iter().filter_map(number).collect())
    })
}

/// Places the data of requests that are complete: after the synchronization the program may use their buffers, although
/// it has not waited for them.
fn place_requests(win: MPI_Win) -> Outcome {
    let requests = change(win, |window| std::mem::take(&mut window.requests))?;
    let mut left = active(&requests)?;
    let numbers = left.iter().map(|(_, number)| *number).collect();
    let places = within(|objects| {
        left.iter().map(|(handle, _)| Ok(objects.requests.get(*handle)?.destination.place())).collect()
    })?;
    let mut ended = request::ends(numbers, places, CompletionMode::TestSome)?;
    ended.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    for (at, end) in ended {
        let (handle, _) = left.remove(at as usize);
        let found = within(|objects| objects.requests.get(handle).cloned())?;
        let ending = request::place(&end, &found.destination, found.kind);
        within(|objects| {
            objects.requests.get_mut(handle)?.progress = Progress::Placed(Box::new(ending));
            Ok(())
        })?;
    }
    change(win, |window| window.requests.extend(left.into_iter().map(|(handle, _)| handle)))
}

/// `MPI_Win_fence`.
pub fn fence(assertions: c_int, win: MPI_Win) -> Outcome {
    synchronize(win, || Ok(Some(Synchronization::Fence { is_last: has(assertions, MPI_MODE_NOSUCCEED)? })))
}

/// `MPI_Win_post`.
pub fn post(group: MPI_Group, assertions: c_int, win: MPI_Win) -> Outcome {
    synchronize(win, || {
        let is_unchecked = has(assertions, MPI_MODE_NOCHECK)?;
        Ok(Some(Synchronization::Post { group: ranks(win, group)?, is_unchecked }))
    })
}

/// `MPI_Win_start`.
pub fn start(group: MPI_Group, assertions: c_int, win: MPI_Win) -> Outcome {
    synchronize(win, || {
        let is_unchecked = has(assertions, MPI_MODE_NOCHECK)?;
        Ok(Some(Synchronization::Start { group: ranks(win, group)?, is_unchecked }))
    })
}

/// Ranks of a group in a window.
fn ranks(win: MPI_Win, group: MPI_Group) -> Outcome<Vec<u32>> {
    let (wanted, all) = (group::processes(group)?, read(win, |window| window.processes.clone())?);
    let rank = |process: &u32| {
        let rank = all.iter().position(|other| other == process).map(|rank| rank as u32);
        rank.ok_or_else(|| Fault::new(MPI_ERR_GROUP, "the group has processes that the window has not"))
    };
    wanted.iter().map(rank).collect()
}

/// `MPI_Win_complete`.
pub fn complete(win: MPI_Win) -> Outcome {
    synchronize(win, || Ok(Some(Synchronization::Complete)))
}

/// `MPI_Win_wait`.
pub fn wait(win: MPI_Win) -> Outcome {
    synchronize(win, || Ok(Some(Synchronization::Wait)))
}

/// `MPI_Win_test`.
pub fn test(win: MPI_Win, flag: Out<c_int>) -> Outcome {
    let number = read(win, |window| window.number)?;
    let call = WindowCall::Synchronize { window: number, by: Synchronization::Test };
    match link::ask(Call::Window(call)).map_err(|fault| fault.on(win))? {
        Answer::Flag(ended) => flag.set(ended.into()),
        answer => Err(link::other(answer)),
    }
}

/// `MPI_Win_lock`.
pub fn lock(kind: c_int, rank: c_int, assertions: c_int, win: MPI_Win) -> Outcome {
    synchronize(win, || {
        if ![MPI_LOCK_SHARED, MPI_LOCK_EXCLUSIVE].contains(&kind) {
            return Err(Fault::new(MPI_ERR_LOCKTYPE, format!("{kind} is no type of lock")));
        }
        let (is_exclusive, is_unchecked) = (kind == MPI_LOCK_EXCLUSIVE, has(assertions, MPI_MODE_NOCHECK)?);
        let target = target(win, rank)?;
        Ok(target.map(|target| Synchronization::Lock { target, is_exclusive, is_unchecked }))
    })
}

/// `MPI_Win_lock_all`.
pub fn lock_all(assertions: c_int, win: MPI_Win) -> Outcome {
    synchronize(win, || {
        Ok(Some(Synchronization::LockAll { is_unchecked: has(assertions, MPI_MODE_NOCHECK)? }))
    })
}

/// `MPI_Win_unlock`.
pub fn unlock(rank: c_int, win: MPI_Win) -> Outcome {
    synchronize(win, || Ok(target(win, rank)?.map(Synchronization::Unlock)))
}

/// `MPI_Win_unlock_all`.
pub fn unlock_all(win: MPI_Win) -> Outcome {
    synchronize(win, || Ok(Some(Synchronization::UnlockAll)))
}

/// `MPI_Win_flush`.
pub fn flush(rank: c_int, win: MPI_Win) -> Outcome {
    flush_as(rank, win, false)
}

/// `MPI_Win_flush_local`.
pub fn flush_local(rank: c_int, win: MPI_Win) -> Outcome {
    flush_as(rank, win, true)
}

fn flush_as(rank: c_int, win: MPI_Win, is_local: bool) -> Outcome {
    synchronize(win, || {
        let target = target(win, rank)?;
        Ok(target.map(|target| Synchronization::Flush { target: Some(target), is_local }))
    })
}

/// `MPI_Win_flush_all`.
pub fn flush_all(win: MPI_Win) -> Outcome {
    synchronize(win, || Ok(Some(Synchronization::Flush { target: None, is_local: false })))
}

/// `MPI_Win_flush_local_all`.
pub fn flush_local_all(win: MPI_Win) -> Outcome {
    synchronize(win, || Ok(Some(Synchronization::Flush { target: None, is_local: true })))
}

/// `MPI_Win_sync`.
pub fn sync(win: MPI_Win) -> Outcome {
    synchronize(win, || Ok(Some(Synchronization::Sync)))
}

/// Rank of a target; `None` for `MPI_PROC_NULL`.
pub(super) fn target(win: MPI_Win, rank: c_int) -> Outcome<Option<u32>> {
    if rank == MPI_PROC_NULL {
        return Ok(None);
    }
    let ranks = read(win, |window| window.processes.len())?;
    match u32::try_from(rank) {
        Ok(target) if (target as usize) < ranks => Ok(Some(target)),
        _ => Err(Fault::new(MPI_ERR_RANK, format!("there is no rank {rank} among {ranks}"))),
    }
}
