//! Hosts with cards of GigaE PM, their PCI buses and Ethernet between them (decision 0033).
//!
//! A [`Node`] is a card behind its pins, pinned memory, a PCI bus that processor and card share, and programs whose accesses
//! cost what table 1 of the paper measured ([`cost`]). [`Driver`] is the kernel's part: descriptors, flags, interrupts; [`Port`] is the
//! user library, PM's [`pm::Endpoint`]; [`tcp`] is TCP/IP in the same kernel. A [`Cluster`] joins nodes by a cable or through a
//! [`Switch`]; its [wires](Wire) lose, repeat, reorder and damage frames on demand.

mod bus;
mod capture;
mod cluster;
pub mod cost;
mod driver;
pub mod measure;
mod node;
mod port;
mod switch;
pub mod tcp;
mod wire;

pub use bus::BusHost;
pub use capture::{Captured, Line};
pub use cluster::Cluster;
pub use driver::{Driver, Settings, TransmitError};
pub use node::{AnyNic, Node};
pub use port::Port;
pub use switch::{Switch, SwitchCounters};
pub use wire::{Fate, Faults, Wire, WireCounters};
