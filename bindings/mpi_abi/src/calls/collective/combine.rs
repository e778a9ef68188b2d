//! Plans of reductions and scans.

use processes::mpi::call::{Collective, Reduction};

use super::Plan;
use super::root::{Role, role, take_place};
use crate::arguments::{Memory, Number, Numbers};
use crate::calls::operation;
use crate::fault::{Fault, Outcome};
use crate::objects::{Communicator, Destination, Type, communicator, datatype};
use crate::types::*;

/// Operand of this rank: the send buffer, or the receive buffer with `MPI_IN_PLACE`.
fn operands(
    own: &Communicator,
    send: Memory,
    receive: Memory,
    count: usize,
    kind: &Type,
    by: MPI_Op,
) -> Outcome<(Vec<u8>, Reduction)> {
    take_place(own, send)?;
    let from = if send.is_in_place() { receive } else { send };
    Ok((kind.pack(from, count)?, operation::combination(by, kind)?))
}

/// Plan that combines the elements of all ranks into the receive buffer of this rank.
fn combined(
    own: &Communicator,
    send: Memory,
    receive: Memory,
    count: Number,
    kind: MPI_Datatype,
    by: MPI_Op,
    what: impl FnOnce(Vec<u8>, Reduction) -> Collective,
) -> Outcome<Plan> {
    let (count, kind) = (count.count()?, datatype(kind)?);
    let (bytes, how) = operands(own, send, receive, count, &kind, by)?;
    Ok(Plan { what: what(bytes, how), destination: Destination::one(receive, count, &kind) })
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
    let own = communicator(on)?;
    let (root, role) = role(&own, root)?;
    let what =
        |bytes: Vec<u8>, how| Collective::Reduce { root: Some(root), bytes: bytes.into(), reduction: how };
    match (role, own.is_inter()) {
        (Role::Root, false) => combined(&own, send, receive, count, kind, by, what),
        (Role::Root, true) => {
            // Only the number of bytes counts.
            let (count, kind) = (count.count()?, datatype(kind)?);
            let (bytes, how) = (vec![0; kind.bytes(count)?], operation::combination(by, &kind)?);
            Ok(Plan { what: what(bytes, how), destination: Destination::one(receive, count, &kind) })
        }
        (Role::Other, _) => {
            let plan = combined(&own, send, receive, count, kind, by, what)?;
            Ok(Plan { destination: Destination::default(), ..plan })
        }
        (Role::Idle, _) => {
            let nothing = operation::combination(MPI_SUM, &datatype(MPI_INT)?)?;
            Ok(Plan { what: what(Vec::new(), nothing), destination: Destination::default() })
        }
    }
}

pub(super) fn plan_reduce_all(
    send: Memory,
    receive: Memory,
    count: Number,
    kind: MPI_Datatype,
    by: MPI_Op,
    on: MPI_Comm,
) -> Outcome<Plan> {
    let what = |bytes: Vec<u8>, how| Collective::Reduce { root: None, bytes: bytes.into(), reduction: how };
    combined(&communicator(on)?, send, receive, count, kind, by, what)
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
    let (bytes, how) = operands(own, send, receive, all, &kind, by)?;
    let lengths = counts.iter().map(|count| Ok(kind.bytes(*count)? as u64)).collect::<Outcome<_>>()?;
    let destination = Destination::one(receive, counts[own.rank], &kind);
    Ok(Plan { what: Collective::ReduceScatter { bytes: bytes.into(), lengths, reduction: how }, destination })
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
    on: MPI_Comm,
) -> Outcome<Plan> {
    let what =
        |bytes: Vec<u8>, how| Collective::Scan { bytes: bytes.into(), inclusive: true, reduction: how };
    combined(&communicator(on)?, send, receive, count, kind, by, what)
}

pub(super) fn plan_exscan(
    send: Memory,
    receive: Memory,
    count: Number,
    kind: MPI_Datatype,
    by: MPI_Op,
    on: MPI_Comm,
) -> Outcome<Plan> {
    let what =
        |bytes: Vec<u8>, how| Collective::Scan { bytes: bytes.into(), inclusive: false, reduction: how };
    combined(&communicator(on)?, send, receive, count, kind, by, what)
}
