//! PCs with a card of GigaE PM, their PCI buses and Ethernet between them (decision 0033).
//!
//! A [`Node`] is a card, pinned memory, a PCI bus that processor and card share, and programs with the costs of table 1
//! of the paper ([`cost`]). [`Driver`] is the kernel's part: descriptors, flags, interrupts. [`Port`] is the user
//! library, PM's [`pm::Endpoint`]; [`tcp`] is TCP/IP in the same kernel. Time, links and switches are the engine's
//! (crate `cluster`).

mod bus;
mod clocks;
pub mod cost;
mod driven;
mod driver;
pub mod library_cost;
mod load;
mod machine;
pub mod measure;
mod messaging;
mod messenger;
mod parallel;
mod paths;
mod port;
mod published;
mod shared;
mod shown;
mod side;
mod subject;
pub mod tcp;
mod work;

pub use bus::BusHost;
pub use clocks::{CLOCKS, CORE, NETWORK};
pub use driver::{CardCounters, Driver, Settings, TransmitError, mac_address};
pub use ethernet::{PREAMBLE, Symbol, frame_bytes};
pub use machine::Programs;
pub use messenger::{Messenger, PRIMITIVES};
pub use port::Port;
pub use side::Side;

/// A PC with a card of GigaE PM.
pub enum GigaePm {}

/// Any implementation of the card: model, RTL, or both in lockstep.
pub type AnyNic = cluster::AnyNic<GigaePm>;
/// Hosts with cards in virtual time.
pub type Cluster = cluster::Cluster<GigaePm>;
/// A host with its card.
pub type Node = cluster::Node<GigaePm>;
/// One direction of a cable.
pub type Link = cluster::Link<Symbol>;
