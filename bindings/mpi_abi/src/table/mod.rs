//! The table of functions. The symbols of C, of profilers and of Fortran, `mpi.h`, `mpif.h`, `mpi.f90` and
//! the page of supported functions are generated from it.
//!
//! A row declares a function with its arguments. `= path` names its implementation: safe code on wrapped
//! arguments (`arguments`). A row of MPICH's own functions may have none: it defines a symbol, so that programs link, and
//! a call is an error.

mod attribute;
mod buffer;
mod collective;
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
    /// Names and types of its arguments as in the table.
    arguments: &'static [(&'static str, &'static str)],
    /// Whether counts are large, which adds `_c` to the name.
    large: bool,
    /// Rust type of its result.
    pub result: &'static str,
    /// Whether the function is implemented.
    pub built: bool,
}

/// Functions of a chapter: a row has one of them, or one for `int` counts and one for large counts.
pub type Table = [&'static [Function]];

/// Types that differ between a function and its twin for large counts, `MPI_..._c`: alias, with `int` counts
/// and with large ones.
macro_rules! widths {
    ($($(#[$documentation:meta])* $alias:ident: $small:ident, $large:ident;)*) => {
        mod small {
            $($(#[$documentation])* pub type $alias = crate::types::$small;)*
        }

        mod large {
            $($(#[$documentation])* pub type $alias = crate::types::$large;)*
        }

        const WIDTHS: &[(&str, [&str; 2])] = &[$((stringify!($alias), [stringify!($small), stringify!($large)])),*];
    };
}

widths! {
    /// Number of elements or bytes.
    Count: c_int, MPI_Count;
    /// Displacement in elements, or unit of displacements.
    Displacement: c_int, MPI_Aint;
    /// Displacement or extent in bytes.
    Extent: MPI_Aint, MPI_Count;
}

impl Function {
    /// Names and Rust types of the arguments.
    pub fn arguments(&self) -> impl Iterator<Item = (&'static str, String)> {
        let element = |kind: &str| {
            let widths = WIDTHS.iter().find(|(alias, _)| *alias == kind);
            widths.map_or(kind, |(_, widths)| widths[usize::from(self.large)]).to_owned()
        };
        self.arguments.iter().map(move |(name, kind)| {
            // `stringify!` prints a type that a macro has added with a space after the star.
            let kind = kind.replace("* ", "*");
            let kind = match kind.rsplit_once(' ') {
                Some((pointer, kind)) => format!("{pointer} {}", element(kind)),
                None => element(&kind),
            };
            (*name, kind)
        })
    }
}

/// Functions that return an error code: the rows of the table, the symbols and their profiling names. With
/// `[_c]`, a row also declares the function for large counts; types of `widths` distinguish the two.
macro_rules! functions {
    ($($name:ident $([$large:ident])? ($($arguments:tt)*) $(= $does:path)?;)*) => {
        /// Functions of this chapter.
        pub const TABLE: &crate::table::Table = &[$(
            crate::table::row!($name $([$large])? ($($arguments)*) $($does)?)
        ),*];

        $(crate::table::define! { $name $([$large])? ($($arguments)*) $($does)? })*
    };
}

/// Functions without Fortran names.
macro_rules! functions_of_c {
    ($($name:ident($($argument:ident: $kind:ty),* $(,)?) = $does:path;)*) => {
        /// Functions of this chapter.
        pub const TABLE: &crate::table::Table = &[$(crate::table::row!($name($($argument: $kind),*) $does)),*];

        $(
            crate::table::symbols! {
                $name($($argument: $kind),*) -> c_int {
                    crate::leave(stringify!($name), crate::table::body!($does, $name, $($argument),*))
                }
            }
        )*
    };
}

/// Blocking, non-blocking and persistent collective operations with the same arguments. The non-blocking one
/// has a request in addition, the persistent one an info object and a request.
macro_rules! collectives {
    ($(
        $now:ident, $later:ident, $init:ident $([$large:ident])? ($($arguments:tt)*) $(= $does:ident, $starts:ident)?;
    )*) => {
        /// Blocking operations.
        pub const NOW: &crate::table::Table = &[$(
            crate::table::row!($now $([$large])? ($($arguments)*) $(crate::calls::collective::$does)?)
        ),*];
        /// Non-blocking operations.
        pub const LATER: &crate::table::Table = &[$(
            crate::table::row! {
                $later $([$large])? ($($arguments)*, request: *mut MPI_Request) $(crate::calls::collective_later::$starts)?
            }
        ),*];
        /// Persistent operations.
        pub const INIT: &crate::table::Table = &[$(
            crate::table::row! {
                $init $([$large])? ($($arguments)*, info: MPI_Info, request: *mut MPI_Request)
                $(crate::calls::collective::persistent::$does)?
            }
        ),*];

        $(
            crate::table::define! { $now $([$large])? ($($arguments)*) $(crate::calls::collective::$does)? }
            crate::table::define! {
                $later $([$large])? ($($arguments)*, request: *mut MPI_Request) $(crate::calls::collective_later::$starts)?
            }
            crate::table::define! {
                $init $([$large])? ($($arguments)*, info: MPI_Info, request: *mut MPI_Request)
                $(crate::calls::collective::persistent::$does)?
            }
        )*
    };
}

/// Entries of a row in the table.
macro_rules! row {
    ($name:ident ($($argument:ident: $kind:ty),* $(,)?) $($does:path)?) => {
        &[crate::table::row!(stringify!($name), false, ($($argument: $kind),*) $($does)?)]
    };
    ($name:ident [_c] ($($argument:ident: $kind:ty),* $(,)?) $($does:path)?) => {
        &[
            crate::table::row!(stringify!($name), false, ($($argument: $kind),*) $($does)?),
            crate::table::row!(concat!(stringify!($name), "_c"), true, ($($argument: $kind),*) $($does)?),
        ]
    };
    ($name:expr, $large:literal, ($($argument:ident: $kind:ty),*) $($does:path)?) => {
        crate::table::Function {
            name: $name,
            arguments: &[$((stringify!($argument), stringify!($kind))),*],
            large: $large,
            result: "c_int",
            built: crate::table::built!($($does)?),
        }
    };
}

/// Symbols of a row.
macro_rules! define {
    ($name:ident ($($argument:ident: $kind:ty),* $(,)?) $($does:path)?) => {
        crate::table::symbols! {
            $name($($argument: $kind),*) -> c_int {
                crate::leave(stringify!($name), crate::table::body!($($does)?, $name, $($argument),*))
            }
        }

        const _: () = {
            crate::fortran::wrapper! { $name($($argument: $kind),*) $($does)? }
        };
    };
    ($name:ident [_c] $arguments:tt $($does:path)?) => {
        const _: () = {
            use crate::table::small::*;
            crate::table::define! { $name $arguments $($does)? }
        };
        const _: () = {
            use crate::table::large::*;
            pastey::paste! { crate::table::define! { [<$name _c>] $arguments $($does)? } }
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
        crate::entry::missing(stringify!($name))
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
        pub const TABLE: &crate::table::Table = &[&[$(
            crate::table::Function {
                name: stringify!($to),
                arguments: &[("handle", stringify!($kind))],
                large: false,
                result: "c_int",
                built: true,
            },
            crate::table::Function {
                name: stringify!($from),
                arguments: &[("integer", "c_int")],
                large: false,
                result: stringify!($kind),
                built: true,
            },
        )*]];

        /// Handle types with the names of their conversion functions.
        pub const INTEGERS: &[(&str, &str, &str)] = &[$((stringify!($kind), stringify!($to), stringify!($from))),*];

        $(
            crate::table::symbols! { $to(handle: $kind) -> c_int { handle.value() as c_int } }
            crate::table::symbols! { $from(integer: c_int) -> $kind { $kind::of(integer as u32 as usize) } }
        )*
    };
}

use {body, built, collectives, define, functions, functions_of_c, integers, row, symbols};

pub use integer::INTEGERS;

/// All functions of the standard, by chapter.
pub fn all() -> impl Iterator<Item = &'static Function> + Clone {
    chapters().into_iter().flat_map(|(_, functions)| functions)
}

/// Chapters with their functions in the order of the generated files.
pub fn chapters() -> Vec<(&'static str, Vec<&'static Function>)> {
    let rows = |tables: &[&'static Table]| -> Vec<_> {
        tables.iter().copied().flatten().copied().flatten().collect()
    };
    let by_name = |tables: &[&'static Table]| {
        let mut functions = rows(tables);
        // A function precedes its twin for large counts.
        functions.sort_by_key(|function| function.name.trim_end_matches("_c"));
        functions
    };
    vec![
        ("beginning and end", rows(&[environment::TABLE])),
        ("time", rows(&[time::TABLE])),
        ("point to point", rows(&[point_to_point::TABLE])),
        ("buffers", rows(&[buffer::TABLE])),
        ("requests", rows(&[request::TABLE])),
        ("persistent and partitioned", rows(&[persistent::TABLE])),
        ("collective", rows(&[collective::NOW])),
        ("collective, later", rows(&[collective::LATER])),
        ("collective, persistent", by_name(&[collective::INIT])),
        ("neighbours", by_name(&[neighbour::TABLE, neighbour::NOW, neighbour::LATER, neighbour::INIT])),
        ("operations", rows(&[operation::TABLE])),
        ("datatypes", rows(&[datatype::TABLE])),
        ("groups", rows(&[group::TABLE])),
        ("communicators", rows(&[communicator::TABLE])),
        ("topologies", rows(&[topology::TABLE])),
        ("attributes", rows(&[attribute::TABLE])),
        ("errors", rows(&[error::TABLE])),
        ("info", rows(&[info::TABLE])),
        ("handles as integers", rows(&[integer::TABLE])),
        ("sessions", rows(&[session::TABLE])),
        ("dynamic processes", rows(&[dynamic::TABLE])),
        ("windows", rows(&[window::TABLE])),
        ("files", rows(&[file::TABLE])),
        ("tools", rows(&[tool::TABLE])),
    ]
}
