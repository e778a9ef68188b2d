//! Arguments of C in safe dress.
//!
//! A program that calls MPI promises that its pointers point to what the function reads or writes: nobody can check that. Each type here
//! is made of such a pointer by a row of the [table](crate::table) and by nobody else, and looks at no more than that promise covers. What
//! can be checked is: null pointers and negative counts are errors.
#![allow(unsafe_code)]

mod place;
mod text;

use std::ffi::c_long;

use crate::fault::{Fault, Outcome};
use crate::types::*;
#[cfg(not(feature = "mpich"))]
pub use place::Integers;
pub use place::{List, Out};
pub use text::{OutText, Text};

/// A number of either size.
#[derive(Clone, Copy, Debug)]
pub struct Number(pub i64);

impl Number {
    /// As a count: not below zero.
    pub fn count(self) -> Outcome<usize> {
        usize::try_from(self.0)
            .map_err(|_| Fault::new(MPI_ERR_COUNT, format!("a count of {} is below zero", self.0)))
    }
}

macro_rules! numbers {
    ($($kind:ty)*) => {
        $(
            impl From<$kind> for Number {
                fn from(number: $kind) -> Self {
                    Number(number as i64)
                }
            }

            impl From<*mut $kind> for OutNumber {
                fn from(pointer: *mut $kind) -> Self {
                    OutNumber { pointer: pointer.cast(), bytes: size_of::<$kind>() }
                }
            }

            impl From<*const $kind> for Numbers {
                fn from(pointer: *const $kind) -> Self {
                    Numbers { pointer: pointer.cast(), bytes: size_of::<$kind>() }
                }
            }

            impl From<*mut $kind> for Numbers {
                fn from(pointer: *mut $kind) -> Self {
                    Numbers::from(pointer.cast_const())
                }
            }

            impl From<*mut $kind> for OutNumbers {
                fn from(pointer: *mut $kind) -> Self {
                    OutNumbers { pointer: pointer.cast(), bytes: size_of::<$kind>() }
                }
            }
        )*
    };
}

numbers!(c_int MPI_Count MPI_Aint);

/// Where a number of either size goes.
#[derive(Clone, Copy)]
pub struct OutNumber {
    pointer: *mut c_void,
    bytes: usize,
}

impl OutNumber {
    /// Puts it there; of one that is too large the standard says `MPI_UNDEFINED`.
    pub fn set(self, number: i64) -> Outcome {
        present(self.pointer)?;
        // SAFETY: a pointer of the program to a number of this size.
        unsafe { write(self.pointer, self.bytes, 0, number) };
        Ok(())
    }

    /// What is there.
    pub fn get(self) -> Outcome<i64> {
        present(self.pointer)?;
        // SAFETY: as above.
        Ok(unsafe { read(self.pointer, self.bytes, 0) })
    }
}

/// A list of numbers of either size.
#[derive(Clone, Copy)]
pub struct Numbers {
    pointer: *const c_void,
    bytes: usize,
}

impl Numbers {
    /// So many of them.
    pub fn list(self, count: usize) -> Outcome<Vec<i64>> {
        if count > 0 {
            present(self.pointer)?;
        }
        // SAFETY: a pointer of the program to so many numbers of this size.
        Ok((0..count).map(|index| unsafe { read(self.pointer, self.bytes, index) }).collect())
    }

    /// So many counts, none of them below zero.
    pub fn counts(self, count: usize) -> Outcome<Vec<usize>> {
        self.list(count)?.into_iter().map(|number| Number(number).count()).collect()
    }
}

/// Where a list of numbers of either size goes.
#[derive(Clone, Copy)]
pub struct OutNumbers {
    pointer: *mut c_void,
    bytes: usize,
}

impl OutNumbers {
    /// Puts them there.
    pub fn set(self, numbers: impl IntoIterator<Item = i64>) -> Outcome {
        for (index, number) in numbers.into_iter().enumerate() {
            present(self.pointer)?;
            // SAFETY: a pointer of the program to a list as long as the standard says.
            unsafe { write(self.pointer, self.bytes, index, number) };
        }
        Ok(())
    }

    /// What is there.
    pub fn list(self, count: usize) -> Outcome<Vec<i64>> {
        Numbers { pointer: self.pointer, bytes: self.bytes }.list(count)
    }
}

unsafe fn read(pointer: *const c_void, bytes: usize, index: usize) -> i64 {
    // SAFETY: the caller's.
    unsafe {
        match bytes {
            4 => pointer.cast::<i32>().add(index).read_unaligned().into(),
            _ => pointer.cast::<i64>().add(index).read_unaligned(),
        }
    }
}

unsafe fn write(pointer: *mut c_void, bytes: usize, index: usize, number: i64) {
    // SAFETY: the caller's.
    unsafe {
        match bytes {
            4 => {
                let number = i32::try_from(number).unwrap_or(MPI_UNDEFINED);
                pointer.cast::<i32>().add(index).write_unaligned(number);
            }
            _ => pointer.cast::<i64>().add(index).write_unaligned(number),
        }
    }
}

fn present(pointer: *const c_void) -> Outcome {
    if pointer.is_null() {
        Err(Fault::new(MPI_ERR_ARG, "a null pointer where something is read or written"))
    } else {
        Ok(())
    }
}

/// Memory of the program in which a datatype describes places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory(usize);

impl From<*const c_void> for Memory {
    fn from(pointer: *const c_void) -> Self {
        Memory(pointer as usize)
    }
}

impl From<*mut c_void> for Memory {
    fn from(pointer: *mut c_void) -> Self {
        Memory(pointer as usize)
    }
}

impl Memory {
    /// Its address.
    pub fn address(self) -> usize {
        self.0
    }

    /// `MPI_IN_PLACE`: no memory of its own.
    pub fn is_in_place(self) -> bool {
        self.0 == MPI_IN_PLACE
    }

    /// The memory so many bytes further on.
    pub fn at(self, bytes: i64) -> Memory {
        Memory(self.0.wrapping_add_signed(bytes as isize))
    }

    /// Adds bytes from here on to a list.
    pub fn read(self, offset: i64, count: usize, bytes: &mut Vec<u8>) {
        // SAFETY: memory that by the datatype of the call is the program's to be read; `Vec` is other memory.
        bytes.extend_from_slice(unsafe { std::slice::from_raw_parts(self.at(offset).0 as *const u8, count) });
    }

    /// Puts bytes here.
    pub fn write(self, offset: i64, bytes: &[u8]) {
        // SAFETY: memory that by the datatype of the call is the program's to be written.
        unsafe { (self.at(offset).0 as *mut u8).copy_from(bytes.as_ptr(), bytes.len()) };
    }

    /// Puts a word here, as of a pointer.
    pub fn set_word(self, word: usize) -> Outcome {
        present(self.0 as *const c_void)?;
        self.write(0, &word.to_ne_bytes());
        Ok(())
    }

    /// New memory for a program, as `malloc` gives it.
    pub fn allocate(bytes: usize) -> Option<Memory> {
        // SAFETY: any size is one that `malloc` answers.
        let pointer = unsafe { libc::malloc(bytes.max(1)) };
        (!pointer.is_null()).then_some(Memory(pointer as usize))
    }

    /// Gives such memory back.
    pub fn free(self) {
        // SAFETY: by the standard the pointer is one of `MPI_Alloc_mem`.
        unsafe { libc::free(self.0 as *mut c_void) };
    }
}

/// Integers of C are what this library takes them for.
const _: () = assert!(size_of::<c_int>() == 4 && size_of::<c_long>() == 8 && size_of::<MPI_Aint>() == 8);
