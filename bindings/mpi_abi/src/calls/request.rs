//! Requests: creation and completion of non-blocking calls, cancellation and release.

use processes::mpi::call::{Answer, Call, CompletedRequest, CompletionMode, Place};

use super::status;
use crate::arguments::Out;
use crate::fault::{Fault, Outcome};
use crate::link::{self, Named};
use crate::objects::{Destination, Ending, Progress, Request, RequestKind, Stage, Use, with, within};
use crate::types::*;

/// Returns a new request to the program.
pub(super) fn give(
    to: Out<MPI_Request>,
    progress: Progress,
    destination: Destination,
    kind: RequestKind,
    on: MPI_Comm,
) -> Outcome {
    give_with(to, progress, destination, kind, on, &[])
}

/// Returns a new request that uses further objects to the program.
pub(super) fn give_with(
    to: Out<MPI_Request>,
    progress: Progress,
    destination: Destination,
    kind: RequestKind,
    on: MPI_Comm,
    uses: &[Use],
) -> Outcome {
    let mut request = Request::begun(progress, destination, kind, on);
    request.uses.extend(uses);
    to.set(within(|objects| Ok(objects.add_request(request)))?)
}

/// Removes a request, and frees the communicators whose last use this was.
pub(super) fn remove(handle: MPI_Request) -> Outcome<Request> {
    let request = within(|objects| objects.requests.free(handle))?.expect("requests are not used by others");
    release(&request)?;
    Ok(request)
}

fn release(request: &Request) -> Outcome {
    for number in within(|objects| Ok(objects.release(request)))? {
        link::ask(Call::FreeCommunicator(number))?;
    }
    Ok(())
}

/// Completes a blocking call: unpacks its data and returns its status.
pub(super) fn finish(
    progress: Progress,
    destination: &Destination,
    kind: RequestKind,
    to: Out<MPI_Status>,
) -> Outcome {
    let Progress::Over(end) = progress else {
        return Err(Fault::new(MPI_ERR_INTERN, "a call that ends at once has not ended"));
    };
    let Ending { status, outcome } = place(&end, destination, kind);
    status::offer(to, status);
    outcome
}

/// Unpacks received data into the program's buffer and returns the status and error of the call.
pub(super) fn place(end: &CompletedRequest, destination: &Destination, kind: RequestKind) -> Ending {
    if let RequestKind::Generalized(own) = &kind {
        return own.ending();
    }
    let placed = if end.is_placed { Ok(()) } else { destination.put(&end.bytes) };
    let outcome = match &end.error {
        Some(error) => Err(Fault::from_failure(error)),
        None => placed,
    };
    // Only receives have a source, tag and count; a send reports whether it was cancelled, a collective call
    // nothing.
    let status = match kind {
        RequestKind::Receive => status::of(end),
        RequestKind::Partitioned { tag } => MPI_Status { MPI_TAG: tag, ..status::of(end) },
        RequestKind::Send | RequestKind::Collective | RequestKind::Generalized(_) => {
            let mut status = MPI_Status::EMPTY;
            status.set_cancelled(end.cancelled);
            status
        }
    };
    Ending { status, outcome }
}

/// Requests completions from the simulator; an empty list needs no call. Each request may have a place for its data.
pub(super) fn ends(
    requests: Vec<u32>,
    places: Vec<Option<Place>>,
    mode: CompletionMode,
) -> Outcome<Vec<(u32, CompletedRequest)>> {
    if requests.is_empty() {
        return Ok(Vec::new());
    }
    match link::ask_with(Call::Complete { requests, mode }, Named { places, ..Named::default() })? {
        Answer::Completed(ends) => Ok(ends),
        answer => Err(link::other(answer)),
    }
}

/// `MPI_Request_free`. A receive or collective call that is not complete still places its data; a send
/// completes at the simulator.
pub fn request_free(request: Out<MPI_Request>) -> Outcome {
    let handle = request.get()?;
    let found = within(|objects| objects.requests.get(handle).cloned())?;
    match found.progress {
        _ if matches!(found.kind, RequestKind::Generalized(_)) => free_generalized(handle)?,
        Progress::Active(_) if !matches!(found.kind, RequestKind::Send) => within(|objects| {
            let freed = objects.requests.free(handle)?;
            objects.freed_requests.extend(freed);
            Ok(())
        })?,
        Progress::Active(number) => {
            remove(handle)?;
            link::ask(Call::FreeRequest(number))?;
        }
        _ => drop(remove(handle)?),
    }
    request.set(MPI_REQUEST_NULL)
}

/// Frees a generalized request. One that is not complete lives until the program completes it.
fn free_generalized(handle: MPI_Request) -> Outcome {
    let is_held = within(|objects| {
        let is_held = matches!(objects.requests.get(handle)?.progress, Progress::Held);
        if is_held {
            objects.requests.hold(handle);
            objects.requests.free(handle)?;
        }
        Ok(is_held)
    })?;
    if is_held { Ok(()) } else { remove(handle)?.free_callback() }
}

/// Whether freed requests are still active.
pub fn has_freed() -> bool {
    with(|objects| !objects.freed_requests.is_empty() && objects.stage == Stage::Within)
}

/// Places the data of freed requests that are complete by now. Nothing reports their errors.
pub fn complete_freed() -> Outcome {
    // Other threads look for other requests meanwhile.
    let mut freed = with(|objects| std::mem::take(&mut objects.freed_requests));
    let number = |request: &Request| match request.progress {
        Progress::Active(number) => number,
        _ => unreachable!("only active requests are kept after they are freed"),
    };
    let places = freed.iter().map(|request| request.destination.place()).collect();
    let mut ended = ends(freed.iter().map(number).collect(), places, CompletionMode::TestSome)?;
    ended.sort_by_key(|(place, _)| std::cmp::Reverse(*place));
    let ended: Vec<_> = ended.into_iter().map(|(at, end)| (freed.remove(at as usize), end)).collect();
    with(|objects| objects.freed_requests.append(&mut freed));
    for (request, end) in ended {
        // The program has given up the request and with it the error.
        let Ending { .. } = place(&end, &request.destination, request.kind);
        release(&request)?;
    }
    Ok(())
}

/// `MPI_Cancel`: cancels receives. A send is over at once and is delivered (MPI 5.0, section 3.8.4: a wait
/// for it returns whatever other processes do).
pub fn cancel(request: Out<MPI_Request>) -> Outcome {
    let handle = request.get()?;
    let found = within(|objects| objects.requests.get(handle).cloned())?;
    match (found.progress, found.kind) {
        (progress, RequestKind::Generalized(own)) => {
            own.cancel(!matches!(progress, Progress::Held))?;
        }
        (Progress::Active(number), RequestKind::Receive) => {
            link::ask(Call::Cancel(number))?;
        }
        (Progress::Active(number), RequestKind::Send) => {
            link::ask(Call::FreeRequest(number))?;
            within(|objects| {
                objects.requests.get_mut(handle)?.progress = Progress::Over(status::null_end());
                Ok(())
            })?;
        }
        _ => {}
    }
    Ok(())
}
