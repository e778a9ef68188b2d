//! PCs of 2003 with an InfiniBand channel adapter on PCI-X, and a switch between them (decision 0064).
//!
//! A [`Node`] is an adapter, a [bus](settings::Bus) with memory, and programs with the costs of [`cost`]. [`Port`] has
//! the calls of verbs: connections to all other hosts, and datagrams. Time, links and the switch are the engine's
//! (crate `cluster`).

mod bus;
mod clocks;
mod completions;
pub mod cost;
mod driven;
mod host;
pub mod layout;
pub mod library_cost;
mod load;
mod machine;
mod messaging;
mod messenger;
mod parallel;
mod paths;
mod port;
pub mod programs;
mod published;
pub mod settings;
mod shared;
mod shown;
mod side;
mod slots;
mod stamps;
mod subject;
pub mod verbs;
pub mod windows;
mod word;
mod work;

pub use bus::MEMORY_BYTES;
pub use clocks::{CLOCKS, CORE};
pub use host::Host;
pub use messenger::{Messenger, PRIMITIVES};
pub use port::{Arrived, Completion, LONGEST_DATAGRAM, Port, SendError, Service};
pub use settings::Settings;
pub use side::Side;
pub use slots::{Pulled, Slots};
pub use word::Word;

/// PCs with a channel adapter.
pub enum Hca {}

/// Any implementation of the adapter: model, RTL, or both in lockstep.
pub type AnyNic = cluster::AnyNic<Hca>;
/// Hosts in virtual time.
pub type Cluster = cluster::Cluster<Hca>;
/// A host with its adapter.
pub type Node = cluster::Node<Hca>;
