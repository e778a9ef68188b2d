//! Plans of data movement: broadcast, gather, scatter and all-to-all. A call with equal parts and its variant
//! with different parts share a plan.

use processes::mpi::call::{Collective, Root};

use super::nothing;
use super::parts::{Elements, Parts};
use super::root::{Role, role, take_place};
use crate::arguments::{List, Memory, Number, Numbers};
use crate::calls::tolerance::elements;
use crate::fault::Outcome;
use crate::objects::{Communicator, Destination, Piece, Plan, communicator};
use crate::types::*;

pub(super) fn plan_barrier(_on: MPI_Comm) -> Outcome<Plan> {
    Ok(Plan { what: Collective::Barrier, source: Vec::new(), destination: Destination::default() })
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
        let what = Collective::Broadcast { root, length: 0, bytes: nothing() };
        return Ok(Plan { what, source: Vec::new(), destination: Destination::default() });
    }
    let (count, kind) = elements(count, kind)?;
    let length = kind.bytes(count)? as u64;
    let (source, destination) = match role {
        Role::Root => (vec![Piece { memory, count, datatype: kind }], Destination::InPlace),
        _ => (Vec::new(), Destination::one(memory, count, &kind)),
    };
    Ok(Plan { what: Collective::Broadcast { root, length, bytes: nothing() }, source, destination })
}

/// Data that this rank sends; with `MPI_IN_PLACE` its part of the receive buffer.
fn sent(own: &Communicator, send: Elements, parts: &Parts) -> Outcome<Vec<Piece>> {
    take_place(own, send.0)?;
    if send.0.is_in_place() { Ok(vec![parts.of_rank(own.rank)]) } else { send.piece() }
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
    let no_lengths = (!equal || own.is_inter()).then(Vec::new);
    let (source, lengths, destination) = match role {
        Role::Root => {
            let parts = parts()?;
            // The root of an intercommunicator sends nothing.
            let source = if root == Root::Here { Vec::new() } else { sent(own, send, &parts)? };
            (source, parts.explicit_lengths()?, parts.destination())
        }
        Role::Other => (send.piece()?, no_lengths, Destination::default()),
        Role::Idle => (Vec::new(), no_lengths, Destination::default()),
    };
    Ok(Plan { what: Collective::Gather { root, bytes: nothing(), lengths }, source, destination })
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
    let parts = || Parts::of_peers(&own, receive, receives, kind);
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
    let parts = || Parts::at(own.peers().len(), receive, receives, places, kind);
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
    let no_lengths = (!equal || own.is_inter()).then(Vec::new);
    let Elements(memory, count, kind) = receive;
    // The root has no receive buffer with `MPI_IN_PLACE`, when its own part is dropped, nor in an
    // intercommunicator.
    let (destination, room) = if role == Role::Idle || root == Root::Here {
        (Destination::default(), 0)
    } else if memory.is_in_place() {
        take_place(own, memory)?;
        (Destination::InPlace, 0)
    } else {
        let (count, kind) = elements(count, kind)?;
        (Destination::one(memory, count, &kind), kind.bytes(count)? as u64)
    };
    let (source, lengths, length) = match role {
        Role::Root => {
            let parts = parts()?;
            let own = if root == Root::Here { 0 } else { parts.lengths()?[own.rank] };
            let lengths = parts.explicit_lengths()?;
            (parts.pieces(), lengths, own)
        }
        Role::Other | Role::Idle => (Vec::new(), no_lengths, room),
    };
    Ok(Plan {
        what: Collective::Scatter { root, bytes: nothing(), lengths, own: length },
        source,
        destination,
    })
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
    let parts = || Parts::of_peers(&own, send, sends, send_kind);
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
    let parts = || Parts::at(own.peers().len(), send, sends, places, send_kind);
    scatter(&own, root, Elements(receive, receives, kind), false, parts)
}

/// Plan of an allgather.
fn gather_all(own: &Communicator, send: Elements, parts: Parts) -> Outcome<Plan> {
    let (source, lengths) = (sent(own, send, &parts)?, parts.explicit_lengths()?);
    let what = Collective::Allgather { bytes: nothing(), lengths };
    Ok(Plan { what, source, destination: parts.destination() })
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
    gather_all(&own, Elements(send, sends, send_kind), Parts::of_peers(&own, receive, receives, kind)?)
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
    gather_all(
        &own,
        Elements(send, sends, send_kind),
        Parts::at(own.peers().len(), receive, receives, places, kind)?,
    )
}

/// Plan of an all-to-all. With `MPI_IN_PLACE` the data is sent from the receive buffer.
fn to_all(
    own: &Communicator,
    send: Memory,
    out: impl FnOnce() -> Outcome<Parts>,
    here: Parts,
) -> Outcome<Plan> {
    take_place(own, send)?;
    let out = if send.is_in_place() { here.clone() } else { out()? };
    let lengths = match here.explicit_lengths()? {
        Some(from) => Some((out.lengths()?, from)),
        None => None,
    };
    let what = Collective::Alltoall { bytes: nothing(), lengths };
    Ok(Plan { what, source: out.pieces(), destination: here.destination() })
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
    let here = Parts::of_peers(&own, receive, receives, kind)?;
    to_all(&own, send, || Parts::of_peers(&own, send, sends, send_kind), here)
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
    let (peers, here) = (own.peers().len(), Parts::at(own.peers().len(), receive, receives, to, kind)?);
    to_all(&own, send, || Parts::at(peers, send, sends, from, send_kind), here)
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
    let (peers, here) = (own.peers().len(), Parts::of(own.peers().len(), receive, receives, to, kinds)?);
    to_all(&own, send, || Parts::of(peers, send, sends, from, send_kinds), here)
}
