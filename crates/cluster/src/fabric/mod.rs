//! The network between nodes: cables, fault injection, and switches.

mod capture;
mod faults;
mod heads;
mod link;
pub mod switch;
mod topology;
mod unit;

pub use capture::{Captured, Direction};
pub use faults::{Fault, Faults, LinkCounters, Rates};
pub use heads::Head;
pub use link::{Link, LinkTiming};
pub use switch::{Cable, Crossing, Switch, SwitchCounters};
pub use topology::{End, Routes, SwitchPort, Topology, TopologyError, stages};
pub use unit::{Destination, Unit};
