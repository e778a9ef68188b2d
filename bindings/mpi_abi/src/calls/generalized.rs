//! Generalized requests: operations of the program that it completes itself (MPI 5.0, section 13.2).
#![allow(unsafe_code)]

use super::status::null_end;
use crate::arguments::{Memory, Out};
use crate::concurrency;
use crate::fault::{Fault, Outcome};
use crate::objects::{Destination, Generalized, GeneralizedCalls, Progress, Request, RequestKind, within};
use crate::types::*;

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

/// Returns a request with these callbacks, which the program completes.
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
    concurrency::wake();
    match freed {
        Some(request) => request.free_callback(),
        None => Ok(()),
    }
}
