//! Cartesian topologies: the grid is stored here, the simulator has an ordinary communicator. Ranks keep their order.

use mpi::Cartesian;
use processes::mpi::call::Call;

use super::communicator::{ask, set};
use crate::arguments::{List, Number, Out, OutNumbers};
use crate::fault::{Fault, Outcome};
use crate::objects::{Communicator, Topology, communicator, fault, intracommunicator};
use crate::types::*;

fn grid(on: MPI_Comm) -> Outcome<(Cartesian, usize)> {
    let found = communicator(on)?;
    match found.topology {
        Some(Topology::Cartesian(grid)) => Ok((grid, found.rank)),
        _ => Err(Fault::new(MPI_ERR_TOPOLOGY, "the communicator has no Cartesian topology").on(on)),
    }
}

/// Sizes of a grid, and its number of places, which are at most the ranks of the communicator.
fn sizes(
    old: &Communicator,
    on: MPI_Comm,
    count: usize,
    dimensions: List<c_int>,
) -> Outcome<(Vec<usize>, usize)> {
    let wrong = |why: String| Fault::new(MPI_ERR_DIMS, why).on(on);
    let places = |places: c_int| match usize::try_from(places) {
        Ok(places) if places > 0 => Ok(places),
        _ => Err(wrong(format!("a dimension has {places} places"))),
    };
    let dimensions = dimensions.list(count)?.into_iter().map(places).collect::<Outcome<Vec<_>>>()?;
    let all = dimensions.iter().try_fold(1usize, |all, places| all.checked_mul(*places));
    match all.filter(|all| *all <= old.size()) {
        Some(all) => Ok((dimensions, all)),
        None => Err(wrong(format!("a grid has more places than {} ranks", old.size()))),
    }
}

/// `MPI_Cart_map`: this rank, or none beyond the grid.
pub fn cart_map(
    on: MPI_Comm,
    count: Number,
    dimensions: List<c_int>,
    _periods: List<c_int>,
    rank: Out<c_int>,
) -> Outcome {
    let own = communicator(on)?;
    let (_, all) = sizes(&own, on, count.count()?, dimensions)?;
    rank.set(if own.rank < all { own.rank as c_int } else { MPI_UNDEFINED })
}

/// `MPI_Cart_create`.
pub fn cart_create(
    on: MPI_Comm,
    count: Number,
    dimensions: List<c_int>,
    periods: List<c_int>,
    _reorder: c_int,
    new: Out<MPI_Comm>,
) -> Outcome {
    let old = intracommunicator(on)?;
    let count = count.count()?;
    let (dimensions, all) = sizes(&old, on, count, dimensions)?;
    let periodic = periods.list(count)?.into_iter().map(|period| period != 0).collect();
    let colour = (old.rank < all).then_some(0);
    let mut made = ask(on, Call::Split { communicator: old.number, color: colour, key: 0 })?;
    if let Some(made) = &mut made {
        made.topology = Some(Topology::Cartesian(Cartesian { dimensions, periodic }));
    }
    set(new, made)
}

/// `MPI_Cart_sub`.
pub fn cart_sub(on: MPI_Comm, remain: List<c_int>, new: Out<MPI_Comm>) -> Outcome {
    let (own, rank) = grid(on)?;
    let remain = remain.list(own.dimensions.len())?;
    let remain: Vec<_> = remain.into_iter().map(|remains| remains != 0).collect();
    let (part, colour) = own.part(rank, &remain).map_err(fault)?;
    let kept = coordinates(&own, rank)?.into_iter().zip(remain).filter(|(_, remains)| *remains);
    let kept: Vec<_> = kept.map(|(at, _)| at).collect();
    let key = part.rank(&kept).map_err(fault)?.expect("the place is on the grid");
    let (number, color) = (communicator(on)?.number, Some(colour as u32));
    let mut made = ask(on, Call::Split { communicator: number, color, key: key as i32 })?;
    if let Some(made) = &mut made {
        made.topology = Some(Topology::Cartesian(part));
    }
    set(new, made)
}

fn coordinates(grid: &Cartesian, rank: usize) -> Outcome<Vec<i64>> {
    Ok(grid.coordinates(rank).map_err(fault)?.into_iter().map(|at| at as i64).collect())
}

/// `MPI_Cartdim_get`.
pub fn cartdim_get(on: MPI_Comm, count: Out<c_int>) -> Outcome {
    count.set(grid(on)?.0.dimensions.len() as c_int)
}

/// `MPI_Cart_get`.
pub fn cart_get(
    on: MPI_Comm,
    room: Number,
    dimensions: OutNumbers,
    periods: OutNumbers,
    place: OutNumbers,
) -> Outcome {
    let (own, rank) = grid(on)?;
    let room = room.count()?;
    dimensions.set(own.dimensions.iter().take(room).map(|places| *places as i64))?;
    periods.set(own.periodic.iter().take(room).map(|period| i64::from(*period)))?;
    place.set(coordinates(&own, rank)?.into_iter().take(room))
}

/// `MPI_Cart_rank`.
pub fn cart_rank(on: MPI_Comm, place: List<c_int>, rank: Out<c_int>) -> Outcome {
    let (own, _) = grid(on)?;
    let place: Vec<_> = place.list(own.dimensions.len())?.into_iter().map(i64::from).collect();
    let found = own.rank(&place).map_err(fault)?;
    let found =
        found.ok_or_else(|| Fault::new(MPI_ERR_ARG, format!("{place:?} is no place of the grid")).on(on))?;
    rank.set(found as c_int)
}

/// `MPI_Cart_coords`.
pub fn cart_coords(on: MPI_Comm, rank: c_int, room: Number, place: OutNumbers) -> Outcome {
    let (own, _) = grid(on)?;
    let rank = communicator(on)?.check(rank, MPI_ERR_RANK).map_err(|fault| fault.on(on))?;
    place.set(coordinates(&own, rank as usize)?.into_iter().take(room.count()?))
}

/// `MPI_Cart_shift`.
pub fn cart_shift(
    on: MPI_Comm,
    direction: c_int,
    distance: c_int,
    source: Out<c_int>,
    to: Out<c_int>,
) -> Outcome {
    let (own, rank) = grid(on)?;
    let dimension = usize::try_from(direction).ok().filter(|dimension| *dimension < own.dimensions.len());
    let dimension = dimension
        .ok_or_else(|| Fault::new(MPI_ERR_ARG, format!("there is no dimension {direction}")).on(on))?;
    let (from, behind) = own.shift(rank, dimension, distance.into()).map_err(fault)?;
    let of = |rank: Option<usize>| rank.map_or(MPI_PROC_NULL, |rank| rank as c_int);
    source.set(of(from))?;
    to.set(of(behind))
}

/// `MPI_Topo_test`.
pub fn topo_test(on: MPI_Comm, status: Out<c_int>) -> Outcome {
    status.set(match communicator(on)?.topology {
        Some(Topology::Cartesian(_)) => MPI_CART,
        Some(Topology::Graph(_)) => MPI_GRAPH,
        Some(Topology::Distributed(_)) => MPI_DIST_GRAPH,
        None => MPI_UNDEFINED,
    })
}

/// `MPI_Dims_create`: dimensions as equal as possible, largest first.
pub fn dims_create(nodes: c_int, count: Number, dimensions: OutNumbers) -> Outcome {
    let given = dimensions.list(count.count()?)?;
    if given.iter().any(|places| *places < 0) || nodes < 1 {
        return Err(Fault::new(MPI_ERR_DIMS, "a dimension has less than no places"));
    }
    let sizes: Vec<_> = given.iter().map(|places| *places as usize).collect();
    let found = mpi::dims_create(nodes as usize, &sizes).map_err(fault)?;
    dimensions.set(found.into_iter().map(|places| places as i64))
}
