//! Handles and what they stand for.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use crate::fault::{Fault, Outcome};
use crate::types::*;

/// A kind of handle.
pub trait Handle: Copy {
    /// What it is called in errors.
    const NAME: &'static str;
    /// The error class of a handle that stands for nothing.
    const CLASS: c_int;
    /// Number of the kind: handles of different kinds are different numbers.
    const KIND: usize;

    /// The handle of a value.
    fn of(value: usize) -> Self;

    /// Its value.
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

/// What handles of one kind stand for. A number comes again only when all others were used, so that old handles are known as such.
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
    /// A new handle.
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

    /// A handle of the standard's own from now on stands for this.
    pub fn predefine(&mut self, handle: H, entry: T) {
        self.entries.insert(handle.value(), entry);
    }

    /// What a handle stands for.
    pub fn get(&self, handle: H) -> Outcome<&T> {
        self.entries.get(&handle.value()).ok_or_else(|| nothing(handle))
    }

    /// What a handle stands for, to be changed.
    pub fn get_mut(&mut self, handle: H) -> Outcome<&mut T> {
        self.entries.get_mut(&handle.value()).ok_or_else(|| nothing(handle))
    }

    /// The handle stands for nothing any more.
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

/// What the simulator knows a handle of the program's own by: the handle that it would be in the standard's face, so that both faces ask
/// the same.
pub fn number<H: Handle>(handle: H) -> u32 {
    (handle.value() - OWN - H::KIND * SPAN + standard::OWN + H::KIND * standard::SPAN) as u32
}

/// The handle that the simulator knows by this number.
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
    fn old_handles_and_those_of_other_kinds_stand_for_nothing() {
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
    fn handles_have_the_numbers_that_they_have_in_the_standards_face() {
        let mut operations = Handles::<MPI_Op, i32>::default();
        for index in 0..3 {
            let handle = operations.add(index);
            assert_eq!(number(handle), 0x3000_1000 + index as u32);
            assert_eq!(numbered::<MPI_Op>(number(handle)), handle);
        }
        assert!(operations.get(numbered(7)).is_err());
    }

    #[test]
    fn what_is_the_standards_own_does_not_go() {
        let mut groups = Handles::<MPI_Group, i32>::default();
        groups.predefine(MPI_GROUP_EMPTY, 0);
        assert_eq!(groups.remove(MPI_GROUP_EMPTY).unwrap_err().class, MPI_ERR_GROUP);
        assert_eq!(groups.get(MPI_GROUP_EMPTY), Ok(&0));
    }
}
