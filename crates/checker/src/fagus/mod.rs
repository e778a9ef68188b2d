//! A world of shared memory: nodes with small programs over a network that repeats messages and changes their order.
//!
//! The nodes are not modelled: they are [`fagus::protocol`], the functions that run. A network that loses is not a step of its own: what is below sends
//! again until a message comes, so a message that is lost and one that is late are the same here. How packets become messages is a world of its own, [`packets`].
//!
//! ```
//! use checker::fagus::{Hazard, Violation};
//!
//! let hazard = Hazard::find("H15").unwrap();
//! let (found, steps) = hazard.world.check(100_000).unwrap().violations.remove(0);
//! assert_eq!(found, Violation::Stale);
//! assert_eq!(steps[3], "INV of x from node 0 reaches node 1");
//! assert_eq!(steps[4], "DATA of x from node 0 reaches node 1");
//! ```

mod hazard;
mod litmus;
mod model;
pub mod packets;
pub mod replay;
mod verdict;
mod world;

pub use hazard::{Hazard, Which};
pub use litmus::Litmus;
pub use verdict::{Verdict, Violation, Walk};
pub use world::{Action, Network, Op, Outcome, Packet, State, Transfer, World};
