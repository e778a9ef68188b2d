//! Plans of what moves data: broadcast, gather, scatter, all to all.

use rank::call::Collective;

use super::Plan;
use crate::arguments::{List, Memory, Number, Numbers};
use crate::fault::Outcome;
use crate::objects::{Communicator, Landing, Piece, Type, communicator, datatype};
use crate::types::*;

/// The root of an operation, and whether it is this rank.
pub(super) fn is_root(own: &Communicator, root: c_int) -> Outcome<(u32, bool)> {
    let root = own.check(root, MPI_ERR_ROOT)?;
    Ok((root, root as usize == own.rank))
}

/// Equal parts of memory, one for each rank.
fn parts(own: &Communicator, memory: Memory, count: usize, kind: &Type) -> Vec<Piece> {
    let step = kind.layout.extent().wrapping_mul(count as i64);
    let part = |rank: usize| Piece {
        memory: memory.at(step.wrapping_mul(rank as i64)),
        count,
        datatype: kind.clone(),
    };
    (0..own.size()).map(part).collect()
}

/// Parts of memory of any sizes; places are in extents.
fn parts_at(
    own: &Communicator,
    memory: Memory,
    counts: Numbers,
    places: Numbers,
    kind: &Type,
) -> Outcome<Vec<Piece>> {
    let (counts, places) = (counts.counts(own.size())?, places.list(own.size())?);
    let part = |(count, place): (usize, i64)| {
        let memory = memory.at(place.wrapping_mul(kind.layout.extent()));
        Piece { memory, count, datatype: kind.clone() }
    };
    Ok(counts.into_iter().zip(places).map(part).collect())
}

/// The bytes of all parts, and how many those of each are.
fn packed(parts: &[Piece]) -> Outcome<(Vec<u8>, Vec<u64>)> {
    let (mut bytes, mut lengths) = (Vec::new(), Vec::new());
    for Piece { memory, count, datatype } in parts {
        datatype.pack_to(*memory, *count, &mut bytes)?;
        lengths.push(datatype.bytes(*count)? as u64);
    }
    Ok((bytes, lengths))
}

fn lengths(parts: &[Piece]) -> Outcome<Vec<u64>> {
    parts.iter().map(|piece| Ok(piece.datatype.bytes(piece.count)? as u64)).collect()
}

fn own_part(own: &Communicator, parts: &[Piece]) -> Outcome<Vec<u8>> {
    let Piece { memory, count, datatype } = &parts[own.rank];
    datatype.pack(*memory, *count)
}

pub(super) fn plan_barrier(_on: MPI_Comm) -> Outcome<Plan> {
    Ok(Plan { what: Collective::Barrier, landing: Landing::default() })
}

pub(super) fn plan_broadcast(
    memory: Memory,
    count: Number,
    kind: MPI_Datatype,
    root: c_int,
    on: MPI_Comm,
) -> Outcome<Plan> {
    let (own, count, kind) = (communicator(on)?, count.count()?, datatype(kind)?);
    let (root, here) = is_root(&own, root)?;
    let length = kind.bytes(count)? as u64;
    let (bytes, landing) = match here {
        true => (kind.pack(memory, count)?, Landing::InPlace),
        false => (Vec::new(), Landing::one(memory, count, &kind)),
    };
    Ok(Plan { what: Collective::Broadcast { root, length, bytes: bytes.into() }, landing })
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
    let (root, here) = is_root(&own, root)?;
    if !here {
        let bytes = datatype(send_kind)?.pack(send, sends.count()?)?.into();
        return Ok(Plan {
            what: Collective::Gather { root, bytes, lengths: None },
            landing: Landing::default(),
        });
    }
    let parts = parts(&own, receive, receives.count()?, &datatype(kind)?);
    let bytes = match send.is_in_place() {
        true => own_part(&own, &parts)?,
        false => datatype(send_kind)?.pack(send, sends.count()?)?,
    };
    Ok(Plan {
        what: Collective::Gather { root, bytes: bytes.into(), lengths: None },
        landing: Landing::Pieces(parts),
    })
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
    let (root, here) = is_root(&own, root)?;
    if !here {
        let bytes = datatype(send_kind)?.pack(send, sends.count()?)?.into();
        let what = Collective::Gather { root, bytes, lengths: Some(Vec::new()) };
        return Ok(Plan { what, landing: Landing::default() });
    }
    let parts = parts_at(&own, receive, receives, places, &datatype(kind)?)?;
    let bytes = match send.is_in_place() {
        true => own_part(&own, &parts)?,
        false => datatype(send_kind)?.pack(send, sends.count()?)?,
    };
    let what = Collective::Gather { root, bytes: bytes.into(), lengths: Some(lengths(&parts)?) };
    Ok(Plan { what, landing: Landing::Pieces(parts) })
}

/// Where the own part of a scatter goes: nowhere at a root that has it in place.
fn scattered(receive: Memory, receives: Number, kind: MPI_Datatype) -> Outcome<(Landing, Option<u64>)> {
    if receive.is_in_place() {
        return Ok((Landing::default(), None));
    }
    let (count, kind) = (receives.count()?, datatype(kind)?);
    Ok((Landing::one(receive, count, &kind), Some(kind.bytes(count)? as u64)))
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
    let (root, here) = is_root(&own, root)?;
    let (landing, room) = scattered(receive, receives, kind)?;
    let (bytes, length) = match here {
        true => {
            let (bytes, lengths) = packed(&parts(&own, send, sends.count()?, &datatype(send_kind)?))?;
            (bytes, lengths[own.rank])
        }
        false => (Vec::new(), room.unwrap_or_default()),
    };
    let what = Collective::Scatter { root, bytes: bytes.into(), lengths: None, own: length };
    Ok(Plan { what, landing: kept(landing, room) })
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
    let (root, here) = is_root(&own, root)?;
    let (landing, room) = scattered(receive, receives, kind)?;
    let (bytes, lengths, length) = match here {
        true => {
            let (bytes, lengths) = packed(&parts_at(&own, send, sends, places, &datatype(send_kind)?)?)?;
            let own = lengths[own.rank];
            (bytes, lengths, own)
        }
        false => (Vec::new(), Vec::new(), room.unwrap_or_default()),
    };
    let what = Collective::Scatter { root, bytes: bytes.into(), lengths: Some(lengths), own: length };
    Ok(Plan { what, landing: kept(landing, room) })
}

/// What stays in place has no room of its own, and what comes back of it is dropped.
fn kept(landing: Landing, room: Option<u64>) -> Landing {
    if room.is_some() { landing } else { Landing::InPlace }
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
    let parts = parts(&own, receive, receives.count()?, &datatype(kind)?);
    let bytes = match send.is_in_place() {
        true => own_part(&own, &parts)?,
        false => datatype(send_kind)?.pack(send, sends.count()?)?,
    };
    Ok(Plan {
        what: Collective::GatherAll { bytes: bytes.into(), lengths: None },
        landing: Landing::Pieces(parts),
    })
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
    let parts = parts_at(&own, receive, receives, places, &datatype(kind)?)?;
    let bytes = match send.is_in_place() {
        true => own_part(&own, &parts)?,
        false => datatype(send_kind)?.pack(send, sends.count()?)?,
    };
    let what = Collective::GatherAll { bytes: bytes.into(), lengths: Some(lengths(&parts)?) };
    Ok(Plan { what, landing: Landing::Pieces(parts) })
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
    let here = parts(&own, receive, receives.count()?, &datatype(kind)?);
    let (bytes, _) = match send.is_in_place() {
        true => packed(&here)?,
        false => packed(&parts(&own, send, sends.count()?, &datatype(send_kind)?))?,
    };
    Ok(Plan {
        what: Collective::ToAll { bytes: bytes.into(), lengths: None },
        landing: Landing::Pieces(here),
    })
}

fn exchange(out: Option<Vec<Piece>>, here: Vec<Piece>) -> Outcome<Plan> {
    let (bytes, to) = packed(out.as_ref().unwrap_or(&here))?;
    let lengths = Some((to, lengths(&here)?));
    Ok(Plan { what: Collective::ToAll { bytes: bytes.into(), lengths }, landing: Landing::Pieces(here) })
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
    let here = parts_at(&own, receive, receives, to, &datatype(kind)?)?;
    let out = || parts_at(&own, send, sends, from, &datatype(send_kind)?);
    exchange((!send.is_in_place()).then(out).transpose()?, here)
}

/// Parts of memory of any sizes and kinds; places are in bytes.
fn parts_of(
    own: &Communicator,
    memory: Memory,
    counts: Numbers,
    places: Numbers,
    kinds: List<MPI_Datatype>,
) -> Outcome<Vec<Piece>> {
    let (counts, places, kinds) =
        (counts.counts(own.size())?, places.list(own.size())?, kinds.list(own.size())?);
    let parts = counts.into_iter().zip(places).zip(kinds);
    parts
        .map(|((count, place), kind)| {
            Ok(Piece { memory: memory.at(place), count, datatype: datatype(kind)? })
        })
        .collect()
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
    let here = parts_of(&own, receive, receives, to, kinds)?;
    let out = || parts_of(&own, send, sends, from, send_kinds);
    exchange((!send.is_in_place()).then(out).transpose()?, here)
}
