//! Plans of reductions and scans.

use processes::mpi::call::{Collective, Reduction};

use super::nothing;
use super::root::{Role, role, take_place};
use crate::arguments::{Memory, Number, Numbers};
use crate::calls::operation;
use crate::calls::tolerance::elements;
use crate::fault::{Fault, Outcome};
use crate::objects::{Communicator, Destination, Piece, Plan, Type, communicator, datatype};
use crate::types::*;

/// Operand of this rank: the send buffer, or the receive buffer with `MPI_IN_PLACE`.
fn operand(own: &Communicator, send: Memory, receive: Memory, count: usize, kind: &Type) -> Outcome<Piece> {
    take_place(own, send)?;
    let memory = if send.is_in_place() { receive } else { send };
    Ok(Piece { memory, count, datatype: kind.clone() })
}

/// Plan that combines the elements of all ranks into the receive buffer of this rank.
fn combined(
    own: &Communicator,
    send: Memory,
    receive: Memory,
    count: Number,
    kind: MPI_Datatype,
    by: MPI_Op,
    what: impl FnOnce(Reduction) -> Collective,
) -> Outcome<Plan> {
    let (count, kind) = elements(count, kind)?;
    let source = vec![operand(own, send, receive, count, &kind)?];
    let what = what(operation::combination(by, &kind)?);
    Ok(Plan { what, source, destination: Destination::one(receive, count, &kind) })
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
    let what = |reduction| Collective::Reduce { root: Some(root), bytes: nothing(), reduction };
    match (role, own.is_inter()) {
        (Role::Root, false) => combined(&own, send, receive, count, kind, by, what),
        (Role::Root, true) => {
            // Only the number of bytes counts, so the root sends its receive buffer.
            let (count, kind) = elements(count, kind)?;
            let source = vec![Piece { memory: receive, count, datatype: kind.clone() }];
            let what = what(operation::combination(by, &kind)?);
            Ok(Plan { what, source, destination: Destination::one(receive, count, &kind) })
        }
        (Role::Other, _) => {
            let plan = combined(&own, send, receive, count, kind, by, what)?;
            Ok(Plan { destination: Destination::default(), ..plan })
        }
        (Role::Idle, _) => {
            let reduction = operation::combination(MPI_SUM, &datatype(MPI_INT)?)?;
            Ok(Plan { what: what(reduction), source: Vec::new(), destination: Destination::default() })
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
    let what = |reduction| Collective::Reduce { root: None, bytes: nothing(), reduction };
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
    let all = counts.iter().try_fold(0usize, |all, count| all.checked_add(*count));
    let all = all.ok_or_else(|| Fault::new(MPI_ERR_COUNT, "counts are more than memory holds"))?;
    let (all, kind) = elements(Number(all as i64), kind)?;
    let reduction = operation::combination(by, &kind)?;
    let lengths = counts.iter().map(|count| Ok(kind.bytes(*count)? as u64)).collect::<Outcome<_>>()?;
    let destination = Destination::one(receive, counts[own.rank], &kind);
    let what = Collective::ReduceScatter { bytes: nothing(), lengths, reduction };
    Ok(Plan { what, source: vec![operand(own, send, receive, all, &kind)?], destination })
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
    let what = |reduction| Collective::Scan { bytes: nothing(), inclusive: true, reduction };
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
    let what = |reduction| Collective::Scan { bytes: nothing(), inclusive: false, reduction };
    combined(&communicator(on)?, send, receive, count, kind, by, what)
}
