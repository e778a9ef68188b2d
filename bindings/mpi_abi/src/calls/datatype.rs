//! Datatypes: constructors and queries.

use mpi::{Datatype, DistributedDimension, Distribution, Order};

use super::attribute;
use super::bounds::Bounds;
use crate::arguments::{List, Number, Numbers, Out, OutNumber, OutText, Text};
use crate::fault::{Fault, Outcome};
use crate::objects::{Type, any_datatype, fault, name, predefined, within};
use crate::types::*;

fn make(new: Out<MPI_Datatype>, layout: Result<Datatype, mpi::Error>) -> Outcome {
    new.set(add(layout.map_err(fault)?, false)?)
}

/// Adds a datatype and returns its handle.
pub(super) fn add(layout: Datatype, committed: bool) -> Outcome<MPI_Datatype> {
    within(|objects| {
        let handle = objects.datatypes.add(Type { handle: MPI_DATATYPE_NULL, layout, committed });
        objects.datatypes.get_mut(handle)?.handle = handle;
        Ok(handle)
    })
}

fn wide(counts: Vec<usize>) -> Vec<u64> {
    counts.into_iter().map(|count| count as u64).collect()
}

/// `MPI_Type_contiguous`.
pub fn type_contiguous(count: Number, old: MPI_Datatype, new: Out<MPI_Datatype>) -> Outcome {
    make(new, any_datatype(old)?.layout.contiguous(count.count()? as u64))
}

/// `MPI_Type_vector`.
pub fn type_vector(
    count: Number,
    length: Number,
    stride: Number,
    old: MPI_Datatype,
    new: Out<MPI_Datatype>,
) -> Outcome {
    make(new, any_datatype(old)?.layout.vector(count.count()? as u64, length.count()? as u64, stride.0))
}

/// `MPI_Type_create_hvector`.
pub fn type_create_hvector(
    count: Number,
    length: Number,
    stride: Number,
    old: MPI_Datatype,
    new: Out<MPI_Datatype>,
) -> Outcome {
    make(new, any_datatype(old)?.layout.hvector(count.count()? as u64, length.count()? as u64, stride.0))
}

/// `MPI_Type_indexed`.
pub fn type_indexed(
    count: Number,
    lengths: Numbers,
    places: Numbers,
    old: MPI_Datatype,
    new: Out<MPI_Datatype>,
) -> Outcome {
    let count = count.count()?;
    make(new, any_datatype(old)?.layout.indexed(&wide(lengths.counts(count)?), &places.list(count)?))
}

/// `MPI_Type_create_hindexed`.
pub fn type_create_hindexed(
    count: Number,
    lengths: Numbers,
    places: Numbers,
    old: MPI_Datatype,
    new: Out<MPI_Datatype>,
) -> Outcome {
    let count = count.count()?;
    make(new, any_datatype(old)?.layout.hindexed(&wide(lengths.counts(count)?), &places.list(count)?))
}

/// `MPI_Type_create_indexed_block`.
pub fn type_create_indexed_block(
    count: Number,
    length: Number,
    places: Numbers,
    old: MPI_Datatype,
    new: Out<MPI_Datatype>,
) -> Outcome {
    let places = places.list(count.count()?)?;
    make(new, any_datatype(old)?.layout.indexed_block(length.count()? as u64, &places))
}

/// `MPI_Type_create_hindexed_block`.
pub fn type_create_hindexed_block(
    count: Number,
    length: Number,
    places: Numbers,
    old: MPI_Datatype,
    new: Out<MPI_Datatype>,
) -> Outcome {
    let places = places.list(count.count()?)?;
    make(new, any_datatype(old)?.layout.hindexed_block(length.count()? as u64, &places))
}

/// `MPI_Type_create_struct`.
pub fn type_create_struct(
    count: Number,
    lengths: Numbers,
    places: Numbers,
    kinds: List<MPI_Datatype>,
    new: Out<MPI_Datatype>,
) -> Outcome {
    let count = count.count()?;
    let blocks =
        kinds.list(count)?.into_iter().zip(places.list(count)?).zip(wide(lengths.counts(count)?)).collect();
    let (blocks, bounds) = Bounds::split(blocks);
    let kinds =
        blocks.iter().map(|((kind, _), _)| Ok(any_datatype(*kind)?.layout)).collect::<Outcome<Vec<_>>>()?;
    let ((_, places), lengths): ((Vec<_>, Vec<_>), Vec<_>) = blocks.into_iter().unzip();
    make(new, Datatype::structure(&lengths, &places, &kinds).and_then(|layout| bounds.apply(layout)))
}

/// `MPI_Type_create_resized`.
pub fn type_create_resized(
    old: MPI_Datatype,
    lower: Number,
    extent: Number,
    new: Out<MPI_Datatype>,
) -> Outcome {
    make(new, any_datatype(old)?.layout.resized(lower.0, extent.0))
}

/// `MPI_Type_create_subarray`.
pub fn type_create_subarray(
    dimensions: Number,
    sizes: Numbers,
    parts: Numbers,
    starts: Numbers,
    order: c_int,
    old: MPI_Datatype,
    new: Out<MPI_Datatype>,
) -> Outcome {
    let count = dimensions.count()?;
    let order = array_order(order)?;
    let (sizes, parts, starts) =
        (wide(sizes.counts(count)?), wide(parts.counts(count)?), wide(starts.counts(count)?));
    make(new, any_datatype(old)?.layout.subarray(&sizes, &parts, &starts, order))
}

/// `MPI_Type_create_darray`.
#[allow(clippy::too_many_arguments)]
pub fn type_create_darray(
    size: c_int,
    rank: c_int,
    dimensions: Number,
    sizes: Numbers,
    distributions: List<c_int>,
    arguments: List<c_int>,
    processes: Numbers,
    order: c_int,
    old: MPI_Datatype,
    new: Out<MPI_Datatype>,
) -> Outcome {
    let count = dimensions.count()?;
    let wrong = |why: String| Fault::new(MPI_ERR_ARG, why);
    let whole = |number: i64| {
        u64::try_from(number)
            .map_err(|_| wrong(format!("{number} is below zero, where an array is described")))
    };
    let sizes = sizes.list(count)?.into_iter().map(whole).collect::<Outcome<Vec<_>>>()?;
    let processes = processes.list(count)?.into_iter().map(whole).collect::<Outcome<Vec<_>>>()?;
    let choices = distributions.list(count)?.into_iter().zip(arguments.list(count)?);
    let distribution = |(choice, argument): (c_int, c_int)| {
        let length = || (argument != MPI_DISTRIBUTE_DFLT_DARG).then(|| whole(argument.into())).transpose();
        match choice {
            MPI_DISTRIBUTE_NONE => Ok(Distribution::Whole),
            MPI_DISTRIBUTE_BLOCK => Ok(Distribution::Block(length()?)),
            MPI_DISTRIBUTE_CYCLIC => Ok(Distribution::Cyclic(length()?)),
            other => Err(wrong(format!("{other} is no distribution of an array"))),
        }
    };
    let distributions = choices.map(distribution).collect::<Outcome<Vec<_>>>()?;
    let dimensions: Vec<_> = sizes
        .into_iter()
        .zip(distributions)
        .zip(processes)
        .map(|((size, distribution), processes)| DistributedDimension { size, distribution, processes })
        .collect();
    let (size, rank) = (whole(size.into())?, whole(rank.into())?);
    make(new, any_datatype(old)?.layout.darray(size, rank, &dimensions, array_order(order)?))
}

fn array_order(order: c_int) -> Outcome<Order> {
    match order {
        MPI_ORDER_C => Ok(Order::C),
        MPI_ORDER_FORTRAN => Ok(Order::Fortran),
        other => Err(Fault::new(MPI_ERR_ARG, format!("{other} is no order of an array"))),
    }
}

/// `MPI_Type_dup`. The duplicate is committed if the original is, and has copies of its attributes.
pub fn type_dup(old: MPI_Datatype, new: Out<MPI_Datatype>) -> Outcome {
    let attributes = attribute::copies(old).inspect_err(|_| new.offer(MPI_DATATYPE_NULL))?;
    let old = any_datatype(old)?;
    let handle = add(old.layout.duplicate(), old.committed)?;
    within(|objects| {
        objects.type_label(handle)?.attributes = attributes;
        Ok(())
    })?;
    new.set(handle)
}

/// `MPI_Type_commit`.
pub fn type_commit(kind: Out<MPI_Datatype>) -> Outcome {
    let handle = kind.get()?;
    if predefined(handle).is_some() {
        return Ok(());
    }
    within(|objects| {
        objects.datatypes.get_mut(handle)?.committed = true;
        Ok(())
    })
}

/// `MPI_Type_free`. Derived datatypes and pending calls keep the freed datatype alive.
pub fn type_free(kind: Out<MPI_Datatype>) -> Outcome {
    let freed = kind.get()?;
    if any_datatype(freed)?.is_f90() {
        return Err(Fault::new(MPI_ERR_TYPE, "a datatype of MPI_Type_create_f90_* is not freed"));
    }
    if predefined(freed).is_none() {
        attribute::forget_all(freed)?;
    }
    within(|objects| {
        objects.datatypes.free(freed)?;
        objects.type_labels.remove(&freed);
        Ok(())
    })?;
    kind.set(MPI_DATATYPE_NULL)
}

/// `MPI_Type_size`.
pub fn type_size(kind: MPI_Datatype, size: OutNumber) -> Outcome {
    size.set(any_datatype(kind)?.layout.size() as i64)
}

/// `MPI_Type_get_extent`.
pub fn type_get_extent(kind: MPI_Datatype, lower: OutNumber, extent: OutNumber) -> Outcome {
    let layout = any_datatype(kind)?.layout;
    lower.set(layout.lower())?;
    extent.set(layout.extent())
}

/// `MPI_Type_get_true_extent`.
pub fn type_get_true_extent(kind: MPI_Datatype, lower: OutNumber, extent: OutNumber) -> Outcome {
    let layout = any_datatype(kind)?.layout;
    lower.set(layout.true_lower())?;
    extent.set(layout.true_extent())
}

/// `MPI_Type_set_name`.
pub fn type_set_name(kind: MPI_Datatype, name: Text) -> Outcome {
    let name = name.get()?;
    within(|objects| {
        objects.type_label(kind)?.name = Some(name);
        Ok(())
    })
}

/// Name of a predefined datatype: of two names for one, that of the standard's tables (MPI 5.0, section 3.2.2).
fn standard_name(kind: MPI_Datatype) -> Option<&'static str> {
    match kind {
        MPI_LONG_LONG => Some("MPI_LONG_LONG_INT"),
        MPI_C_FLOAT_COMPLEX => Some("MPI_C_COMPLEX"),
        other => name(other),
    }
}

/// `MPI_Type_get_name`.
pub fn type_get_name(kind: MPI_Datatype, to: OutText, length: Out<c_int>) -> Outcome {
    // Not datatypes, and yet with names.
    let [lower, upper] = BOUND_MARKERS.unwrap_or([MPI_DATATYPE_NULL; 2]);
    let fixed = [(MPI_DATATYPE_NULL, "MPI_DATATYPE_NULL"), (lower, "MPI_LB"), (upper, "MPI_UB")];
    if let Some((_, name)) = fixed.into_iter().find(|(other, _)| *other == kind) {
        return length.set(to.set(name, MPI_MAX_OBJECT_NAME as usize)? as c_int);
    }
    let own = within(|objects| Ok(objects.type_label(kind)?.name.clone()))?
        .or_else(|| standard_name(kind).map(str::to_owned))
        .unwrap_or_default();
    length.set(to.set(&own, MPI_MAX_OBJECT_NAME as usize)? as c_int)
}
