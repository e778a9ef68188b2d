//! Instructions of Fagus's library, as `ci/library-cost fagus` counts them in `crates/fagus/src` (decision 0103).
//! A barrier of two nodes has two messages more than two barriers of one node, each sent and received; over datagrams
//! one of them has an acknowledgement of its own, which makes three.
//!
//! ```text
//! library  fagus
//! package  fagus
//! example  fagus_steps
//! lines    crates/fagus/src
//! own      block.rs comm.rs config.rs dsm.rs handle.rs node/ protocol/ reassembly.rs ring.rs shared.rs watch.rs wire.rs
//! ACCESS   own | 1 messages 3000 0 0 - 1 messages 1000 0 0 | 2000
//! LOCK     own | 1 messages 0 3000 0 - 1 messages 0 1000 0 | 2000
//! BARRIER  own | 1 messages 0 0 3000 - 1 messages 0 0 1000 | 2000
//! MESSAGE  own | 2 messages 0 0 3000 + 1 messages 0 0 1000 + 1 messages 0 0 1000 - 2 messages 0 0 1000 - 1 messages 0 0 3000 - 1 messages 0 0 3000 | 8000
//! DATAGRAM own | 2 datagrams 0 0 3000 + 1 datagrams 0 0 1000 + 1 datagrams 0 0 1000 - 2 datagrams 0 0 1000 - 1 datagrams 0 0 3000 - 1 datagrams 0 0 3000 | 12000
//! ```

use cluster::host::LibraryStep;

/// A call that reads or writes an object that needs no message, with the end of its guard.
pub const ACCESS: LibraryStep = LibraryStep { instructions: 538, loads: 181, stores: 176, branches: 34 };

/// A call that acquires a lock, with its release.
pub const LOCK: LibraryStep = LibraryStep { instructions: 542, loads: 177, stores: 169, branches: 43 };

/// A call that waits at a barrier.
pub const BARRIER: LibraryStep = LibraryStep { instructions: 372, loads: 117, stores: 118, branches: 31 };

/// A message that is sent or received, over networks that carry messages.
pub const MESSAGE: LibraryStep = LibraryStep { instructions: 304, loads: 103, stores: 71, branches: 32 };

/// A datagram that is sent or received, with its part of an acknowledgement.
pub const DATAGRAM: LibraryStep = LibraryStep { instructions: 523, loads: 168, stores: 143, branches: 53 };
