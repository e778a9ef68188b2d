//! Tables from handles to objects.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use crate::fault::{Fault, Outcome};
use crate::types::*;

/// A type of handle.
pub trait Handle: Copy {
    /// Name of the object in error messages.
    const NAME: &'static str;
    /// Error class of an invalid handle.
    const CLASS: c_int;
    /// Number of the type; handles of different types have different values.
    const KIND: usize;

    /// The handle with this value.
    fn of(value: usize) -> Self;

    /// Value of the handle.
    fn value(self) -> usize;
}

macro_rules! kinds {
    ($($kind:ident $name:literal $class:ident $number:literal)*) => {
        $(impl Handle for $kind {
            const NAME: &'static str = $name;
            const CLASS: c_int = $class;
            const KIND: usize = $number;

            fn of(value: usize) -> Self {
                $kind::of(value)
            }

            fn value(self) -> usize {
                $kind::value(self)
            }
        })*
    };
}

kinds! {
    MPI_Comm "communicator" MPI_ERR_COMM 0
    MPI_Group "group" MPI_ERR_GROUP 1
    MPI_Datatype "datatype" MPI_ERR_TYPE 2
    MPI_Op "operation" MPI_ERR_OP 3
    MPI_Request "request" MPI_ERR_REQUEST 4
    MPI_Message "message" MPI_ERR_REQUEST 5
    MPI_Info "info object" MPI_ERR_INFO 6
    MPI_Errhandler "error handler" MPI_ERR_ERRHANDLER 7
}

/// Objects of one handle type. A freed value is reused only after all others, so that stale handles are
/// detected.
pub struct Handles<H, T> {
    entries: BTreeMap<usize, T>,
    next: usize,
    kind: PhantomData<fn() -> H>,
}

impl<H, T> Default for Handles<H, T> {
    fn default() -> Self {
        Handles { entries: BTreeMap::new(), next: 0, kind: PhantomData }
    }
}

impl<H: Handle, T> Handles<H, T> {
    /// Adds an object and returns its handle.
    pub fn add(&mut self, entry: T) -> H {
        let mut value = self.take_number();
        while self.entries.contains_key(&value) {
            value = self.take_number();
        }
        self.entries.insert(value, entry);
        H::of(value)
    }

    fn take_number(&mut self) -> usize {
        let value = OWN + H::KIND * SPAN + self.next;
        self.next = (self.next + 1) % MOST;
        value
    }

    /// Assigns an object to a predefined handle.
    pub fn predefine(&mut self, handle: H, entry: T) {
        self.entries.insert(handle.value(), entry);
    }

    /// Object of a handle.
    pub fn get(&self, handle: H) -> Outcome<&T> {
        self.entries.get(&handle.value()).ok_or_else(|| nothing(handle))
    }

    /// Object of a handle, for changes.
    pub fn get_mut(&mut self, handle: H) -> Outcome<&mut T> {
        self.entries.get_mut(&handle.value()).ok_or_else(|| nothing(handle))
    }

    /// Removes an object; an error for predefined handles.
    pub fn remove(&mut self, handle: H) -> Outcome<T> {
        if handle.value() < OWN {
            return Err(Fault::new(
                H::CLASS,
                format!("{:#x} is no {} of the program's own", handle.value(), H::NAME),
            ));
        }
        self.entries.remove(&handle.value()).ok_or_else(|| nothing(handle))
    }
}

/// Number of a program's handle at the simulator: its value in the standard ABI, so that both ABIs make the
/// same calls.
pub fn number<H: Handle>(handle: H) -> u32 {
    (handle.value() - OWN - H::KIND * SPAN + standard::OWN + H::KIND * standard::SPAN) as u32
}

/// Handle with this number at the simulator.
pub fn numbered<H: Handle>(number: u32) -> H {
    let index = (number as usize).wrapping_sub(standard::OWN + H::KIND * standard::SPAN);
    H::of(index.wrapping_add(OWN + H::KIND * SPAN))
}

fn nothing<H: Handle>(handle: H) -> Fault {
    Fault::new(H::CLASS, format!("{:#x} is no {}", handle.value(), H::NAME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stale_handles_and_handles_of_other_types_are_invalid() {
        let mut groups = Handles::<MPI_Group, i32>::default();
        let mut infos = Handles::<MPI_Info, i32>::default();
        let (first, info) = (groups.add(1), infos.add(2));
        assert_eq!(groups.remove(first), Ok(1));
        let second = groups.add(3);
        assert_ne!(first, second);
        assert_eq!(groups.get(first).unwrap_err().class, MPI_ERR_GROUP);
        assert_eq!(groups.get(MPI_Group::of(info.value())).unwrap_err().class, MPI_ERR_GROUP);
        assert_eq!(groups.get(second), Ok(&3));
        assert!(u32::try_from(info.value()).is_ok());
    }

    #[test]
    fn handle_numbers_are_those_of_the_standard_abi() {
        let mut operations = Handles::<MPI_Op, i32>::default();
        for index in 0..3 {
            let handle = operations.add(index);
            assert_eq!(number(handle), 0x3000_1000 + index as u32);
            assert_eq!(numbered::<MPI_Op>(number(handle)), handle);
        }
        assert!(operations.get(numbered(7)).is_err());
    }

    #[test]
    fn predefined_handles_cannot_be_freed() {
        let mut groups = Handles::<MPI_Group, i32>::default();
        groups.predefine(MPI_GROUP_EMPTY, 0);
        assert_eq!(groups.remove(MPI_GROUP_EMPTY).unwrap_err().class, MPI_ERR_GROUP);
        assert_eq!(groups.get(MPI_GROUP_EMPTY), Ok(&0));
    }
}
