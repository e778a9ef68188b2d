//! The one table of functions: out of it come the functions themselves, their twins for profilers and for Fortran, `mpi.h`, `mpif.h`,
//! `mpi.f90` and the page of coverage.
//!
//! A row is a function with its arguments, and what it does: `= path` is safe code that is called with arguments in
//! safe dress (`arguments`). A row without it is a function that exists, so that programs link; when it is called it says its
//! name and ends the rank.

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
    /// Its name.
    pub name: &'static str,
    /// Names and Rust types of its arguments.
    pub arguments: &'static [(&'static str, &'static str)],
    /// Rust type of its result.
    pub result: &'static str,
    /// Whether it does what the standard says.
    pub built: bool,
}

/// A function that returns an error code: the row of the table, the symbol, and its twin.
macro_rules! functions {
    ($($name:ident($($argument:ident: $kind:ty),* $(,)?) $(= $does:path)?;)*) => {
        /// The rows of this chapter.
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

/// A function by its name, and by its name with a P in front, by which a profiler calls it.
macro_rules! symbols {
    ($name:ident($($argument:ident: $kind:ty),*) -> $result:ty $does:block) => {
        #[allow(unsafe_code, non_snake_case, clippy::too_many_arguments)]
        const _: () = {
            // SAFETY: the name is that of the standard, which no other function of this library has.
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

/// Handles as integers and back: the value is the same (MPI 5.0, section 20.4).
macro_rules! integers {
    ($($to:ident, $from:ident: $kind:ident;)*) => {
        /// The rows of this chapter.
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

        /// A kind of handle with the names of its functions.
        pub const INTEGERS: &[(&str, &str, &str)] = &[$((stringify!($kind), stringify!($to), stringify!($from))),*];

        $(
            crate::table::symbols! { $to(handle: $kind) -> c_int { handle.value() as c_int } }
            crate::table::symbols! { $from(integer: c_int) -> $kind { $kind::of(integer as u32 as usize) } }
        )*
    };
}

use {body, built, functions, integers, symbols};

pub use integer::INTEGERS;

/// All rows of the standard, chapter by chapter.
pub fn all() -> impl Iterator<Item = &'static Function> + Clone {
    CHAPTERS.iter().flat_map(|(_, table)| *table)
}

/// Chapters with their rows.
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
