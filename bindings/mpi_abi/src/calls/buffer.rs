//! Buffers of buffered sends: of a communicator, of a session, or of the process. The simulator stores the messages, so
//! only the size of a buffer is checked, and there is nothing to wait for.

use super::request;
use super::status::null_end;
use crate::arguments::{Memory, Number, Out, OutNumber};
use crate::fault::{Fault, Outcome};
use crate::objects::{Destination, Objects, Progress, RequestKind, within};
use crate::types::*;

/// A buffer: address and length in bytes.
type Buffer = Option<(usize, usize)>;

/// Attaches a buffer at the place that `of` selects.
pub(super) fn attach(
    memory: Memory,
    bytes: Number,
    of: impl FnOnce(&mut Objects) -> Outcome<&mut Buffer>,
) -> Outcome {
    let bytes = bytes.count()?;
    within(|objects| match of(objects)? {
        Some(_) => Err(Fault::new(MPI_ERR_BUFFER, "there is a buffer already")),
        none => {
            *none = Some((memory.address(), bytes));
            Ok(())
        }
    })
}

/// Detaches the buffer at the place that `of` selects. The simulator has a copy of every message.
pub(super) fn detach(
    place: Memory,
    bytes: OutNumber,
    of: impl FnOnce(&mut Objects) -> Outcome<&mut Buffer>,
) -> Outcome {
    let buffer = within(|objects| Ok(of(objects)?.take()))?;
    let (address, length) = buffer.ok_or_else(|| Fault::new(MPI_ERR_BUFFER, "there is no buffer"))?;
    place.set_word(address)?;
    bytes.set(length as i64)
}

/// Request of a flush, which is complete.
pub(super) fn flushed(to: Out<MPI_Request>, on: MPI_Comm) -> Outcome {
    request::give(to, Progress::Over(null_end()), Destination::default(), RequestKind::Collective, on)
}

fn of_process(objects: &mut Objects) -> Outcome<&mut Buffer> {
    Ok(&mut objects.buffer)
}

fn of_communicator(on: MPI_Comm) -> impl FnOnce(&mut Objects) -> Outcome<&mut Buffer> {
    move |objects| Ok(&mut objects.communicators.get_mut(on)?.buffer)
}

/// `MPI_Buffer_attach`.
pub fn buffer_attach(memory: Memory, bytes: Number) -> Outcome {
    attach(memory, bytes, of_process)
}

/// `MPI_Buffer_detach`.
pub fn buffer_detach(place: Memory, bytes: OutNumber) -> Outcome {
    detach(place, bytes, of_process)
}

/// `MPI_Buffer_flush`.
pub fn buffer_flush() -> Outcome {
    within(|_| Ok(()))
}

/// `MPI_Buffer_iflush`.
pub fn buffer_iflush(request: Out<MPI_Request>) -> Outcome {
    flushed(request, MPI_COMM_SELF)
}

/// `MPI_Comm_attach_buffer`.
pub fn comm_attach_buffer(on: MPI_Comm, memory: Memory, bytes: Number) -> Outcome {
    attach(memory, bytes, of_communicator(on)).map_err(|fault| fault.on(on))
}

/// `MPI_Comm_detach_buffer`.
pub fn comm_detach_buffer(on: MPI_Comm, place: Memory, bytes: OutNumber) -> Outcome {
    detach(place, bytes, of_communicator(on)).map_err(|fault| fault.on(on))
}

/// `MPI_Comm_flush_buffer`.
pub fn comm_flush_buffer(on: MPI_Comm) -> Outcome {
    within(|objects| of_communicator(on)(objects).map(|_| ()))
}

/// `MPI_Comm_iflush_buffer`.
pub fn comm_iflush_buffer(on: MPI_Comm, request: Out<MPI_Request>) -> Outcome {
    comm_flush_buffer(on)?;
    flushed(request, on)
}

/// Checks that a message fits into the buffer: that of the communicator if it has one, else that of the process.
pub(super) fn room(on: MPI_Comm, bytes: usize) -> Outcome {
    let need = bytes + MPI_BSEND_OVERHEAD as usize;
    within(|objects| {
        let own = objects.communicators.used(on)?;
        let of_session = own.session.and_then(|session| objects.sessions.get(session).ok()?.buffer);
        match own.buffer.or(of_session).or(objects.buffer) {
            Some((MPI_BUFFER_AUTOMATIC, _)) => Ok(()),
            Some((_, room)) if room >= need => Ok(()),
            Some((_, room)) => {
                Err(Fault::new(MPI_ERR_BUFFER, format!("a message needs {need} bytes of a buffer of {room}")))
            }
            None => Err(Fault::new(MPI_ERR_BUFFER, "a buffered send without a buffer")),
        }
    })
}
