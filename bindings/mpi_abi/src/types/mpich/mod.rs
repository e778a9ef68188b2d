//! The ABI of MPICH: a handle is a C `int` whose upper bits encode its type and whether it is predefined.

mod values;

use super::{MPI_Datatype, c_int};
pub use values::*;

/// Representation of a handle.
pub type Word = u32;
/// Smallest handle of programs. MPICH's predefined handles are smaller, except those of a few pair datatypes.
pub const OWN: usize = 0x8000_0000;
/// Distance between the handles of two types; datatypes end before the pair datatypes.
pub const SPAN: usize = 1 << 26;
/// Maximum number of handles of one type.
pub const MOST: usize = SPAN;

/// Datatypes that mark the lower and the upper bound of a structure, `MPI_LB` and `MPI_UB`.
pub const BOUND_MARKERS: Option<[MPI_Datatype; 2]> =
    Some([MPI_Datatype::of(0x4c00_0010), MPI_Datatype::of(0x4c00_0011)]);

/// Keyval in C of a keyval that a Fortran program passes: keyvals of predefined attributes are larger by one.
pub fn keyval_of_fortran(keyval: c_int) -> c_int {
    let is_predefined = keyval >> 20 == MPI_TAG_UB >> 20 && keyval & 1 == 0;
    keyval - c_int::from(is_predefined)
}

/// Status of a message.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(non_snake_case)]
pub struct MPI_Status {
    /// Low half of the message length in bytes.
    pub count_lo: c_int,
    /// High half of the message length; bit 0 is set if the call was cancelled.
    pub count_hi_and_cancelled: c_int,
    /// Rank of the sender.
    pub MPI_SOURCE: c_int,
    /// Tag of the message.
    pub MPI_TAG: c_int,
    /// Set only by calls that return several statuses.
    pub MPI_ERROR: c_int,
}

impl MPI_Status {
    /// Status with all words 0.
    pub const ZERO: Self =
        MPI_Status { count_lo: 0, count_hi_and_cancelled: 0, MPI_SOURCE: 0, MPI_TAG: 0, MPI_ERROR: 0 };

    /// Number of words, in C and in Fortran.
    pub const WORDS: usize = 5;

    /// Converts words to a status.
    pub fn of(words: [c_int; Self::WORDS]) -> Self {
        let [count_lo, count_hi_and_cancelled, source, tag, error] = words;
        MPI_Status { count_lo, count_hi_and_cancelled, MPI_SOURCE: source, MPI_TAG: tag, MPI_ERROR: error }
    }

    /// Converts the status to words.
    pub fn words(&self) -> [c_int; Self::WORDS] {
        let MPI_Status {
            count_lo,
            count_hi_and_cancelled,
            MPI_SOURCE: source,
            MPI_TAG: tag,
            MPI_ERROR: error,
        } = *self;
        [count_lo, count_hi_and_cancelled, source, tag, error]
    }

    /// Length of the message in bytes.
    pub fn bytes(&self) -> u64 {
        u64::from(self.count_lo as u32) | u64::from(self.count_hi_and_cancelled as u32 >> 1) << 32
    }

    /// Sets the length of the message in bytes.
    pub fn set_bytes(&mut self, bytes: u64) {
        self.count_lo = bytes as u32 as c_int;
        self.count_hi_and_cancelled = (bytes >> 32 << 1) as u32 as c_int | c_int::from(self.cancelled());
    }

    /// Whether the call was cancelled.
    pub fn cancelled(&self) -> bool {
        self.count_hi_and_cancelled & 1 != 0
    }

    /// Marks the call as cancelled or not.
    pub fn set_cancelled(&mut self, cancelled: bool) {
        self.count_hi_and_cancelled = self.count_hi_and_cancelled & !1 | c_int::from(cancelled);
    }
}
