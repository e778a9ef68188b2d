//! Queries of requests that leave them unchanged (MPI 5.0, section 3.7.6).

use processes::mpi::call::{Answer, Call, CompletionMode};

use super::request::{ends, place};
use super::status::{self, null_end};
use crate::arguments::{List, Number, Out, OutNumber};
use crate::fault::Outcome;
use crate::link;
use crate::objects::{Progress, RequestKind, within};
use crate::types::*;

/// Progress of a request, without side effects.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RequestState {
    /// Null request, or inactive persistent request.
    Nothing,
    /// Active and not complete.
    Waits,
    /// Complete, with its status.
    Ended(MPI_Status),
}

pub(super) fn look(request: MPI_Request) -> Outcome<RequestState> {
    if request == MPI_REQUEST_NULL {
        return Ok(RequestState::Nothing);
    }
    // A program may look many times before a request is complete; only then is the request copied.
    let (known, active) = within(|objects| {
        Ok(match &objects.requests.get(request)?.progress {
            Progress::Inactive => (Some(RequestState::Nothing), None),
            Progress::Held => (Some(RequestState::Waits), None),
            Progress::Placed(ending) => (Some(RequestState::Ended(ending.status)), None),
            Progress::Over(_) => (None, None),
            Progress::Active(number) => (None, Some(*number)),
        })
    })?;
    if let Some(state) = known {
        return Ok(state);
    }
    if let Some(number) = active {
        match link::ask(Call::IsComplete(number))? {
            Answer::Flag(false) => return Ok(RequestState::Waits),
            Answer::Flag(true) => {}
            answer => return Err(link::other(answer)),
        }
    }
    let found = within(|objects| objects.requests.get(request).cloned())?;
    let end = match (active, found.progress) {
        (Some(number), _) => {
            let places = vec![found.destination.place()];
            ends(vec![number], places, CompletionMode::WaitAll)?.pop().map(|(_, end)| end)
        }
        (None, Progress::Over(end)) => Some(end),
        (None, _) => None,
    };
    let end = end.unwrap_or_else(null_end);
    // The program may use a complete buffer before it frees the request.
    let ending = place(&end, &found.destination, found.kind);
    if matches!(found.kind, RequestKind::Generalized(_)) {
        // Each look asks the program anew.
        return ending.outcome.map(|()| RequestState::Ended(ending.status));
    }
    let status = ending.status;
    let placed = Progress::Placed(Box::new(ending));
    within(|objects| objects.requests.get_mut(request).map(|request| request.progress = placed))?;
    Ok(RequestState::Ended(status))
}

/// Status of a request that is complete, inactive or null.
fn status_of(found: RequestState) -> Option<MPI_Status> {
    match found {
        RequestState::Nothing => Some(MPI_Status::EMPTY),
        RequestState::Waits => None,
        RequestState::Ended(status) => Some(status),
    }
}

fn look_at(count: Number, requests: List<MPI_Request>) -> Outcome<Vec<RequestState>> {
    requests.list(count.count()?)?.into_iter().map(look).collect()
}

/// `MPI_Request_get_status`.
pub fn request_get_status(request: MPI_Request, flag: Out<c_int>, to: Out<MPI_Status>) -> Outcome {
    let found = look(request)?;
    flag.set((found != RequestState::Waits).into())?;
    match found {
        RequestState::Nothing => to.offer(MPI_Status::EMPTY),
        RequestState::Waits => {}
        RequestState::Ended(status) => status::offer(to, status),
    }
    Ok(())
}

/// `MPI_Request_get_status_all`.
pub fn request_get_status_all(
    count: Number,
    requests: List<MPI_Request>,
    flag: Out<c_int>,
    to: Out<MPI_Status>,
) -> Outcome {
    let statuses: Option<Vec<_>> = look_at(count, requests)?.into_iter().map(status_of).collect();
    flag.set(statuses.is_some().into())?;
    for (index, status) in statuses.into_iter().flatten().enumerate() {
        to.at(index).offer(status);
    }
    Ok(())
}

/// `MPI_Request_get_status_any`.
pub fn request_get_status_any(
    count: Number,
    requests: List<MPI_Request>,
    index: Out<c_int>,
    flag: Out<c_int>,
    to: Out<MPI_Status>,
) -> Outcome {
    let found = look_at(count, requests)?;
    let ended = found.iter().position(|found| matches!(found, RequestState::Ended(_)));
    let nothing = found.iter().all(|found| *found == RequestState::Nothing);
    index.set(ended.map_or(MPI_UNDEFINED, |index| index as c_int))?;
    flag.set((ended.is_some() || nothing).into())?;
    match ended.map(|index| found[index]) {
        Some(RequestState::Ended(status)) => status::offer(to, status),
        _ if nothing => to.offer(MPI_Status::EMPTY),
        _ => {}
    }
    Ok(())
}

/// `MPI_Request_get_status_some`.
pub fn request_get_status_some(
    count: Number,
    requests: List<MPI_Request>,
    out_count: OutNumber,
    places: Out<c_int>,
    to: Out<MPI_Status>,
) -> Outcome {
    let found = look_at(count, requests)?;
    if found.iter().all(|found| *found == RequestState::Nothing) {
        return out_count.set(MPI_UNDEFINED.into());
    }
    let ended = |(index, found): (usize, &RequestState)| match found {
        RequestState::Ended(status) => Some((index, *status)),
        _ => None,
    };
    let ended: Vec<_> = found.iter().enumerate().filter_map(ended).collect();
    out_count.set(ended.len() as i64)?;
    for (place, (index, status)) in ended.into_iter().enumerate() {
        places.at(place).set(index as c_int)?;
        to.at(place).offer(status);
    }
    Ok(())
}
