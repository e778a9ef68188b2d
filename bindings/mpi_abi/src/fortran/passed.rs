//! Conversion of Fortran references into the argument types of the table.
//!
//! As in [`arguments`](crate::arguments), the program guarantees that its references are valid for the
//! accesses of the function.
#![allow(unsafe_code)]

use super::common;
use crate::arguments::{Integers, List, Out};
use crate::types::*;

// Fortran handles are the low halves of C handles.
const _: () = assert!(cfg!(target_endian = "little"));

/// Conversion of a Fortran reference whose C counterpart has this type.
pub trait Passed {
    /// Argument type of the table's functions.
    type Argument;

    /// Converts the reference.
    fn taken(pointer: *mut c_void) -> Self::Argument;
}

macro_rules! values {
    ($($kind:ty)*) => {
        $(
            impl Passed for $kind {
                type Argument = Self;

                fn taken(pointer: *mut c_void) -> Self {
                    // SAFETY: the program guarantees a reference to a value of this type.
                    unsafe { pointer.cast::<$kind>().read_unaligned() }
                }
            }

            same!(*mut $kind, *const $kind);
        )*
    };
}

/// Pointers that are the same in both languages.
macro_rules! same {
    ($($kind:ty),*) => {
        $(impl Passed for $kind {
            type Argument = Self;

            fn taken(pointer: *mut c_void) -> Self {
                pointer.cast()
            }
        })*
    };
}

values!(c_int MPI_Count MPI_Aint);
// The three numbers of a range are contiguous in both languages.
same!(*mut [c_int; 3]);

/// Pointers that may be addresses of the COMMON block.
macro_rules! addresses {
    ($($kind:ty),*) => {
        $(impl Passed for $kind {
            type Argument = Self;

            fn taken(pointer: *mut c_void) -> Self {
                common::address(pointer).cast()
            }
        })*
    };
}

addresses!(*mut c_void, *const c_void, *mut MPI_Status, *const MPI_Status);

macro_rules! handles {
    ($($kind:ident)*) => {
        $(
            impl Passed for $kind {
                type Argument = Self;

                fn taken(pointer: *mut c_void) -> Self {
                    let integer: c_int = c_int::taken(pointer);
                    $kind::of(integer as u32 as usize)
                }
            }

            impl Passed for *mut $kind {
                type Argument = Out<$kind>;

                fn taken(pointer: *mut c_void) -> Out<$kind> {
                    let integers = Integers {
                        of: |integer| $kind::of(integer as u32 as usize),
                        value: |handle| handle.value() as c_int,
                    };
                    Out::integers(pointer.cast(), integers)
                }
            }

            impl Passed for *const $kind {
                type Argument = List<$kind>;

                fn taken(pointer: *mut c_void) -> List<$kind> {
                    <*mut $kind>::taken(pointer).into()
                }
            }
        )*
    };
}

handles!(MPI_Comm MPI_Datatype MPI_Errhandler MPI_File MPI_Group MPI_Info MPI_Message MPI_Op MPI_Request MPI_Session MPI_Win);

/// Callbacks of the program. Both languages call them alike, because these callbacks take all arguments by
/// reference.
macro_rules! functions {
    ($($kind:ty)*) => {
        $(impl Passed for $kind {
            type Argument = Self;

            fn taken(pointer: *mut c_void) -> Self {
                // SAFETY: the program passes the address of a function of this type, or null.
                unsafe { std::mem::transmute::<*mut c_void, $kind>(pointer) }
            }
        })*
    };
}

functions!(MPI_User_function MPI_User_function_c MPI_Comm_errhandler_function);

/// Indices of a list: they begin at 1 in Fortran and at 0 in C.
pub struct Index;

impl Passed for Index {
    type Argument = Out<c_int>;

    fn taken(pointer: *mut c_void) -> Out<c_int> {
        let integers = Integers {
            of: |integer| integer - 1,
            value: |index| if index == MPI_UNDEFINED { index } else { index + 1 },
        };
        Out::integers(pointer.cast(), integers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fortran::take;

    #[test]
    fn handles_are_integers_of_4_bytes_each_in_its_place() {
        let [world, null] = [MPI_COMM_WORLD, MPI_COMM_NULL].map(|handle| handle.value() as c_int);
        let mut list = [world, 0x7fff_0000, 3];
        let out = take::<*mut MPI_Comm>(list.as_mut_ptr().cast());
        assert_eq!(out.list(2).unwrap(), [MPI_COMM_WORLD, MPI_Comm::of(0x7fff_0000)]);
        out.at(1).set(MPI_COMM_NULL).unwrap();
        assert_eq!(list, [world, null, 3]);
    }

    #[test]
    fn indices_begin_at_1_and_undefined_is_unchanged() {
        let mut list = [0; 3];
        let out = take::<Index>(list.as_mut_ptr().cast());
        [0, 7, MPI_UNDEFINED].into_iter().enumerate().for_each(|(at, index)| out.at(at).set(index).unwrap());
        assert_eq!(list, [1, 8, MPI_UNDEFINED]);
    }
}
