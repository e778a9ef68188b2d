//! Sending and receiving.

use processes::mpi::call::{Answer, Call, CompletedRequest, CompletionMode, SendMode};

use super::request;
use crate::arguments::{Memory, Number, Out};
use crate::fault::{Fault, Outcome};
use crate::link;
use crate::objects::{Communicator, Landing, Progress, Request, communicator, datatype};
use crate::types::*;

macro_rules! sends {
    ($($name:ident $later:ident $mode:ident;)*) => {
        $(
            #[doc = concat!("Sends, mode `", stringify!($mode), "`.")]
            pub fn $name(memory: Memory, count: Number, kind: MPI_Datatype, to: c_int, tag: c_int, on: MPI_Comm) -> Outcome {
                post_send(SendMode::$mode, false, memory, count, kind, to, tag, on).map(|_| ())
            }

            #[doc = concat!("Begins to send, mode `", stringify!($mode), "`.")]
            pub fn $later(
                memory: Memory,
                count: Number,
                kind: MPI_Datatype,
                to: c_int,
                tag: c_int,
                on: MPI_Comm,
                request: Out<MPI_Request>,
            ) -> Outcome {
                let progress = post_send(SendMode::$mode, true, memory, count, kind, to, tag, on)?;
                request::give(request, progress, Landing::default(), false, on)
            }
        )*
    };
}

sends! {
    send isend Standard;
    ssend issend Synchronous;
    bsend ibsend Buffered;
    rsend irsend Ready;
}

/// An end of which there is nothing to tell: of a transfer with nobody (MPI 5.0, section 3.10).
pub(super) fn nobody() -> CompletedRequest {
    let source = MPI_PROC_NULL as u32;
    CompletedRequest {
        source,
        tag: NO_TAG,
        length: 0,
        cancelled: false,
        bytes: Default::default(),
        error: None,
    }
}

/// What stands for no tag in an end: larger than all tags.
pub(super) const NO_TAG: u32 = u32::MAX;

/// Sends, and says how far it is.
#[allow(clippy::too_many_arguments)]
pub(super) fn post_send(
    mode: SendMode,
    later: bool,
    memory: Memory,
    count: Number,
    kind: MPI_Datatype,
    to: c_int,
    tag: c_int,
    on: MPI_Comm,
) -> Outcome<Progress> {
    let own = communicator(on)?;
    let send = || {
        let (count, kind) = (count.count()?, datatype(kind)?);
        let tag = own_tag(tag)?;
        if to == MPI_PROC_NULL {
            return Ok(Progress::Over(nobody()));
        }
        let to = own.check(to, MPI_ERR_RANK)?;
        let bytes = kind.pack(memory, count)?;
        if mode == SendMode::Buffered {
            super::buffer::room(bytes.len())?;
        }
        let call = Call::Send {
            communicator: own.number,
            mode,
            destination: to,
            tag,
            nonblocking: later,
            bytes: bytes.into(),
        };
        match link::ask(call)? {
            Answer::Request(number) => Ok(Progress::Active(number)),
            Answer::Done => Ok(Progress::Over(nobody())),
            answer => Err(link::other(answer)),
        }
    };
    send().map_err(|fault: Fault| fault.on(on))
}

/// A tag to send with.
fn own_tag(tag: c_int) -> Outcome<u32> {
    u32::try_from(tag).map_err(|_| Fault::new(MPI_ERR_TAG, format!("{tag} is no tag: it is below zero")))
}

/// Whom and what a receive takes; nobody's if there is nobody on the other side.
pub(super) fn pattern(
    own: &Communicator,
    from: c_int,
    tag: c_int,
) -> Outcome<Option<(Option<u32>, Option<u32>)>> {
    let tag = if tag == MPI_ANY_TAG { None } else { Some(own_tag(tag)?) };
    Ok(match from {
        MPI_PROC_NULL => None,
        MPI_ANY_SOURCE => Some((None, tag)),
        from => Some((Some(own.check(from, MPI_ERR_RANK)?), tag)),
    })
}

/// Receives, or begins to; how far it is, and where the message goes.
pub(super) fn post_receive(
    later: bool,
    memory: Memory,
    count: Number,
    kind: MPI_Datatype,
    from: c_int,
    tag: c_int,
    on: MPI_Comm,
) -> Outcome<(Progress, Landing)> {
    let own = communicator(on)?;
    let receive = || {
        let (count, kind) = (count.count()?, datatype(kind)?);
        let landing = Landing::one(memory, count, &kind);
        let Some((from, tag)) = pattern(&own, from, tag)? else {
            return Ok((Progress::Over(nobody()), landing));
        };
        let most = kind.bytes(count)? as u64;
        let call =
            Call::Receive { communicator: own.number, source: from, tag, capacity: most, nonblocking: later };
        Ok((progress(link::ask(call)?)?, landing))
    };
    receive().map_err(|fault: Fault| fault.on(on))
}

/// How far a call is after this answer.
pub(super) fn progress(answer: Answer) -> Outcome<Progress> {
    match answer {
        Answer::Request(number) => Ok(Progress::Active(number)),
        Answer::Completed(mut ends) if ends.len() == 1 => Ok(Progress::Over(ends.remove(0).1)),
        answer => Err(link::other(answer)),
    }
}

/// `MPI_Recv`.
pub fn recv(
    memory: Memory,
    count: Number,
    kind: MPI_Datatype,
    from: c_int,
    tag: c_int,
    on: MPI_Comm,
    status: Out<MPI_Status>,
) -> Outcome {
    let (progress, landing) = post_receive(false, memory, count, kind, from, tag, on)?;
    request::finish(progress, &landing, true, status).map_err(|fault| fault.on(on))
}

/// `MPI_Irecv`.
pub fn irecv(
    memory: Memory,
    count: Number,
    kind: MPI_Datatype,
    from: c_int,
    tag: c_int,
    on: MPI_Comm,
    request: Out<MPI_Request>,
) -> Outcome {
    let (progress, landing) = post_receive(true, memory, count, kind, from, tag, on)?;
    request::give(request, progress, landing, true, on)
}

/// `MPI_Sendrecv`: both begin, and both end.
#[allow(clippy::too_many_arguments)]
pub fn sendrecv(
    send: Memory,
    send_count: Number,
    send_kind: MPI_Datatype,
    to: c_int,
    send_tag: c_int,
    receive: Memory,
    receive_count: Number,
    receive_kind: MPI_Datatype,
    from: c_int,
    receive_tag: c_int,
    on: MPI_Comm,
    status: Out<MPI_Status>,
) -> Outcome {
    let (came, landing) = post_receive(true, receive, receive_count, receive_kind, from, receive_tag, on)?;
    let left = post_send(SendMode::Standard, true, send, send_count, send_kind, to, send_tag, on)?;
    both(left, came, &landing, status).map_err(|fault| fault.on(on))
}

/// `MPI_Sendrecv_replace`: what leaves is packed before anything comes.
#[allow(clippy::too_many_arguments)]
pub fn sendrecv_replace(
    memory: Memory,
    count: Number,
    kind: MPI_Datatype,
    to: c_int,
    send_tag: c_int,
    from: c_int,
    receive_tag: c_int,
    on: MPI_Comm,
    status: Out<MPI_Status>,
) -> Outcome {
    sendrecv(memory, count, kind, to, send_tag, memory, count, kind, from, receive_tag, on, status)
}

/// `MPI_Isendrecv` is for programs that overlap both; here it is a receive and a send that nobody waits for apart.
#[allow(clippy::too_many_arguments)]
pub fn isendrecv(
    send: Memory,
    send_count: Number,
    send_kind: MPI_Datatype,
    to: c_int,
    send_tag: c_int,
    receive: Memory,
    receive_count: Number,
    receive_kind: MPI_Datatype,
    from: c_int,
    receive_tag: c_int,
    on: MPI_Comm,
    request: Out<MPI_Request>,
) -> Outcome {
    let (came, landing) = post_receive(true, receive, receive_count, receive_kind, from, receive_tag, on)?;
    if let Progress::Active(number) =
        post_send(SendMode::Standard, true, send, send_count, send_kind, to, send_tag, on)?
    {
        link::ask(Call::FreeRequest(number))?;
    }
    request::give(request, came, landing, true, on)
}

/// `MPI_Isendrecv_replace`: what leaves is packed at once, and what comes is put there when it is waited for.
#[allow(clippy::too_many_arguments)]
pub fn isendrecv_replace(
    memory: Memory,
    count: Number,
    kind: MPI_Datatype,
    to: c_int,
    send_tag: c_int,
    from: c_int,
    receive_tag: c_int,
    on: MPI_Comm,
    request: Out<MPI_Request>,
) -> Outcome {
    isendrecv(memory, count, kind, to, send_tag, memory, count, kind, from, receive_tag, on, request)
}

fn both(left: Progress, came: Progress, landing: &Landing, status: Out<MPI_Status>) -> Outcome {
    let active =
        |progress: &Progress| if let Progress::Active(number) = progress { Some(*number) } else { None };
    let requests: Vec<_> = [active(&came), active(&left)].into_iter().flatten().collect();
    let mut ends = request::ends(requests, CompletionMode::WaitAll)?;
    let came = match came {
        Progress::Active(_) => Progress::Over(ends.remove(0).1),
        over => over,
    };
    if let Some((_, CompletedRequest { error: Some(error), .. })) = ends.pop() {
        return Err(Fault::told(&error));
    }
    request::finish(came, landing, true, status)
}

impl Request {
    /// A request that is on its way, or over.
    pub fn begun(progress: Progress, landing: Landing, receives: bool, on: MPI_Comm) -> Self {
        Request { progress, landing, receives, persistent: None, on }
    }
}
