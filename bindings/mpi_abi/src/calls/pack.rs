//! Explicit packing and unpacking of elements in buffers of the program.

use crate::arguments::{Memory, Number, Out, OutNumber};
use crate::fault::{Fault, Outcome};
use crate::objects::datatype;
use crate::types::*;

/// `MPI_Get_address`.
pub fn get_address(memory: Memory, address: Out<MPI_Aint>) -> Outcome {
    address.set(memory.address() as MPI_Aint)
}

/// Begin of `length` bytes behind a position, which have to be within `room` bytes; `missing` says what is not so.
pub(super) fn place(
    position: OutNumber,
    length: usize,
    room: Number,
    missing: fn(usize) -> String,
) -> Outcome<usize> {
    let (begin, room) = (Number(position.get()?).count()?, room.count()?);
    match begin.checked_add(length) {
        Some(end) if end <= room => Ok(begin),
        _ => Err(Fault::new(MPI_ERR_TRUNCATE, format!("{} behind {begin} of {room}", missing(length)))),
    }
}

/// Elements need more room than there is.
pub(super) fn no_room(length: usize) -> String {
    format!("{length} bytes do not fit")
}

/// Elements need more data than there are.
pub(super) fn no_data(length: usize) -> String {
    format!("there are no {length} bytes")
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
        let begin = place(position, bytes.len(), room, no_room)?;
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
        let bytes = kind.bytes(count)?;
        let begin = place(position, bytes, length, no_data)?;
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
