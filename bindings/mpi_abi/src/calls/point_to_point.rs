//! Sending and receiving.

use rank::call::{Answer, Call, End, Found, Mode, Of};

use super::request;
use crate::arguments::{Memory, Number, Out};
use crate::fault::{Fault, Outcome};
use crate::link;
use crate::objects::{Communicator, Landing, Progress, Request, communicator, datatype, within};
use crate::types::*;

macro_rules! sends {
    ($($name:ident $later:ident $mode:ident;)*) => {
        $(
            #[doc = concat!("Sends, mode `", stringify!($mode), "`.")]
            pub fn $name(memory: Memory, count: Number, kind: MPI_Datatype, to: c_int, tag: c_int, on: MPI_Comm) -> Outcome {
                post_send(Mode::$mode, false, memory, count, kind, to, tag, on).map(|_| ())
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
                let progress = post_send(Mode::$mode, true, memory, count, kind, to, tag, on)?;
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
pub(super) fn nobody() -> End {
    let source = MPI_PROC_NULL as u32;
    End { source, tag: NO_TAG, length: 0, cancelled: false, bytes: Default::default(), failure: None }
}

/// What stands for no tag in an end: larger than all tags.
pub(super) const NO_TAG: u32 = u32::MAX;

/// Sends, and says how far it is.
#[allow(clippy::too_many_arguments)]
pub(super) fn post_send(
    mode: Mode,
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
        if mode == Mode::Buffered {
            super::buffer::room(bytes.len())?;
        }
        let call = Call::Send { on: own.number, mode, to, tag, later, bytes: bytes.into() };
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
fn pattern(own: &Communicator, from: c_int, tag: c_int) -> Outcome<Option<(Option<u32>, Option<u32>)>> {
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
        let call = Call::Receive { on: own.number, from, tag, most, later };
        Ok((progress(link::ask(call)?)?, landing))
    };
    receive().map_err(|fault: Fault| fault.on(on))
}

/// How far a call is after this answer.
pub(super) fn progress(answer: Answer) -> Outcome<Progress> {
    match answer {
        Answer::Request(number) => Ok(Progress::Active(number)),
        Answer::Ended(mut ends) if ends.len() == 1 => Ok(Progress::Over(ends.remove(0).1)),
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
    let left = post_send(Mode::Standard, true, send, send_count, send_kind, to, send_tag, on)?;
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
        post_send(Mode::Standard, true, send, send_count, send_kind, to, send_tag, on)?
    {
        link::ask(Call::Forget(number))?;
    }
    request::give(request, came, landing, true, on)
}

fn both(left: Progress, came: Progress, landing: &Landing, status: Out<MPI_Status>) -> Outcome {
    let active =
        |progress: &Progress| if let Progress::Active(number) = progress { Some(*number) } else { None };
    let requests: Vec<_> = [active(&came), active(&left)].into_iter().flatten().collect();
    let mut ends = request::ends(requests, Of::All)?;
    let came = match came {
        Progress::Active(_) => Progress::Over(ends.remove(0).1),
        over => over,
    };
    if let Some((_, End { failure: Some(failure), .. })) = ends.pop() {
        return Err(Fault::new(failure.class, failure.why));
    }
    request::finish(came, landing, true, status)
}

fn look(from: c_int, tag: c_int, on: MPI_Comm, wait: bool, keep: bool) -> Outcome<Option<Found>> {
    let own = communicator(on)?;
    let look = || {
        let Some((from, tag)) = pattern(&own, from, tag)? else {
            let End { source, tag, length, .. } = nobody();
            return Ok(Some(Found { message: None, source, tag, length }));
        };
        match link::ask(Call::Probe { on: own.number, from, tag, wait, keep })? {
            Answer::Found(found) => Ok(found),
            answer => Err(link::other(answer)),
        }
    };
    look().map_err(|fault: Fault| fault.on(on))
}

fn tell(status: Out<MPI_Status>, found: &Found) {
    let Found { source, tag, length, .. } = *found;
    status.offer(request::status(&End { source, tag, length, ..nobody() }));
}

/// `MPI_Probe`.
pub fn probe(from: c_int, tag: c_int, on: MPI_Comm, status: Out<MPI_Status>) -> Outcome {
    if let Some(found) = look(from, tag, on, true, false)? {
        tell(status, &found);
    }
    Ok(())
}

/// `MPI_Iprobe`.
pub fn iprobe(from: c_int, tag: c_int, on: MPI_Comm, flag: Out<c_int>, status: Out<MPI_Status>) -> Outcome {
    let found = look(from, tag, on, false, false)?;
    flag.set(found.is_some().into())?;
    if let Some(found) = found {
        tell(status, &found);
    }
    Ok(())
}

/// `MPI_Mprobe`.
pub fn mprobe(
    from: c_int,
    tag: c_int,
    on: MPI_Comm,
    message: Out<MPI_Message>,
    status: Out<MPI_Status>,
) -> Outcome {
    match look(from, tag, on, true, true)? {
        Some(found) => keep(found, message, status),
        None => Ok(()),
    }
}

/// `MPI_Improbe`.
pub fn improbe(
    from: c_int,
    tag: c_int,
    on: MPI_Comm,
    flag: Out<c_int>,
    message: Out<MPI_Message>,
    status: Out<MPI_Status>,
) -> Outcome {
    let found = look(from, tag, on, false, true)?;
    flag.set(found.is_some().into())?;
    match found {
        Some(found) => keep(found, message, status),
        None => message.set(MPI_MESSAGE_NULL),
    }
}

fn keep(found: Found, message: Out<MPI_Message>, status: Out<MPI_Status>) -> Outcome {
    tell(status, &found);
    message.set(match found.message {
        Some(number) => within(|objects| Ok(objects.messages.add(number)))?,
        None => MPI_MESSAGE_NO_PROC,
    })
}

fn take(
    later: bool,
    memory: Memory,
    count: Number,
    kind: MPI_Datatype,
    message: Out<MPI_Message>,
) -> Outcome<(Progress, Landing)> {
    let (count, kind) = (count.count()?, datatype(kind)?);
    let landing = Landing::one(memory, count, &kind);
    let handle = message.get()?;
    if handle == MPI_MESSAGE_NO_PROC {
        message.set(MPI_MESSAGE_NULL)?;
        return Ok((Progress::Over(nobody()), landing));
    }
    let number = within(|objects| objects.messages.remove(handle))?;
    message.set(MPI_MESSAGE_NULL)?;
    let most = kind.bytes(count)? as u64;
    Ok((progress(link::ask(Call::Take { message: number, most, later })?)?, landing))
}

/// `MPI_Mrecv`.
pub fn mrecv(
    memory: Memory,
    count: Number,
    kind: MPI_Datatype,
    message: Out<MPI_Message>,
    status: Out<MPI_Status>,
) -> Outcome {
    let (progress, landing) = take(false, memory, count, kind, message)?;
    request::finish(progress, &landing, true, status)
}

/// `MPI_Imrecv`.
pub fn imrecv(
    memory: Memory,
    count: Number,
    kind: MPI_Datatype,
    message: Out<MPI_Message>,
    request: Out<MPI_Request>,
) -> Outcome {
    let (progress, landing) = take(true, memory, count, kind, message)?;
    request::give(request, progress, landing, true, MPI_COMM_SELF)
}

impl Request {
    /// A request that is on its way, or over.
    pub fn begun(progress: Progress, landing: Landing, receives: bool, on: MPI_Comm) -> Self {
        Request { progress, landing, receives, persistent: None, on }
    }
}
