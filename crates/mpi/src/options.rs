//! What a run may choose.

use crate::Progress;
use crate::collective::Algorithms;

/// What a run of the library may choose; all processes the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Most bytes of a message that goes without asking, if the carrier has no smaller limit of its own.
    pub eager: usize,
    /// How collective calls go.
    pub algorithms: Algorithms,
    /// A thread that lets the library go on while the program computes; none if not said.
    pub progress: Option<Progress>,
}

impl Default for Options {
    /// 16 KB without asking: our choice, a dozen packets of Ethernet.
    fn default() -> Self {
        Options { eager: 16 << 10, algorithms: Algorithms::default(), progress: None }
    }
}
