//! Fortran's names of the functions (MPI 5.0, section 19.1): `mpi_send_` and so on, as gfortran calls them, for `mpif.h` and `use mpi`.
//!
//! Each row of the [table](crate::table) makes its own: all arguments come by reference, and the error code goes into one more behind them.
//! What a row does is the same safe code; only the dress of its arguments is made of other pointers (`passed`). Rows with text, and a few
//! that are something else in Fortran, are written by hand.

mod attributes;
mod by_hand;
pub mod common;
mod passed;
mod removed;

pub use passed::{Index, Passed};

use crate::arguments::Out;
use crate::types::*;

/// Fortran's two names of a row, unless it is one of those by hand, which are named first.
macro_rules! wrapper {
    (MPI_Init $($rest:tt)*) => {};
    (MPI_Init_thread $($rest:tt)*) => {};
    (MPI_Pcontrol $($rest:tt)*) => {};
    (MPI_Get_library_version $($rest:tt)*) => {};
    (MPI_Get_processor_name $($rest:tt)*) => {};
    (MPI_Error_string $($rest:tt)*) => {};
    (MPI_Buffer_detach $($rest:tt)*) => {};
    (MPI_Comm_get_name $($rest:tt)*) => {};
    (MPI_Comm_set_name $($rest:tt)*) => {};
    (MPI_Type_get_name $($rest:tt)*) => {};
    (MPI_Type_set_name $($rest:tt)*) => {};
    (MPI_Info_create_env $($rest:tt)*) => {};
    (MPI_Info_delete $($rest:tt)*) => {};
    (MPI_Info_get $($rest:tt)*) => {};
    (MPI_Info_get_nthkey $($rest:tt)*) => {};
    (MPI_Info_get_string $($rest:tt)*) => {};
    (MPI_Info_get_valuelen $($rest:tt)*) => {};
    (MPI_Info_set $($rest:tt)*) => {};
    (MPI_Comm_create_keyval $($rest:tt)*) => {};
    (MPI_Comm_get_attr $($rest:tt)*) => {};
    (MPI_Comm_set_attr $($rest:tt)*) => {};
    (MPI_Keyval_create $($rest:tt)*) => {};
    (MPI_Attr_get $($rest:tt)*) => {};
    (MPI_Attr_put $($rest:tt)*) => {};
    ($name:ident($($argument:ident: $kind:ty),*)) => {
        // Where the error code is among arguments that nobody looks at does not matter: the run ends.
        crate::fortran::symbols! { $name() { crate::missing(stringify!($name)) } }
    };
    ($name:ident($($argument:ident: $kind:ty),*) $does:path) => {
        crate::fortran::symbols! {
            $name($($argument),*) {
                crate::enter(stringify!($name), || {
                    $does($(crate::fortran::taken!($argument, $argument: $kind).into()),*)
                })
            }
        }
    };
}

/// An argument in the dress of its type. Places in lists begin at 1 in Fortran; in the table they have these names.
macro_rules! taken {
    (indx, $argument:ident: $kind:ty) => {
        crate::fortran::take::<crate::fortran::Index>($argument)
    };
    (array_of_indices, $argument:ident: $kind:ty) => {
        crate::fortran::take::<crate::fortran::Index>($argument)
    };
    ($name:ident, $argument:ident: $kind:ty) => {
        crate::fortran::take::<$kind>($argument)
    };
}

/// A subroutine by its name in lower case with an underscore, and its twin for profilers. Behind its arguments comes the error code, and
/// behind that the lengths of its texts.
macro_rules! symbols {
    ($name:ident($($argument:ident),* $(; $($length:ident),+)?) $does:block) => {
        pastey::paste! {
            #[allow(unsafe_code, clippy::too_many_arguments)]
            const _: () = {
                // SAFETY: the name is that of the standard in Fortran, which no other function of this library has.
                #[unsafe(no_mangle)]
                extern "C" fn [<$name:lower _>](
                    $($argument: *mut crate::types::c_void,)* ierror: *mut crate::types::c_int $($(, $length: usize)+)?
                ) {
                    crate::fortran::tell(ierror, crate::leave(stringify!($name), $does));
                }

                // SAFETY: as above.
                #[unsafe(no_mangle)]
                extern "C" fn [<p $name:lower _>](
                    $($argument: *mut crate::types::c_void,)* ierror: *mut crate::types::c_int $($(, $length: usize)+)?
                ) {
                    [<$name:lower _>]($($argument,)* ierror $($(, $length)+)?);
                }
            };
        }
    };
}

/// Rows by hand: what is done with the arguments as they come.
macro_rules! rows {
    ($($name:ident($($argument:ident),* $(; $($length:ident),+)?) = $does:expr;)*) => {
        $(crate::fortran::symbols! {
            $name($($argument),* $(; $($length),+)?) { crate::enter(stringify!($name), || $does) }
        })*
    };
}

use rows;
pub(crate) use {symbols, taken, wrapper};

/// The error code of a subroutine goes where the program wants it.
pub fn tell(ierror: *mut c_int, code: c_int) {
    Out::from(ierror).offer(code);
}

/// An argument of Fortran in the dress of its type in C.
pub fn take<K: Passed>(pointer: *mut c_void) -> K::Dress {
    K::taken(pointer)
}
