//! Buffers of buffered sends. The simulator stores the messages, so only the size of the buffer is checked.

use crate::arguments::{Memory, Number, OutNumber};
use crate::fault::{Fault, Outcome};
use crate::objects::within;
use crate::types::*;

/// `MPI_Buffer_attach`.
pub fn buffer_attach(memory: Memory, bytes: Number) -> Outcome {
    let bytes = bytes.count()?;
    within(|objects| match objects.buffer {
        Some(_) => Err(Fault::new(MPI_ERR_BUFFER, "there is a buffer already")),
        None => {
            objects.buffer = Some((memory.address(), bytes));
            Ok(())
        }
    })
}

/// `MPI_Buffer_detach`. The simulator has a copy of every message, so there is nothing to wait for.
pub fn buffer_detach(place: Memory, bytes: OutNumber) -> Outcome {
    let buffer = within(|objects| Ok(objects.buffer.take()))?;
    let (address, length) = buffer.ok_or_else(|| Fault::new(MPI_ERR_BUFFER, "there is no buffer"))?;
    place.set_word(address)?;
    bytes.set(length as i64)
}

/// `MPI_Buffer_flush`.
pub fn buffer_flush() -> Outcome {
    within(|_| Ok(()))
}

/// Checks that a message fits into the buffer.
pub(super) fn room(bytes: usize) -> Outcome {
    let need = bytes + MPI_BSEND_OVERHEAD as usize;
    within(|objects| match objects.buffer {
        Some((MPI_BUFFER_AUTOMATIC, _)) => Ok(()),
        Some((_, room)) if room >= need => Ok(()),
        Some((_, room)) => {
            Err(Fault::new(MPI_ERR_BUFFER, format!("a message needs {need} bytes of a buffer of {room}")))
        }
        None => Err(Fault::new(MPI_ERR_BUFFER, "a buffered send without a buffer")),
    })
}
