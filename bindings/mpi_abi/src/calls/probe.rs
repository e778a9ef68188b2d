//! Probes, and receives of messages that a matched probe has reserved.

use processes::mpi::call::{Answer, Call, CompletedRequest, ProbedMessage};

use super::point_to_point::{pattern, progress};
use super::request;
use super::status::{self, null_end};
use super::tolerance::elements;
use crate::arguments::{Memory, Number, Out};
use crate::fault::{Fault, Outcome};
use crate::link::{self, Named};
use crate::objects::{Destination, Progress, RequestKind, communicator, within};
use crate::types::*;

fn look(from: c_int, tag: c_int, on: MPI_Comm, wait: bool, keep: bool) -> Outcome<Option<ProbedMessage>> {
    let own = communicator(on)?;
    let look = || {
        let Some((from, tag)) = pattern(&own, from, tag)? else {
            let CompletedRequest { source, tag, length, .. } = null_end();
            return Ok(Some(ProbedMessage { message: None, source, tag, length }));
        };
        match link::ask(Call::Probe {
            communicator: own.number,
            source: from,
            tag,
            blocking: wait,
            matched: keep,
        })? {
            Answer::Probed(found) => Ok(found),
            answer => Err(link::other(answer)),
        }
    };
    look().map_err(|fault: Fault| fault.on(on))
}

fn tell(to: Out<MPI_Status>, found: &ProbedMessage) {
    let ProbedMessage { source, tag, length, .. } = *found;
    status::offer(to, status::of(&CompletedRequest { source, tag, length, ..null_end() }));
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

fn keep(found: ProbedMessage, message: Out<MPI_Message>, status: Out<MPI_Status>) -> Outcome {
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
) -> Outcome<(Progress, Destination)> {
    let (count, kind) = elements(count, kind)?;
    let destination = Destination::one(memory, count, &kind);
    let handle = message.get()?;
    if handle == MPI_MESSAGE_NO_PROC {
        message.set(MPI_MESSAGE_NULL)?;
        return Ok((Progress::Over(null_end()), destination));
    }
    let number = within(|objects| objects.messages.free(handle))?.expect("no request uses a message");
    message.set(MPI_MESSAGE_NULL)?;
    let most = kind.bytes(count)? as u64;
    let call = Call::ReceiveMatched { message: number, capacity: most, nonblocking: later };
    Ok((progress(link::ask_with(call, Named::place(destination.place()))?)?, destination))
}

/// `MPI_Mrecv`.
pub fn mrecv(
    memory: Memory,
    count: Number,
    kind: MPI_Datatype,
    message: Out<MPI_Message>,
    status: Out<MPI_Status>,
) -> Outcome {
    let (progress, destination) = take(false, memory, count, kind, message)?;
    request::finish(progress, &destination, RequestKind::Receive, status)
}

/// `MPI_Imrecv`.
pub fn imrecv(
    memory: Memory,
    count: Number,
    kind: MPI_Datatype,
    message: Out<MPI_Message>,
    request: Out<MPI_Request>,
) -> Outcome {
    let (progress, destination) = take(true, memory, count, kind, message)?;
    request::give(request, progress, destination, RequestKind::Receive, MPI_COMM_SELF)
}
