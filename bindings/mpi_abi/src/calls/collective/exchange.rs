//! Plans of data movement: broadcast, gather, scatter and all-to-all. A call with equal parts and its variant
//! with different parts share a plan.

use processes::mpi::call::{Collective, Root};

use super::Plan;
use super::parts::{Elements, Parts};
use super::root::{Role, role, take_place};
use crate::arguments::{List, Memory, Number, Numbers};
use crate::fault::Outcome;
use crate::objects::{Communicator, Destination, communicator, datatype};
use crate::types::*;

pub(super) fn plan_barrier(_on: MPI_Comm) -> Outcome<Plan> {
    Ok(Plan { what: Collective::Barrier, destination: Destination::default() })
}

pub(super) fn plan_broadcast(
    memory: Memory,
    count: Number,
    kind: MPI_Datatype,
    root: c_int,
    on: MPI_Comm,
) -> Outcome<Plan> {
    let (root, role) = role(&communicator(on)?, root)?;
    if role == Role::Idle {
        let what = Collective::Broadcast { root, length: 0, bytes: Default::default() };
        return Ok(Plan { what, destination: Destination::default() });
    }
    let (count, kind) = (count.count()?, datatype(kind)?);
    let length = kind.bytes(count)? as u64;
    let (bytes, destination) = match role {
        Role::Root => (kind.pack(memory, count)?, Destination::InPlace),
        _ => (Vec::new(), Destination::one(memory, count, &kind)),
    };
    Ok(Plan { what: Collective::Broadcast { root, length, bytes: bytes.into() }, destination })
}

/// Data that this rank sends; with `MPI_IN_PLACE` its part of the receive buffer.
fn sent(own: &Communicator, send: Elements, parts: &Parts) -> Outcome<Vec<u8>> {
    take_place(own, send.0)?;
    if send.0.is_in_place() { parts.pack_one(own.rank) } else { send.pack() }
}

/// Plan of a gather: only the root has parts, of equal or different sizes.
fn gather(
    own: &Communicator,
    root: c_int,
    send: Elements,
    equal: bool,
    parts: impl FnOnce() -> Outcome<Parts>,
) -> Outcome<Plan> {
    let (root, role) = role(own, root)?;
    let nothing = (!equal || own.is_inter()).then(Vec::new);
    let (bytes, lengths, destination) = match role {
        Role::Root => {
            let parts = parts()?;
            // The root of an intercommunicator sends nothing.
            let bytes = if root == Root::Here { Vec::new() } else { sent(own, send, &parts)? };
            (bytes, parts.explicit_lengths()?, parts.destination())
        }
        Role::Other => (send.pack()?, nothing, Destination::default()),
        Role::Idle => (Vec::new(), nothing, Destination::default()),
    };
    Ok(Plan { what: Collective::Gather { root, bytes: bytes.into(), lengths }, destination })
}

#[allow(clippy::too_many_arguments)]
pub(super) fn plan_gather(
    send: Memory,
    sends: Number,
    send_kind: MPI_Datatype,
    receive: Memory,
    receives: Number,
    kind: MPI_Datatype,
    root: c_int,
    on: MPI_Comm,
) -> Outcome<Plan> {
    let own = communicator(on)?;
    let parts = || Parts::equal(&own, receive, receives, kind);
    gather(&own, root, Elements(send, sends, send_kind), true, parts)
}

#[allow(clippy::too_many_arguments)]
pub(super) fn plan_gatherv(
    send: Memory,
    sends: Number,
    send_kind: MPI_Datatype,
    receive: Memory,
    receives: Numbers,
    places: Numbers,
    kind: MPI_Datatype,
    root: c_int,
    on: MPI_Comm,
) -> Outcome<Plan> {
    let own = communicator(on)?;
    let parts = || Parts::at(&own, receive, receives, places, kind);
    gather(&own, root, Elements(send, sends, send_kind), false, parts)
}

/// Plan of a scatter: only the root has parts, of equal or different sizes.
fn scatter(
    own: &Communicator,
    root: c_int,
    receive: Elements,
    equal: bool,
    parts: impl FnOnce() -> Outcome<Parts>,
) -> Outcome<Plan> {
    let (root, role) = role(own, root)?;
    let nothing = (!equal || own.is_inter()).then(Vec::new);
    let Elements(memory, count, kind) = receive;
    // The root has no receive buffer with `MPI_IN_PLACE`, when its own part is dropped, nor in an
    // intercommunicator.
    let (destination, room) = if role == Role::Idle || root == Root::Here {
        (Destination::default(), 0)
    } else if memory.is_in_place() {
        take_place(own, memory)?;
        (Destination::InPlace, 0)
    } else {
        let (count, kind) = (count.count()?, datatype(kind)?);
        (Destination::one(memory, count, &kind), kind.bytes(count)? as u64)
    };
    let (bytes, lengths, length) = match role {
        Role::Root => {
            let parts = parts()?;
            let own = if root == Root::Here { 0 } else { parts.lengths()?[own.rank] };
            (parts.pack()?, parts.explicit_lengths()?, own)
        }
        Role::Other | Role::Idle => (Vec::new(), nothing, room),
    };
    Ok(Plan { what: Collective::Scatter { root, bytes: bytes.into(), lengths, own: length }, destination })
}

#[allow(clippy::too_many_arguments)]
pub(super) fn plan_scatter(
    send: Memory,
    sends: Number,
    send_kind: MPI_Datatype,
    receive: Memory,
    receives: Number,
    kind: MPI_Datatype,
    root: c_int,
    on: MPI_Comm,
) -> Outcome<Plan> {
    let own = communicator(on)?;
    let parts = || Parts::equal(&own, send, sends, send_kind);
    scatter(&own, root, Elements(receive, receives, kind), true, parts)
}

#[allow(clippy::too_many_arguments)]
pub(super) fn plan_scatterv(
    send: Memory,
    sends: Numbers,
    places: Numbers,
    send_kind: MPI_Datatype,
    receive: Memory,
    receives: Number,
    kind: MPI_Datatype,
    root: c_int,
    on: MPI_Comm,
) -> Outcome<Plan> {
    let own = communicator(on)?;
    let parts = || Parts::at(&own, send, sends, places, send_kind);
    scatter(&own, root, Elements(receive, receives, kind), false, parts)
}

/// Plan of an allgather.
fn gather_all(own: &Communicator, send: Elements, parts: Parts) -> Outcome<Plan> {
    let (bytes, lengths) = (sent(own, send, &parts)?, parts.explicit_lengths()?);
    Ok(Plan {
        what: Collective::Allgather { bytes: bytes.into(), lengths },
        destination: parts.destination(),
    })
}

pub(super) fn plan_gather_all(
    send: Memory,
    sends: Number,
    send_kind: MPI_Datatype,
    receive: Memory,
    receives: Number,
    kind: MPI_Datatype,
    on: MPI_Comm,
) -> Outcome<Plan> {
    let own = communicator(on)?;
    gather_all(&own, Elements(send, sends, send_kind), Parts::equal(&own, receive, receives, kind)?)
}

#[allow(clippy::too_many_arguments)]
pub(super) fn plan_gather_allv(
    send: Memory,
    sends: Number,
    send_kind: MPI_Datatype,
    receive: Memory,
    receives: Numbers,
    places: Numbers,
    kind: MPI_Datatype,
    on: MPI_Comm,
) -> Outcome<Plan> {
    let own = communicator(on)?;
    gather_all(&own, Elements(send, sends, send_kind), Parts::at(&own, receive, receives, places, kind)?)
}

/// Plan of an all-to-all. With `MPI_IN_PLACE` the data is sent from the receive buffer.
fn to_all(
    own: &Communicator,
    send: Memory,
    out: impl FnOnce() -> Outcome<Parts>,
    here: Parts,
) -> Outcome<Plan> {
    take_place(own, send)?;
    let out = (!send.is_in_place()).then(out).transpose()?;
    let out = out.as_ref().unwrap_or(&here);
    let lengths = match here.explicit_lengths()? {
        Some(from) => Some((out.lengths()?, from)),
        None => None,
    };
    Ok(Plan {
        what: Collective::Alltoall { bytes: out.pack()?.into(), lengths },
        destination: here.destination(),
    })
}

pub(super) fn plan_to_all(
    send: Memory,
    sends: Number,
    send_kind: MPI_Datatype,
    receive: Memory,
    receives: Number,
    kind: MPI_Datatype,
    on: MPI_Comm,
) -> Outcome<Plan> {
    let own = communicator(on)?;
    let here = Parts::equal(&own, receive, receives, kind)?;
    to_all(&own, send, || Parts::equal(&own, send, sends, send_kind), here)
}

#[allow(clippy::too_many_arguments)]
pub(super) fn plan_to_allv(
    send: Memory,
    sends: Numbers,
    from: Numbers,
    send_kind: MPI_Datatype,
    receive: Memory,
    receives: Numbers,
    to: Numbers,
    kind: MPI_Datatype,
    on: MPI_Comm,
) -> Outcome<Plan> {
    let own = communicator(on)?;
    let here = Parts::at(&own, receive, receives, to, kind)?;
    to_all(&own, send, || Parts::at(&own, send, sends, from, send_kind), here)
}

#[allow(clippy::too_many_arguments)]
pub(super) fn plan_to_allw(
    send: Memory,
    sends: Numbers,
    from: Numbers,
    send_kinds: List<MPI_Datatype>,
    receive: Memory,
    receives: Numbers,
    to: Numbers,
    kinds: List<MPI_Datatype>,
    on: MPI_Comm,
) -> Outcome<Plan> {
    let own = communicator(on)?;
    let here = Parts::of(&own, receive, receives, to, kinds)?;
    to_all(&own, send, || Parts::of(&own, send, sends, from, send_kinds), here)
}
