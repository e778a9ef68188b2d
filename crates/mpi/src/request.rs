//! Calls that have begun and may not have ended.

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::rc::Rc;
use std::task::Poll;

use crate::error::Error;
use crate::progress::Library;

/// What is known of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// Rank of its sender in the communicator.
    pub source: usize,
    /// Its tag.
    pub tag: u32,
    /// Its bytes.
    pub bytes: usize,
    /// The receive was cancelled, and there is no message.
    pub cancelled: bool,
}

/// What a call ends with: the message of a receive, the result of a collective, of a send only its size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// About the message; of a collective it has no meaning.
    pub status: Status,
    /// The message, or the result at this rank.
    pub bytes: Vec<u8>,
}

impl Completion {
    pub(crate) fn sent(bytes: usize) -> Completion {
        Completion { status: Status { source: 0, tag: 0, bytes, cancelled: false }, bytes: Vec::new() }
    }

    /// The result of a collective.
    pub(crate) fn result(bytes: Vec<u8>) -> Completion {
        Completion { status: Status { source: 0, tag: 0, bytes: bytes.len(), cancelled: false }, bytes }
    }
}

/// Where the end of a call will be.
#[derive(Debug, Default)]
pub(crate) struct Place(RefCell<Phase>);

#[derive(Debug, Default)]
enum Phase {
    #[default]
    Begun,
    Ended(Result<Completion, Error>),
    Taken,
}

impl Place {
    /// The call has ended.
    pub fn fill(&self, end: Result<Completion, Error>) {
        *self.0.borrow_mut() = Phase::Ended(end);
    }

    fn is_filled(&self) -> bool {
        !matches!(*self.0.borrow(), Phase::Begun)
    }

    /// The end of the call, once it is there; the second time there is none.
    fn take(&self) -> Option<Result<Completion, Error>> {
        let phase = &mut *self.0.borrow_mut();
        match std::mem::replace(phase, Phase::Taken) {
            Phase::Begun => {
                *phase = Phase::Begun;
                None
            }
            Phase::Ended(end) => Some(end),
            Phase::Taken => Some(Err(Error::Request)),
        }
    }

    /// The end of the call. Somebody else takes the steps that lead there.
    pub async fn end(&self) -> Result<Completion, Error> {
        poll_fn(|_| self.take().map_or(Poll::Pending, Poll::Ready)).await
    }
}

/// A call that has begun: a send, a receive, a collective. Clones are the same request; one that is dropped goes on.
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

    /// A call that goes on whenever the process is in another one.
    pub(crate) fn spawn(
        library: Rc<Library>,
        call: impl Future<Output = Result<Completion, Error>> + 'static,
    ) -> Request {
        let place = Rc::new(Place::default());
        let end = place.clone();
        library.spawn(async move { end.fill(call.await) });
        Request { library, place }
    }

    /// Waits until the call has ended, and takes its end (`MPI_Wait`).
    pub async fn wait(&self) -> Result<Completion, Error> {
        self.library.drive(self.place.end()).await
    }

    /// Takes a step, and then says whether the call has ended (`MPI_Test`, `MPI_Request_get_status`). The end is to be [taken](Self::take).
    pub async fn test(&self) -> bool {
        self.library.turn().await;
        self.is_done()
    }

    /// Whether the call has ended, as far as the library has seen. Takes no time.
    pub fn is_done(&self) -> bool {
        self.place.is_filled()
    }

    /// The end of the call, if it has ended. Who takes it again is told so. Takes no time.
    pub fn take(&self) -> Option<Result<Completion, Error>> {
        self.place.take()
    }

    /// Gives a receive up that has found no message; then it ends with a status that says so (`MPI_Cancel`). Whether it was.
    pub fn cancel(&self) -> bool {
        self.library.cancel(&self.place)
    }
}

/// Waits until all calls have ended, and takes their ends, in the order of the requests (`MPI_Waitall`).
pub async fn wait_all(requests: &[Request]) -> Vec<Result<Completion, Error>> {
    let mut ends = Vec::with_capacity(requests.len());
    for request in requests {
        ends.push(request.wait().await);
    }
    ends
}

/// Waits until a call has ended; the first of the list that has (`MPI_Waitany`, `MPI_Waitsome`). Its end is to be taken. None if there
/// are no requests.
pub async fn wait_any(requests: &[Request]) -> Option<usize> {
    let first = requests.first()?;
    let filled = poll_fn(|_| {
        let at = requests.iter().position(Request::is_done);
        at.map_or(Poll::Pending, |at| Poll::Ready(Some(at)))
    });
    first.library.drive(filled).await
}

/// Takes a step, and then says whether all calls have ended (`MPI_Testall`, and each for `MPI_Testany`, `MPI_Testsome`).
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
