//! Requests: calls that have begun and may not have completed.

use std::future::{Future, poll_fn};
use std::rc::Rc;
use std::task::Poll;

use crate::completion::{Completion, Place};
use crate::error::Error;
use crate::progress::Library;

/// A call that has begun: a send, a receive or a collective. Clones are the same request. A dropped request
/// still progresses.
#[derive(Clone)]
#[must_use = "whether the call has ended is known by the request alone"]
pub struct Request {
    library: Rc<Library>,
    place: Rc<Place>,
}

impl Request {
    pub(crate) fn new(library: Rc<Library>, place: Rc<Place>) -> Request {
        Request { library, place }
    }

    /// Begins a call that progresses whenever the process is in another call.
    pub(crate) fn spawn(
        library: Rc<Library>,
        call: impl Future<Output = Result<Completion, Error>> + 'static,
    ) -> Request {
        let place = Rc::new(Place::default());
        let end = place.clone();
        library.spawn(async move { end.fill(call.await) });
        Request { library, place }
    }

    /// Waits for the completion and takes it (`MPI_Wait`).
    pub async fn wait(&self) -> Result<Completion, Error> {
        let _call = self.library.host.call("MPI_Wait");
        self.library.drive(self.place.end()).await
    }

    /// Takes one progress step, then returns whether the call is complete (`MPI_Test`,
    /// `MPI_Request_get_status`). The completion remains to be [taken](Self::take).
    pub async fn test(&self) -> bool {
        let _call = self.library.host.call("MPI_Test");
        self.library.turn().await;
        self.is_done()
    }

    /// Whether the call is complete, as of the last progress step. Takes no time.
    pub fn is_done(&self) -> bool {
        self.place.is_filled()
    }

    /// Takes the completion, if the call is complete. Taking it a second time is an error. Takes no time.
    pub fn take(&self) -> Option<Result<Completion, Error>> {
        self.place.take()
    }

    /// Cancels a receive that has not matched; it then completes as cancelled (`MPI_Cancel`). Returns false
    /// if it has matched.
    pub fn cancel(&self) -> bool {
        self.library.cancel(&self.place)
    }
}

/// Waits for all calls and takes their completions in the order of the requests (`MPI_Waitall`).
pub async fn wait_all(requests: &[Request]) -> Vec<Result<Completion, Error>> {
    let mut ends = Vec::with_capacity(requests.len());
    for request in requests {
        ends.push(request.wait().await);
    }
    ends
}

/// Waits for one of the calls and returns the index of the first complete one (`MPI_Waitany`,
/// `MPI_Waitsome`). Its completion remains to be taken. `None` without requests.
pub async fn wait_any(requests: &[Request]) -> Option<usize> {
    let first = requests.first()?;
    let filled = poll_fn(|_| {
        let at = requests.iter().position(Request::is_done);
        at.map_or(Poll::Pending, |at| Poll::Ready(Some(at)))
    });
    first.library.drive(filled).await
}

/// Takes one progress step, then returns whether all calls are complete (`MPI_Testall`, and call by call for
/// `MPI_Testany`, `MPI_Testsome`).
pub async fn test_all(requests: &[Request]) -> bool {
    if let Some(first) = requests.first() {
        first.library.turn().await;
    }
    requests.iter().all(Request::is_done)
}

impl std::fmt::Debug for Request {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Request").field(&self.place).finish()
    }
}
