//! The table of functions. The symbols of C, of profilers and of Fortran, `mpi.h`, `mpif.h`, `mpi.f90` and
//! the page of supported functions are generated from it.
//!
//! A row declares a function with its arguments. `= path` names its implementation: safe code on wrapped
//! arguments (`arguments`). A row without an implementation defines a symbol, so that programs link; a call
//! of it prints its name and ends the rank.

mod attribute;
mod buffer;
mod collective;
mod collective_init;
mod collective_later;
mod communicator;
mod datatype;
mod dynamic;
mod environment;
mod error;
mod file;
mod group;
mod info;
mod integer;
#[cfg(feature = "mpich")]
pub mod mpich;
mod neighbour;
mod operation;
mod persistent;
mod point_to_point;
mod request;
mod session;
mod time;
mod tool;
mod topology;
mod window;

/// A function of the ABI.
#[derive(Debug)]
pub struct Function {
    /// Name in C, such as `MPI_Send`.
    pub name: &'static str,
    /// Names and Rust types of its arguments.
    pub arguments: &'static [(&'static str, &'static str)],
    /// Rust type of its result.
    pub result: &'static str,
    /// Whether the function is implemented.
    pub built: bool,
}

/// Functions that return an error code: the rows of the table, the symbols and their profiling names.
macro_rules! functions {
    ($($name:ident($($argument:ident: $kind:ty),* $(,)?) $(= $does:path)?;)*) => {
        /// Functions of this chapter.
        pub const TABLE: &[super::Function] = &[$(super::Function {
            name: stringify!($name),
            arguments: &[$((stringify!($argument), stringify!($kind))),*],
            result: "c_int",
            built: super::built!($($does)?),
        }),*];

        $(super::symbols! {
            $name($($argument: $kind),*) -> c_int {
                crate::leave(stringify!($name), super::body!($($does)?, $name, $($argument),*))
            }
        })*

        #[cfg(not(feature = "mpich"))]
        const _: () = {
            $(crate::fortran::wrapper! { $name($($argument: $kind),*) $($does)? })*
        };
    };
}

macro_rules! built {
    () => {
        false
    };
    ($does:path) => {
        true
    };
}

macro_rules! body {
    (, $name:ident, $($argument:ident),*) => {{
        $(let _ = $argument;)*
        crate::missing(stringify!($name))
    }};
    ($does:path, $name:ident, $($argument:ident),*) => {
        crate::enter(stringify!($name), || $does($($argument.into()),*))
    };
}

/// Defines a function under its name and under the profiling name with the prefix P.
macro_rules! symbols {
    ($name:ident($($argument:ident: $kind:ty),*) -> $result:ty $does:block) => {
        #[allow(unsafe_code, non_snake_case, clippy::too_many_arguments)]
        const _: () = {
            // SAFETY: the standard defines the name, and no other function of this library has it.
            #[unsafe(no_mangle)]
            extern "C" fn $name($($argument: $kind),*) -> $result $does

            // SAFETY: as above.
            #[unsafe(export_name = concat!("P", stringify!($name)))]
            extern "C" fn twin($($argument: $kind),*) -> $result {
                $name($($argument),*)
            }
        };
    };
}

/// Conversions between handles and integers, which keep the value (MPI 5.0, section 20.4).
macro_rules! integers {
    ($($to:ident, $from:ident: $kind:ident;)*) => {
        /// Functions of this chapter.
        pub const TABLE: &[crate::table::Function] = &[$(
            crate::table::Function {
                name: stringify!($to),
                arguments: &[("handle", stringify!($kind))],
                result: "c_int",
                built: true,
            },
            crate::table::Function {
                name: stringify!($from),
                arguments: &[("integer", "c_int")],
                result: stringify!($kind),
                built: true,
            },
        )*];

        /// Handle types with the names of their conversion functions.
        pub const INTEGERS: &[(&str, &str, &str)] = &[$((stringify!($kind), stringify!($to), stringify!($from))),*];

        $(
            crate::table::symbols! { $to(handle: $kind) -> c_int { handle.value() as c_int } }
            crate::table::symbols! { $from(integer: c_int) -> $kind { $kind::of(integer as u32 as usize) } }
        )*
    };
}

use {body, built, functions, integers, symbols};

pub use integer::INTEGERS;

/// All functions of the standard, by chapter.
pub fn all() -> impl Iterator<Item = &'static Function> + Clone {
    CHAPTERS.iter().flat_map(|(_, table)| *table)
}

/// Chapters with their functions.
pub const CHAPTERS: &[(&str, &[Function])] = &[
    ("beginning and end", environment::TABLE),
    ("time", time::TABLE),
    ("point to point", point_to_point::TABLE),
    ("buffers", buffer::TABLE),
    ("requests", request::TABLE),
    ("persistent and partitioned", persistent::TABLE),
    ("collective", collective::TABLE),
    ("collective, later", collective_later::TABLE),
    ("collective, persistent", collective_init::TABLE),
    ("neighbours", neighbour::TABLE),
    ("operations", operation::TABLE),
    ("datatypes", datatype::TABLE),
    ("groups", group::TABLE),
    ("communicators", communicator::TABLE),
    ("topologies", topology::TABLE),
    ("attributes", attribute::TABLE),
    ("errors", error::TABLE),
    ("info", info::TABLE),
    ("handles as integers", integer::TABLE),
    ("sessions", session::TABLE),
    ("dynamic processes", dynamic::TABLE),
    ("windows", window::TABLE),
    ("files", file::TABLE),
    ("tools", tool::TABLE),
];
