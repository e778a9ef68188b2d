//! Arguments of Fortran: of each type in C, what a reference to it is made into.
//!
//! As in [`arguments`](crate::arguments), a program promises that its references are to what the function reads or writes.
#![allow(unsafe_code)]

use super::common;
use crate::arguments::{Integers, List, Out};
use crate::types::*;

// A handle that Fortran reads or a function of Fortran is given is the low half of C's.
const _: () = assert!(cfg!(target_endian = "little"));

/// What Fortran passes where C has this type.
pub trait Passed {
    /// What the functions of the table take for it.
    type Dress;

    /// Made of the reference.
    fn taken(pointer: *mut c_void) -> Self::Dress;
}

macro_rules! values {
    ($($kind:ty)*) => {
        $(
            impl Passed for $kind {
                type Dress = Self;

                fn taken(pointer: *mut c_void) -> Self {
                    // SAFETY: a reference of the program to one of these.
                    unsafe { pointer.cast::<$kind>().read_unaligned() }
                }
            }

            same!(*mut $kind, *const $kind);
        )*
    };
}

/// What is the same in C.
macro_rules! same {
    ($($kind:ty),*) => {
        $(impl Passed for $kind {
            type Dress = Self;

            fn taken(pointer: *mut c_void) -> Self {
                pointer.cast()
            }
        })*
    };
}

values!(c_int MPI_Count MPI_Aint);
// Three numbers of a range lie together in both languages.
same!(*mut [c_int; 3]);

/// What may be a place of the COMMON block.
macro_rules! addresses {
    ($($kind:ty),*) => {
        $(impl Passed for $kind {
            type Dress = Self;

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
                type Dress = Self;

                fn taken(pointer: *mut c_void) -> Self {
                    let integer: c_int = c_int::taken(pointer);
                    $kind::of(integer as u32 as usize)
                }
            }

            impl Passed for *mut $kind {
                type Dress = Out<$kind>;

                fn taken(pointer: *mut c_void) -> Out<$kind> {
                    let integers = Integers {
                        of: |integer| $kind::of(integer as u32 as usize),
                        value: |handle| handle.value() as c_int,
                    };
                    Out::integers(pointer.cast(), integers)
                }
            }

            impl Passed for *const $kind {
                type Dress = List<$kind>;

                fn taken(pointer: *mut c_void) -> List<$kind> {
                    <*mut $kind>::taken(pointer).into()
                }
            }
        )*
    };
}

handles!(MPI_Comm MPI_Datatype MPI_Errhandler MPI_Group MPI_Info MPI_Message MPI_Op MPI_Request);

/// Functions of the program. They are called as those of C are: all that these take comes by reference there too.
macro_rules! functions {
    ($($kind:ty)*) => {
        $(impl Passed for $kind {
            type Dress = Self;

            fn taken(pointer: *mut c_void) -> Self {
                // SAFETY: the address of a function that the program gives for this; none is a null pointer.
                unsafe { std::mem::transmute::<*mut c_void, $kind>(pointer) }
            }
        })*
    };
}

functions!(MPI_User_function MPI_User_function_c MPI_Comm_errhandler_function);

/// Places in a list: they begin at 1, and at 0 in C.
pub struct Index;

impl Passed for Index {
    type Dress = Out<c_int>;

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
        let mut list = [0x101, 0x7fff_0000, 3];
        let out = take::<*mut MPI_Comm>(list.as_mut_ptr().cast());
        assert_eq!(out.list(2).unwrap(), [MPI_COMM_WORLD, MPI_Comm::of(0x7fff_0000)]);
        out.at(1).set(MPI_COMM_NULL).unwrap();
        assert_eq!(list, [0x101, 0x100, 3]);
    }

    #[test]
    fn places_begin_at_1_and_none_is_none() {
        let mut list = [0; 3];
        let out = take::<Index>(list.as_mut_ptr().cast());
        [0, 7, MPI_UNDEFINED].into_iter().enumerate().for_each(|(at, index)| out.at(at).set(index).unwrap());
        assert_eq!(list, [1, 8, MPI_UNDEFINED]);
    }
}
