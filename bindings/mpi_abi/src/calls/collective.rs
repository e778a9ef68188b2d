//! Collective operations: each is a plan of what leaves and where what comes goes, and is carried out now or later.

use rank::call::{Call, Collective, Combination};

use super::point_to_point::progress;
use super::{operation, request};
use crate::arguments::{List, Memory, Number, Numbers, Out};
use crate::fault::{Fault, Outcome};
use crate::link;
use crate::objects::{Communicator, Landing, Piece, Progress, Type, communicator, datatype};
use crate::types::*;

/// What is to be done, and where what it brings goes.
struct Plan {
    what: Collective,
    landing: Landing,
}

fn carry_out(on: MPI_Comm, plan: Outcome<Plan>, later: bool) -> Outcome<(Progress, Landing)> {
    let does = || {
        let own = communicator(on)?;
        let Plan { what, landing } = plan?;
        Ok((progress(link::ask(Call::Collective { on: own.number, what, later })?)?, landing))
    };
    does().map_err(|fault: Fault| fault.on(on))
}

fn now(on: MPI_Comm, plan: Outcome<Plan>) -> Outcome {
    let (progress, landing) = carry_out(on, plan, false)?;
    request::finish(progress, &landing, false, nowhere()).map_err(|fault| fault.on(on))
}

fn later(on: MPI_Comm, plan: Outcome<Plan>, request: Out<MPI_Request>) -> Outcome {
    let (progress, landing) = carry_out(on, plan, true)?;
    request::give(request, progress, landing, false, on)
}

fn nowhere() -> Out<MPI_Status> {
    Out::from(std::ptr::null_mut())
}

/// An operation, now and later: what it is called, and its plan.
macro_rules! collectives {
    ($($now:ident $later:ident($($argument:ident: $kind:ty),*) $plan:ident;)*) => {
        $(
            #[doc = concat!("`", stringify!($now), "`.")]
            #[allow(clippy::too_many_arguments)]
            pub fn $now($($argument: $kind,)* on: MPI_Comm) -> Outcome {
                now(on, $plan($($argument,)* on))
            }

            #[doc = concat!("`", stringify!($later), "`.")]
            #[allow(clippy::too_many_arguments)]
            pub fn $later($($argument: $kind,)* on: MPI_Comm, request: Out<MPI_Request>) -> Outcome {
                later(on, $plan($($argument,)* on), request)
            }
        )*
    };
}

collectives! {
    barrier ibarrier() plan_barrier;
    bcast ibcast(memory: Memory, count: Number, kind: MPI_Datatype, root: c_int) plan_broadcast;
    gather igather(
        send: Memory, sends: Number, send_kind: MPI_Datatype, receive: Memory, receives: Number, kind: MPI_Datatype, root: c_int
    ) plan_gather;
    gatherv igatherv(
        send: Memory, sends: Number, send_kind: MPI_Datatype, receive: Memory, receives: Numbers, places: Numbers, kind: MPI_Datatype,
        root: c_int
    ) plan_gatherv;
    scatter iscatter(
        send: Memory, sends: Number, send_kind: MPI_Datatype, receive: Memory, receives: Number, kind: MPI_Datatype, root: c_int
    ) plan_scatter;
    scatterv iscatterv(
        send: Memory, sends: Numbers, places: Numbers, send_kind: MPI_Datatype, receive: Memory, receives: Number, kind: MPI_Datatype,
        root: c_int
    ) plan_scatterv;
    allgather iallgather(
        send: Memory, sends: Number, send_kind: MPI_Datatype, receive: Memory, receives: Number, kind: MPI_Datatype
    ) plan_gather_all;
    allgatherv iallgatherv(
        send: Memory, sends: Number, send_kind: MPI_Datatype, receive: Memory, receives: Numbers, places: Numbers, kind: MPI_Datatype
    ) plan_gather_allv;
    alltoall ialltoall(
        send: Memory, sends: Number, send_kind: MPI_Datatype, receive: Memory, receives: Number, kind: MPI_Datatype
    ) plan_to_all;
    alltoallv ialltoallv(
        send: Memory, sends: Numbers, from: Numbers, send_kind: MPI_Datatype, receive: Memory, receives: Numbers, to: Numbers,
        kind: MPI_Datatype
    ) plan_to_allv;
    alltoallw ialltoallw(
        send: Memory, sends: Numbers, from: Numbers, send_kinds: List<MPI_Datatype>, receive: Memory, receives: Numbers, to: Numbers,
        kinds: List<MPI_Datatype>
    ) plan_to_allw;
    reduce ireduce(
        send: Memory, receive: Memory, count: Number, kind: MPI_Datatype, by: MPI_Op, root: c_int
    ) plan_reduce;
    allreduce iallreduce(send: Memory, receive: Memory, count: Number, kind: MPI_Datatype, by: MPI_Op) plan_reduce_all;
    reduce_scatter ireduce_scatter(send: Memory, receive: Memory, counts: Numbers, kind: MPI_Datatype, by: MPI_Op) plan_reduce_scatter;
    reduce_scatter_block ireduce_scatter_block(
        send: Memory, receive: Memory, count: Number, kind: MPI_Datatype, by: MPI_Op
    ) plan_reduce_scatter_block;
    scan iscan(send: Memory, receive: Memory, count: Number, kind: MPI_Datatype, by: MPI_Op) plan_scan;
    exscan iexscan(send: Memory, receive: Memory, count: Number, kind: MPI_Datatype, by: MPI_Op) plan_exscan;
}

fn is_root(own: &Communicator, root: c_int) -> Outcome<(u32, bool)> {
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

fn plan_barrier(_on: MPI_Comm) -> Outcome<Plan> {
    Ok(Plan { what: Collective::Barrier, landing: Landing::default() })
}

fn plan_broadcast(
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
fn plan_gather(
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
fn plan_gatherv(
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
fn plan_scatter(
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
fn plan_scatterv(
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

fn plan_gather_all(
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
fn plan_gather_allv(
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

fn plan_to_all(
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
fn plan_to_allv(
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
fn plan_to_allw(
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

/// Operands of this rank: what is sent, or in place what will be received.
fn operands(
    send: Memory,
    receive: Memory,
    count: usize,
    kind: &Type,
    by: MPI_Op,
) -> Outcome<(Vec<u8>, Combination)> {
    let from = if send.is_in_place() { receive } else { send };
    Ok((kind.pack(from, count)?, operation::combination(by, kind)?))
}

fn plan_reduce(
    send: Memory,
    receive: Memory,
    count: Number,
    kind: MPI_Datatype,
    by: MPI_Op,
    root: c_int,
    on: MPI_Comm,
) -> Outcome<Plan> {
    let (own, count, kind) = (communicator(on)?, count.count()?, datatype(kind)?);
    let (root, here) = is_root(&own, root)?;
    let (bytes, how) = operands(send, receive, count, &kind, by)?;
    let landing = if here { Landing::one(receive, count, &kind) } else { Landing::default() };
    Ok(Plan { what: Collective::Reduce { root: Some(root), bytes: bytes.into(), how }, landing })
}

fn plan_reduce_all(
    send: Memory,
    receive: Memory,
    count: Number,
    kind: MPI_Datatype,
    by: MPI_Op,
    _on: MPI_Comm,
) -> Outcome<Plan> {
    let (count, kind) = (count.count()?, datatype(kind)?);
    let (bytes, how) = operands(send, receive, count, &kind, by)?;
    let what = Collective::Reduce { root: None, bytes: bytes.into(), how };
    Ok(Plan { what, landing: Landing::one(receive, count, &kind) })
}

fn scatter_reduced(
    own: &Communicator,
    send: Memory,
    receive: Memory,
    counts: &[usize],
    kind: MPI_Datatype,
    by: MPI_Op,
) -> Outcome<Plan> {
    let kind = datatype(kind)?;
    let all = counts.iter().try_fold(0usize, |all, count| all.checked_add(*count));
    let all = all.ok_or_else(|| Fault::new(MPI_ERR_COUNT, "counts are more than memory holds"))?;
    let (bytes, how) = operands(send, receive, all, &kind, by)?;
    let lengths = counts.iter().map(|count| Ok(kind.bytes(*count)? as u64)).collect::<Outcome<_>>()?;
    let landing = Landing::one(receive, counts[own.rank], &kind);
    Ok(Plan { what: Collective::ReduceScatter { bytes: bytes.into(), lengths, how }, landing })
}

fn plan_reduce_scatter(
    send: Memory,
    receive: Memory,
    counts: Numbers,
    kind: MPI_Datatype,
    by: MPI_Op,
    on: MPI_Comm,
) -> Outcome<Plan> {
    let own = communicator(on)?;
    scatter_reduced(&own, send, receive, &counts.counts(own.size())?, kind, by)
}

fn plan_reduce_scatter_block(
    send: Memory,
    receive: Memory,
    count: Number,
    kind: MPI_Datatype,
    by: MPI_Op,
    on: MPI_Comm,
) -> Outcome<Plan> {
    let own = communicator(on)?;
    scatter_reduced(&own, send, receive, &vec![count.count()?; own.size()], kind, by)
}

fn plan_scan(
    send: Memory,
    receive: Memory,
    count: Number,
    kind: MPI_Datatype,
    by: MPI_Op,
    _on: MPI_Comm,
) -> Outcome<Plan> {
    scanned(true, send, receive, count, kind, by)
}

fn plan_exscan(
    send: Memory,
    receive: Memory,
    count: Number,
    kind: MPI_Datatype,
    by: MPI_Op,
    _on: MPI_Comm,
) -> Outcome<Plan> {
    scanned(false, send, receive, count, kind, by)
}

fn scanned(
    inclusive: bool,
    send: Memory,
    receive: Memory,
    count: Number,
    kind: MPI_Datatype,
    by: MPI_Op,
) -> Outcome<Plan> {
    let (count, kind) = (count.count()?, datatype(kind)?);
    let (bytes, how) = operands(send, receive, count, &kind, by)?;
    let what = Collective::Scan { bytes: bytes.into(), inclusive, how };
    Ok(Plan { what, landing: Landing::one(receive, count, &kind) })
}
