//! Sessions of a rank.

use crate::types::*;

/// A session with the state that the program can query.
#[derive(Clone, Copy, Debug)]
pub struct Session {
    /// Error handler of the session.
    pub handler: MPI_Errhandler,
    /// Thread level of the session.
    pub threads: c_int,
    /// Buffer of buffered sends: address and length in bytes.
    pub buffer: Option<(usize, usize)>,
}
