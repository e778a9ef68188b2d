//! Lists of constants: each name is a constant of Rust, and a row that the header and the tests read.

/// A constant of `mpi.h`.
pub struct Constant {
    /// Its name.
    pub name: &'static str,
    /// Its type in C; nothing for a whole number.
    pub kind: &'static str,
    /// Its value.
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
        /// Numbers of one kind.
        pub const $list: &[Constant] = &[$(Constant { name: stringify!($name), kind: "", value: $value }),*];
    };
}

macro_rules! pointers {
    ($list:ident { $($name:ident = $kind:literal $value:literal),* $(,)? }) => {
        $(
            #[doc = concat!("`", stringify!($name), "`, an address at which there is nothing.")]
            pub const $name: usize = $value as isize as usize;
        )*
        /// Addresses at which there is nothing.
        pub const $list: &[Constant] = &[$(Constant { name: stringify!($name), kind: $kind, value: $value }),*];
    };
}
