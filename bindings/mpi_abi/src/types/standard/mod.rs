//! The face of the standard ABI (MPI 5.0, chapter 20): a handle is a pointer that points nowhere.

mod values;

use super::c_int;
pub use values::*;

/// What a handle is.
pub type Word = usize;
/// Handles of programs begin here; those below are the standard's own.
pub const OWN: usize = 0x1000;
/// Handles of two kinds are so far apart: as many as fit into a C `int` together with the kind.
pub const SPAN: usize = 1 << 28;
/// Handles of one kind, at most.
pub const MOST: usize = SPAN - OWN;

/// What is known of a message.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(non_snake_case)]
pub struct MPI_Status {
    /// Rank of the sender.
    pub MPI_SOURCE: c_int,
    /// Tag.
    pub MPI_TAG: c_int,
    /// Error code.
    pub MPI_ERROR: c_int,
    /// Bytes, low and high half; whether it was cancelled; nothing.
    pub MPI_internal: [c_int; 5],
}

impl MPI_Status {
    /// All words are 0.
    pub const ZERO: Self = MPI_Status { MPI_SOURCE: 0, MPI_TAG: 0, MPI_ERROR: 0, MPI_internal: [0; 5] };

    /// Bytes of the message.
    pub fn bytes(&self) -> u64 {
        let [low, high, ..] = self.MPI_internal;
        u64::from(low as u32) | u64::from(high as u32) << 32
    }

    /// The message has so many bytes.
    pub fn set_bytes(&mut self, bytes: u64) {
        [self.MPI_internal[0], self.MPI_internal[1]] = [bytes as u32 as c_int, (bytes >> 32) as u32 as c_int];
    }

    /// Whether it was cancelled.
    pub fn cancelled(&self) -> bool {
        self.MPI_internal[2] != 0
    }

    /// It was cancelled, or not.
    pub fn set_cancelled(&mut self, cancelled: bool) {
        self.MPI_internal[2] = cancelled.into();
    }
}
