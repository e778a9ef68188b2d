//! Requests: what a call that ends later gives, and what is done with it besides waiting.

use processes::mpi::call::{Answer, Call, CompletedRequest, CompletionMode};

use super::status;
use crate::arguments::Out;
use crate::fault::{Fault, Outcome};
use crate::link;
use crate::objects::{Landing, Progress, Request, within};
use crate::types::*;

/// Gives the program a request.
pub(super) fn give(
    to: Out<MPI_Request>,
    progress: Progress,
    landing: Landing,
    receives: bool,
    on: MPI_Comm,
) -> Outcome {
    let request = Request::begun(progress, landing, receives, on);
    to.set(within(|objects| Ok(objects.requests.add(request)))?)
}

/// What ended: data goes to its place, the status to the program.
pub(super) fn finish(progress: Progress, landing: &Landing, receives: bool, to: Out<MPI_Status>) -> Outcome {
    let Progress::Over(end) = progress else {
        return Err(Fault::new(MPI_ERR_INTERN, "a call that ends at once has not ended"));
    };
    let (told, outcome) = land(&end, landing, receives);
    let error = to.get().map_or(MPI_SUCCESS, |old| old.MPI_ERROR);
    // A call with one status leaves its error field as it was (MPI 5.0, section 3.2.5).
    to.offer(MPI_Status { MPI_ERROR: error, ..told });
    outcome
}

/// Puts what came to its place: the status of it, and what was wrong.
pub(super) fn land(end: &CompletedRequest, landing: &Landing, receives: bool) -> (MPI_Status, Outcome) {
    let landed = landing.put(&end.bytes);
    let outcome = match &end.error {
        Some(error) => Err(Fault::told(error)),
        None => landed,
    };
    // A send has nothing to tell but whether it was cancelled, a collective operation nothing.
    let told = match receives {
        true => status::of(end),
        false => {
            let mut told = MPI_Status::EMPTY;
            told.set_cancelled(end.cancelled);
            told
        }
    };
    (told, outcome)
}

/// Asks for ends; nobody has to be asked for none.
pub(super) fn ends(requests: Vec<u32>, mode: CompletionMode) -> Outcome<Vec<(u32, CompletedRequest)>> {
    if requests.is_empty() {
        return Ok(Vec::new());
    }
    match link::ask(Call::Complete { requests, mode })? {
        Answer::Completed(ends) => Ok(ends),
        answer => Err(link::other(answer)),
    }
}

/// `MPI_Request_free`: what has begun goes on, and nobody is told.
pub fn request_free(request: Out<MPI_Request>) -> Outcome {
    let freed = request.get()?;
    let freed = within(|objects| objects.requests.remove(freed))?;
    if let Progress::Active(number) = freed.progress {
        link::ask(Call::FreeRequest(number))?;
    }
    request.set(MPI_REQUEST_NULL)
}

/// `MPI_Cancel`: receives can be given up, sends go on (MPI 5.0, section 3.8.4).
pub fn cancel(request: Out<MPI_Request>) -> Outcome {
    let found = request.get()?;
    let found = within(|objects| objects.requests.get(found).cloned())?;
    if let (Progress::Active(number), true) = (found.progress, found.receives) {
        link::ask(Call::Cancel(number))?;
    }
    Ok(())
}
