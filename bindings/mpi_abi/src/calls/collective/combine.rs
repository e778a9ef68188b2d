//! Plans of what combines data: reductions and scans.

use processes::mpi::call::{Collective, Reduction};

use super::Plan;
use super::exchange::is_root;
use crate::arguments::{Memory, Number, Numbers};
use crate::calls::operation;
use crate::fault::{Fault, Outcome};
use crate::objects::{Communicator, Landing, Type, communicator, datatype};
use crate::types::*;

/// Operands of this rank: what is sent, or in place what will be received.
fn operands(
    send: Memory,
    receive: Memory,
    count: usize,
    kind: &Type,
    by: MPI_Op,
) -> Outcome<(Vec<u8>, Reduction)> {
    let from = if send.is_in_place() { receive } else { send };
    Ok((kind.pack(from, count)?, operation::combination(by, kind)?))
}

/// All elements of all ranks combined, and put where this rank receives.
fn combined(
    send: Memory,
    receive: Memory,
    count: Number,
    kind: MPI_Datatype,
    by: MPI_Op,
    what: impl FnOnce(Vec<u8>, Reduction) -> Collective,
) -> Outcome<Plan> {
    let (count, kind) = (count.count()?, datatype(kind)?);
    let (bytes, how) = operands(send, receive, count, &kind, by)?;
    Ok(Plan { what: what(bytes, how), landing: Landing::one(receive, count, &kind) })
}

pub(super) fn plan_reduce(
    send: Memory,
    receive: Memory,
    count: Number,
    kind: MPI_Datatype,
    by: MPI_Op,
    root: c_int,
    on: MPI_Comm,
) -> Outcome<Plan> {
    let (root, here) = is_root(&communicator(on)?, root)?;
    let what =
        |bytes: Vec<u8>, how| Collective::Reduce { root: Some(root), bytes: bytes.into(), reduction: how };
    let plan = combined(send, receive, count, kind, by, what)?;
    Ok(if here { plan } else { Plan { landing: Landing::default(), ..plan } })
}

pub(super) fn plan_reduce_all(
    send: Memory,
    receive: Memory,
    count: Number,
    kind: MPI_Datatype,
    by: MPI_Op,
    _on: MPI_Comm,
) -> Outcome<Plan> {
    let what = |bytes: Vec<u8>, how| Collective::Reduce { root: None, bytes: bytes.into(), reduction: how };
    combined(send, receive, count, kind, by, what)
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
    Ok(Plan { what: Collective::ReduceScatter { bytes: bytes.into(), lengths, reduction: how }, landing })
}

pub(super) fn plan_reduce_scatter(
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

pub(super) fn plan_reduce_scatter_block(
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

pub(super) fn plan_scan(
    send: Memory,
    receive: Memory,
    count: Number,
    kind: MPI_Datatype,
    by: MPI_Op,
    _on: MPI_Comm,
) -> Outcome<Plan> {
    let what =
        |bytes: Vec<u8>, how| Collective::Scan { bytes: bytes.into(), inclusive: true, reduction: how };
    combined(send, receive, count, kind, by, what)
}

pub(super) fn plan_exscan(
    send: Memory,
    receive: Memory,
    count: Number,
    kind: MPI_Datatype,
    by: MPI_Op,
    _on: MPI_Comm,
) -> Outcome<Plan> {
    let what =
        |bytes: Vec<u8>, how| Collective::Scan { bytes: bytes.into(), inclusive: false, reduction: how };
    combined(send, receive, count, kind, by, what)
}
