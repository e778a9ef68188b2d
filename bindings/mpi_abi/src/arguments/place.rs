//! Pointers of the program to single values and arrays.

use super::present;
use crate::fault::Outcome;
use crate::types::*;

/// Pointer to a value or array of the program.
pub struct Out<T> {
    pointer: *mut T,
    integers: Option<Integers<T>>,
}

/// Conversion between C values and Fortran INTEGERs of 4 bytes: handles are narrower in Fortran, and indices
/// begin at 1 instead of 0.
pub struct Integers<T> {
    /// Converts an INTEGER to the C value.
    pub of: fn(c_int) -> T,
    /// Converts a C value to the INTEGER.
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
        // A status that the program does not want: an address without any object in both ABIs.
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
    /// Pointer to INTEGERs of Fortran.
    pub fn integers(pointer: *mut c_int, integers: Integers<T>) -> Self {
        Out { pointer: pointer.cast(), integers: Some(integers) }
    }

    /// Writes the value; an error if the pointer is null.
    pub fn set(self, value: T) -> Outcome {
        present(self.pointer.cast())?;
        self.offer(value);
        Ok(())
    }

    /// Writes the value unless the pointer is null.
    pub fn offer(self, value: T) {
        if self.pointer.is_null() {
            return;
        }
        // SAFETY: the program guarantees a pointer to a `T`, or to an INTEGER of Fortran.
        unsafe {
            match self.integers {
                None => self.pointer.write_unaligned(value),
                Some(integers) => self.pointer.cast::<c_int>().write_unaligned((integers.value)(value)),
            }
        }
    }

    /// Reads the value; an error if the pointer is null.
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

    /// Pointer to element `index` of an array.
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

    /// Reads `count` elements of an array.
    pub fn list(self, count: usize) -> Outcome<Vec<T>> {
        (0..count).map(|index| self.at(index).get()).collect()
    }
}

/// Pointer to an array that is only read.
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
    /// Reads `count` elements.
    pub fn list(self, count: usize) -> Outcome<Vec<T>> {
        self.0.list(count)
    }
}
