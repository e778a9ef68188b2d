//! Explicit packing and unpacking of elements in buffers of the program.

use crate::arguments::{Memory, Number, Out, OutNumber};
use crate::fault::{Fault, Outcome};
use crate::objects::datatype;
use crate::types::*;

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
