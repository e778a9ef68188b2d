//! Requests: creation and completion of non-blocking calls, cancellation and release.

use processes::mpi::call::{Answer, Call, CompletedRequest, CompletionMode};

use super::status;
use crate::arguments::Out;
use crate::fault::{Fault, Outcome};
use crate::link;
use crate::objects::{Destination, Progress, Request, within};
use crate::types::*;

/// Returns a new request to the program.
pub(super) fn give(
    to: Out<MPI_Request>,
    progress: Progress,
    destination: Destination,
    receives: bool,
    on: MPI_Comm,
) -> Outcome {
    let request = Request::begun(progress, destination, receives, on);
    to.set(within(|objects| Ok(objects.requests.add(request)))?)
}

/// Completes a blocking call: unpacks its data and returns its status.
pub(super) fn finish(
    progress: Progress,
    destination: &Destination,
    receives: bool,
    to: Out<MPI_Status>,
) -> Outcome {
    let Progress::Over(end) = progress else {
        return Err(Fault::new(MPI_ERR_INTERN, "a call that ends at once has not ended"));
    };
    let (status, outcome) = land(&end, destination, receives);
    let error = to.get().map_or(MPI_SUCCESS, |old| old.MPI_ERROR);
    // Calls with a single status leave its error field unchanged (MPI 5.0, section 3.2.5).
    to.offer(MPI_Status { MPI_ERROR: error, ..status });
    outcome
}

/// Unpacks received data and returns the status and error of the call.
pub(super) fn land(
    end: &CompletedRequest,
    destination: &Destination,
    receives: bool,
) -> (MPI_Status, Outcome) {
    let landed = destination.put(&end.bytes);
    let outcome = match &end.error {
        Some(error) => Err(Fault::from_failure(error)),
        None => landed,
    };
    // Only receives have a source, tag and count; a send reports whether it was cancelled, a collective call
    // nothing.
    let status = match receives {
        true => status::of(end),
        false => {
            let mut status = MPI_Status::EMPTY;
            status.set_cancelled(end.cancelled);
            status
        }
    };
    (status, outcome)
}

/// Requests completions from the simulator; an empty list needs no call.
pub(super) fn ends(requests: Vec<u32>, mode: CompletionMode) -> Outcome<Vec<(u32, CompletedRequest)>> {
    if requests.is_empty() {
        return Ok(Vec::new());
    }
    match link::ask(Call::Complete { requests, mode })? {
        Answer::Completed(ends) => Ok(ends),
        answer => Err(link::other(answer)),
    }
}

/// `MPI_Request_free`: the call completes without notice.
pub fn request_free(request: Out<MPI_Request>) -> Outcome {
    let freed = request.get()?;
    let freed = within(|objects| objects.requests.remove(freed))?;
    if let Progress::Active(number) = freed.progress {
        link::ask(Call::FreeRequest(number))?;
    }
    request.set(MPI_REQUEST_NULL)
}

/// `MPI_Cancel`: cancels receives; sends complete normally (MPI 5.0, section 3.8.4).
pub fn cancel(request: Out<MPI_Request>) -> Outcome {
    let found = request.get()?;
    let found = within(|objects| objects.requests.get(found).cloned())?;
    if let (Progress::Active(number), true) = (found.progress, found.receives) {
        link::ask(Call::Cancel(number))?;
    }
    Ok(())
}
