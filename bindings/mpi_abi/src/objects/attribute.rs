//! Attribute keys of a rank.

use crate::types::*;

/// Error code of a copy callback, and the new value if the attribute is copied.
pub type Copied = (c_int, Option<usize>);

/// Calling convention of attribute callbacks.
pub struct Calls {
    /// Calls a copy callback: `(function, old, key, extra, value)`.
    pub copy: fn(usize, MPI_Comm, c_int, usize, usize) -> Copied,
    /// Calls a delete callback and returns its error code: `(function, communicator, key, value, extra)`.
    pub delete: fn(usize, MPI_Comm, c_int, usize, usize) -> c_int,
}

/// An attribute key with its callbacks.
#[derive(Clone, Copy)]
pub struct Key {
    /// Address of the copy callback.
    pub copy: usize,
    /// Address of the delete callback.
    pub delete: usize,
    /// Extra state, passed to both callbacks.
    pub extra: usize,
    /// Calling convention of both callbacks.
    pub calls: &'static Calls,
}
