//! Long data of calls and answers, read and written in the memory of the rank while it waits in its slot.

use std::cell::OnceCell;

use rustix::process::Pid;
use slots::ProcessMemory;

use super::call::{Answer, CallError, CallMessage, CompletedRequest, LONG, MemoryAddress, Place, Region};
use super::standard::{ERR_BUFFER, ERR_COUNT, ERR_INTERN};
use crate::lineage::descends_from;
use crate::slot::LONGEST;

/// Memory of a process that a rank's command has started; `None` for that of any other process, which the rank could
/// have the simulator write into.
pub(super) fn memory_of(process: u32, command: Pid) -> Option<ProcessMemory> {
    ProcessMemory::new(process).filter(|_| descends_from(process, command))
}

/// The memory of a rank, once the simulator has reached it.
#[derive(Default)]
pub(super) struct ReachedMemory(OnceCell<ProcessMemory>);

impl ReachedMemory {
    /// Tries to read a byte of the rank; false if the system does not permit it.
    pub fn reach(&self, byte: MemoryAddress, command: Pid) -> bool {
        let memory = memory_of(byte.process, command);
        match memory.filter(|memory| memory.read(byte.address, &mut [0]).is_ok()) {
            Some(memory) => self.0.set(memory).is_ok(),
            None => false,
        }
    }

    /// Puts the data of a call into it.
    pub fn fetch(&self, message: &mut CallMessage) -> Result<(), CallError> {
        let Some(Region { address, length }) = message.data.take() else { return Ok(()) };
        let (Some(memory), Some(data)) = (self.0.get(), message.call.data_mut()) else {
            return Err(error(ERR_INTERN, "the call has its data elsewhere"));
        };
        let length = usize::try_from(length).ok().filter(|length| *length as u64 <= LONGEST);
        let length =
            length.ok_or_else(|| error(ERR_COUNT, "so many bytes are more than a message can have"))?;
        let bytes = memory.read_all(address, length);
        *data = bytes.map_err(|_| error(ERR_BUFFER, "the buffer is no memory that can be read"))?.into();
        Ok(())
    }

    /// Moves long data of an answer into its buffers. What cannot be written there stays in the answer.
    pub fn place(&self, answer: &mut Answer, places: &[Option<Place>]) {
        let (Some(memory), Answer::Completed(ends)) = (self.0.get(), answer) else { return };
        for (index, CompletedRequest { bytes, is_placed, .. }) in ends {
            let place = places.get(*index as usize).copied().flatten().filter(|_| bytes.len() >= LONG);
            *is_placed = match place {
                Some(Place::Nowhere) => true,
                Some(Place::At(Region { address, length })) => {
                    length >= bytes.len() as u64 && memory.write(address, bytes).is_ok()
                }
                None => false,
            };
            if *is_placed {
                bytes.clear();
            }
        }
    }
}

fn error(class: i32, reason: &str) -> CallError {
    CallError { class, reason: reason.to_owned() }
}

#[cfg(test)]
mod tests {
    use serde_bytes::ByteBuf;

    use super::*;
    use crate::mpi::call::Call;

    #[test]
    fn data_of_a_rank_that_is_not_reached_is_refused() {
        let memory = ReachedMemory::default();
        let data = Some(Region { address: 4096, length: 1 });
        for call in [Call::Reduced(ByteBuf::new()), Call::Init] {
            let mut message = CallMessage { data, ..CallMessage::new("MPI_X".into(), call) };
            assert_eq!(memory.fetch(&mut message).map_err(|error| error.class), Err(ERR_INTERN));
        }
        let mut message = CallMessage::new("MPI_X".into(), Call::Init);
        assert_eq!(memory.fetch(&mut message), Ok(()));
    }

    #[test]
    fn other_processes_are_not_reached() {
        let own = rustix::process::getpid();
        let parent = rustix::process::getppid().expect("the test has a parent");
        let of_parent = parent.as_raw_nonzero().get() as u32;
        for process in [0, std::process::id(), of_parent, u32::MAX] {
            assert!(
                !ReachedMemory::default().reach(MemoryAddress { process, address: 4096 }, own),
                "{process}"
            );
        }
    }
}
