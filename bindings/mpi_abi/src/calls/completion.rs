//! Completion: waits for and tests of one or several requests.

use processes::mpi::call::{Call, CompletionMode, Place};

use super::request::{self, ends};
use super::status;
use crate::arguments::{Number, Out, OutNumber};
use crate::concurrency;
use crate::fault::{Fault, Outcome};
use crate::link;
use crate::objects::{Ending, Objects, Progress, Request, within};
use crate::types::*;

/// A completed request of a call: index in the list, status, and error.
struct Ended {
    place: usize,
    status: MPI_Status,
    outcome: Outcome,
    on: MPI_Comm,
}

/// Fault of a wait for a request that only a further call of the waiting thread can complete.
fn held() -> Fault {
    let why =
        "the request waits for a call of the program: MPI_Grequest_complete, or MPI_Pready of all partitions";
    Fault::new(MPI_ERR_REQUEST, why)
}

/// Requests of a call by their progress, each with its place in the list.
#[derive(Default)]
struct Sorted {
    /// Complete requests.
    over: Vec<(usize, Progress)>,
    /// Numbers at the simulator of pending requests.
    asked: Vec<u32>,
    /// Places of the pending requests in the list.
    places: Vec<usize>,
    /// Places for their data.
    data: Vec<Option<Place>>,
    /// A request waits for the program itself.
    is_held: bool,
}

impl Sorted {
    fn new(handles: &[MPI_Request]) -> Outcome<Self> {
        let mut sorted = Sorted::default();
        for (place, &handle) in handles.iter().enumerate() {
            if handle == MPI_REQUEST_NULL {
                continue;
            }
            let (progress, data) = within(|objects| {
                let request = objects.requests.get(handle)?;
                Ok((request.progress.clone(), request.destination.place()))
            })?;
            match progress {
                Progress::Inactive => {}
                Progress::Held => sorted.is_held = true,
                Progress::Active(number) => {
                    sorted.asked.push(number);
                    sorted.places.push(place);
                    sorted.data.push(data);
                }
                progress @ (Progress::Over(_) | Progress::Placed(_)) => sorted.over.push((place, progress)),
            }
        }
        Ok(sorted)
    }

    fn is_empty(&self) -> bool {
        self.asked.is_empty() && self.over.is_empty()
    }

    /// Whether the call ends only after a further call of the program.
    fn waits_for_program(&self, mode: CompletionMode) -> bool {
        match mode {
            CompletionMode::WaitAll => self.is_held,
            CompletionMode::WaitAny | CompletionMode::WaitSome => self.is_held && self.is_empty(),
            CompletionMode::TestAll | CompletionMode::TestAny | CompletionMode::TestSome => false,
        }
    }

    /// Whether no request of the call completes because one waits for the program.
    fn is_blocked(&self, mode: CompletionMode) -> Outcome<bool> {
        match mode {
            _ if !self.is_held => Ok(false),
            CompletionMode::TestAll => {
                // The active requests make progress and stay.
                if let Some(number) = self.asked.first() {
                    link::ask(Call::IsComplete(*number))?;
                }
                Ok(true)
            }
            _ => Ok(self.is_empty()),
        }
    }
}

/// Completes requests of a call. Their handles become null unless they are persistent. `None` if no request
/// is active.
fn complete(count: usize, list: Out<MPI_Request>, mode: CompletionMode) -> Outcome<Option<Vec<Ended>>> {
    let handles = list.list(count)?;
    let mut sorted = Sorted::new(&handles)?;
    while sorted.waits_for_program(mode) {
        if !concurrency::wait_for_program() {
            return Err(held());
        }
        sorted = Sorted::new(&handles)?;
    }
    if sorted.is_blocked(mode)? {
        return Ok(Some(Vec::new()));
    }
    if sorted.is_empty() {
        return Ok(None);
    }
    let Sorted { mut over, asked, places, data, .. } = sorted;
    let one = matches!(mode, CompletionMode::WaitAny | CompletionMode::TestAny);
    let mut found = Vec::new();
    if one && !over.is_empty() {
        found.push(over.remove(0));
    } else {
        let mode = if matches!(mode, CompletionMode::WaitSome) && !over.is_empty() {
            CompletionMode::TestSome
        } else {
            mode
        };
        let were_asked = asked.len();
        let ends = ends(asked, data, mode)?;
        let enough = !matches!(mode, CompletionMode::TestAll) || ends.len() == were_asked;
        for (at, end) in ends {
            let place = places.get(at as usize).copied();
            let place = place.ok_or_else(|| Fault::new(MPI_ERR_INTERN, "the end of no request"))?;
            found.push((place, Progress::Over(end)));
        }
        if enough {
            found.append(&mut over);
        }
    }
    found.sort_by_key(|(place, _)| *place);
    let ended =
        found.into_iter().map(|(place, progress)| end(list.at(place), handles[place], place, progress));
    ended.collect::<Outcome<Vec<_>>>().map(Some)
}

/// Takes a completed request from its handle, which becomes null unless the request is persistent.
fn end(slot: Out<MPI_Request>, handle: MPI_Request, place: usize, progress: Progress) -> Outcome<Ended> {
    let request = within(|objects| {
        let request = objects.requests.get_mut(handle)?;
        request.progress = Progress::Inactive;
        Ok(request.clone())
    })?;
    let Ending { status, outcome } = match progress {
        Progress::Over(end) => request::place(&end, &request.destination, request.kind),
        Progress::Placed(ending) => *ending,
        Progress::Inactive | Progress::Held | Progress::Active(_) => unreachable!("the request is complete"),
    };
    let mut freed = Ok(());
    if request.persistent.is_none() {
        slot.set(MPI_REQUEST_NULL)?;
        freed = request::remove(handle)?.free_callback();
    }
    let outcome = outcome.and(freed);
    Ok(Ended { place, status, outcome, on: request.on })
}

/// Active requests of a communicator.
fn active(objects: &Objects, on: MPI_Comm) -> Vec<MPI_Request> {
    let is_active = |request: &Request| request.on == on && matches!(request.progress, Progress::Active(_));
    objects.requests.iter().filter(|(_, request)| is_active(request)).map(|(handle, _)| handle).collect()
}

/// Waits until all active requests of a communicator are complete. Their data is in place; the program still completes
/// them.
pub(super) fn settle(on: MPI_Comm) -> Outcome {
    let active = within(|objects| Ok(active(objects, on)))?;
    for handle in active {
        let request = within(|objects| objects.requests.get(handle).cloned())?;
        let Progress::Active(number) = request.progress else { continue };
        let place = vec![request.destination.place()];
        let Some((_, end)) = ends(vec![number], place, CompletionMode::WaitAll)?.pop() else { continue };
        let ending = request::place(&end, &request.destination, request.kind);
        within(|objects| {
            objects.requests.get_mut(handle)?.progress = Progress::Placed(Box::new(ending));
            Ok(())
        })?;
    }
    Ok(())
}

/// Returns one status and its error.
fn tell_one(ended: Ended, to: Out<MPI_Status>) -> Outcome {
    status::offer(to, ended.status);
    ended.outcome.map_err(|fault| fault.on(ended.on))
}

/// Returns several statuses, each with its error; `place` gives the index of each.
fn tell_all(ended: Vec<Ended>, to: Out<MPI_Status>, place: impl Fn(usize, &Ended) -> usize) -> Outcome {
    let mut wrong = None;
    for (index, ended) in ended.into_iter().enumerate() {
        let error = ended.outcome.as_ref().map_or_else(|fault| fault.class, |()| MPI_SUCCESS);
        to.at(place(index, &ended)).offer(MPI_Status { MPI_ERROR: error, ..ended.status });
        if let (Err(fault), None) = (ended.outcome, &wrong) {
            wrong = Some(Fault { class: MPI_ERR_IN_STATUS, ..fault.on(ended.on) });
        }
    }
    wrong.map_or(Ok(()), Err)
}

fn clear(to: Out<MPI_Status>, count: usize) {
    for index in 0..count {
        to.at(index).offer(MPI_Status::EMPTY);
    }
}

/// `MPI_Wait`.
pub fn wait(request: Out<MPI_Request>, status: Out<MPI_Status>) -> Outcome {
    match complete(1, request, CompletionMode::WaitAll)? {
        Some(mut ended) if ended.len() == 1 => tell_one(ended.remove(0), status),
        _ => {
            status.offer(MPI_Status::EMPTY);
            Ok(())
        }
    }
}

/// `MPI_Test`.
pub fn test(request: Out<MPI_Request>, flag: Out<c_int>, status: Out<MPI_Status>) -> Outcome {
    let ended = complete(1, request, CompletionMode::TestAll)?;
    flag.set(ended.as_ref().is_none_or(|ended| !ended.is_empty()).into())?;
    match ended {
        None => {
            status.offer(MPI_Status::EMPTY);
            Ok(())
        }
        Some(mut ended) if ended.len() == 1 => tell_one(ended.remove(0), status),
        Some(_) => Ok(()),
    }
}

/// `MPI_Waitall`.
pub fn waitall(count: Number, requests: Out<MPI_Request>, statuses: Out<MPI_Status>) -> Outcome {
    let count = count.count()?;
    let ended = complete(count, requests, CompletionMode::WaitAll)?;
    clear(statuses, count);
    tell_all(ended.unwrap_or_default(), statuses, |_, ended| ended.place)
}

/// `MPI_Testall`.
pub fn testall(
    count: Number,
    requests: Out<MPI_Request>,
    flag: Out<c_int>,
    statuses: Out<MPI_Status>,
) -> Outcome {
    let count = count.count()?;
    let ended = complete(count, requests, CompletionMode::TestAll)?;
    let all = ended.as_ref().is_none_or(|ended| !ended.is_empty());
    flag.set(all.into())?;
    if all {
        clear(statuses, count);
        return tell_all(ended.unwrap_or_default(), statuses, |_, ended| ended.place);
    }
    Ok(())
}

fn any(count: Number, requests: Out<MPI_Request>, mode: CompletionMode) -> Outcome<(bool, Option<Ended>)> {
    match complete(count.count()?, requests, mode)? {
        None => Ok((true, None)),
        Some(mut ended) => match ended.len() {
            0 => Ok((false, None)),
            _ => Ok((true, Some(ended.remove(0)))),
        },
    }
}

/// `MPI_Waitany`.
pub fn waitany(
    count: Number,
    requests: Out<MPI_Request>,
    index: Out<c_int>,
    status: Out<MPI_Status>,
) -> Outcome {
    testany_as(any(count, requests, CompletionMode::WaitAny)?.1, index, status)
}

/// `MPI_Testany`.
pub fn testany(
    count: Number,
    requests: Out<MPI_Request>,
    index: Out<c_int>,
    flag: Out<c_int>,
    status: Out<MPI_Status>,
) -> Outcome {
    let (done, ended) = any(count, requests, CompletionMode::TestAny)?;
    flag.set(done.into())?;
    testany_as(ended, index, status)
}

fn testany_as(ended: Option<Ended>, index: Out<c_int>, status: Out<MPI_Status>) -> Outcome {
    index.set(ended.as_ref().map_or(MPI_UNDEFINED, |ended| ended.place as c_int))?;
    match ended {
        Some(ended) => tell_one(ended, status),
        None => {
            status.offer(MPI_Status::EMPTY);
            Ok(())
        }
    }
}

fn some(
    count: Number,
    requests: Out<MPI_Request>,
    out_count: OutNumber,
    places: Out<c_int>,
    statuses: Out<MPI_Status>,
    mode: CompletionMode,
) -> Outcome {
    match complete(count.count()?, requests, mode)? {
        None => out_count.set(MPI_UNDEFINED.into()),
        Some(ended) => {
            out_count.set(ended.len() as i64)?;
            for (index, ended) in ended.iter().enumerate() {
                places.at(index).set(ended.place as c_int)?;
            }
            tell_all(ended, statuses, |index, _| index)
        }
    }
}

/// `MPI_Waitsome`.
pub fn waitsome(
    count: Number,
    requests: Out<MPI_Request>,
    out_count: OutNumber,
    places: Out<c_int>,
    statuses: Out<MPI_Status>,
) -> Outcome {
    some(count, requests, out_count, places, statuses, CompletionMode::WaitSome)
}

/// `MPI_Testsome`.
pub fn testsome(
    count: Number,
    requests: Out<MPI_Request>,
    out_count: OutNumber,
    places: Out<c_int>,
    statuses: Out<MPI_Status>,
) -> Outcome {
    some(count, requests, out_count, places, statuses, CompletionMode::TestSome)
}
