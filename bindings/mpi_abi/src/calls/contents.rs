//! Constructors of datatypes, as `MPI_Type_get_envelope` and `MPI_Type_get_contents` return them.

use mpi::{Class, Contents, Datatype, DistributedDimension, Distribution, Order};

use super::{datatype, f90};
use crate::arguments::{Number, Out, OutNumber, OutNumbers};
use crate::fault::{Fault, Outcome};
use crate::objects::any_datatype;
use crate::types::*;

/// Combiner and arguments of a datatype's constructor, as the standard orders them.
struct Constructor {
    combiner: c_int,
    integers: Vec<i64>,
    addresses: Vec<i64>,
    of: Vec<Datatype>,
}

/// Constructor with which `layout` was made.
fn made(layout: &Datatype) -> Constructor {
    let new = |combiner, integers, addresses, of| Constructor { combiner, integers, addresses, of };
    match layout.contents().clone() {
        Contents::Named { .. } => new(MPI_COMBINER_NAMED, vec![], vec![], vec![]),
        Contents::Duplicate { of } => new(MPI_COMBINER_DUP, vec![], vec![], vec![of]),
        Contents::Contiguous { count, of } => {
            new(MPI_COMBINER_CONTIGUOUS, vec![count as i64], vec![], vec![of])
        }
        Contents::Vector { count, length, stride, of } => {
            new(MPI_COMBINER_VECTOR, vec![count as i64, length as i64, stride], vec![], vec![of])
        }
        Contents::Hvector { count, length, stride, of } => {
            new(MPI_COMBINER_HVECTOR, vec![count as i64, length as i64], vec![stride], vec![of])
        }
        Contents::Indexed { lengths, displacements, of } => {
            new(MPI_COMBINER_INDEXED, [counted(&lengths), displacements].concat(), vec![], vec![of])
        }
        Contents::Hindexed { lengths, displacements, of } => {
            new(MPI_COMBINER_HINDEXED, counted(&lengths), displacements, vec![of])
        }
        Contents::IndexedBlock { length, displacements, of } => {
            let blocks = vec![displacements.len() as i64, length as i64];
            new(MPI_COMBINER_INDEXED_BLOCK, [blocks, displacements].concat(), vec![], vec![of])
        }
        Contents::HindexedBlock { length, displacements, of } => {
            let blocks = vec![displacements.len() as i64, length as i64];
            new(MPI_COMBINER_HINDEXED_BLOCK, blocks, displacements, vec![of])
        }
        Contents::Struct { lengths, displacements, of } => {
            new(MPI_COMBINER_STRUCT, counted(&lengths), displacements, of)
        }
        Contents::Subarray { sizes, parts, starts, order, of } => {
            new(MPI_COMBINER_SUBARRAY, subarray(&sizes, &parts, &starts, order), vec![], vec![of])
        }
        Contents::Darray { size, rank, dimensions, order, of } => {
            new(MPI_COMBINER_DARRAY, darray(size, rank, &dimensions, order), vec![], vec![of])
        }
        Contents::F90 { class, precision, range, .. } => {
            let numbers = [precision, range].map(|number| i64::from(number.unwrap_or(MPI_UNDEFINED)));
            let numbers = if class == Class::Integer { &numbers[1..] } else { &numbers[..] };
            new(f90::of_class(class).0, numbers.to_vec(), vec![], vec![])
        }
        Contents::Resized { lower, extent, of } => {
            new(MPI_COMBINER_RESIZED, vec![], vec![lower, extent], vec![of])
        }
    }
}

/// Lengths of blocks behind their number.
fn counted(lengths: &[u64]) -> Vec<i64> {
    std::iter::once(lengths.len() as i64).chain(signed(lengths)).collect()
}

fn signed(numbers: &[u64]) -> Vec<i64> {
    numbers.iter().map(|number| *number as i64).collect()
}

/// Integers of a distributed array: processes, rank, dimensions, sizes, distributions, arguments, processes and order.
fn darray(size: u64, rank: u64, dimensions: &[DistributedDimension], order: Order) -> Vec<i64> {
    let distribution = |dimension: &DistributedDimension| {
        let (choice, length) = match dimension.distribution {
            Distribution::Whole => (MPI_DISTRIBUTE_NONE, None),
            Distribution::Block(length) => (MPI_DISTRIBUTE_BLOCK, length),
            Distribution::Cyclic(length) => (MPI_DISTRIBUTE_CYCLIC, length),
        };
        (i64::from(choice), length.map_or(i64::from(MPI_DISTRIBUTE_DFLT_DARG), |length| length as i64))
    };
    let (choices, arguments): (Vec<_>, Vec<_>) = dimensions.iter().map(distribution).unzip();
    let of = |number: fn(&DistributedDimension) -> u64| dimensions.iter().map(|d| number(d) as i64).collect();
    let head = vec![size as i64, rank as i64, dimensions.len() as i64];
    [head, of(|d| d.size), choices, arguments, of(|d| d.processes), vec![order_number(order)]].concat()
}

fn order_number(order: Order) -> i64 {
    i64::from(if order == Order::C { MPI_ORDER_C } else { MPI_ORDER_FORTRAN })
}

/// Integers of a subarray: dimensions, sizes, parts, starts and order.
fn subarray(sizes: &[u64], parts: &[u64], starts: &[u64], order: Order) -> Vec<i64> {
    let order = vec![order_number(order)];
    [vec![sizes.len() as i64], signed(sizes), signed(parts), signed(starts), order].concat()
}

/// `MPI_Type_get_envelope`.
pub fn type_get_envelope(
    kind: MPI_Datatype,
    integers: OutNumber,
    addresses: OutNumber,
    kinds: OutNumber,
    combiner: Out<c_int>,
) -> Outcome {
    let made = made(&any_datatype(kind)?.layout);
    integers.set(made.integers.len() as i64)?;
    addresses.set(made.addresses.len() as i64)?;
    kinds.set(made.of.len() as i64)?;
    combiner.set(made.combiner)
}

/// `MPI_Type_get_envelope_c`. The size of the original count arguments is not stored, so all counts are
/// reported as integers.
pub fn type_get_envelope_c(
    kind: MPI_Datatype,
    integers: OutNumber,
    addresses: OutNumber,
    counts: OutNumber,
    kinds: OutNumber,
    combiner: Out<c_int>,
) -> Outcome {
    counts.set(0)?;
    type_get_envelope(kind, integers, addresses, kinds, combiner)
}

/// `MPI_Type_get_contents`. Derived datatypes are returned with new handles, which the program frees.
pub fn type_get_contents(
    kind: MPI_Datatype,
    integers: Number,
    addresses: Number,
    kinds: Number,
    to_integers: OutNumbers,
    to_addresses: OutNumbers,
    to_kinds: Out<MPI_Datatype>,
) -> Outcome {
    let made = made(&any_datatype(kind)?.layout);
    if made.combiner == MPI_COMBINER_NAMED {
        return Err(Fault::new(MPI_ERR_TYPE, "a datatype of the standard has no contents"));
    }
    let room = [integers.count()?, addresses.count()?, kinds.count()?];
    let needs = [made.integers.len(), made.addresses.len(), made.of.len()];
    if needs.into_iter().zip(room).any(|(need, room)| need > room) {
        return Err(Fault::new(MPI_ERR_ARG, "there is no room for the contents of the datatype"));
    }
    to_integers.set(made.integers)?;
    to_addresses.set(made.addresses)?;
    for (index, layout) in made.of.into_iter().enumerate() {
        let handle = match layout.contents() {
            Contents::Named { label, .. } => MPI_Datatype::of(*label as usize),
            Contents::F90 { .. } => f90::handle(&layout)?,
            _ => datatype::add(layout, true)?,
        };
        to_kinds.at(index).set(handle)?;
    }
    Ok(())
}

/// `MPI_Type_get_contents_c`.
#[allow(clippy::too_many_arguments)]
pub fn type_get_contents_c(
    kind: MPI_Datatype,
    integers: Number,
    addresses: Number,
    _counts: Number,
    kinds: Number,
    to_integers: OutNumbers,
    to_addresses: OutNumbers,
    _to_counts: OutNumbers,
    to_kinds: Out<MPI_Datatype>,
) -> Outcome {
    type_get_contents(kind, integers, addresses, kinds, to_integers, to_addresses, to_kinds)
}
