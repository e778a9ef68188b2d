//! Safe wrappers for arguments of C.
//!
//! A program that calls MPI guarantees that its pointers are valid for the accesses of the function; the
//! library cannot check that. Only rows of the [table](crate::table) construct the types of this module, and
//! these types access no more memory than the standard allows. Null pointers and negative counts are checked
//! and reported as errors.
#![allow(unsafe_code)]

mod place;
mod text;
mod weights;

use std::ffi::c_long;

use crate::fault::{Fault, Outcome};
use crate::types::*;
pub use place::Integers;
pub use place::{List, Out};
pub use text::{OutText, Text};
pub use weights::Weights;

/// An integer argument of 32 or 64 bits.
#[derive(Clone, Copy, Debug)]
pub struct Number(pub i64);

impl Number {
    /// The number as a count, which is not negative.
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

/// Pointer to an integer result of 32 or 64 bits.
#[derive(Clone, Copy)]
pub struct OutNumber {
    pointer: *mut c_void,
    bytes: usize,
}

impl OutNumber {
    /// Writes the number, or `MPI_UNDEFINED` if it does not fit (MPI 5.0).
    pub fn set(self, number: i64) -> Outcome {
        present(self.pointer)?;
        // SAFETY: the program guarantees a pointer to a number of this size.
        unsafe { write(self.pointer, self.bytes, 0, number) };
        Ok(())
    }

    /// Reads the number.
    pub fn get(self) -> Outcome<i64> {
        present(self.pointer)?;
        // SAFETY: as above.
        Ok(unsafe { read(self.pointer, self.bytes, 0) })
    }
}

/// Pointer to an array of integers of 32 or 64 bits.
#[derive(Clone, Copy)]
pub struct Numbers {
    pointer: *const c_void,
    bytes: usize,
}

impl Numbers {
    /// Reads `count` numbers.
    pub fn list(self, count: usize) -> Outcome<Vec<i64>> {
        if count > 0 {
            present(self.pointer)?;
        }
        // SAFETY: the program guarantees a pointer to `count` numbers of this size.
        Ok((0..count).map(|index| unsafe { read(self.pointer, self.bytes, index) }).collect())
    }

    /// Reads `count` counts, none of which is negative.
    pub fn counts(self, count: usize) -> Outcome<Vec<usize>> {
        self.list(count)?.into_iter().map(|number| Number(number).count()).collect()
    }
}

/// Pointer to an array of integer results of 32 or 64 bits.
#[derive(Clone, Copy)]
pub struct OutNumbers {
    pointer: *mut c_void,
    bytes: usize,
}

impl OutNumbers {
    /// Writes the numbers from the beginning of the array.
    pub fn set(self, numbers: impl IntoIterator<Item = i64>) -> Outcome {
        for (index, number) in numbers.into_iter().enumerate() {
            present(self.pointer)?;
            // SAFETY: the program guarantees an array of the length that the standard demands.
            unsafe { write(self.pointer, self.bytes, index, number) };
        }
        Ok(())
    }

    /// Reads `count` numbers.
    pub fn list(self, count: usize) -> Outcome<Vec<i64>> {
        Numbers { pointer: self.pointer, bytes: self.bytes }.list(count)
    }
}

unsafe fn read(pointer: *const c_void, bytes: usize, index: usize) -> i64 {
    // SAFETY: guaranteed by the caller.
    unsafe {
        match bytes {
            4 => pointer.cast::<i32>().add(index).read_unaligned().into(),
            _ => pointer.cast::<i64>().add(index).read_unaligned(),
        }
    }
}

unsafe fn write(pointer: *mut c_void, bytes: usize, index: usize, number: i64) {
    // SAFETY: guaranteed by the caller.
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

/// Memory of the program, accessed as a datatype describes.
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
    /// Address in the program.
    pub fn address(self) -> usize {
        self.0
    }

    /// Whether the argument is `MPI_IN_PLACE`.
    pub fn is_in_place(self) -> bool {
        self.0 == MPI_IN_PLACE
    }

    /// The memory `bytes` bytes further on.
    pub fn at(self, bytes: i64) -> Memory {
        Memory(self.0.wrapping_add_signed(bytes as isize))
    }

    /// Appends `count` bytes at `offset` to `bytes`.
    pub fn read(self, offset: i64, count: usize, bytes: &mut Vec<u8>) {
        // SAFETY: the datatype of the call makes this memory readable; a `Vec` never overlaps with it.
        bytes.extend_from_slice(unsafe { std::slice::from_raw_parts(self.at(offset).0 as *const u8, count) });
    }

    /// Writes bytes at `offset`.
    pub fn write(self, offset: i64, bytes: &[u8]) {
        // SAFETY: the datatype of the call makes this memory writable.
        unsafe { (self.at(offset).0 as *mut u8).copy_from(bytes.as_ptr(), bytes.len()) };
    }

    /// Writes a word, such as a pointer.
    pub fn set_word(self, word: usize) -> Outcome {
        present(self.0 as *const c_void)?;
        self.write(0, &word.to_ne_bytes());
        Ok(())
    }

    /// An error if the pointer is null.
    pub fn present(self) -> Outcome {
        present(self.0 as *const c_void)
    }

    /// Reads a word.
    pub fn word(self) -> Outcome<usize> {
        present(self.0 as *const c_void)?;
        let mut bytes = Vec::new();
        self.read(0, size_of::<usize>(), &mut bytes);
        Ok(usize::from_ne_bytes(bytes.try_into().expect("a word was read")))
    }

    /// Allocates memory for the program with `malloc`; `None` if there is none.
    pub fn allocate(bytes: usize) -> Option<Memory> {
        // SAFETY: `malloc` accepts any size.
        let pointer = unsafe { libc::malloc(bytes.max(1)) };
        (!pointer.is_null()).then_some(Memory(pointer as usize))
    }

    /// Memory at an address of another process, which is not accessed here.
    pub fn at_address(address: usize) -> Memory {
        Memory(address)
    }

    /// Allocates memory of zeros with `calloc`; `None` if there is none.
    pub fn allocate_zeroed(bytes: usize) -> Option<Memory> {
        // SAFETY: `calloc` accepts any size.
        let pointer = unsafe { libc::calloc(bytes.max(1), 1) };
        (!pointer.is_null()).then_some(Memory(pointer as usize))
    }

    /// Frees memory of [`allocate`](Self::allocate) or [`allocate_zeroed`](Self::allocate_zeroed).
    pub fn free(self) {
        // SAFETY: the standard demands a pointer from `MPI_Alloc_mem`.
        unsafe { libc::free(self.0 as *mut c_void) };
    }
}

/// The sizes of C integers that this library assumes.
const _: () = assert!(size_of::<c_int>() == 4 && size_of::<c_long>() == 8 && size_of::<MPI_Aint>() == 8);
