//! Collective calls: each has a plan of the data to send and the buffers to receive into, carried out by a
//! blocking or non-blocking call.

mod combine;
mod exchange;
mod parts;
mod root;

use processes::mpi::call::{Call, Collective, Reduction};

use super::point_to_point::progress;
use super::request;
use crate::arguments::{List, Memory, Number, Numbers, Out};
use crate::fault::{Fault, Outcome};
use crate::link;
use crate::objects::{Destination, Progress, RequestKind, Use, communicator, numbered};
use crate::types::*;
use combine::{
    plan_exscan, plan_reduce, plan_reduce_all, plan_reduce_scatter, plan_reduce_scatter_block, plan_scan,
};
use exchange::{
    plan_barrier, plan_broadcast, plan_gather, plan_gather_all, plan_gather_allv, plan_gatherv, plan_scatter,
    plan_scatterv, plan_to_all, plan_to_allv, plan_to_allw,
};

/// The collective call for the simulator, and the destination of its result.
struct Plan {
    what: Collective,
    destination: Destination,
}

impl Plan {
    /// Operation and datatype of the program that the call uses until it is over.
    fn uses(&self) -> Vec<Use> {
        let (Collective::Reduce { reduction, .. }
        | Collective::ReduceScatter { reduction, .. }
        | Collective::Scan { reduction, .. }) = &self.what
        else {
            return Vec::new();
        };
        match *reduction {
            Reduction::Predefined { .. } => Vec::new(),
            // Predefined datatypes are not counted.
            Reduction::User { operation, datatype, .. } => {
                vec![Use::Operation(numbered(operation)), Use::Datatype(numbered(datatype))]
            }
        }
    }
}

fn carry_out(on: MPI_Comm, plan: Plan, later: bool) -> Outcome<(Progress, Destination)> {
    let Plan { what, destination } = plan;
    let communicator = communicator(on)?.number;
    let call = Call::Collective { communicator, operation: what, nonblocking: later };
    Ok((progress(link::ask(call)?)?, destination))
}

fn now(on: MPI_Comm, plan: Outcome<Plan>) -> Outcome {
    let does = || {
        let (progress, destination) = carry_out(on, plan?, false)?;
        request::finish(progress, &destination, RequestKind::Collective, nowhere())
    };
    does().map_err(|fault| fault.on(on))
}

fn later(on: MPI_Comm, plan: Outcome<Plan>, request: Out<MPI_Request>) -> Outcome {
    let does = || {
        let plan = plan?;
        let uses = plan.uses();
        let (progress, destination) = carry_out(on, plan, true)?;
        Ok((progress, destination, uses))
    };
    let (progress, destination, uses) = does().map_err(|fault: Fault| fault.on(on))?;
    request::give_with(request, progress, destination, RequestKind::Collective, on, &uses)
}

fn nowhere() -> Out<MPI_Status> {
    Out::from(std::ptr::null_mut())
}

/// Defines the blocking and the non-blocking function of a call by its plan.
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
