//! Instructions of Suci's library, as `ci/library-cost suci` counts them in `crates/suci/core/src` (decision 0103).
//! A block is a datagram, and so is its acknowledgement.
//!
//! ```text
//! library suci
//! package suci
//! example suci_steps
//! lines   crates/suci/core/src
//! MODERN_SEND     . | modern 3000 - modern 1000 | 2000 | send
//! MODERN_SENT     . | modern 3000 - modern 1000 | 4000 | transmit
//! MODERN_RECEIVED . | modern 3000 - modern 1000 | 4000 | input
//! MODERN_TAKE     . | modern 3000 - modern 1000 | 2000 | take
//! PAPER_SEND     . | paper 3000 - paper 1000 | 2000 | send
//! PAPER_SENT     . | paper 3000 - paper 1000 | 4000 | transmit
//! PAPER_RECEIVED . | paper 3000 - paper 1000 | 4000 | input
//! PAPER_TAKE     . | paper 3000 - paper 1000 | 2000 | take
//! ```

use cluster::host::LibraryStep;

/// Instructions of a protocol.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    /// A block is queued.
    pub send: LibraryStep,
    /// A datagram is made, with its part of the call that finds no more.
    pub sent: LibraryStep,
    /// A datagram has arrived.
    pub received: LibraryStep,
    /// A block is taken, with its part of the calls that find no event.
    pub take: LibraryStep,
}

/// Memonet's own protocol, without seals.
pub const MODERN: Steps =
    Steps { send: MODERN_SEND, sent: MODERN_SENT, received: MODERN_RECEIVED, take: MODERN_TAKE };

/// The rules of the paper, with their repairs.
pub const PAPER: Steps =
    Steps { send: PAPER_SEND, sent: PAPER_SENT, received: PAPER_RECEIVED, take: PAPER_TAKE };

const MODERN_SEND: LibraryStep = LibraryStep { instructions: 131, loads: 44, stores: 34, branches: 10 };
const MODERN_SENT: LibraryStep = LibraryStep { instructions: 880, loads: 310, stores: 172, branches: 86 };
const MODERN_RECEIVED: LibraryStep = LibraryStep { instructions: 795, loads: 270, stores: 215, branches: 80 };
const MODERN_TAKE: LibraryStep = LibraryStep { instructions: 167, loads: 69, stores: 54, branches: 11 };
const PAPER_SEND: LibraryStep = LibraryStep { instructions: 88, loads: 32, stores: 22, branches: 10 };
const PAPER_SENT: LibraryStep = LibraryStep { instructions: 290, loads: 104, stores: 98, branches: 18 };
const PAPER_RECEIVED: LibraryStep = LibraryStep { instructions: 286, loads: 96, stores: 68, branches: 34 };
const PAPER_TAKE: LibraryStep = LibraryStep { instructions: 205, loads: 81, stores: 70, branches: 11 };
