//! Point-to-point sends and receives.

use processes::mpi::call::{Answer, Call, CompletedRequest, CompletionMode, SendMode};

use super::request;
use super::status::null_end;
use super::tolerance::elements;
use crate::arguments::{Memory, Number, Out};
use crate::fault::{Fault, Outcome};
use crate::link::{self, Named};
use crate::objects::{
    Communicator, Destination, Progress, RequestKind, Type, communicator, used_communicator,
};
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
                request::give(request, progress, Destination::default(), RequestKind::Send, on)
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

/// Posts a send and returns its progress.
#[allow(clippy::too_many_arguments)]
fn post_send(
    mode: SendMode,
    later: bool,
    memory: Memory,
    count: Number,
    kind: MPI_Datatype,
    to: c_int,
    tag: c_int,
    on: MPI_Comm,
) -> Outcome<Progress> {
    communicator(on)?;
    let (count, kind) = elements(count, kind).map_err(|fault| fault.on(on))?;
    post_checked_send(mode, later, memory, count, &kind, to, tag, on)
}

/// Posts a send of a communicator and datatype that the program may have freed.
#[allow(clippy::too_many_arguments)]
pub(super) fn post_checked_send(
    mode: SendMode,
    later: bool,
    memory: Memory,
    count: usize,
    kind: &Type,
    to: c_int,
    tag: c_int,
    on: MPI_Comm,
) -> Outcome<Progress> {
    let tag = own_tag(tag).map_err(|fault| fault.on(on))?;
    post_tagged_send(mode, later, memory, count, kind, to, tag, on)
}

/// Posts a send with any tag on the wire.
#[allow(clippy::too_many_arguments)]
pub(super) fn post_tagged_send(
    mode: SendMode,
    later: bool,
    memory: Memory,
    count: usize,
    kind: &Type,
    to: c_int,
    tag: u32,
    on: MPI_Comm,
) -> Outcome<Progress> {
    let own = used_communicator(on)?;
    let send = || {
        if to == MPI_PROC_NULL {
            return Ok(Progress::Over(null_end()));
        }
        let to = own.check(to, MPI_ERR_RANK)?;
        let data = kind.long(memory, count).filter(|_| link::is_reached());
        let bytes = match data {
            Some(_) => kind.check(memory, count).map(|()| Vec::new())?,
            None => kind.pack(memory, count)?,
        };
        if mode == SendMode::Buffered {
            super::buffer::room(on, kind.bytes(count)?)?;
        }
        let call = Call::Send {
            communicator: own.number,
            mode,
            destination: to,
            tag,
            nonblocking: later,
            bytes: bytes.into(),
        };
        match link::ask_with(call, Named { data, ..Named::default() })? {
            Answer::Request(number) => Ok(Progress::Active(number)),
            Answer::Done => Ok(Progress::Over(null_end())),
            answer => Err(link::other(answer)),
        }
    };
    send().map_err(|fault: Fault| fault.on(on))
}

/// Checks a tag for a send: not negative.
fn own_tag(tag: c_int) -> Outcome<u32> {
    u32::try_from(tag).map_err(|_| Fault::new(MPI_ERR_TAG, format!("{tag} is no tag: it is below zero")))
}

/// Source and tag that a receive matches; `None` for `MPI_PROC_NULL`.
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

/// Posts a receive and returns its progress and destination.
fn post_receive(
    later: bool,
    memory: Memory,
    count: Number,
    kind: MPI_Datatype,
    from: c_int,
    tag: c_int,
    on: MPI_Comm,
) -> Outcome<(Progress, Destination)> {
    communicator(on)?;
    let (count, kind) = elements(count, kind).map_err(|fault| fault.on(on))?;
    post_checked_receive(later, memory, count, &kind, from, tag, on)
}

/// Posts a receive of a communicator and datatype that the program may have freed.
pub(super) fn post_checked_receive(
    later: bool,
    memory: Memory,
    count: usize,
    kind: &Type,
    from: c_int,
    tag: c_int,
    on: MPI_Comm,
) -> Outcome<(Progress, Destination)> {
    let own = used_communicator(on)?;
    let receive = || {
        let destination = Destination::one(memory, count, kind);
        let Some((from, tag)) = pattern(&own, from, tag)? else {
            return Ok((Progress::Over(null_end()), destination));
        };
        let most = kind.bytes(count)? as u64;
        let call =
            Call::Receive { communicator: own.number, source: from, tag, capacity: most, nonblocking: later };
        Ok((progress(link::ask_with(call, Named::place(destination.place()))?)?, destination))
    };
    receive().map_err(|fault: Fault| fault.on(on))
}

/// Progress of a call after this answer of the simulator.
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
    let (progress, destination) = post_receive(false, memory, count, kind, from, tag, on)?;
    request::finish(progress, &destination, RequestKind::Receive, status).map_err(|fault| fault.on(on))
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
    let (progress, destination) = post_receive(true, memory, count, kind, from, tag, on)?;
    request::give(request, progress, destination, RequestKind::Receive, on)
}

/// `MPI_Sendrecv`: posts both transfers, then waits for both.
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
    let (came, destination) =
        post_receive(true, receive, receive_count, receive_kind, from, receive_tag, on)?;
    let left = post_send(SendMode::Standard, true, send, send_count, send_kind, to, send_tag, on)?;
    both(left, came, &destination, status).map_err(|fault| fault.on(on))
}

/// `MPI_Sendrecv_replace`: packs the outgoing data before it receives.
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

/// `MPI_Isendrecv`: the request is that of the receive; the send is forgotten and completes on its own.
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
    let (came, destination) =
        post_receive(true, receive, receive_count, receive_kind, from, receive_tag, on)?;
    if let Progress::Active(number) =
        post_send(SendMode::Standard, true, send, send_count, send_kind, to, send_tag, on)?
    {
        link::ask(Call::FreeRequest(number))?;
    }
    request::give(request, came, destination, RequestKind::Receive, on)
}

/// `MPI_Isendrecv_replace`: packs the outgoing data at once and unpacks the received data on completion.
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

fn both(left: Progress, came: Progress, destination: &Destination, status: Out<MPI_Status>) -> Outcome {
    let active =
        |progress: &Progress| if let Progress::Active(number) = progress { Some(*number) } else { None };
    let requests: Vec<_> = [active(&came), active(&left)].into_iter().flatten().collect();
    let places = vec![destination.place().filter(|_| active(&came).is_some())];
    let mut ends = request::ends(requests, places, CompletionMode::WaitAll)?;
    let came = match came {
        Progress::Active(_) => Progress::Over(ends.remove(0).1),
        over => over,
    };
    if let Some((_, CompletedRequest { error: Some(error), .. })) = ends.pop() {
        return Err(Fault::from_failure(&error));
    }
    request::finish(came, destination, RequestKind::Receive, status)
}
