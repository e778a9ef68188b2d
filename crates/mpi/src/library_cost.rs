//! Costs of the library's own steps on a processor (decision 0093). `ci/library-cost mpi` counts them; a message has two
//! calls and two packets, one of each on either side.
//!
//! ```text
//! library mpi
//! package mpi
//! example steps
//! lines   crates/mpi/src
//! CALL    communicator.rs completion.rs protocol.rs request.rs | 3000 0 - 1000 0 | 4000
//! PACKET  envelope.rs inbox.rs matching.rs outbox.rs progress.rs signs.rs | 3000 0 - 1000 0 | 4000
//! ENTRY   all | 3000 10 + 1000 0 - 3000 0 - 1000 10 | 20000
//! ```

use cluster::Duration;
use cluster::host::{LibraryCost, LibraryStep};

use crate::host::Costs;

impl Costs {
    /// Costs of steps on a processor that needs `instruction` for an instruction, and the other two times for a look
    /// and for a word that is copied.
    pub const fn of_library(
        cost: LibraryCost,
        look: Duration,
        word: Duration,
        instruction: Duration,
    ) -> Costs {
        match cost {
            LibraryCost::Looks => Costs::of_looks(look, word),
            LibraryCost::Counted => Costs {
                look,
                word,
                call: CALL.time(instruction),
                build: PACKET.time(instruction),
                sent: Duration::ZERO,
                received: PACKET.time(instruction),
                entry: ENTRY.time(instruction),
            },
            LibraryCost::Off => Costs { look, ..Costs::FREE },
        }
    }
}

/// A send or receive call, as `ci/library-cost mpi` counts it; so are the others.
pub const CALL: LibraryStep = LibraryStep { instructions: 486, loads: 130, stores: 145, branches: 40 };

/// A packet that is sent or received.
pub const PACKET: LibraryStep = LibraryStep { instructions: 1_310, loads: 482, stores: 452, branches: 96 };

/// An entry of a list that is compared with an envelope.
pub const ENTRY: LibraryStep = LibraryStep { instructions: 14, loads: 4, stores: 1, branches: 5 };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn off_leaves_only_looks_in_vain() {
        let ns = Duration::from_ns;
        let [looks, counted, off] = LibraryCost::ALL.map(|cost| Costs::of_library(cost, ns(3), ns(5), ns(1)));
        assert_eq!(looks, Costs::of_looks(ns(3), ns(5)));
        assert_eq!((counted.call, counted.build, counted.received), (ns(486), ns(1_310), ns(1_310)));
        assert_eq!((counted.look, counted.word, counted.entry), (ns(3), ns(5), ns(14)));
        assert_eq!(off, Costs { look: ns(3), ..Costs::FREE });
    }
}
