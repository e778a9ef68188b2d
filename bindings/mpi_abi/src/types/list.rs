//! Lists of constants: each entry defines a Rust constant and a row for the header and the tests.

/// A constant of `mpi.h`.
pub struct Constant {
    /// Name in C, such as `MPI_COMM_WORLD`.
    pub name: &'static str,
    /// Type in C; empty for an integer constant.
    pub kind: &'static str,
    /// Value in C; a handle's bits as an integer.
    pub value: i64,
}

macro_rules! handles {
    ($list:ident: $kind:ident { $($name:ident = $value:literal),* $(,)? }) => {
        $(#[doc = concat!("`", stringify!($name), "`.")] pub const $name: $kind = $kind::of($value);)*
        #[doc = concat!("Handles of kind `", stringify!($kind), "`.")]
        pub const $list: &[Constant] = &[$(Constant { name: stringify!($name), kind: stringify!($kind), value: $value }),*];
    };
}

macro_rules! numbers {
    ($list:ident { $($name:ident = $value:literal),* $(,)? }) => {
        $(#[doc = concat!("`", stringify!($name), "`.")] pub const $name: c_int = $value;)*
        /// Integer constants of one category.
        pub const $list: &[Constant] = &[$(Constant { name: stringify!($name), kind: "", value: $value }),*];
    };
}

macro_rules! pointers {
    ($list:ident { $($name:ident = $kind:literal $value:literal),* $(,)? }) => {
        $(
            #[doc = concat!("`", stringify!($name), "`, an address at which there is nothing.")]
            pub const $name: usize = $value as isize as usize;
        )*
        /// Addresses without an object.
        pub const $list: &[Constant] = &[$(Constant { name: stringify!($name), kind: $kind, value: $value }),*];
    };
}
