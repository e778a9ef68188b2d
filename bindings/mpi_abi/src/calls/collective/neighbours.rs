//! Plans of exchanges with the neighbours of a topology.

use processes::mpi::call::Collective;

use super::nothing;
use super::parts::{Elements, Parts};
use crate::arguments::{List, Memory, Number, Numbers};
use crate::fault::{Fault, Outcome};
use crate::objects::{Destination, Neighbours, Piece, Plan, communicator};
use crate::types::*;

fn neighbours(on: MPI_Comm) -> Outcome<Neighbours> {
    let own = communicator(on)?;
    match &own.topology {
        Some(topology) => Ok(topology.neighbours(own.rank)),
        None => Err(Fault::new(MPI_ERR_TOPOLOGY, "the communicator has no topology")),
    }
}

/// Plan that sends a part to each neighbour and receives one from each. Parts beyond the edge of a grid stay.
fn plan(neighbours: &Neighbours, out: &[Piece], here: Parts) -> Outcome<Plan> {
    let part = |rank: usize, piece: &Piece| Ok((rank as u32, piece.datatype.bytes(piece.count)? as u64));
    let (mut sends, mut source) = (Vec::new(), Vec::new());
    for &place in &neighbours.order {
        if let Some(rank) = neighbours.destinations[place] {
            sends.push(part(rank, &out[place])?);
            source.push(out[place].clone());
        }
    }
    let (mut receives, mut pieces) = (Vec::new(), Vec::new());
    for (rank, piece) in neighbours.sources.iter().zip(here.pieces()) {
        if let Some(rank) = rank {
            receives.push(part(*rank, &piece)?);
            pieces.push(piece);
        }
    }
    let what = Collective::Neighbours { bytes: nothing(), sends, receives };
    Ok(Plan { what, source, destination: Destination::Pieces(pieces) })
}

/// Plan that sends the same elements to all neighbours.
fn to_each(neighbours: &Neighbours, send: Elements, here: Parts) -> Outcome<Plan> {
    let piece = send.piece()?.remove(0);
    plan(neighbours, &vec![piece; neighbours.destinations.len()], here)
}

pub(super) fn plan_neighbor_gather_all(
    send: Memory,
    sends: Number,
    send_kind: MPI_Datatype,
    receive: Memory,
    receives: Number,
    kind: MPI_Datatype,
    on: MPI_Comm,
) -> Outcome<Plan> {
    let all = neighbours(on)?;
    let here = Parts::equal(all.sources.len(), receive, receives, kind)?;
    to_each(&all, Elements(send, sends, send_kind), here)
}

#[allow(clippy::too_many_arguments)]
pub(super) fn plan_neighbor_gather_allv(
    send: Memory,
    sends: Number,
    send_kind: MPI_Datatype,
    receive: Memory,
    receives: Numbers,
    places: Numbers,
    kind: MPI_Datatype,
    on: MPI_Comm,
) -> Outcome<Plan> {
    let all = neighbours(on)?;
    let here = Parts::at(all.sources.len(), receive, receives, places, kind)?;
    to_each(&all, Elements(send, sends, send_kind), here)
}

pub(super) fn plan_neighbor_to_all(
    send: Memory,
    sends: Number,
    send_kind: MPI_Datatype,
    receive: Memory,
    receives: Number,
    kind: MPI_Datatype,
    on: MPI_Comm,
) -> Outcome<Plan> {
    let all = neighbours(on)?;
    let out = Parts::equal(all.destinations.len(), send, sends, send_kind)?;
    plan(&all, &out.pieces(), Parts::equal(all.sources.len(), receive, receives, kind)?)
}

#[allow(clippy::too_many_arguments)]
pub(super) fn plan_neighbor_to_allv(
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
    let all = neighbours(on)?;
    let out = Parts::at(all.destinations.len(), send, sends, from, send_kind)?;
    plan(&all, &out.pieces(), Parts::at(all.sources.len(), receive, receives, to, kind)?)
}

#[allow(clippy::too_many_arguments)]
pub(super) fn plan_neighbor_to_allw(
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
    let all = neighbours(on)?;
    let out = Parts::of(all.destinations.len(), send, sends, from, send_kinds)?;
    plan(&all, &out.pieces(), Parts::of(all.sources.len(), receive, receives, to, kinds)?)
}
