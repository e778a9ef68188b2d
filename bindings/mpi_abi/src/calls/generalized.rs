//! Generalized requests: operations of the program that it completes itself (MPI 5.0, section 13.2).
#![allow(unsafe_code)]

use crate::arguments::{Memory, Out};
use crate::fault::{Fault, Outcome};
use crate::objects::{
    Destination, Ending, Generalized, GeneralizedCalls, Progress, Request, RequestKind, within,
};
use crate::types::*;

use super::request;
use super::status::null_end;

type Query = extern "C" fn(usize, *mut MPI_Status) -> c_int;
type Free = extern "C" fn(usize) -> c_int;
type Cancel = extern "C" fn(usize, c_int) -> c_int;

/// Callbacks of C programs.
static OF_C: GeneralizedCalls = GeneralizedCalls { query: query_by, free: free_by, cancel: cancel_by };

fn query_by(function: usize, extra: usize, status: &mut MPI_Status) -> c_int {
    // SAFETY: the program has registered the function as a query callback.
    unsafe { std::mem::transmute::<usize, Query>(function)(extra, status) }
}

fn free_by(function: usize, extra: usize) -> c_int {
    // SAFETY: as above, as a free callback.
    unsafe { std::mem::transmute::<usize, Free>(function)(extra) }
}

fn cancel_by(function: usize, extra: usize, complete: bool) -> c_int {
    // SAFETY: as above, as a cancel callback.
    unsafe { std::mem::transmute::<usize, Cancel>(function)(extra, complete.into()) }
}

/// `MPI_Grequest_start`.
pub fn grequest_start(
    query: Memory,
    free: Memory,
    cancel: Memory,
    extra: Memory,
    to: Out<MPI_Request>,
) -> Outcome {
    let [query, free, cancel, extra] = [query, free, cancel, extra].map(Memory::address);
    start(Generalized { query, free, cancel, extra, calls: &OF_C }, to)
}

/// Starts a generalized request.
pub fn start(generalized: Generalized, to: Out<MPI_Request>) -> Outcome {
    if [generalized.query, generalized.free, generalized.cancel].contains(&0) {
        return Err(Fault::new(
            MPI_ERR_ARG,
            "a generalized request has functions for query, free and cancel",
        ));
    }
    let kind = RequestKind::Generalized(generalized);
    let mut request = Request::begun(Progress::Held, Destination::default(), kind, MPI_COMM_SELF);
    request.uses.clear();
    to.set(within(|objects| Ok(objects.add_request(request)))?)
}

/// `MPI_Grequest_complete`. A request that the program has freed before ends here.
pub fn grequest_complete(handle: MPI_Request) -> Outcome {
    let freed = within(|objects| {
        let request = objects.requests.used_mut(handle)?;
        if !matches!((&request.kind, &request.progress), (RequestKind::Generalized(_), Progress::Held)) {
            return Err(Fault::new(
                MPI_ERR_REQUEST,
                "the request is no generalized one that is not complete",
            ));
        }
        request.progress = Progress::Over(null_end());
        // A freed request is held for this call alone.
        Ok(objects.requests.release(handle))
    })?;
    match freed {
        Some(request) => free_callback(&request),
        None => Ok(()),
    }
}

/// Frees the request of a program: its free callback is called when it is complete.
pub(super) fn free(handle: MPI_Request) -> Outcome {
    let is_held = within(|objects| {
        let is_held = matches!(objects.requests.get(handle)?.progress, Progress::Held);
        if is_held {
            objects.requests.hold(handle);
        }
        Ok(is_held)
    })?;
    match is_held {
        true => within(|objects| objects.requests.free(handle).map(|_| ())),
        false => free_callback(&request::remove(handle)?),
    }
}

/// Status of a complete request, which the query callback fills.
pub(super) fn ending(generalized: &Generalized) -> Ending {
    let mut status = MPI_Status::EMPTY;
    let code = (generalized.calls.query)(generalized.query, generalized.extra, &mut status);
    Ending { status, outcome: checked(code) }
}

/// Calls the free callback of a request that is over; others have none.
pub(super) fn free_callback(request: &Request) -> Outcome {
    match &request.kind {
        RequestKind::Generalized(own) => checked((own.calls.free)(own.free, own.extra)),
        _ => Ok(()),
    }
}

/// Calls the cancel callback.
pub(super) fn cancel(generalized: &Generalized, complete: bool) -> Outcome {
    checked((generalized.calls.cancel)(generalized.cancel, generalized.extra, complete))
}

fn checked(code: c_int) -> Outcome {
    if code == MPI_SUCCESS {
        Ok(())
    } else {
        Err(Fault::new(code, "a function of a generalized request failed"))
    }
}
