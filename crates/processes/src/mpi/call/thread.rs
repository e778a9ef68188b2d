//! Threads of a rank that call MPI.

use serde::{Deserialize, Serialize};

/// The thread that calls, one of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallingThread {
    /// Number of the thread in its process.
    pub number: u32,
    /// Another thread can run while this call waits.
    pub may_switch: bool,
}
