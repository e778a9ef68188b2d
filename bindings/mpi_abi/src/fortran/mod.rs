//! Fortran names of the functions (MPI 5.0, section 19.1): `mpi_send_` and so on, as gfortran calls them, for
//! `mpif.h` and `use mpi`; in the ABI of MPICH, also those of other compilers.
//!
//! Each row of the [table](crate::table) generates its Fortran wrapper: all arguments are passed by
//! reference, with the error code as the last one. The wrapper calls the same safe code as the C function
//! after converting the arguments (`passed`). Functions with strings, and a few that differ in Fortran, are
//! written by hand.

mod attributes;
mod by_hand;
pub mod common;
mod dynamic;
mod files;
mod generalized;
#[cfg(feature = "mpich")]
mod installed;
mod passed;
mod removed;
mod window;

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
    (MPI_Grequest_start $($rest:tt)*) => {};
    (MPI_Group_from_session_pset $($rest:tt)*) => {};
    (MPI_Session_get_nth_pset $($rest:tt)*) => {};
    (MPI_Session_get_pset_info $($rest:tt)*) => {};
    (MPI_Add_error_string $($rest:tt)*) => {};
    (MPI_Pack_external $($rest:tt)*) => {};
    (MPI_Pack_external_c $($rest:tt)*) => {};
    (MPI_Pack_external_size $($rest:tt)*) => {};
    (MPI_Pack_external_size_c $($rest:tt)*) => {};
    (MPI_Unpack_external $($rest:tt)*) => {};
    (MPI_Unpack_external_c $($rest:tt)*) => {};
    (MPI_Type_create_keyval $($rest:tt)*) => {};
    (MPI_Type_get_attr $($rest:tt)*) => {};
    (MPI_Type_set_attr $($rest:tt)*) => {};
    (MPI_File_open $($rest:tt)*) => {};
    (MPI_File_delete $($rest:tt)*) => {};
    (MPI_File_set_view $($rest:tt)*) => {};
    (MPI_File_get_view $($rest:tt)*) => {};
    (MPI_Register_datarep $($rest:tt)*) => {};
    (MPI_Register_datarep_c $($rest:tt)*) => {};
    (MPI_Keyval_create $($rest:tt)*) => {};
    (MPI_Attr_get $($rest:tt)*) => {};
    (MPI_Attr_put $($rest:tt)*) => {};
    // Rows of MPICH's ABI; `removed` has those that Fortran has too.
    (MPI_Address $($rest:tt)*) => {};
    (MPI_Errhandler_create $($rest:tt)*) => {};
    (MPI_Errhandler_get $($rest:tt)*) => {};
    (MPI_Errhandler_set $($rest:tt)*) => {};
    (MPI_Status_c2f $($rest:tt)*) => {};
    (MPI_Status_f2c $($rest:tt)*) => {};
    (MPI_Type_extent $($rest:tt)*) => {};
    (MPI_Type_hindexed $($rest:tt)*) => {};
    (MPI_Type_hvector $($rest:tt)*) => {};
    (MPI_Type_lb $($rest:tt)*) => {};
    (MPI_Type_struct $($rest:tt)*) => {};
    (MPI_Type_ub $($rest:tt)*) => {};
    (MPI_Win_get_name $($rest:tt)*) => {};
    (MPI_Win_set_name $($rest:tt)*) => {};
    (MPI_Win_create_keyval $($rest:tt)*) => {};
    (MPI_Win_get_attr $($rest:tt)*) => {};
    (MPI_Win_set_attr $($rest:tt)*) => {};
    ($name:ident($($argument:ident: $kind:ty),*)) => {
        crate::fortran::symbols! {
            $name($($argument),*) {{
                $(let _ = $argument;)*
                crate::entry::missing(stringify!($name))
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

/// Converts an argument to its type. Weights may be addresses of the COMMON block. Indices of lists, which have these names in the table, begin at 1 in
/// Fortran.
macro_rules! taken {
    (indx, $argument:ident: $kind:ty) => {
        crate::fortran::take::<crate::fortran::Index>($argument)
    };
    (array_of_indices, $argument:ident: $kind:ty) => {
        crate::fortran::take::<crate::fortran::Index>($argument)
    };
    (weights, $argument:ident: $kind:ty) => {
        crate::fortran::take::<*const crate::types::c_void>($argument)
    };
    (sourceweights, $argument:ident: $kind:ty) => {
        crate::fortran::take::<*const crate::types::c_void>($argument)
    };
    (destweights, $argument:ident: $kind:ty) => {
        crate::fortran::take::<*const crate::types::c_void>($argument)
    };
    ($name:ident, $argument:ident: $kind:ty) => {
        crate::fortran::take::<$kind>($argument)
    };
}

/// Defines a subroutine under its names. The error code follows the arguments, then the lengths of strings.
macro_rules! symbols {
    ($name:ident($($argument:ident),* $(; $($length:ident),+)?) $does:block) => {
        pastey::paste! {
            crate::fortran::named! {
                [<$name:lower>]($($argument: *mut crate::types::c_void,)* ierror: *mut crate::types::c_int $($(, $length: usize)+)?) {
                    crate::fortran::tell(ierror, crate::leave(stringify!($name), $does));
                }
            }
        }
    };
}

/// Defines a function under its Fortran name as gfortran mangles it, with an underscore, and under its
/// profiling name. MPICH's library has the names of all manglings.
macro_rules! named {
    ($name:ident($($argument:ident: $kind:ty),*) $(-> $result:ty)? $does:block) => {
        pastey::paste! {
            #[allow(unsafe_code, non_snake_case, clippy::too_many_arguments)]
            const _: () = {
                // SAFETY: the standard defines the name for Fortran, and no other function of this library
                // has it.
                #[unsafe(no_mangle)]
                extern "C" fn [<$name _>]($($argument: $kind),*) $(-> $result)? $does

                crate::fortran::other_names! {
                    [<$name _>]($($argument: $kind),*) [$(-> $result)?]
                    [<p $name _>]; [<$name>] [<$name __>] [<$name:upper>] [<p $name>] [<p $name __>] [<P $name:upper>]
                }
            };
        }
    };
}

/// Defines further names of a function: one in both ABIs, the others in that of MPICH.
macro_rules! other_names {
    ($name:ident $arguments:tt $result:tt $profiling:ident; $($mangled:ident)*) => {
        crate::fortran::other_name! { $profiling $name $arguments $result }
        $(
            #[cfg(feature = "mpich")]
            crate::fortran::other_name! { $mangled $name $arguments $result }
        )*
    };
}

macro_rules! other_name {
    ($other:ident $name:ident($($argument:ident: $kind:ty),*) [$(-> $result:ty)?]) => {
        // SAFETY: as above.
        #[unsafe(no_mangle)]
        extern "C" fn $other($($argument: $kind),*) $(-> $result)? {
            $name($($argument),*)
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
pub(crate) use {named, other_name, other_names, symbols, taken, wrapper};

/// Returns the error code of a subroutine to the program.
pub fn tell(ierror: *mut c_int, code: c_int) {
    Out::from(ierror).offer(code);
}

/// Converts a Fortran argument to the type of its C counterpart.
pub fn take<K: Passed>(pointer: *mut c_void) -> K::Argument {
    K::taken(pointer)
}
