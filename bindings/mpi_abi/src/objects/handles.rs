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
    MPI_File "file" MPI_ERR_FILE 8
    MPI_Win "window" MPI_ERR_WIN 9
    MPI_Session "session" MPI_ERR_SESSION 10
}

/// An object and the pending calls that use it.
struct Entry<T> {
    object: T,
    /// Number of requests that use the object.
    uses: usize,
    /// The program has freed the handle; the object lives until its last use ends.
    freed: bool,
}

/// Objects of one handle type, counted by the requests that use them. A freed value is reused only after all
/// others, so that stale handles are detected.
pub struct Handles<H, T> {
    entries: BTreeMap<usize, Entry<T>>,
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
    pub fn add(&mut self, object: T) -> H {
        let mut value = self.take_number();
        while self.entries.contains_key(&value) {
            value = self.take_number();
        }
        self.entries.insert(value, Entry { object, uses: 0, freed: false });
        H::of(value)
    }

    fn take_number(&mut self) -> usize {
        let value = OWN + H::KIND * SPAN + self.next;
        self.next = (self.next + 1) % MOST;
        value
    }

    /// Whether there is no object.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Assigns an object to a predefined handle.
    pub fn predefine(&mut self, handle: H, object: T) {
        self.entries.insert(handle.value(), Entry { object, uses: 0, freed: false });
    }

    /// Object of a handle that the program has not freed.
    pub fn get(&self, handle: H) -> Outcome<&T> {
        let entry = self.entries.get(&handle.value()).filter(|entry| !entry.freed);
        entry.map(|entry| &entry.object).ok_or_else(|| nothing(handle))
    }

    /// Object of a handle that the program has not freed, for changes.
    pub fn get_mut(&mut self, handle: H) -> Outcome<&mut T> {
        let entry = self.entries.get_mut(&handle.value()).filter(|entry| !entry.freed);
        entry.map(|entry| &mut entry.object).ok_or_else(|| nothing(handle))
    }

    /// Object of a handle in use, freed by the program or not.
    pub fn used(&self, handle: H) -> Outcome<&T> {
        self.entries.get(&handle.value()).map(|entry| &entry.object).ok_or_else(|| nothing(handle))
    }

    /// Object of a handle in use, for changes, freed by the program or not.
    pub fn used_mut(&mut self, handle: H) -> Outcome<&mut T> {
        self.entries.get_mut(&handle.value()).map(|entry| &mut entry.object).ok_or_else(|| nothing(handle))
    }

    /// Frees a handle of the program; an error for predefined handles. Returns the object unless a request
    /// uses it.
    pub fn free(&mut self, handle: H) -> Outcome<Option<T>> {
        if handle.value() < OWN {
            return Err(Fault::new(
                H::CLASS,
                format!("{:#x} is no {} of the program's own", handle.value(), H::NAME),
            ));
        }
        self.get(handle)?;
        let entry = self.entries.get_mut(&handle.value()).expect("get found it");
        entry.freed = true;
        Ok(self.remove_unused(handle))
    }

    /// Counts one more use of the object.
    pub fn hold(&mut self, handle: H) {
        if let Some(entry) = self.entries.get_mut(&handle.value()) {
            entry.uses += 1;
        }
    }

    /// Ends one use of the object. Returns it if the program has freed it and no other use remains.
    pub fn release(&mut self, handle: H) -> Option<T> {
        let entry = self.entries.get_mut(&handle.value())?;
        entry.uses = entry.uses.saturating_sub(1);
        self.remove_unused(handle)
    }

    fn remove_unused(&mut self, handle: H) -> Option<T> {
        let entry = self.entries.get(&handle.value())?;
        if !entry.freed || entry.uses > 0 {
            return None;
        }
        self.entries.remove(&handle.value()).map(|entry| entry.object)
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
        assert_eq!(groups.free(first), Ok(Some(1)));
        let second = groups.add(3);
        assert_ne!(first, second);
        assert_eq!(groups.get(first).unwrap_err().class, MPI_ERR_GROUP);
        assert_eq!(groups.get(MPI_Group::of(info.value())).unwrap_err().class, MPI_ERR_GROUP);
        assert_eq!(groups.get(second), Ok(&3));
        assert!(u32::try_from(info.value()).is_ok());
    }

    #[test]
    fn freed_objects_live_until_their_last_use_ends() {
        let mut operations = Handles::<MPI_Op, i32>::default();
        let handle = operations.add(1);
        operations.hold(handle);
        operations.hold(handle);
        assert_eq!(operations.free(handle), Ok(None));
        assert!(operations.get(handle).is_err() && operations.free(handle).is_err());
        assert_eq!(operations.used(handle), Ok(&1));
        assert_eq!(operations.release(handle), None);
        assert_eq!(operations.release(handle), Some(1));
        assert!(operations.used(handle).is_err());
        // A use that ends before the program frees the handle leaves the object.
        let handle = operations.add(2);
        operations.hold(handle);
        assert_eq!(operations.release(handle), None);
        assert_eq!(operations.free(handle), Ok(Some(2)));
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
        assert_eq!(groups.free(MPI_GROUP_EMPTY).unwrap_err().class, MPI_ERR_GROUP);
        assert_eq!(groups.get(MPI_GROUP_EMPTY), Ok(&0));
    }
}
