//! Packing in the portable representation `external32`.

use mpi::{Kind, external_size, of_external, to_external};

use super::pack::{no_data, no_room, place};
use crate::arguments::{Memory, Number, OutNumber, Text};
use crate::fault::{Fault, Outcome};
use crate::objects::{Type, datatype, fault};
use crate::types::*;

fn check(representation: Text) -> Outcome {
    match representation.get()?.as_str() {
        "external32" => Ok(()),
        other => {
            let why = format!("`{other}` is no representation for packing; external32 is");
            Err(Fault::new(MPI_ERR_UNSUPPORTED_DATAREP, why))
        }
    }
}

/// Bytes in `external32` of a value of a predefined datatype. A `long` has 4.
fn size(label: u64, kind: Kind) -> usize {
    match MPI_Datatype::of(label as usize) {
        MPI_LONG | MPI_UNSIGNED_LONG | MPI_LONG_INT => 4,
        _ => external_size(kind),
    }
}

/// Bytes in `external32` of `count` elements.
pub(super) fn bytes(layout: &mpi::Datatype, count: usize) -> Outcome<usize> {
    layout.span(count as u64).map_err(fault)?;
    let bytes = layout.external_size(&size).checked_mul(count as u64);
    bytes
        .filter(|bytes| *bytes <= i64::MAX as u64)
        .map(|bytes| bytes as usize)
        .ok_or_else(|| Fault::new(MPI_ERR_COUNT, "so many elements are more than memory holds"))
}

/// Converts `count` elements to `external32`.
pub(super) fn convert_to(kind: &Type, from: Memory, count: usize) -> Outcome<Vec<u8>> {
    kind.check(from, count)?;
    let (mut packed, mut value) = (Vec::new(), Vec::new());
    let room = packed.try_reserve(bytes(&kind.layout, count)?);
    room.map_err(|_| Fault::new(MPI_ERR_NO_MEM, "there is no memory for the converted elements"))?;
    kind.layout.values(count as u64, &size, &mut |at, kind, size| {
        value.clear();
        from.read(at, kind.size(), &mut value);
        match to_external(kind, size, &value, &mut packed) {
            true => Ok(()),
            false => {
                Err(Fault::new(MPI_ERR_CONVERSION, format!("an integer does not fit into {size} bytes")))
            }
        }
    })?;
    Ok(packed)
}

/// Converts at most `count` elements from `external32`. Returns the bytes of memory that they have.
pub(super) fn convert_from(kind: &Type, to: Memory, count: usize, packed: &[u8]) -> Outcome<u64> {
    if !packed.is_empty() {
        kind.check(to, count)?;
    }
    let (mut rest, mut written) = (packed, 0);
    let end = kind.layout.values(count as u64, &size, &mut |at, kind, size| {
        let (value, behind) = rest.split_at_checked(size).ok_or(())?;
        to.write(at, &of_external(kind, value));
        (rest, written) = (behind, written + kind.size() as u64);
        Ok(())
    });
    // Data that ends early is no fault of the conversion.
    let (Ok(()) | Err(())) = end;
    Ok(written)
}

/// `MPI_Pack_external_size`.
pub fn pack_external_size(representation: Text, count: Number, kind: MPI_Datatype, to: OutNumber) -> Outcome {
    check(representation)?;
    to.set(bytes(&datatype(kind)?.layout, count.count()?)? as i64)
}

/// `MPI_Pack_external`.
pub fn pack_external(
    representation: Text,
    from: Memory,
    count: Number,
    kind: MPI_Datatype,
    to: Memory,
    room: Number,
    position: OutNumber,
) -> Outcome {
    check(representation)?;
    let (kind, count) = (datatype(kind)?, count.count()?);
    let length = bytes(&kind.layout, count)?;
    let begin = place(position, length, room, no_room)?;
    let packed = convert_to(&kind, from, count)?;
    to.write(begin as i64, &packed);
    position.set((begin + length) as i64)
}

/// `MPI_Unpack_external`.
pub fn unpack_external(
    representation: Text,
    from: Memory,
    room: Number,
    position: OutNumber,
    to: Memory,
    count: Number,
    kind: MPI_Datatype,
) -> Outcome {
    check(representation)?;
    let (kind, count) = (datatype(kind)?, count.count()?);
    let length = bytes(&kind.layout, count)?;
    let begin = place(position, length, room, no_data)?;
    let mut packed = Vec::new();
    from.read(begin as i64, length, &mut packed);
    convert_from(&kind, to, count, &packed)?;
    position.set((begin + length) as i64)
}
