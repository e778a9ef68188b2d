//! Options of the library.

use crate::algorithms::Algorithms;
use crate::thread::Progress;

/// Options of the library, the same for all processes of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Eager limit in bytes; the carrier's own limit applies if it is smaller.
    pub eager: usize,
    /// Algorithms of collective calls.
    pub algorithms: Algorithms,
    /// Progress thread, which lets the library progress while the program computes; `None` by default.
    pub progress: Option<Progress>,
}

impl Default for Options {
    /// An eager limit of 16 KiB: a choice of this project, about a dozen Ethernet packets.
    fn default() -> Self {
        Options { eager: 16 << 10, algorithms: Algorithms::default(), progress: None }
    }
}
