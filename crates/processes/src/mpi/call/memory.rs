//! Memory of a rank that its calls name. The simulator accesses it while the rank waits for the answer.

use serde::{Deserialize, Serialize};

/// Bytes from which on data is read and written in the memory of the rank, and not passed through the slot. Shorter data
/// costs less than the system call.
pub const LONG: usize = 16 << 10;

/// An address in the memory of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryAddress {
    /// Number of the process at the operating system: the rank, or a program that the rank's command has started.
    pub process: u32,
    /// First byte of the memory of a window; in an access to a dynamic window, the displacement; for
    /// [`Call::Init`](super::Call::Init), a byte that can be read.
    pub address: u64,
}

/// Consecutive bytes in the memory of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Region {
    /// Address of the first byte.
    pub address: u64,
    /// Length in bytes.
    pub length: u64,
}

/// Where data of an answer is to go, if it is [`LONG`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Place {
    /// Into this buffer.
    At(Region),
    /// Nowhere: the rank has the data.
    Nowhere,
}
