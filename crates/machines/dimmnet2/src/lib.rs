//! PCs with a DIMMnet-2 in a memory slot, and InfiniBand between them.
//!
//! A [`Node`] is a board, two [SO-DIMMs](SoDimm), a memory bus and the [programs](Host) of its host. The
//! [transport](Transport) lies between SWIF and the cable. [`programs`] is the host library. Time, links and switches
//! are the engine's (crate `cluster`).

mod clocks;
mod driven;
pub mod host;
mod line;
mod load;
mod machine;
mod messaging;
mod messenger;
mod parallel;
pub mod paths;
pub mod programs;
mod published;
mod settings;
mod shared;
mod shown;
mod side;
mod sodimm;
mod subject;
mod transport;
mod work;

pub use clocks::{CLOCKS, CORE, NETWORK};
pub use host::{Buffer, Host};
pub use line::CableLine;
pub use machine::{INPUT_LINES, lid, sweep};
pub use messenger::{Messenger, PRIMITIVES, ScheduleError, begin};
pub use settings::Settings;
pub use side::Side;
pub use sodimm::{SoDimm, Stalls};
pub use transport::{HELD, MOST_TIMEOUTS, Transport, TransportCounters};

/// A PC with a DIMMnet-2 in a memory slot.
pub enum Dimmnet2 {}

/// Any implementation of the board: model, RTL, or both in lockstep.
pub type AnyNic = cluster::AnyNic<Dimmnet2>;
/// Boards in their PCs, in virtual time.
pub type Cluster = cluster::Cluster<Dimmnet2>;
/// A PC with a board.
pub type Node = cluster::Node<Dimmnet2>;
/// One direction of a cable.
pub type Link = cluster::Link<CableLine>;
