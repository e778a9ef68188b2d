//! Collective calls: each has a plan of the data to send and the buffers to receive into, carried out by a
//! blocking or non-blocking call.

mod combine;
mod exchange;
mod neighbours;
mod parts;
mod root;

use std::sync::Arc;

use processes::mpi::call::Call;
use serde_bytes::ByteBuf;

use super::point_to_point::progress;
use super::{communicator, request};
use crate::arguments::{List, Memory, Number, Numbers, Out};
use crate::fault::{Fault, Outcome};
use crate::link::{self, Named};
use crate::objects::{
    Destination, Persistent, Plan, Progress, Request, RequestKind, Use, used_communicator, within,
};
use crate::types::*;
use combine::{
    plan_exscan, plan_reduce, plan_reduce_all, plan_reduce_scatter, plan_reduce_scatter_block, plan_scan,
};
use exchange::{
    plan_barrier, plan_broadcast, plan_gather, plan_gather_all, plan_gather_allv, plan_gatherv, plan_scatter,
    plan_scatterv, plan_to_all, plan_to_allv, plan_to_allw,
};
use neighbours::{
    plan_neighbor_gather_all, plan_neighbor_gather_allv, plan_neighbor_to_all, plan_neighbor_to_allv,
    plan_neighbor_to_allw,
};

/// Data of an operation before its buffers are packed.
fn nothing() -> ByteBuf {
    ByteBuf::new()
}

fn carry_out(on: MPI_Comm, plan: &Plan, later: bool) -> Outcome<Progress> {
    let communicator = used_communicator(on)?.number;
    let call = Call::Collective { communicator, operation: plan.packed()?, nonblocking: later };
    progress(link::ask_with(call, Named::place(plan.destination.place()))?)
}

/// Starts a persistent call of communicator `on`, in the duplicate that it has for itself.
pub(super) fn start(on: MPI_Comm, within: MPI_Comm, plan: &Plan) -> Outcome<(Progress, Destination)> {
    let progress = carry_out(within, plan, true).map_err(|fault| fault.on(on))?;
    Ok((progress, plan.destination.clone()))
}

fn now(on: MPI_Comm, plan: Outcome<Plan>) -> Outcome {
    let does = || {
        let plan = plan?;
        request::finish(carry_out(on, &plan, false)?, &plan.destination, RequestKind::Collective, nowhere())
    };
    does().map_err(|fault| fault.on(on))
}

fn later(on: MPI_Comm, plan: Outcome<Plan>, request: Out<MPI_Request>) -> Outcome {
    let does = || {
        let plan = plan?;
        Ok((carry_out(on, &plan, true)?, plan))
    };
    let (progress, plan) = does().map_err(|fault: Fault| fault.on(on))?;
    let uses = plan.uses();
    request::give_with(request, progress, plan.destination, RequestKind::Collective, on, &uses)
}

/// Makes an inactive persistent request. No hint has an effect.
///
/// Ranks may start their requests in any order (MPI 5.0, section 6.13), but calls of a communicator match in the order
/// of the calls. So each request has a duplicate of its communicator, until it is freed.
fn init(on: MPI_Comm, plan: Outcome<Plan>, request: Out<MPI_Request>) -> Outcome {
    let plan = plan.map_err(|fault| fault.on(on))?;
    let duplicate = communicator::duplicate(on)?;
    let mut made = Request::begun(Progress::Inactive, Destination::default(), RequestKind::Collective, on);
    made.uses.extend(plan.uses());
    let handle = within(|objects| {
        let within = objects.communicators.add(duplicate);
        made.uses.push(Use::Communicator(within));
        made.persistent = Some(Persistent::Collective { on, within, plan: Arc::new(plan) });
        let handle = objects.add_request(made);
        // The request alone holds it.
        objects.communicators.free(within)?;
        Ok(handle)
    })?;
    request.set(handle)
}

fn nowhere() -> Out<MPI_Status> {
    Out::from(std::ptr::null_mut())
}

/// Defines the blocking, the non-blocking and the persistent function of a call by its plan.
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

        /// Persistent calls, under the names of the blocking ones.
        pub mod persistent {
            use super::*;

            $(
                #[doc = concat!("Persistent `", stringify!($now), "`.")]
                #[allow(clippy::too_many_arguments)]
                pub fn $now($($argument: $kind,)* on: MPI_Comm, _info: MPI_Info, request: Out<MPI_Request>) -> Outcome {
                    init(on, $plan($($argument,)* on), request)
                }
            )*
        }
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
    neighbor_allgather ineighbor_allgather(
        send: Memory, sends: Number, send_kind: MPI_Datatype, receive: Memory, receives: Number, kind: MPI_Datatype
    ) plan_neighbor_gather_all;
    neighbor_allgatherv ineighbor_allgatherv(
        send: Memory, sends: Number, send_kind: MPI_Datatype, receive: Memory, receives: Numbers, places: Numbers, kind: MPI_Datatype
    ) plan_neighbor_gather_allv;
    neighbor_alltoall ineighbor_alltoall(
        send: Memory, sends: Number, send_kind: MPI_Datatype, receive: Memory, receives: Number, kind: MPI_Datatype
    ) plan_neighbor_to_all;
    neighbor_alltoallv ineighbor_alltoallv(
        send: Memory, sends: Numbers, from: Numbers, send_kind: MPI_Datatype, receive: Memory, receives: Numbers, to: Numbers,
        kind: MPI_Datatype
    ) plan_neighbor_to_allv;
    neighbor_alltoallw ineighbor_alltoallw(
        send: Memory, sends: Numbers, from: Numbers, send_kinds: List<MPI_Datatype>, receive: Memory, receives: Numbers, to: Numbers,
        kinds: List<MPI_Datatype>
    ) plan_neighbor_to_allw;
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
