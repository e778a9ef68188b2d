//! Plans of data movement: broadcast, gather, scatter and all-to-all. A call with equal parts and its variant
//! with different parts share a plan.

use processes::mpi::call::Collective;

use super::nothing;
use super::parts::{Elements, Parts};
use crate::arguments::{List, Memory, Number, Numbers};
use crate::calls::tolerance::elements;
use crate::fault::Outcome;
use crate::objects::{Communicator, Destination, Piece, Plan, communicator};
use crate::types::*;

/// The root of a call, and whether it is this rank.
pub(super) fn is_root(own: &Communicator, root: c_int) -> Outcome<(u32, bool)> {
    let root = own.check(root, MPI_ERR_ROOT)?;
    Ok((root, root as usize == own.rank))
}

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
    let (own, (count, kind)) = (communicator(on)?, elements(count, kind)?);
    let (root, here) = is_root(&own, root)?;
    let length = kind.bytes(count)? as u64;
    let (source, destination) = match here {
        true => (vec![Piece { memory, count, datatype: kind }], Destination::InPlace),
        false => (Vec::new(), Destination::one(memory, count, &kind)),
    };
    Ok(Plan { what: Collective::Broadcast { root, length, bytes: nothing() }, source, destination })
}

/// Data that this rank sends; with `MPI_IN_PLACE` its part of the receive buffer.
fn sent(own: &Communicator, send: Elements, parts: &Parts) -> Outcome<Vec<Piece>> {
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
    let (root, here) = is_root(own, root)?;
    let (source, lengths, destination) = if here {
        let parts = parts()?;
        (sent(own, send, &parts)?, parts.explicit_lengths()?, parts.destination())
    } else {
        (send.piece()?, (!equal).then(Vec::new), Destination::default())
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
    let parts = || Parts::equal(own.size(), receive, receives, kind);
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
    let parts = || Parts::at(own.size(), receive, receives, places, kind);
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
    let (root, here) = is_root(own, root)?;
    let Elements(memory, count, kind) = receive;
    // With `MPI_IN_PLACE` the root has no receive buffer, and its own part is dropped.
    let (destination, room) = if memory.is_in_place() {
        (Destination::InPlace, 0)
    } else {
        let (count, kind) = elements(count, kind)?;
        (Destination::one(memory, count, &kind), kind.bytes(count)? as u64)
    };
    let (source, lengths, length) = if here {
        let parts = parts()?;
        let (lengths, length) = (parts.explicit_lengths()?, parts.lengths()?[own.rank]);
        (parts.pieces(), lengths, length)
    } else {
        (Vec::new(), (!equal).then(Vec::new), room)
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
    let parts = || Parts::equal(own.size(), send, sends, send_kind);
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
    let parts = || Parts::at(own.size(), send, sends, places, send_kind);
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
    gather_all(&own, Elements(send, sends, send_kind), Parts::equal(own.size(), receive, receives, kind)?)
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
        Parts::at(own.size(), receive, receives, places, kind)?,
    )
}

/// Plan of an all-to-all. With `MPI_IN_PLACE` the data is sent from the receive buffer.
fn to_all(send: Memory, out: impl FnOnce() -> Outcome<Parts>, here: Parts) -> Outcome<Plan> {
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
    let here = Parts::equal(own.size(), receive, receives, kind)?;
    to_all(send, || Parts::equal(own.size(), send, sends, send_kind), here)
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
    let here = Parts::at(own.size(), receive, receives, to, kind)?;
    to_all(send, || Parts::at(own.size(), send, sends, from, send_kind), here)
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
    let here = Parts::of(own.size(), receive, receives, to, kinds)?;
    to_all(send, || Parts::of(own.size(), send, sends, from, send_kinds), here)
}
