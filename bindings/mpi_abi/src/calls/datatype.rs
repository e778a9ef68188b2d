//! Datatypes: made, asked about, packed.

use mpi::{Contents, Datatype, Order};

use super::request;
use crate::arguments::{List, Memory, Number, Numbers, Out, OutNumber, OutNumbers, OutText, Text};
use crate::fault::{Fault, Outcome};
use crate::objects::{Type, any_datatype, datatype, fault, name, predefined, within};
use crate::types::*;

fn make(new: Out<MPI_Datatype>, layout: Result<Datatype, mpi::Error>) -> Outcome {
    let layout = layout.map_err(fault)?;
    new.set(within(|objects| {
        let made = Type { handle: MPI_DATATYPE_NULL, layout, committed: false, name: None };
        let handle = objects.datatypes.add(made);
        objects.datatypes.get_mut(handle)?.handle = handle;
        Ok(handle)
    })?)
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
    let kinds = kinds
        .list(count)?
        .into_iter()
        .map(|kind| Ok(any_datatype(kind)?.layout))
        .collect::<Outcome<Vec<_>>>()?;
    make(new, Datatype::structure(&wide(lengths.counts(count)?), &places.list(count)?, &kinds))
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
    let order = match order {
        MPI_ORDER_C => Order::C,
        MPI_ORDER_FORTRAN => Order::Fortran,
        other => return Err(Fault::new(MPI_ERR_ARG, format!("{other} is no order of an array"))),
    };
    let (sizes, parts, starts) =
        (wide(sizes.counts(count)?), wide(parts.counts(count)?), wide(starts.counts(count)?));
    make(new, any_datatype(old)?.layout.subarray(&sizes, &parts, &starts, order))
}

/// `MPI_Type_dup`. A duplicate may be used if the old one may.
pub fn type_dup(old: MPI_Datatype, new: Out<MPI_Datatype>) -> Outcome {
    let old = any_datatype(old)?;
    make(new, Ok(old.layout.duplicate()))?;
    let made = new.get()?;
    within(|objects| {
        objects.datatypes.get_mut(made)?.committed = old.committed;
        Ok(())
    })
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

/// `MPI_Type_free`. What is made of it, or under way with it, keeps it.
pub fn type_free(kind: Out<MPI_Datatype>) -> Outcome {
    let freed = kind.get()?;
    within(|objects| objects.datatypes.remove(freed))?;
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
    if predefined(kind).is_some() {
        return Err(Fault::new(MPI_ERR_TYPE, "datatypes of the standard keep their names"));
    }
    within(|objects| {
        objects.datatypes.get_mut(kind)?.name = Some(name);
        Ok(())
    })
}

/// `MPI_Type_get_name`.
pub fn type_get_name(kind: MPI_Datatype, to: OutText, length: Out<c_int>) -> Outcome {
    let found = any_datatype(kind)?.name;
    let own = found.or_else(|| name(kind).map(str::to_owned)).unwrap_or_default();
    length.set(to.set(&own, MPI_MAX_OBJECT_NAME as usize)? as c_int)
}

/// How a datatype was made, as calls of the standard tell it.
#[derive(Default)]
struct Made {
    combiner: c_int,
    integers: Vec<i64>,
    addresses: Vec<i64>,
    of: Vec<Datatype>,
}

fn made(layout: &Datatype) -> Made {
    let counted = |lengths: &[u64]| -> Vec<i64> {
        std::iter::once(lengths.len() as i64).chain(lengths.iter().map(|length| *length as i64)).collect()
    };
    let signed = |numbers: &[u64]| numbers.iter().map(|number| *number as i64).collect::<Vec<_>>();
    match layout.contents().clone() {
        Contents::Named { .. } => Made { combiner: MPI_COMBINER_NAMED, ..Made::default() },
        Contents::Duplicate { of } => Made { combiner: MPI_COMBINER_DUP, of: vec![of], ..Made::default() },
        Contents::Contiguous { count, of } => Made {
            combiner: MPI_COMBINER_CONTIGUOUS,
            integers: vec![count as i64],
            of: vec![of],
            ..Made::default()
        },
        Contents::Vector { count, length, stride, of } => Made {
            combiner: MPI_COMBINER_VECTOR,
            integers: vec![count as i64, length as i64, stride],
            of: vec![of],
            ..Made::default()
        },
        Contents::Hvector { count, length, stride, of } => Made {
            combiner: MPI_COMBINER_HVECTOR,
            integers: vec![count as i64, length as i64],
            addresses: vec![stride],
            of: vec![of],
        },
        Contents::Indexed { lengths, displacements, of } => Made {
            combiner: MPI_COMBINER_INDEXED,
            integers: [counted(&lengths), displacements].concat(),
            of: vec![of],
            ..Made::default()
        },
        Contents::Hindexed { lengths, displacements, of } => Made {
            combiner: MPI_COMBINER_HINDEXED,
            integers: counted(&lengths),
            addresses: displacements,
            of: vec![of],
        },
        Contents::IndexedBlock { length, displacements, of } => Made {
            combiner: MPI_COMBINER_INDEXED_BLOCK,
            integers: [vec![displacements.len() as i64, length as i64], displacements].concat(),
            of: vec![of],
            ..Made::default()
        },
        Contents::HindexedBlock { length, displacements, of } => Made {
            combiner: MPI_COMBINER_HINDEXED_BLOCK,
            integers: vec![displacements.len() as i64, length as i64],
            addresses: displacements,
            of: vec![of],
        },
        Contents::Struct { lengths, displacements, of } => {
            Made { combiner: MPI_COMBINER_STRUCT, integers: counted(&lengths), addresses: displacements, of }
        }
        Contents::Subarray { sizes, parts, starts, order, of } => {
            let order = if order == Order::C { MPI_ORDER_C } else { MPI_ORDER_FORTRAN };
            let count = vec![sizes.len() as i64];
            let integers =
                [count, signed(&sizes), signed(&parts), signed(&starts), vec![order.into()]].concat();
            Made { combiner: MPI_COMBINER_SUBARRAY, integers, of: vec![of], ..Made::default() }
        }
        Contents::Resized { lower, extent, of } => Made {
            combiner: MPI_COMBINER_RESIZED,
            addresses: vec![lower, extent],
            of: vec![of],
            ..Made::default()
        },
    }
}

/// `MPI_Type_get_envelope`.
pub fn type_get_envelope(
    kind: MPI_Datatype,
    integers: Out<c_int>,
    addresses: Out<c_int>,
    kinds: Out<c_int>,
    combiner: Out<c_int>,
) -> Outcome {
    let made = made(&any_datatype(kind)?.layout);
    integers.set(made.integers.len() as c_int)?;
    addresses.set(made.addresses.len() as c_int)?;
    kinds.set(made.of.len() as c_int)?;
    combiner.set(made.combiner)
}

/// `MPI_Type_get_contents`. Datatypes of the program come under new handles, which it frees.
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
    if [made.integers.len(), made.addresses.len(), made.of.len()]
        .into_iter()
        .zip(room)
        .any(|(need, room)| need > room)
    {
        return Err(Fault::new(MPI_ERR_ARG, "there is no room for the contents of the datatype"));
    }
    to_integers.set(made.integers)?;
    to_addresses.set(made.addresses)?;
    for (index, layout) in made.of.into_iter().enumerate() {
        let handle = match layout.contents() {
            Contents::Named { label, .. } => MPI_Datatype::of(*label as usize),
            _ => within(|objects| {
                let found = Type { handle: MPI_DATATYPE_NULL, layout, committed: true, name: None };
                let handle = objects.datatypes.add(found);
                objects.datatypes.get_mut(handle)?.handle = handle;
                Ok(handle)
            })?,
        };
        to_kinds.at(index).set(handle)?;
    }
    Ok(())
}

/// `MPI_Get_count`.
pub fn get_count(status: List<MPI_Status>, kind: MPI_Datatype, count: OutNumber) -> Outcome {
    let bytes = request::bytes(&status.list(1)?[0]);
    let found = any_datatype(kind)?.layout.count(bytes);
    count.set(found.map_or(MPI_UNDEFINED.into(), |count| count as i64))
}

/// `MPI_Get_elements`.
pub fn get_elements(status: List<MPI_Status>, kind: MPI_Datatype, count: OutNumber) -> Outcome {
    let bytes = request::bytes(&status.list(1)?[0]);
    let found = any_datatype(kind)?.layout.elements_of(bytes);
    count.set(found.map_or(MPI_UNDEFINED.into(), |count| count as i64))
}

/// `MPI_Get_address`.
pub fn get_address(memory: Memory, address: Out<MPI_Aint>) -> Outcome {
    address.set(memory.address() as MPI_Aint)
}

/// `MPI_Pack`.
pub fn pack(
    from: Memory,
    count: Number,
    kind: MPI_Datatype,
    to: Memory,
    room: Number,
    position: OutNumber,
    on: MPI_Comm,
) -> Outcome {
    let does = || {
        let bytes = datatype(kind)?.pack(from, count.count()?)?;
        let (begin, room) = (Number(position.get()?).count()?, room.count()?);
        if begin.checked_add(bytes.len()).is_none_or(|end| end > room) {
            return Err(Fault::new(
                MPI_ERR_TRUNCATE,
                format!("{} bytes do not fit behind {begin} of {room}", bytes.len()),
            ));
        }
        to.write(begin as i64, &bytes);
        position.set((begin + bytes.len()) as i64)
    };
    does().map_err(|fault: Fault| fault.on(on))
}

/// `MPI_Unpack`.
pub fn unpack(
    from: Memory,
    length: Number,
    position: OutNumber,
    to: Memory,
    count: Number,
    kind: MPI_Datatype,
    on: MPI_Comm,
) -> Outcome {
    let does = || {
        let (kind, count) = (datatype(kind)?, count.count()?);
        let (begin, length, bytes) = (Number(position.get()?).count()?, length.count()?, kind.bytes(count)?);
        if begin.checked_add(bytes).is_none_or(|end| end > length) {
            return Err(Fault::new(
                MPI_ERR_TRUNCATE,
                format!("there are no {bytes} bytes behind {begin} of {length}"),
            ));
        }
        let mut packed = Vec::new();
        from.read(begin as i64, bytes, &mut packed);
        kind.unpack(to, count, &packed)?;
        position.set((begin + bytes) as i64)
    };
    does().map_err(|fault: Fault| fault.on(on))
}

/// `MPI_Pack_size`.
pub fn pack_size(count: Number, kind: MPI_Datatype, _on: MPI_Comm, size: OutNumber) -> Outcome {
    size.set(datatype(kind)?.bytes(count.count()?)? as i64)
}
