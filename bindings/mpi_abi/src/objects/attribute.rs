//! Attributes of objects, and the keys of a rank.

use super::Objects;
use crate::fault::{Fault, Outcome};
use crate::types::*;

/// Error code of a copy callback, and the new value if the attribute is copied.
pub type Copied = (c_int, Option<usize>);

/// Calling convention of attribute callbacks. Objects are given by the value of their handle.
pub struct Calls {
    /// Calls a copy callback: `(function, old, key, extra, value)`.
    pub copy: fn(usize, usize, c_int, usize, usize) -> Copied,
    /// Calls a delete callback and returns its error code: `(function, object, key, value, extra)`.
    pub delete: fn(usize, usize, c_int, usize, usize) -> c_int,
}

/// Kind of object that attributes belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// `MPI_Comm_create_keyval`.
    Communicator,
    /// `MPI_Type_create_keyval`.
    Datatype,
    /// `MPI_Win_create_keyval`. Windows are not duplicated, so no copy callback is called.
    Window,
}

/// An attribute key with its callbacks.
#[derive(Clone, Copy)]
pub struct Key {
    /// Kind of object that the key is for.
    pub owner: Owner,
    /// Address of the copy callback.
    pub copy: usize,
    /// Address of the delete callback.
    pub delete: usize,
    /// Extra state, passed to both callbacks.
    pub extra: usize,
    /// Calling convention of both callbacks.
    pub calls: &'static Calls,
    /// Attributes that are set under the key.
    pub uses: usize,
    /// The program has freed the key, which lives until its last attribute is deleted.
    pub freed: bool,
}

/// A handle of an object with attributes.
pub trait Attributed: Copy {
    /// Kind of the object.
    const OWNER: Owner;

    /// Value of the handle.
    fn value(self) -> usize;

    /// Attributes of the object; an error if the handle is invalid.
    fn attributes(self, objects: &mut Objects) -> Outcome<&mut Attributes>;

    /// Assigns a fault to the error handler of the object.
    fn assign(self, fault: Fault) -> Fault;
}

impl Attributed for MPI_Comm {
    const OWNER: Owner = Owner::Communicator;

    fn value(self) -> usize {
        MPI_Comm::value(self)
    }

    fn attributes(self, objects: &mut Objects) -> Outcome<&mut Attributes> {
        Ok(&mut objects.communicators.get_mut(self)?.attributes)
    }

    fn assign(self, fault: Fault) -> Fault {
        fault.on(self)
    }
}

impl Attributed for MPI_Datatype {
    const OWNER: Owner = Owner::Datatype;

    fn value(self) -> usize {
        MPI_Datatype::value(self)
    }

    fn attributes(self, objects: &mut Objects) -> Outcome<&mut Attributes> {
        Ok(&mut objects.type_label(self)?.attributes)
    }

    fn assign(self, fault: Fault) -> Fault {
        fault
    }
}

impl Attributed for MPI_Win {
    const OWNER: Owner = Owner::Window;

    fn value(self) -> usize {
        MPI_Win::value(self)
    }

    fn attributes(self, objects: &mut Objects) -> Outcome<&mut Attributes> {
        Ok(&mut objects.windows.get_mut(self)?.attributes)
    }

    fn assign(self, fault: Fault) -> Fault {
        fault.on(self)
    }
}

/// Attributes of an object: keys and values, in the order in which they were set.
#[derive(Clone, Debug, Default)]
pub struct Attributes(Vec<(c_int, usize)>);

impl Attributes {
    /// Value of an attribute.
    pub fn get(&self, key: c_int) -> Option<usize> {
        self.0.iter().find(|(other, _)| *other == key).map(|(_, value)| *value)
    }

    /// Sets an attribute, which is then the last one.
    pub fn set(&mut self, key: c_int, value: usize) {
        self.remove(key);
        self.0.push((key, value));
    }

    /// Removes an attribute.
    pub fn remove(&mut self, key: c_int) {
        self.0.retain(|(other, _)| *other != key);
    }

    /// Keys in the order in which they were set.
    pub fn keys(&self) -> Vec<c_int> {
        self.0.iter().map(|(key, _)| *key).collect()
    }

    /// All attributes in the order in which they were set.
    pub fn iter(&self) -> impl Iterator<Item = (c_int, usize)> {
        self.0.iter().copied()
    }
}
