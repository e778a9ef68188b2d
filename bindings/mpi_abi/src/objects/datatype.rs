//! Datatypes of a rank; crate `mpi` defines their layouts.

use mpi::{Contents, Datatype};
use processes::LONGEST;
use processes::mpi::call::{LONG, Region};

use super::Attributes;
use crate::arguments::Memory;
use crate::fault::{Fault, Outcome};
use crate::types::*;

/// A datatype with the state that the program can query.
#[derive(Clone, Debug)]
pub struct Type {
    /// Handle of the datatype in the program.
    pub handle: MPI_Datatype,
    /// Memory layout of an element.
    pub layout: Datatype,
    /// Whether the datatype may be used in communication.
    pub committed: bool,
}

/// Name and attributes of a datatype.
#[derive(Clone, Debug, Default)]
pub struct TypeLabel {
    /// Set by `MPI_Type_set_name`.
    pub name: Option<String>,
    /// Attributes in the order in which they were set.
    pub attributes: Attributes,
}

/// A predefined datatype; `None` for other handles.
pub fn predefined(handle: MPI_Datatype) -> Option<Type> {
    let kind = processes::mpi::kind(number_of_datatype(handle)?)?;
    let layout = Datatype::named(kind, handle.value() as u64);
    Some(Type { handle, layout, committed: true })
}

/// Name of a predefined datatype; `None` for other handles.
pub fn name(handle: MPI_Datatype) -> Option<&'static str> {
    processes::mpi::kind_name(number_of_datatype(handle)?)
}

/// Converts an error of crate `mpi`.
pub fn fault(error: mpi::Error) -> Fault {
    Fault::new(class(processes::mpi::class(&error)), error.to_string())
}

impl Type {
    /// Whether the datatype was made by precision and range, and so counts as predefined.
    pub fn is_f90(&self) -> bool {
        matches!(self.layout.contents(), Contents::F90 { .. })
    }

    /// Bytes of `count` elements in a message.
    pub fn bytes(&self, count: usize) -> Outcome<usize> {
        let bytes =
            self.layout.size().checked_mul(count as u64).and_then(|bytes| usize::try_from(bytes).ok());
        bytes.ok_or_else(|| Fault::new(MPI_ERR_COUNT, "so many elements are more than memory holds"))
    }

    /// Memory of `count` elements that lie in it one behind the other, as in a message, if they are [`LONG`].
    pub fn long(&self, memory: Memory, count: usize) -> Option<Region> {
        let (begin, length) = self
            .layout
            .run(count as u64)
            .filter(|(_, length)| (LONG as u64..LONGEST).contains(&(*length as u64)))?;
        Some(Region { address: memory.at(begin).address() as u64, length: length as u64 })
    }

    /// Packs `count` elements into a message.
    pub fn pack(&self, memory: Memory, count: usize) -> Outcome<Vec<u8>> {
        let (mut bytes, size) = (Vec::new(), self.bytes(count)?);
        // The length is checked before memory is allocated for a message that cannot be sent.
        if size as u64 >= LONGEST {
            return Err(Fault::new(MPI_ERR_COUNT, format!("{size} bytes are more than a message can have")));
        }
        self.pack_to(memory, count, &mut bytes)?;
        Ok(bytes)
    }

    /// Packs `count` elements and appends them to `bytes`.
    pub fn pack_to(&self, memory: Memory, count: usize, bytes: &mut Vec<u8>) -> Outcome {
        self.check(memory, count)?;
        let size = self.bytes(count)?;
        bytes
            .try_reserve(size)
            .map_err(|_| Fault::new(MPI_ERR_NO_MEM, "there is no memory for the message"))?;
        self.layout.runs(count as u64, |at, length| memory.read(at, length, bytes)).map_err(fault)
    }

    /// Unpacks a message of at most `count` elements.
    pub fn unpack(&self, memory: Memory, count: usize, bytes: &[u8]) -> Outcome {
        let mut rest = bytes;
        if bytes.is_empty() {
            return Ok(());
        }
        self.check(memory, count)?;
        if bytes.len() > self.bytes(count)? {
            return Err(Fault::new(MPI_ERR_TRUNCATE, "more came than there is room for"));
        }
        let used = bytes.len().div_ceil(self.layout.size().max(1) as usize);
        let (mut behind_all, mut ascends) = (i64::MIN, true);
        let put = |at: i64, length: usize| {
            ascends &= at >= behind_all;
            behind_all = at.saturating_add(length as i64);
            let (run, behind) = rest.split_at(length.min(rest.len()));
            memory.write(at, run);
            rest = behind;
        };
        self.layout.runs(used as u64, put).map_err(fault)?;
        if ascends { Ok(()) } else { self.check_overlap(used) }
    }

    /// Checks that no byte of `count` elements overlaps with another, as in a receive buffer (MPI 5.0,
    /// section 5.1.11).
    pub fn check_overlap(&self, count: usize) -> Outcome {
        let mut runs = Vec::new();
        self.layout.runs(count as u64, |at, length| runs.push((at, length as i64))).map_err(fault)?;
        runs.sort_unstable();
        match runs.windows(2).any(|pair| pair[0].0.saturating_add(pair[0].1) > pair[1].0) {
            true => {
                Err(Fault::new(MPI_ERR_TYPE, "places of the datatype overlap, where something is received"))
            }
            false => Ok(()),
        }
    }

    /// Checks the address: null is valid only for datatypes with absolute addresses and for empty buffers.
    pub fn check(&self, memory: Memory, count: usize) -> Outcome {
        let nowhere = [MPI_BOTTOM, MPI_IN_PLACE, MPI_BUFFER_AUTOMATIC].contains(&memory.address());
        if nowhere && count > 0 && self.layout.size() > 0 && self.layout.true_lower() < 4096 {
            return Err(Fault::new(MPI_ERR_BUFFER, "a buffer at a null pointer"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_their_numbers_and_sizes() {
        for (name, number) in processes::mpi::KINDS {
            let constant =
                standard::all().find(|constant| constant.name == *name).expect("it is in the header");
            assert_eq!(constant.value, i64::from(*number), "{name}");
            // Bits 5 to 3 of fixed-size types are log2 of the size (MPI 5.0, section 20.3.2).
            if *number >= 0x240 {
                let size = 1 << (number >> 3 & 7);
                assert_eq!(processes::mpi::kind(*number).unwrap().size(), size, "{name}");
            }
        }
    }
}
