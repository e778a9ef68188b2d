//! Fortran names of the functions (MPI 5.0, section 19.1): `mpi_send_` and so on, as gfortran calls them, for
//! `mpif.h` and `use mpi`.
//!
//! Each row of the [table](crate::table) generates its Fortran wrapper: all arguments are passed by
//! reference, with the error code as the last one. The wrapper calls the same safe code as the C function
//! after converting the arguments (`passed`). Functions with strings, and a few that differ in Fortran, are
//! written by hand.

mod attributes;
mod by_hand;
pub mod common;
mod dynamic;
mod passed;
mod removed;

pub use passed::{Index, Passed};

use crate::arguments::Out;
use crate::types::*;

/// Fortran names of a row; the names matched first have wrappers written by hand.
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
    (MPI_Close_port $($rest:tt)*) => {};
    (MPI_Comm_accept $($rest:tt)*) => {};
    (MPI_Comm_connect $($rest:tt)*) => {};
    (MPI_Comm_spawn $($rest:tt)*) => {};
    (MPI_Comm_spawn_multiple $($rest:tt)*) => {};
    (MPI_Lookup_name $($rest:tt)*) => {};
    (MPI_Open_port $($rest:tt)*) => {};
    (MPI_Publish_name $($rest:tt)*) => {};
    (MPI_Unpublish_name $($rest:tt)*) => {};
    (MPI_Comm_create_from_group $($rest:tt)*) => {};
    (MPI_Intercomm_create_from_groups $($rest:tt)*) => {};
    (MPI_Comm_get_attr $($rest:tt)*) => {};
    (MPI_Comm_set_attr $($rest:tt)*) => {};
    (MPI_Keyval_create $($rest:tt)*) => {};
    (MPI_Attr_get $($rest:tt)*) => {};
    (MPI_Attr_put $($rest:tt)*) => {};
    ($name:ident($($argument:ident: $kind:ty),*)) => {
        crate::fortran::symbols! {
            $name($($argument),*) {{
                $(let _ = $argument;)*
                crate::missing(stringify!($name))
            }}
        }
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

/// Converts an argument to its type. Indices of lists, which have these names in the table, begin at 1 in
/// Fortran.
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

/// Defines a subroutine under its lower-case name with an underscore, and under its profiling name. The error
/// code follows the arguments, then the lengths of strings.
macro_rules! symbols {
    ($name:ident($($argument:ident),* $(; $($length:ident),+)?) $does:block) => {
        pastey::paste! {
            #[allow(unsafe_code, clippy::too_many_arguments)]
            const _: () = {
                // SAFETY: the standard defines the name for Fortran, and no other function of this library
                // has it.
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

/// Wrappers written by hand.
macro_rules! rows {
    ($($name:ident($($argument:ident),* $(; $($length:ident),+)?) = $does:expr;)*) => {
        $(crate::fortran::symbols! {
            $name($($argument),* $(; $($length),+)?) { crate::enter(stringify!($name), || $does) }
        })*
    };
}

use rows;
pub(crate) use {symbols, taken, wrapper};

/// Returns the error code of a subroutine to the program.
pub fn tell(ierror: *mut c_int, code: c_int) {
    Out::from(ierror).offer(code);
}

/// Converts a Fortran argument to the type of its C counterpart.
pub fn take<K: Passed>(pointer: *mut c_void) -> K::Argument {
    K::taken(pointer)
}
