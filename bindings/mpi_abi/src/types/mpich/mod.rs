//! The face of MPICH: a handle is a C `int`, whose upper bits say what it is and whether it is MPICH's own.

mod values;

use super::c_int;
pub use values::*;

/// What a handle is.
pub type Word = u32;
/// Handles of programs begin here. MPICH's own are below, but for a few pairs of values.
pub const OWN: usize = 0x8000_0000;
/// Handles of two kinds are so far apart; datatypes end before those pairs.
pub const SPAN: usize = 1 << 26;
/// Handles of one kind, at most.
pub const MOST: usize = SPAN;

/// What is known of a message.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(non_snake_case)]
pub struct MPI_Status {
    /// Low half of the bytes.
    pub count_lo: c_int,
    /// High half of the bytes, above a bit that says whether it was cancelled.
    pub count_hi_and_cancelled: c_int,
    /// Rank of the sender.
    pub MPI_SOURCE: c_int,
    /// Tag.
    pub MPI_TAG: c_int,
    /// Error code.
    pub MPI_ERROR: c_int,
}

impl MPI_Status {
    /// All words are 0.
    pub const ZERO: Self =
        MPI_Status { count_lo: 0, count_hi_and_cancelled: 0, MPI_SOURCE: 0, MPI_TAG: 0, MPI_ERROR: 0 };

    /// How many words it has, in C and in Fortran.
    pub const WORDS: usize = 5;

    /// The status of these words.
    pub fn of(words: [c_int; Self::WORDS]) -> Self {
        let [count_lo, count_hi_and_cancelled, source, tag, error] = words;
        MPI_Status { count_lo, count_hi_and_cancelled, MPI_SOURCE: source, MPI_TAG: tag, MPI_ERROR: error }
    }

    /// Its words.
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

    /// Bytes of the message.
    pub fn bytes(&self) -> u64 {
        u64::from(self.count_lo as u32) | u64::from(self.count_hi_and_cancelled as u32 >> 1) << 32
    }

    /// The message has so many bytes.
    pub fn set_bytes(&mut self, bytes: u64) {
        self.count_lo = bytes as u32 as c_int;
        self.count_hi_and_cancelled = (bytes >> 32 << 1) as u32 as c_int | c_int::from(self.cancelled());
    }

    /// Whether it was cancelled.
    pub fn cancelled(&self) -> bool {
        self.count_hi_and_cancelled & 1 != 0
    }

    /// It was cancelled, or not.
    pub fn set_cancelled(&mut self, cancelled: bool) {
        self.count_hi_and_cancelled = self.count_hi_and_cancelled & !1 | c_int::from(cancelled);
    }
}
