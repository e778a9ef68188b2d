//! Places of one thing or of a list, which are read or written.

use super::present;
use crate::fault::Outcome;
use crate::types::*;

/// A place of something.
pub struct Out<T> {
    pointer: *mut T,
    integers: Option<Integers<T>>,
}

/// How Fortran has what C has in another way: as an INTEGER of 4 bytes. Handles of C are wider, and places in a list begin at 0 there.
pub struct Integers<T> {
    /// What an INTEGER stands for.
    pub of: fn(c_int) -> T,
    /// The INTEGER that stands for it.
    pub value: fn(T) -> c_int,
}

impl<T> Clone for Integers<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Integers<T> {}

impl<T> From<*mut T> for Out<T> {
    fn from(pointer: *mut T) -> Self {
        // A status that the program does not want: in both faces an address at which nothing can be.
        let ignored = pointer as usize == MPI_STATUS_IGNORE;
        Out { pointer: if ignored { std::ptr::null_mut() } else { pointer }, integers: None }
    }
}

impl<T> Clone for Out<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Out<T> {}

impl<T: Copy> Out<T> {
    /// The same in Fortran.
    #[cfg(not(feature = "mpich"))]
    pub fn integers(pointer: *mut c_int, integers: Integers<T>) -> Self {
        Out { pointer: pointer.cast(), integers: Some(integers) }
    }

    /// Puts it there.
    pub fn set(self, value: T) -> Outcome {
        present(self.pointer.cast())?;
        self.offer(value);
        Ok(())
    }

    /// Puts it there, if the program wants it.
    pub fn offer(self, value: T) {
        if self.pointer.is_null() {
            return;
        }
        // SAFETY: a pointer of the program to one of these, or to an INTEGER in its place.
        unsafe {
            match self.integers {
                None => self.pointer.write_unaligned(value),
                Some(integers) => self.pointer.cast::<c_int>().write_unaligned((integers.value)(value)),
            }
        }
    }

    /// What is there.
    pub fn get(self) -> Outcome<T> {
        present(self.pointer.cast())?;
        // SAFETY: as above.
        Ok(unsafe {
            match self.integers {
                None => self.pointer.read_unaligned(),
                Some(integers) => (integers.of)(self.pointer.cast::<c_int>().read_unaligned()),
            }
        })
    }

    /// The place of the next ones of a list.
    pub fn at(self, index: usize) -> Out<T> {
        if self.pointer.is_null() {
            return self;
        }
        let pointer = match self.integers {
            None => self.pointer.wrapping_add(index),
            Some(_) => self.pointer.cast::<c_int>().wrapping_add(index).cast(),
        };
        Out { pointer, ..self }
    }

    /// So many of a list.
    pub fn list(self, count: usize) -> Outcome<Vec<T>> {
        (0..count).map(|index| self.at(index).get()).collect()
    }
}

/// A list that is only read.
pub struct List<T>(Out<T>);

impl<T> From<Out<T>> for List<T> {
    fn from(list: Out<T>) -> Self {
        List(list)
    }
}

impl<T> From<*const T> for List<T> {
    fn from(pointer: *const T) -> Self {
        List(Out { pointer: pointer.cast_mut(), integers: None })
    }
}

impl<T> From<*mut T> for List<T> {
    fn from(pointer: *mut T) -> Self {
        List::from(pointer.cast_const())
    }
}

impl<T: Copy> List<T> {
    /// So many of them.
    pub fn list(self, count: usize) -> Outcome<Vec<T>> {
        self.0.list(count)
    }
}
