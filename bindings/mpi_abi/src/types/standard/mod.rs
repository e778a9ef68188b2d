//! The standard ABI (MPI 5.0, chapter 20): a handle is an opaque pointer without an object.

mod values;

use super::{MPI_Datatype, c_int};
pub use values::*;

/// Representation of a handle.
pub type Word = usize;
/// Smallest handle of programs; predefined handles are smaller.
pub const OWN: usize = 0x1000;
/// Distance between the handles of two types: handle and type together fit into a C `int`.
pub const SPAN: usize = 1 << 28;
/// Maximum number of handles of one type.
pub const MOST: usize = SPAN - OWN;

/// Datatypes that mark the lower and the upper bound of a structure: MPI 3.0 removed them.
pub const BOUND_MARKERS: Option<[MPI_Datatype; 2]> = None;

/// Keyval in C of a keyval that a Fortran program passes: the same.
pub fn keyval_of_fortran(keyval: c_int) -> c_int {
    keyval
}

/// Status of a message.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(non_snake_case)]
pub struct MPI_Status {
    /// Rank of the sender.
    pub MPI_SOURCE: c_int,
    /// Tag of the message.
    pub MPI_TAG: c_int,
    /// Set only by calls that return several statuses.
    pub MPI_ERROR: c_int,
    /// Low and high half of the message length in bytes, a flag for cancellation, and two unused words.
    pub MPI_internal: [c_int; 5],
}

impl MPI_Status {
    /// Status with all words 0.
    pub const ZERO: Self = MPI_Status { MPI_SOURCE: 0, MPI_TAG: 0, MPI_ERROR: 0, MPI_internal: [0; 5] };

    /// Length of the message in bytes.
    pub fn bytes(&self) -> u64 {
        let [low, high, ..] = self.MPI_internal;
        u64::from(low as u32) | u64::from(high as u32) << 32
    }

    /// Sets the length of the message in bytes.
    pub fn set_bytes(&mut self, bytes: u64) {
        [self.MPI_internal[0], self.MPI_internal[1]] = [bytes as u32 as c_int, (bytes >> 32) as u32 as c_int];
    }

    /// Whether the call was cancelled.
    pub fn cancelled(&self) -> bool {
        self.MPI_internal[2] != 0
    }

    /// Marks the call as cancelled or not.
    pub fn set_cancelled(&mut self, cancelled: bool) {
        self.MPI_internal[2] = cancelled.into();
    }
}
